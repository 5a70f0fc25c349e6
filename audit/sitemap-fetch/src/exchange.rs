//! One request and its response.

use std::time::SystemTime;

use reqwest::Response;
use reqwest::header::{HeaderMap, HeaderValue};
use sitemap_pages::facts;
use sitemap_pages::robots::RobotsTxt;
use sitemap_pages::visit::{Failure, FailureKind, Validators};
use url::Url;

use crate::client::HttpClient;
use crate::explain::too_slow;
use crate::redirect::is_redirect;
use crate::request::Condition;
use crate::retry_after::retry_after;
use crate::url_parts::server;

/// The number of bytes to read from a redirect's body so that its connection can be reused.
pub(crate) const REDIRECT_BODY: usize = 64 * 1024;

/// The maximum memory that is reserved up front for a body.
const USUAL_BODY: usize = 64 * 1024;

/// A response as the server sent it, but decompressed.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) is_cut: bool,
}

impl Reply {
    /// Returns the first value of a header. `name` is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Passes the response to a function, in the form that facts are read from.
    pub(crate) fn as_page<R>(
        &self,
        requested: &str,
        url: &Url,
        read: impl FnOnce(&facts::Response<'_>) -> R,
    ) -> R {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut page = facts::Response::new(url.as_str(), self.status, &headers, &self.body);
        (page.requested, page.is_cut) = (requested, self.is_cut);
        read(&page)
    }

    /// Returns the validators.
    pub(crate) fn validators(&self) -> Validators {
        let validator = |name| self.header(name).map(str::to_owned);
        Validators::new(validator("etag"), validator("last-modified"))
    }

    /// Returns how long the server asks the client to wait before the next request.
    pub(crate) fn retry_after(&self) -> Option<std::time::Duration> {
        let value = self.header("retry-after").filter(|_| matches!(self.status, 429 | 503))?;
        retry_after(value, self.header("date"), SystemTime::now)
    }
}

/// The purpose of the response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Page,
    RobotsTxt,
}

/// Sends a request, and reads the response.
pub(crate) async fn exchange(
    http: &HttpClient,
    url: &Url,
    headers: HeaderMap,
    wanted: Wanted,
) -> Result<Reply, Failure> {
    let options = &*http.options;
    let reply = async {
        let response = http.client.get(url.clone()).headers(headers).send().await;
        let response = response.map_err(|error| http.explain(&error, url))?;
        let most = match wanted {
            _ if is_redirect(response.status().as_u16()) => REDIRECT_BODY,
            Wanted::Page => options.max_body_bytes,
            // Reads one byte more than the limit, so that the parser notices that the file is longer.
            Wanted::RobotsTxt => RobotsTxt::MAX_LEN + 1,
        };
        read(response, url, most, http).await
    };
    tokio::time::timeout(options.timeout, reply).await.unwrap_or_else(|_| Err(too_slow(url, options)))
}

/// Reads a response, with at most `most` bytes of its body.
async fn read(response: Response, url: &Url, most: usize, http: &HttpClient) -> Result<Reply, Failure> {
    let mut reply = head_of(&response);
    let status = reply.status;
    match read_body(&mut reply, response, url, most, http).await {
        // With any other status, the body doesn't matter.
        Err(_) if !matches!(status, 200..=299) => reply.is_cut = true,
        result => result?,
    }
    Ok(reply)
}

/// Returns a reply with the response's status and headers.
pub(crate) fn head_of(response: &Response) -> Reply {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers =
        response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Reply { status: response.status().as_u16(), headers, body: Vec::new(), is_cut: false }
}

async fn read_body(
    reply: &mut Reply,
    mut response: Response,
    url: &Url,
    most: usize,
    http: &HttpClient,
) -> Result<(), Failure> {
    // The client removes this header when it decodes the body.
    if let Some(encoding) = reply.header("content-encoding").filter(|encoding| is_compression(encoding)) {
        return Err(undecoded(url, encoding));
    }
    let stated = response.content_length().and_then(|len| usize::try_from(len).ok()).unwrap_or(0);
    // A server can announce any length, so only a limited amount of memory is reserved.
    reply.body.reserve(stated.min(most).min(USUAL_BODY));
    while let Some(chunk) = response.chunk().await.map_err(|error| http.explain(&error, url))? {
        let room = most - reply.body.len();
        if chunk.len() > room {
            reply.body.extend_from_slice(&chunk[..room]);
            reply.is_cut = true;
            break;
        }
        reply.body.extend_from_slice(&chunk);
    }
    Ok(())
}

/// Returns `true` if a `Content-Encoding` names a compression. Some servers send other words in this header, and
/// browsers then read the body as it is.
pub(crate) fn is_compression(encoding: &str) -> bool {
    encoding.split(',').any(|part| {
        ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz"]
            .iter()
            .any(|name| part.trim().eq_ignore_ascii_case(name))
    })
}

/// Returns the failure for a body whose encoding the client can't decode.
pub(crate) fn undecoded(url: &Url, encoding: &str) -> Failure {
    let why = format!("`{}` sent a body in the encoding {encoding:?}, which is not supported", server(url));
    Failure::new(FailureKind::Encoding, why)
}

/// Returns `true` for statuses after which the same request may succeed later.
pub(crate) const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 522 | 524)
}

/// Returns the headers that make a request conditional.
///
/// Sends both validators: a server that supports entity tags ignores the date.
///
/// Source: RFC 9110, section 13.1.3.
pub(crate) fn conditional(condition: &Condition) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let validators = &condition.validators;
    for (name, value) in
        [("if-none-match", &validators.etag), ("if-modified-since", &validators.last_modified)]
    {
        if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_bytes(value.as_bytes()).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}
