//! From what was found to what is sent.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    LAST_MODIFIED, RETRY_AFTER, VARY,
};
use http::{Method, Response, StatusCode};

use super::accept::prefers_gzip;
use super::conditions::{Verdict, judge};
use super::file::{Coding, File};

/// What is asked for a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'r> {
    pub(super) method: &'r Method,
    pub(super) path: &'r str,
    pub(super) headers: &'r HeaderMap,
}

impl Asked<'_> {
    pub(super) fn is_head(&self) -> bool {
        self.method == Method::HEAD
    }
}

/// A file, or word that the client has it; `None` if it has to be compressed first and there is no time
/// for that.
pub(super) fn file(
    asked: &Asked<'_>,
    file: &File,
    cache_control: &HeaderValue,
    compress: bool,
    may_wait: bool,
) -> Option<Response<Bytes>> {
    let varies = compress && file.is_compressible();
    let coding = if varies && prefers_gzip(asked.headers) { Coding::Gzip } else { Coding::Identity };
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
    let verdict =
        judge(asked.headers, tag.map(HeaderValue::as_bytes).unwrap_or_default(), modified.map(|(at, _)| *at));
    match verdict {
        Verdict::NotModified => return Some(with(StatusCode::NOT_MODIFIED, headers, Bytes::new())),
        Verdict::Failed => {
            return Some(short(asked, StatusCode::PRECONDITION_FAILED, "the file is another one\n"));
        }
        Verdict::Send => {}
    }
    if !may_wait && !file.is_at_hand(coding) {
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
    let body = if asked.is_head() { Bytes::new() } else { bytes.clone() };
    Some(with(StatusCode::OK, headers, body))
}

fn with(status: StatusCode, headers: HeaderMap, body: Bytes) -> Response<Bytes> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer
}

pub(super) fn not_found(asked: &Asked<'_>) -> Response<Bytes> {
    short(asked, StatusCode::NOT_FOUND, "there is no such sitemap\n")
}

pub(super) fn wrong_method(asked: &Asked<'_>) -> Response<Bytes> {
    let mut answer = short(asked, StatusCode::METHOD_NOT_ALLOWED, "a sitemap can be read only\n");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    answer
}

pub(super) fn not_yet(asked: &Asked<'_>, retry_after: Duration) -> Response<Bytes> {
    let mut answer = short(asked, StatusCode::SERVICE_UNAVAILABLE, "the sitemap is not ready yet\n");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after.as_secs().max(1)));
    answer
}

/// An answer in a few words, which nobody is to keep: a file that is not there may be there soon.
fn short(asked: &Asked<'_>, status: StatusCode, text: &'static str) -> Response<Bytes> {
    let body = if asked.is_head() { Bytes::new() } else { Bytes::from_static(text.as_bytes()) };
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    with(status, headers, body)
}
