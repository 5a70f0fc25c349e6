//! Builds responses that contain a file, or a status with a short message.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, LAST_MODIFIED,
    RETRY_AFTER, VARY,
};
use http::{Method, Response, StatusCode};

use super::accept::preferred;
use super::coding::Coding;
use super::conditions::{Verdict, evaluate};
use super::file::File;
use super::range::{Wanted, wanted};
use sitemap_core::html_page::HtmlPage;
use sitemap_core::publish::files::content_type;

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

/// Returns the response for a file: 200, 206, 304, 412 or 416. Returns `None` if the file must be compressed first and
/// `may_block` is false.
pub(super) fn file(
    request: &RequestParts<'_>,
    file: &File,
    cache_control: &HeaderValue,
    compress: bool,
    may_block: bool,
) -> Option<Response<Bytes>> {
    let varies = compress && file.is_compressible();
    let coding = if varies { preferred(request.headers, Coding::OFFERED) } else { Coding::Identity };
    let coding = file.possible(coding);
    let mut headers = HeaderMap::with_capacity(8);
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
    let Some(bytes) = file.bytes(coding) else {
        // Compression has failed, so send the plain file and its headers.
        return self::file(request, file, cache_control, compress, may_block);
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type()));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if let Some((_, date)) = modified {
        headers.insert(LAST_MODIFIED, date.clone());
    }
    if file.content_type() == content_type(HtmlPage::FILE_NAME) {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(HtmlPage::SECURITY_POLICY));
    }
    if coding == Coding::Identity {
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    } else {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    }
    if request.is_head() {
        return Some(with(StatusCode::OK, headers, Bytes::new()));
    }
    let tag = tag.map(HeaderValue::as_bytes).unwrap_or_default();
    // Part of a compressed file is of no use, so a client that accepts compressed files gets the whole file.
    let wanted =
        if coding == Coding::Identity { wanted(request.headers, bytes.len(), tag) } else { Wanted::Whole };
    Some(match wanted {
        Wanted::Whole => with(StatusCode::OK, headers, bytes),
        Wanted::Part(range) => part(headers, &bytes, range),
        Wanted::Nothing => {
            let mut response =
                short(request, StatusCode::RANGE_NOT_SATISFIABLE, "the file has no such bytes\n");
            insert_text(response.headers_mut(), CONTENT_RANGE, &format!("bytes */{}", bytes.len()));
            response
        }
    })
}

/// Returns part of a file. `headers` are the headers of the whole file.
fn part(mut headers: HeaderMap, bytes: &Bytes, range: Range<usize>) -> Response<Bytes> {
    let text = format!("bytes {}-{}/{}", range.start, range.end - 1, bytes.len());
    insert_text(&mut headers, CONTENT_RANGE, &text);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.len()));
    with(StatusCode::PARTIAL_CONTENT, headers, bytes.slice(range))
}

fn insert_text(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
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

/// Returns a response with a short message. Caches must not store it, because a missing file may soon exist.
fn short(request: &RequestParts<'_>, status: StatusCode, text: &'static str) -> Response<Bytes> {
    let body = if request.is_head() { Bytes::new() } else { Bytes::from_static(text.as_bytes()) };
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    with(status, headers, body)
}

#[cfg(all(test, feature = "gzip"))]
mod tests {
    use http::header::ACCEPT_ENCODING;

    use super::*;

    #[test]
    fn a_file_that_cannot_be_compressed_is_sent_as_it_is() {
        let plain = Bytes::from(vec![b'a'; 4096]);
        let respond = |file: &File| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            let request = RequestParts { method: &Method::GET, path: "/sitemap.xml", headers: &headers };
            super::file(&request, file, &HeaderValue::from_static("no-cache"), true, true).unwrap()
        };
        let of = || File::new("sitemap.xml", plain.clone(), None);
        let (compressed, sent) = (respond(&of()), respond(&of().with_failed(Coding::Gzip)));
        assert_eq!(compressed.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!((sent.headers().get(CONTENT_ENCODING), sent.body()), (None, &plain));
        assert_ne!(sent.headers()[ETAG], compressed.headers()[ETAG]);
        assert_eq!(sent.headers()[VARY], "Accept-Encoding");
    }
}
