//! A small web site on this machine.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The status, headers and body of the response for each path.
pub(crate) type Pages = BTreeMap<String, (u16, Vec<String>, String)>;

/// A running site. Its threads end with the process.
pub(crate) struct Site {
    pub(crate) origin: String,
    pages: Arc<Mutex<Pages>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Starts a site with HTML pages.
    pub(crate) fn new(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let html =
            |body: &str| (200, vec!["Content-Type: text/html".to_owned()], body.replace("ORIGIN", &origin));
        let pages = pages.iter().map(|(path, body)| ((*path).to_owned(), html(body))).collect();
        let site = Self { origin, pages: Arc::new(Mutex::new(pages)), requests: Arc::default() };
        let (pages, requests) = (Arc::clone(&site.pages), Arc::clone(&site.requests));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, requests) = (Arc::clone(&pages), Arc::clone(&requests));
                thread::spawn(move || answer(stream, &pages, &requests));
            }
        });
        site
    }

    /// Sets the response for a path.
    pub(crate) fn set(&self, path: &str, status: u16, headers: &[&str], body: &str) {
        let headers = headers.iter().map(|&header| header.replace("ORIGIN", &self.origin)).collect();
        self.pages
            .lock()
            .unwrap()
            .insert(path.to_owned(), (status, headers, body.replace("ORIGIN", &self.origin)));
    }

    /// Returns the URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Returns the paths that were requested since the last call, in alphabetical order.
    pub(crate) fn requests(&self) -> Vec<String> {
        let mut requests = std::mem::take(&mut *self.requests.lock().unwrap());
        requests.sort();
        requests
    }
}

/// Answers the requests of one connection.
fn answer(stream: TcpStream, pages: &Mutex<Pages>, requests: &Mutex<Vec<String>>) {
    let mut out = stream.try_clone().unwrap();
    let mut lines = BufReader::new(stream).lines();
    while let Some(Ok(first)) = lines.next() {
        let mut etag = None;
        for line in lines.by_ref() {
            let Ok(line) = line else { return };
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("if-none-match: ") {
                etag = Some(value.to_owned());
            }
        }
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        requests.lock().unwrap().push(path.clone());
        let found = pages.lock().unwrap().get(&path).cloned();
        let (status, headers, body) =
            found.unwrap_or((404, Vec::new(), "<p>There is no such page.".to_owned()));
        let is_known = etag.is_some_and(|etag| headers.contains(&format!("ETag: {etag}")));
        let (status, body) = if is_known { (304, String::new()) } else { (status, body) };
        let length = format!("Content-Length: {}", body.len());
        let head = [format!("HTTP/1.1 {status} X")].into_iter().chain(headers);
        let head: Vec<String> = head.chain((status != 304).then_some(length)).collect();
        let answer = format!("{}\r\n\r\n{body}", head.join("\r\n"));
        if out.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
