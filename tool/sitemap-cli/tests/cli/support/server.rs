//! A web server with wrong, slow or endless responses.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
#[cfg(feature = "pages")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Writes the response for a path, after the request was read.
pub(crate) type Responder = Box<dyn Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync>;

/// A web server on a thread that runs until the process ends.
pub(crate) struct Server {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. A path that ends with `*` matches all paths with this prefix, unless another path matches
    /// exactly.
    pub(crate) fn start(responders: Vec<(&'static str, Responder)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (responders, seen) = (Arc::new(responders), Arc::clone(&heads));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (responders, seen) = (Arc::clone(&responders), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &responders, &seen));
            }
        });
        Self { port, heads }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the requested paths, in order.
    pub(crate) fn requested(&self) -> Vec<String> {
        self.heads.lock().unwrap().iter().map(|head| path(head).to_owned()).collect()
    }

    /// Returns the path of each request, followed by the value of this header or `none`, such as `/ x`. The result is
    /// sorted.
    pub(crate) fn headers(&self, name: &str) -> Vec<String> {
        let value = |head: &str| {
            let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(": "));
            fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
        };
        let heads = self.heads.lock().unwrap();
        let shown = |head: &String| format!("{} {}", path(head), value(head).as_deref().unwrap_or("none"));
        let mut shown: Vec<String> = heads.iter().map(shown).collect();
        shown.sort_unstable();
        shown
    }
}

thread_local! {
    /// The head of the request that this thread is answering, with lower-case header names.
    static HEAD: RefCell<String> = const { RefCell::new(String::new()) };
}

fn serve(mut stream: TcpStream, responders: &[(&str, Responder)], seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|len| len > 2) {}
    let path = path(&head).to_owned();
    let lower = |line: &str| match line.split_once(": ") {
        Some((name, value)) => format!("{}: {value}", name.to_ascii_lowercase()),
        None => line.to_owned(),
    };
    HEAD.set(head.split_inclusive('\n').map(lower).collect());
    seen.lock().unwrap().push(head);
    // Ignores errors, because the client may close the connection at any time.
    let is_folder = |known: &str| known.strip_suffix('*').is_some_and(|folder| path.starts_with(folder));
    let exact = responders.iter().find(|(known, _)| *known == path);
    let _ = match exact.or_else(|| responders.iter().find(|(known, _)| is_folder(known))) {
        Some((_, respond)) => respond(&mut stream),
        None => status(404, "")(&mut stream),
    };
}

/// Returns the path of a request.
fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

/// Responds with 200 and this body.
pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Responder {
    let body = body.into();
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
        stream.write_all(&body)
    })
}

/// Responds with 200, additional headers (each ending with `\r\n`) and this body.
pub(crate) fn ok_with(headers: impl Into<String>, body: impl Into<Vec<u8>>) -> Responder {
    let (headers, body) = (headers.into(), body.into());
    Box::new(move |stream| {
        let len = body.len();
        write!(stream, "HTTP/1.1 200 OK\r\n{headers}Content-Length: {len}\r\nConnection: close\r\n\r\n")?;
        stream.write_all(&body)
    })
}

/// Responds with an entity tag and a body, both of which can change. If the request contains the current tag, responds
/// with 304.
pub(crate) fn conditional(content: Arc<Mutex<(&'static str, String)>>) -> Responder {
    Box::new(move |stream| {
        let (tag, body) = content.lock().unwrap().clone();
        let asked = HEAD.with_borrow(|head| head.contains(&format!("if-none-match: {tag}\r\n")));
        let (status, body) = if asked { ("304 Not Modified", "") } else { ("200 OK", &*body) };
        let len = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nETag: {tag}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}"
        )
    })
}

/// Responds with a status and additional headers (each ending with `\r\n`), without a body.
pub(crate) fn status(status: u16, headers: impl Into<String>) -> Responder {
    let headers = headers.into();
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 {status} x\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n")
    })
}

/// Responds as a proxy would for a host whose pages are the files in a folder.
#[cfg(feature = "pages")]
pub(crate) fn files_of(host: &'static str, folder: std::path::PathBuf) -> Responder {
    Box::new(move |stream| {
        let url = HEAD.with_borrow(|head| path(head).to_owned());
        let name = url.strip_prefix(host).map(|name| name.trim_start_matches('/'));
        let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
        match name.and_then(|name| std::fs::read(folder.join(name)).ok().zip(Some(name))) {
            Some((body, name)) if std::path::Path::new(name).extension().is_some_and(|end| end == "html") => {
                ok_with("Content-Type: text/html\r\n", body)(stream)
            }
            Some((body, _)) => ok_with("Content-Type: text/plain\r\n", body)(stream),
            None => status(404, "")(stream),
        }
    })
}

/// Responds with the first responder until the flag is set, and with the second one after that.
#[cfg(feature = "pages")]
pub(crate) fn either(flag: Arc<AtomicBool>, before: Responder, after: Responder) -> Responder {
    Box::new(move |stream| if flag.load(Ordering::SeqCst) { after(stream) } else { before(stream) })
}

/// Responds with a `Content-Length` that is larger than the body.
pub(crate) fn truncated(body: &'static str) -> Responder {
    Box::new(move |stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n{body}")
    })
}

/// Responds with a body that never ends.
pub(crate) fn endless() -> Responder {
    Box::new(|stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<urlset>")?;
        loop {
            stream.write_all(&[b' '; 8_192])?;
        }
    })
}

/// Responds with one byte every 100 ms.
pub(crate) fn slow() -> Responder {
    Box::new(|stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(b" ")?;
            stream.flush()?;
            thread::sleep(Duration::from_millis(100));
        }
    })
}

/// Reads the request and does not respond.
pub(crate) fn silent() -> Responder {
    Box::new(|_| {
        thread::sleep(Duration::from_secs(30));
        Ok(())
    })
}
