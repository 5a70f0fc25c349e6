//! The benchmark's own requests to a server, and connections that are slow or idle.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::server::USAGE;
use crate::Result;

/// How many bytes a slow reader reads at most before each [`PAUSE`].
const SIP: usize = 16 * 1024;
/// How long a slow reader pauses.
const PAUSE: Duration = Duration::from_millis(250);

/// The CPU time and memory that a server has used since it started.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The CPU time in microseconds.
    pub cpu_micros: u64,
    /// The memory in KiB.
    pub now_kib: u64,
    /// The peak memory in KiB.
    pub peak_kib: u64,
    /// The CPU time of the slowest request in microseconds.
    pub slowest_micros: u64,
}

/// A server under test.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// The origin of its URLs, without a trailing slash.
    pub origin: &'a str,
}

impl Client<'_> {
    /// Sends a request, and returns the body of the response.
    ///
    /// # Errors
    ///
    /// Returns an error if the status is not 200.
    pub fn ask(self, method: &str, path: &str) -> Result<String> {
        let mut stream = TcpStream::connect(self.host()?)?;
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        match response.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => Ok(body.to_owned()),
            _ => Err(format!("{method} {path}: {}", response.lines().next().unwrap_or_default()).into()),
        }
    }

    /// Asks the server how much CPU time and memory it has used.
    ///
    /// # Errors
    ///
    /// Returns an error if the response is not four numbers.
    pub fn usage(self) -> Result<Usage> {
        let text = self.ask("GET", USAGE)?;
        let words: Vec<&str> = text.split(' ').collect();
        let [cpu, now, peak, slowest] = words[..] else { return Err(format!("usage: {text:?}").into()) };
        Ok(Usage {
            cpu_micros: cpu.parse()?,
            now_kib: now.parse()?,
            peak_kib: peak.parse()?,
            slowest_micros: slowest.parse()?,
        })
    }

    /// Returns the path of the first child sitemap.
    ///
    /// # Errors
    ///
    /// Returns an error if the index lists no child sitemap.
    pub fn child(self) -> Result<String> {
        let index = self.ask("GET", "/sitemap.xml")?;
        let loc = index.split_once("<loc>").and_then(|(_, rest)| rest.split_once("</loc>"));
        let name = loc.and_then(|(loc, _)| loc.rsplit_once('/'));
        Ok(format!("/{}", name.ok_or("the index lists no sitemap")?.1))
    }

    /// Opens this number of connections. If there is a `path`, each connection requests it and reads the response
    /// slowly. After `time`, returns how much CPU time and memory the server has used.
    ///
    /// # Errors
    ///
    /// Returns an error if a connection cannot be opened.
    pub fn crowd(self, connections: usize, path: Option<&str>, time: Duration) -> Result<Usage> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut open = Vec::new();
            for _ in 0..connections {
                let mut stream = tokio::net::TcpStream::connect(self.host()?).await?;
                let Some(path) = path else {
                    open.push(stream);
                    continue;
                };
                let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
                stream.write_all(request.as_bytes()).await?;
                tokio::spawn(async move {
                    let mut buffer = vec![0; SIP];
                    // Stop reading when the server closes the connection.
                    while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                        tokio::time::sleep(PAUSE).await;
                    }
                });
            }
            tokio::time::sleep(time).await;
            // This request blocks the thread, and with it all readers, but only for a moment.
            self.usage()
        })
    }

    fn host(&self) -> Result<&str> {
        Ok(self.origin.strip_prefix("http://").ok_or("the origin is not HTTP")?)
    }
}
