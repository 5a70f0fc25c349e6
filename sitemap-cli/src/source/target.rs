//! The target on the command line: standard input, a path, a URL or a host.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sitemap_read::ReadOptions;
use url::Url;

use super::{Place, Source, local, robots};
use crate::error::{Outcome, Stop};

pub(super) fn roots(target: &str, source: &Source) -> Outcome<Vec<Place>> {
    if target == "-" {
        return Ok(vec![Place::Stdin]);
    }
    if let Some(url) = url(target)? {
        return if url.path() == "/" && url.query().is_none() {
            robots::discover(source, &url)
        } else {
            Ok(vec![Place::Url(url)])
        };
    }
    let path = Path::new(target);
    if path.is_dir() {
        return Ok(local::sitemaps(path, source.read_options())?.into_iter().map(Place::File).collect());
    }
    if path.exists() || !is_host(target) {
        return Ok(vec![Place::File(PathBuf::from(target))]);
    }
    let url = Url::parse(&format!("https://{target}/"))
        .map_err(|_| Stop::new(format!("`{target}` is neither a file nor a host; give a path or URL")))?;
    robots::discover(source, &url)
}

/// Returns the URL of a target that is a URL or a host.
pub(super) fn url_of(target: &str) -> Option<Url> {
    match url(target) {
        Ok(None) if target != "-" && !Path::new(target).exists() && is_host(target) => {
            Url::parse(&format!("https://{target}/")).ok()
        }
        found => found.ok().flatten(),
    }
}

/// Counts the unread sitemaps of a folder that has a `sitemap.xml`. Returns 0 for any other target.
pub(super) fn unlisted(target: &str, options: ReadOptions, read: &HashSet<Place>) -> usize {
    let folder = Path::new(target);
    if target == "-" || !folder.is_dir() {
        return 0;
    }
    local::unlisted(folder, options, |path| read.contains(&Place::File(path.to_path_buf())))
}

fn url(target: &str) -> Outcome<Option<Url>> {
    let Some((scheme, _)) = target.split_once("://") else {
        return Ok(None);
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err(Stop::new(format!("`{target}` is not an http or https URL")));
    }
    let url = Url::parse(target).map_err(|error| Stop::new(format!("`{target}` is not a URL: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Stop::new(
            "the URL contains a user name or password; remove everything between `//` and the host",
        ));
    }
    Ok(Some(url))
}

/// Returns `true` for a name with a port. Also returns `true` for a name with a dot, unless it looks like a file name.
fn is_host(target: &str) -> bool {
    let (host, port) = target.split_once(':').map_or((target, None), |(host, port)| (host, Some(port)));
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '.' | '_'))
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_file = matches!(last, "xml" | "gz" | "txt" | "rss" | "atom" | "html" | "json" | "csv");
    match port {
        Some(port) => is_name(host) && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()),
        None => is_name(host) && host.contains('.') && !host.starts_with('.') && !is_file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_files_are_told_apart() {
        for host in ["example.com", "www.example.co.uk", "localhost:8080", "127.0.0.1:80", "bücher.example"]
        {
            assert!(is_host(host), "{host}");
        }
        for file in ["sitemap.xml", "sitemap.xml.gz", "public", "a/b.com", "./x", "", ".hidden", "urls.txt"] {
            assert!(!is_host(file), "{file}");
        }
    }

    #[test]
    fn only_http_is_fetched() {
        assert!(url("ftp://example.com/").is_err());
        assert!(url("https://user:secret@example.com/").is_err());
        assert!(url("sitemap.xml").unwrap().is_none());
        assert_eq!(url("HTTPS://Example.com").unwrap().unwrap().as_str(), "https://example.com/");
    }
}
