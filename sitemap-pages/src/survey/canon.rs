//! URLs as they are requested.

use url::Url;

/// Returns the scheme, host and port of a URL over HTTP or HTTPS, such as `https://example.com`.
pub(super) fn origin(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}
