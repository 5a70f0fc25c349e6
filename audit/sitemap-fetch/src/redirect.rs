//! Redirects: where they go, and whether to follow them.

use sitemap_pages::visit::{Failure, FailureKind, Hop};
use url::Url;

use crate::url_parts::server;

/// Returns `true` for redirect statuses.
pub(crate) const fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Records a redirect, and returns the URL to request next.
pub(crate) fn follow(
    hops: &mut Vec<Hop>,
    url: &Url,
    status: u16,
    location: Option<&str>,
    most: usize,
) -> Result<Url, Failure> {
    let target = location.map(|location| url.join(location.trim()));
    let found = target.as_ref().and_then(|target| target.as_ref().ok()).map(|target| {
        let mut target = target.clone();
        target.set_fragment(None);
        target
    });
    let location_url = found.as_ref().map(|target| target.as_str().to_owned());
    hops.push(Hop::new(url.as_str().to_owned(), status, location_url));
    let invalid = |why: String| Failure::new(FailureKind::InvalidRedirect, why);
    let Some(found) = found else {
        return Err(invalid(match location {
            None => format!("`{}` redirects with status {status} and without a `Location`", server(url)),
            Some(location) => format!("`{}` redirects to {location:?}, which is not a URL", server(url)),
        }));
    };
    if !matches!(found.scheme(), "http" | "https") {
        return Err(invalid(format!(
            "`{}` redirects to `{found}`, which is not an http or https URL",
            server(url)
        )));
    }
    if hops.iter().any(|hop| hop.url == found.as_str()) {
        let why = format!("the redirects lead back to `{found}`");
        return Err(Failure::new(FailureKind::RedirectLoop, why));
    }
    if hops.len() > most {
        let why = format!("there are more than {most} redirects, the last one to `{found}`");
        return Err(Failure::new(FailureKind::TooManyRedirects, why));
    }
    Ok(found)
}
