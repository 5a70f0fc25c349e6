//! Starts an example server on a free port and stops it when the test ends.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use ureq::Agent;
use ureq::http::{HeaderMap, Request};

/// A running example server. Stopped when dropped.
pub struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts a program with `--port 0` and further arguments, and waits until it prints its URL. The program serves
    /// the sample data, either from memory or from a database that it fills first.
    ///
    /// # Panics
    ///
    /// Panics if the program exits before it prints its URL.
    pub fn start(program: &str, arguments: &[&str], database: Option<&str>) -> Self {
        let mut command = Command::new(program);
        command.args(["--port", "0"]).args(arguments).env_remove("DATABASE_URL").stdout(Stdio::piped());
        if let Some(url) = database {
            command.arg("--fill").env("DATABASE_URL", url);
        }
        let mut child = command.spawn().expect("a program that starts");
        let mut lines = BufReader::new(child.stdout.take().expect("the output is a pipe")).lines();
        let address = loop {
            let line = lines.next().expect("the server prints its URL").expect("the output is readable");
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.parse().expect("a socket address");
            }
        };
        // Keep reading the output, because the server would block on a full pipe.
        thread::spawn(move || lines.count());
        Self { child, address }
    }

    /// Returns a client for the server.
    pub fn client(&self) -> Client {
        Client::of(&self.address.to_string())
    }

    /// Sends the signal that service managers use to stop a program, and waits until the server exits.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn terminate(&mut self) -> ExitStatus {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(sent.expect("`kill` runs").success());
        self.child.wait().expect("an ended process")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killing fails if the program has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An HTTP client that sends its requests to one server.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    address: String,
}

/// A complete response from a server.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The body without the transfer coding. Compressed content stays compressed.
    pub body: Vec<u8>,
    headers: HeaderMap,
}

impl Client {
    /// Creates a client with a timeout of 30 seconds per response.
    pub fn of(address: &str) -> Self {
        // Applications close idle connections, so each request has a connection of its own.
        let config = Agent::config_builder().http_status_as_error(false).max_idle_connections(0);
        let agent = config.timeout_global(Some(Duration::from_secs(30))).build().into();
        Self { agent, address: address.to_owned() }
    }

    /// Sends a request and reads the complete response.
    ///
    /// # Errors
    ///
    /// Returns an error if the response is missing or incomplete.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Response, ureq::Error> {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, mut body) = self.agent.run(request.body(())?)?.into_parts();
        Ok(Response { status: head.status.as_u16(), body: body.read_to_vec()?, headers: head.headers })
    }
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
