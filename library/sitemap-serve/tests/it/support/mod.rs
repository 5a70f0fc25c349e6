//! An axum server, and a client that sees every byte of a response.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use axum::Router;
use sitemap_serve::SitemapService;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    /// Starts a server that uses the service as the fallback for all routes.
    pub(crate) fn of(service: SitemapService) -> Self {
        Self::start(Router::new().fallback_service(service))
    }

    pub(crate) fn start(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
        Self { address, runtime: Some(runtime) }
    }

    /// Returns a client for a server in another process.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, runtime: None }
    }

    pub(crate) fn get(&self, path: &str, headers: &[&str]) -> Answer {
        self.send("GET", path, headers)
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n");
        for header in headers {
            request.push_str(header);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::parse(&bytes)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The headers except `date` and `connection`. Names are lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .expect("the response must contain a complete head");
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = BTreeMap::new();
        for line in lines {
            let (name, value) = line.split_once(':').unwrap();
            let twice = headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            assert_eq!(twice, None, "the header `{name}` is repeated");
        }
        assert!(headers.remove("date").is_some());
        headers.remove("connection");
        Self { status, headers, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}
