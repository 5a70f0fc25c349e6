//! A server that waits a while before each response.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use super::site::PageSite;
use crate::Result;

/// The path that returns two numbers: how many different pages were requested since the last request for this path, and
/// how many requests there were for pages.
pub const HITS: &str = "/-/hits";

/// The maximum size of a request, in bytes.
const MAX_REQUEST: usize = 64 * 1024;

#[derive(Debug)]
struct Shared {
    site: PageSite,
    latency: Duration,
    hits: Mutex<(HashSet<usize>, u64)>,
}

/// Prints the site's origin, and serves the site until the process is killed.
///
/// # Errors
///
/// Returns an error if no port can be opened.
pub fn serve(pages: usize, latency: Duration) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = format!("http://{}", listener.local_addr()?);
        println!("{origin}");
        std::io::stdout().flush()?;
        let site = PageSite::new(pages, origin);
        let shared = Arc::new(Shared { site, latency, hits: Mutex::default() });
        loop {
            let (stream, _) = listener.accept().await?;
            let shared = Arc::clone(&shared);
            // It's not the server's error if a client closes the connection.
            tokio::spawn(async move { _ = answer(stream, &shared).await });
        }
    })
}

/// Responds to the requests on one connection.
async fn answer(mut stream: TcpStream, shared: &Shared) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if buffer.len() > MAX_REQUEST || stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let request = String::from_utf8_lossy(&buffer[..end]).into_owned();
        buffer.drain(..end);
        let pause = sleep_until(Instant::now() + shared.latency);
        let response = response(&request, shared);
        pause.await;
        stream.write_all(&response).await?;
        if request.to_ascii_lowercase().contains("\r\nconnection: close") {
            return Ok(());
        }
    }
}

fn response(request: &str, shared: &Shared) -> Vec<u8> {
    let mut line = request.split(' ');
    let (method, path) = (line.next().unwrap_or_default(), line.next().unwrap_or_default());
    let site = &shared.site;
    let (status, kind, body) = match (path, site.number(path)) {
        (_, Some(number)) => {
            let mut hits = shared.hits.lock().expect("no request panics");
            hits.0.insert(number);
            hits.1 += 1;
            ("200 OK", "text/html; charset=utf-8", site.page(number))
        }
        ("/sitemap.xml", _) => ("200 OK", "application/xml", site.sitemap()),
        ("/robots.txt", _) => ("200 OK", "text/plain", "User-agent: *\nAllow: /\n".to_owned()),
        (HITS, _) => {
            let (different, all) = std::mem::take(&mut *shared.hits.lock().expect("no request panics"));
            ("200 OK", "text/plain", format!("{} {all}", different.len()))
        }
        _ => {
            ("404 Not Found", "text/html", "<title>Not found</title><p>There is no such page</p>".to_owned())
        }
    };
    // Without the header `LinkChecker`, the program of that name waits 0.1 to 0.6 seconds between requests to the same
    // host.
    let mut response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nLinkChecker: allowed\r\n\r\n",
        body.len()
    )
    .into_bytes();
    if method != "HEAD" {
        response.extend_from_slice(body.as_bytes());
    }
    response
}
