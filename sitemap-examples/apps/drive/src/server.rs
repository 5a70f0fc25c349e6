//! Starts an example that serves, on a free port, and stops it at the end.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::{io, thread};

use crate::Connection;

/// A running example; stopped when it is dropped.
pub struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts a program with `--port 0` and these further arguments, on the sample data in memory or,
    /// filled first, in a database; waits until it says where it listens.
    ///
    /// # Panics
    ///
    /// If it ends before.
    pub fn start(program: &str, arguments: &[&str], database: Option<&str>) -> Self {
        let mut command = Command::new(program);
        command.args(["--port", "0"]).args(arguments).env_remove("DATABASE_URL").stdout(Stdio::piped());
        if let Some(url) = database {
            command.arg("--fill").env("DATABASE_URL", url);
        }
        let mut child = command.spawn().expect("a program that starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = loop {
            let line = lines.next().expect("a line that says where the server listens").expect("its output");
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.parse().expect("an address");
            }
        };
        // Read on, or the program would stop at a full pipe.
        thread::spawn(move || lines.count());
        Self { child, address }
    }

    /// A new connection to it.
    ///
    /// # Errors
    ///
    /// If it does not answer.
    pub fn connect(&self) -> io::Result<Connection> {
        Connection::open(self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
