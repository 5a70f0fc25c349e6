//! A minimal HTTP/1.1 client for the tests. It sends all requests over one connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An open connection to a server.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
}

/// A complete response of a server.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers as pairs of a name in lower case and a value.
    pub headers: Vec<(String, String)>,
    /// The body without the transfer coding. Compressed content stays compressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the value of the first header with this name, which must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
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

impl Connection {
    /// Connects to a server, with a timeout of 30 seconds for each response.
    pub fn open(server: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(server)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Sends a request and reads the whole response.
    ///
    /// Returns an error if the body ends before the length given by `Content-Length` or by the chunk sizes.
    pub fn request(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> io::Result<Response> {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: shop.example.com\r\n");
        for (name, value) in headers {
            request += name;
            request += ": ";
            request += value;
            request += "\r\n";
        }
        self.stream.get_mut().write_all((request + "\r\n").as_bytes())?;

        let (status, headers) = self.head()?;
        let mut response = Response { status, headers, body: Vec::new() };
        if method != "HEAD" && status != 304 && status != 204 {
            response.body = self.body(&response)?;
        }
        Ok(response)
    }

    /// Sends a GET request and reads the whole response.
    pub fn get(&mut self, path: &str) -> io::Result<Response> {
        self.request("GET", path, &[])
    }

    fn head(&mut self) -> io::Result<(u16, Vec<(String, String)>)> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| invalid(format!("found {line:?} instead of a status line")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Ok((status, headers));
            }
            let (name, value) =
                line.split_once(':').ok_or_else(|| invalid(format!("found {line:?} instead of a header")))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    fn body(&mut self, response: &Response) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        if let Some(length) = response.header("content-length") {
            let length = length
                .parse()
                .map_err(|_| invalid(format!("`Content-Length` is {length:?}, not a number")))?;
            self.exactly(length, &mut body)?;
        } else if response.header("transfer-encoding") == Some("chunked") {
            loop {
                let line = self.line()?;
                let size = line.split(';').next().and_then(|size| usize::from_str_radix(size, 16).ok());
                let size = size.ok_or_else(|| invalid(format!("found {line:?} instead of a chunk size")))?;
                self.exactly(size, &mut body)?;
                self.line()?;
                if size == 0 {
                    break;
                }
            }
        } else {
            return Err(invalid("the response has neither `Content-Length` nor chunks".to_owned()));
        }
        Ok(body)
    }

    fn exactly(&mut self, length: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let start = body.len();
        body.resize(start + length, 0);
        self.stream.read_exact(&mut body[start..])
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        match line.strip_suffix("\r\n") {
            Some(line) => Ok(line.to_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
