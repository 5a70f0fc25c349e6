//! URLs as they are requested.

use url::Url;

use crate::judge::plain_origin;

/// Returns the scheme, host and port of a URL over HTTP or HTTPS, such as `https://example.com`.
pub(super) fn origin(url: &str) -> Option<String> {
    if let Some(origin) = plain_origin(url) {
        return Some(origin.to_owned());
    }
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}
