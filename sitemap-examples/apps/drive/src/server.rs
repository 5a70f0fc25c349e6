//! Starts an example server on a free port and stops it when the test ends.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::{io, thread};

use crate::Connection;

/// A running example server, which is stopped on drop.
pub struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts a program with `--port 0` and further arguments, and waits until it prints its URL. The program serves
    /// the sample data, from memory or from a database that it fills first.
    ///
    /// # Panics
    ///
    /// Panics if the program ends before it prints its URL.
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
        // Keeps reading the server's output, because the server would block on a full pipe.
        thread::spawn(move || lines.count());
        Self { child, address }
    }

    /// Opens a new connection to the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection fails.
    pub fn connect(&self) -> io::Result<Connection> {
        Connection::open(self.address)
    }
}

impl Server {
    /// Sends the server the signal with which service managers end a program, and waits for its end.
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
        // The error is ignored, because killing fails if the program has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
