//! Posts small documents to a server.

use reqwest::header::CONTENT_TYPE;
use sitemap_pages::visit::{Failure, FailureKind};
use url::Url;

use crate::client::HttpClient;
use crate::exchange::{Reply, head_of};
use crate::explain::too_slow;

/// A server's response to a posted [document](crate::Fetcher::post).
///
/// ```
/// use std::io::{Read as _, Write as _};
/// use std::net::TcpListener;
///
/// use sitemap_fetch::{FetchOptions, Fetcher};
///
/// // A server with one answer.
/// let server = TcpListener::bind("127.0.0.1:0")?;
/// let url = format!("http://{}/indexnow", server.local_addr()?);
/// std::thread::spawn(move || -> std::io::Result<()> {
///     let (mut stream, _) = server.accept()?;
///     let mut request = Vec::new();
///     while !request.ends_with(b"{}") {
///         let mut piece = [0; 4096];
///         let read = stream.read(&mut piece)?;
///         request.extend_from_slice(&piece[..read]);
///     }
///     stream.write_all(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nConnection: close\r\n\r\n")
/// });
///
/// let fetcher = Fetcher::new(FetchOptions::new().allow_private(true))?;
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let posted = runtime.block_on(fetcher.post(&url, "application/json", "{}".to_owned())).unwrap();
/// assert_eq!((posted.status, posted.retry_after.as_deref()), (429, Some("60")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
}

pub(crate) async fn post(
    http: &HttpClient,
    url: &str,
    content_type: &str,
    body: String,
) -> Result<Posted, Failure> {
    let url =
        Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or_else(|| {
            Failure::new(FailureKind::InvalidUrl, format!("`{url}` is not an http or https URL"))
        })?;
    let guard = http.options.guard;
    guard
        .check_literal(&url)
        .map_err(|refused| Failure::new(FailureKind::ForbiddenAddress, refused.to_string()))?;
    let request = http.client.post(url.clone()).header(CONTENT_TYPE, content_type).body(body);
    let reply = async { request.send().await.map_err(|error| http.explain(&error, &url)) };
    let too_slow = |_| Err(too_slow(&url, &http.options));
    let response = tokio::time::timeout(http.options.timeout, reply).await.unwrap_or_else(too_slow)?;
    let reply: Reply = head_of(&response);
    Ok(Posted { status: reply.status, retry_after: reply.header("retry-after").map(str::to_owned) })
}
