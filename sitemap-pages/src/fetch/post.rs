//! Small documents that are sent to a server.

use reqwest::header::CONTENT_TYPE;
use url::Url;

use super::client::HttpClient;
use super::exchange::{Reply, head_of};
use super::explain::too_slow;
use crate::visit::{Failure, FailureKind};

/// A server's response to a [document](super::Fetcher::post) that was sent to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
}

pub(super) async fn post(
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
