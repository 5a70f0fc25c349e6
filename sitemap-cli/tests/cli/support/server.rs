//! A web server that can also misbehave.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a path answers with; it gets the connection after the request has been read.
type Answer = Box<dyn Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync>;

/// Ends with the process.
pub(crate) struct Server {
    port: u16,
    paths: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(answers: Vec<(&'static str, Answer)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let paths = Arc::new(Mutex::new(Vec::new()));
        let (answers, seen) = (Arc::new(answers), Arc::clone(&paths));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, seen) = (Arc::clone(&answers), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &answers, &seen));
            }
        });
        Self { port, paths }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The paths that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.paths.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, answers: &[(&str, Answer)], seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut request = String::new();
    reader.read_line(&mut request).unwrap_or_default();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|len| len > 2) {
        line.clear();
    }
    seen.lock().unwrap().push(path.clone());
    // The client may leave at any time.
    let _ = match answers.iter().find(|(known, _)| *known == path) {
        Some((_, answer)) => answer(&mut stream),
        None => status(404, "")(&mut stream),
    };
}

/// A good answer.
pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Answer {
    let body = body.into();
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
        stream.write_all(&body)
    })
}

/// A good answer with more headers, each ended by `\r\n`.
pub(crate) fn ok_with(headers: &'static str, body: impl Into<Vec<u8>>) -> Answer {
    let body = body.into();
    Box::new(move |stream| {
        let len = body.len();
        write!(stream, "HTTP/1.1 200 OK\r\n{headers}Content-Length: {len}\r\nConnection: close\r\n\r\n")?;
        stream.write_all(&body)
    })
}

/// An answer without a body, with more headers, each ended by `\r\n`.
pub(crate) fn status(status: u16, headers: impl Into<String>) -> Answer {
    let headers = headers.into();
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 {status} x\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n")
    })
}

/// Says more than it sends.
pub(crate) fn truncated(body: &'static str) -> Answer {
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n{body}")
    })
}

/// Never ends.
pub(crate) fn endless() -> Answer {
    Box::new(|stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<urlset>")?;
        loop {
            stream.write_all(&[b' '; 8_192])?;
        }
    })
}

/// One byte now and then.
pub(crate) fn slow() -> Answer {
    Box::new(|stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(b" ")?;
            stream.flush()?;
            thread::sleep(Duration::from_millis(100));
        }
    })
}

/// Takes the request and says nothing.
pub(crate) fn silent() -> Answer {
    Box::new(|_| {
        thread::sleep(Duration::from_secs(30));
        Ok(())
    })
}
