//! URLs as they are requested.

use std::borrow::Cow;

use url::Url;

use crate::judge::plain_origin;

/// Returns the scheme, host and port of a URL over HTTP or HTTPS, such as `https://example.com`.
pub(super) fn origin(url: &str) -> Option<Cow<'_, str>> {
    if let Some(origin) = plain_origin(url) {
        return Some(Cow::Borrowed(origin));
    }
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(Cow::Owned(url.origin().ascii_serialization()))
}
