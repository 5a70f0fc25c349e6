//! Checks the headers of the response that contains the sitemap.

use std::path::Path;

use sitemap_fetch::DownloadResponse;
use url::Url;

use super::log::{Log, Step};
use crate::error::Outcome;

/// Checks the media type. A wrong type is only a warning, because crawlers also look at the content.
pub(super) fn check(response: &DownloadResponse, url: &Url, log: &mut Log) -> Outcome<()> {
    let Some(header) = response.header("content-type") else {
        return log.warn(Step::Type, "the response has no `Content-Type`; send `application/xml`");
    };
    let essence = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if fits(&essence, url.path()) {
        return log.ok(Step::Type, header);
    }
    log.warn(Step::Type, &format!("`{header}` is not the type of a sitemap; send `application/xml`"))
}

fn fits(essence: &str, path: &str) -> bool {
    let ends_with =
        |expected: &str| Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case(expected));
    match essence {
        "application/xml" | "text/xml" => true,
        "text/plain" => ends_with("txt"),
        "application/gzip" | "application/x-gzip" | "application/octet-stream" => ends_with("gz"),
        other => other.ends_with("+xml") && other != "application/xhtml+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_sitemaps_fit() {
        for (essence, path, expected) in [
            ("application/xml", "/a.xml", true),
            ("application/rss+xml", "/feed", true),
            ("text/html", "/a.xml", false),
            ("application/xhtml+xml", "/a.xml", false),
            ("text/plain", "/a.txt", true),
            ("text/plain", "/a.xml", false),
            ("application/gzip", "/a.xml.gz", true),
            ("application/octet-stream", "/a.xml", false),
        ] {
            assert_eq!(fits(essence, path), expected, "{essence} {path}");
        }
    }
}
