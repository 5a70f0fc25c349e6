//! Explains why a server refused a request.

use sitemap_fetch::DownloadResponse;
use url::Url;

/// Tells whether a request contained credentials.
#[derive(Debug)]
pub(super) enum Sent<'u> {
    Yes,
    /// There are credentials, but not for the host of this URL.
    NotTo(&'u str),
    No,
}

/// Returns the reason, with a remedy.
pub(super) fn refusal(response: &DownloadResponse, sent: &Sent<'_>) -> String {
    let status = response.status;
    let after = match response.header("retry-after") {
        Some(when) if when.bytes().all(|byte| byte.is_ascii_digit()) => format!("in {when} seconds"),
        Some(when) => format!("after {when}"),
        None => "later".to_owned(),
    };
    match status {
        401 => format!("status 401: {}", unauthorized(response, sent)),
        403 if matches!(sent, Sent::Yes) => {
            "status 403: the server denies access with these credentials; check what they may read".to_owned()
        }
        403 => "status 403: the server denies access; allow this user agent or address there, or give another with `--user-agent`".to_owned(),
        404 | 410 => format!("status {status}: not found"),
        407 => "status 407: the proxy asks for credentials; give them in the URL of the proxy".to_owned(),
        429 => format!("status 429: too many requests; try again {after}"),
        503 => format!("status 503: the server is unavailable; try again {after}"),
        _ => format!("the server responds with status {status}"),
    }
}

fn unauthorized(response: &DownloadResponse, sent: &Sent<'_>) -> String {
    let offered = response.headers.iter().filter(|(name, _)| name == "www-authenticate");
    let schemes: Vec<&str> = offered.filter_map(|(_, value)| value.split_whitespace().next()).collect();
    let is_known = |scheme: &&str| ["basic", "bearer"].contains(&&*scheme.to_ascii_lowercase());
    if let (Some(scheme), false) = (schemes.first(), schemes.iter().any(is_known)) {
        return format!(
            "the server asks for credentials with the scheme {scheme:?}; only Basic and Bearer are supported"
        );
    }
    match sent {
        Sent::Yes => "the server does not accept the credentials; check them".to_owned(),
        Sent::NotTo(url) => {
            let host = Url::parse(url).map(|url| url.authority().to_owned()).unwrap_or_default();
            format!(
                "the server asks for credentials, and none were sent, because `{host}` is not the host of a URL on \
                 the command line"
            )
        }
        Sent::No => {
            "the server asks for credentials; give them with `--auth`, `--bearer-file` or `--bearer-env`"
                .to_owned()
        }
    }
}
