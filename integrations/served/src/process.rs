//! Runs an application as a process.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use tempfile::TempDir;
use ureq::Agent;
use ureq::http::Request;

/// The maximum time that a test waits before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running application with its own folder for files. Killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    example: String,
    address: SocketAddr,
    folder: TempDir,
    agent: Agent,
}

/// A complete response.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The body. Compressed content stays compressed.
    pub body: Vec<u8>,
    headers: ureq::http::HeaderMap,
}

impl Response {
    /// Returns the value of the first header with this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns the body as text.
    ///
    /// # Panics
    ///
    /// Panics if the body is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a body in UTF-8")
    }
}

impl Process {
    /// Starts an example of the crate under test, and waits until it has published a set.
    ///
    /// # Panics
    ///
    /// Panics if the example does not start or does not publish.
    pub fn start(example: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let folder = tempfile::tempdir().expect("a folder");
        copy_configuration(folder.path()).expect("a copy of the configuration");
        let child = spawn(example, address, folder.path());
        let agent = Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
        // Applications close idle connections, so each request has a connection of its own.
        let agent = agent.max_idle_connections(0).build();
        let example = example.to_owned();
        let mut process = Self { child, example, address, folder, agent: agent.into() };
        process.wait_until_it_listens();
        process.until("a set", |process| {
            let response = process.get("/sitemap.xml");
            match response.status {
                503 => assert!(response.header("retry-after").is_some()),
                status => assert_eq!(status, 200),
            }
            (response.status == 200).then_some(())
        });
        process
    }

    /// Restarts the application in the same folder, and waits until it is listening.
    ///
    /// # Panics
    ///
    /// Panics if the application does not exit or does not start again.
    pub fn restart(&mut self) {
        assert!(self.end_with("TERM").success());
        self.child = spawn(&self.example, self.address, self.folder.path());
        self.wait_until_it_listens();
    }

    fn wait_until_it_listens(&mut self) {
        let start = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            assert!(self.child.try_wait().expect("a process").is_none(), "the application has ended");
            assert!(start.elapsed() < PATIENCE, "the application does not listen");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Requests a file over HTTP/2, without first asking whether the server supports it. Returns the version and status
    /// of the response.
    ///
    /// # Panics
    ///
    /// Panics if `curl` is not installed.
    pub fn get_with_http2(&self, path: &str) -> String {
        let output = Command::new("curl")
            .args(["-s", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", "--http2-prior-knowledge"])
            .arg(format!("http://{}{path}", self.address))
            .output();
        String::from_utf8(output.expect("`curl` runs").stdout).expect("text")
    }

    /// Returns the name of the example.
    pub fn example(&self) -> &str {
        &self.example
    }

    /// Returns the address that the application listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Calls `look` until it returns a value.
    ///
    /// # Panics
    ///
    /// Panics if that takes longer than a minute.
    pub fn until<T>(&self, what: &str, look: impl Fn(&Self) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "the application has no {what}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a request and reads the complete response.
    ///
    /// # Panics
    ///
    /// Panics if the response is missing or incomplete.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.agent.run(request.body(()).expect("a request"));
        let response = response.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let (head, mut body) = response.into_parts();
        let body = body.read_to_vec().unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        Response { status: head.status.as_u16(), body, headers: head.headers }
    }

    /// Opens a connection, sends the beginning of a request, and waits until the application closes the connection.
    ///
    /// # Panics
    ///
    /// Panics if the application keeps the connection open.
    pub fn send_only(&self, start: &str) {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(start.as_bytes()).expect("an open connection");
        // Some servers send 408 before they close the connection.
        let read = stream.read_to_end(&mut Vec::new());
        assert!(read.is_ok(), "the application keeps a slow connection open: {read:?}");
    }

    /// Sends a GET request and reads the complete response.
    ///
    /// # Panics
    ///
    /// Panics if the response is missing or incomplete.
    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, &[])
    }

    /// Sends the application a signal, and waits until it exits. Ctrl-C sends `INT`; service managers send `TERM`.
    ///
    /// # Panics
    ///
    /// Panics if it does not exit.
    pub fn end_with(&mut self, signal: &str) -> ExitStatus {
        let status = Command::new("kill").args([format!("-{signal}"), self.child.id().to_string()]).status();
        assert!(status.expect("`kill` runs").success());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the application does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Killing fails if the application has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts an example in a folder.
fn spawn(example: &str, address: SocketAddr, folder: &Path) -> Child {
    Command::new(program(example))
        .args((example == "loco").then_some("start"))
        .current_dir(folder)
        .env("PORT", address.port().to_string())
        .env("ROCKET_PORT", address.port().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("an example that was built")
}

/// Copies the folder `config` of the crate under test, if there is one.
fn copy_configuration(folder: &Path) -> io::Result<()> {
    let config = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the test")).join("config");
    if config.is_dir() {
        fs::create_dir(folder.join("config"))?;
        for file in fs::read_dir(config)? {
            let file = file?;
            fs::copy(file.path(), folder.join("config").join(file.file_name()))?;
        }
    }
    Ok(())
}

/// Returns the path of an example. Cargo builds examples together with the test, in a folder next to the test's own.
fn program(example: &str) -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let folder = test.ancestors().nth(2).ok_or(io::ErrorKind::NotFound).expect("the folder of the build");
    folder.join("examples").join(format!("{example}{}", env::consts::EXE_SUFFIX))
}
