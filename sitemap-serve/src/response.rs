//! Builds responses: a file, or a status with a short text.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    LAST_MODIFIED, RETRY_AFTER, VARY,
};
use http::{Method, Response, StatusCode};

use super::accept::prefers_gzip;
use super::conditions::{Verdict, evaluate};
use super::file::{Coding, File};

/// The method, path and headers of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestParts<'r> {
    pub(super) method: &'r Method,
    pub(super) path: &'r str,
    pub(super) headers: &'r HeaderMap,
}

impl RequestParts<'_> {
    pub(super) fn is_head(&self) -> bool {
        self.method == Method::HEAD
    }
}

/// Returns the response for a file: 200, 304 or 412. Returns `None` if the file must be compressed first, but
/// `may_block` is false.
pub(super) fn file(
    request: &RequestParts<'_>,
    file: &File,
    cache_control: &HeaderValue,
    compress: bool,
    may_block: bool,
) -> Option<Response<Bytes>> {
    let varies = compress && file.is_compressible();
    let coding = if varies && prefers_gzip(request.headers) { Coding::Gzip } else { Coding::Identity };
    let mut headers = HeaderMap::with_capacity(7);
    if varies {
        headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, if file.is_immutable() { immutable } else { cache_control.clone() });
    let tag = file.tag(coding);
    if let Some(tag) = tag {
        headers.insert(ETAG, tag.clone());
    }
    let modified = file.modified();
    let verdict = evaluate(
        request.headers,
        tag.map(HeaderValue::as_bytes).unwrap_or_default(),
        modified.map(|(at, _)| *at),
    );
    match verdict {
        Verdict::NotModified => return Some(with(StatusCode::NOT_MODIFIED, headers, Bytes::new())),
        Verdict::Failed => {
            return Some(short(request, StatusCode::PRECONDITION_FAILED, "the file has changed\n"));
        }
        Verdict::Send => {}
    }
    if !may_block && !file.is_ready(coding) {
        return None;
    }
    let bytes = file.bytes(coding);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type()));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if coding == Coding::Gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Some((_, date)) = modified {
        headers.insert(LAST_MODIFIED, date.clone());
    }
    let body = if request.is_head() { Bytes::new() } else { bytes.clone() };
    Some(with(StatusCode::OK, headers, body))
}

fn with(status: StatusCode, headers: HeaderMap, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

pub(super) fn not_found(request: &RequestParts<'_>) -> Response<Bytes> {
    short(request, StatusCode::NOT_FOUND, "there is no such sitemap\n")
}

pub(super) fn method_not_allowed(request: &RequestParts<'_>) -> Response<Bytes> {
    let mut response = short(request, StatusCode::METHOD_NOT_ALLOWED, "use GET or HEAD for a sitemap\n");
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

pub(super) fn unavailable(request: &RequestParts<'_>, retry_after: Duration) -> Response<Bytes> {
    let mut response = short(request, StatusCode::SERVICE_UNAVAILABLE, "the sitemap is not ready yet\n");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after.as_secs().max(1)));
    response
}

/// Returns a response with a short text. Its `Cache-Control` forbids caches to store it, because a missing file may
/// exist soon.
fn short(request: &RequestParts<'_>, status: StatusCode, text: &'static str) -> Response<Bytes> {
    let body = if request.is_head() { Bytes::new() } else { Bytes::from_static(text.as_bytes()) };
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    with(status, headers, body)
}
