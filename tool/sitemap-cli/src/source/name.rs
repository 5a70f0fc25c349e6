//! Determines whether a target on the command line is a URL, a host, or neither.

use std::path::Path;

use url::Url;

use crate::error::{Outcome, Stop};

/// Returns the URL of a target that is a URL or a host, including its user name and password.
pub(super) fn url_of(target: &str) -> Option<Url> {
    match with_credentials(target) {
        Ok(None) if target != "-" && !Path::new(target).exists() && is_host(target) => {
            Url::parse(&format!("https://{target}/")).ok()
        }
        found => found.ok().flatten(),
    }
}

/// Returns the URL of a target that is a URL, without its user name and password. These are sent separately, and only
/// to this host.
pub(crate) fn url(target: &str) -> Outcome<Option<Url>> {
    Ok(with_credentials(target)?.map(|mut url| {
        // This fails only for URLs without a host, and those contain neither.
        let _ = (url.set_username(""), url.set_password(None));
        url
    }))
}

fn with_credentials(target: &str) -> Outcome<Option<Url>> {
    let Some((scheme, rest)) = target.split_once("://") else {
        return Ok(None);
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        // Messages hide everything before `@`, because something that looks like a path may be part of a password.
        let is_hidden = rest.split_once('/').is_some_and(|(_, path)| path.contains('@'));
        let shown = if is_hidden { format!("{scheme}://…") } else { target.to_owned() };
        return Err(Stop::new(format!(
            "`{shown}` has the scheme `{scheme}`; give an http or https URL, or a path"
        )));
    }
    let url = Url::parse(target).map_err(|error| {
        // Something that looks like a path may be part of the password.
        if target.contains('@') {
            return Stop::new(format!(
                "the URL `{scheme}://…` is not valid: {error}; percent-encode `/`, `?`, `#` and `@` in its user name and \
                 password"
            ));
        }
        Stop::new(format!("`{target}` is not a URL: {error}; correct it"))
    })?;
    Ok(Some(url))
}

/// Returns `true` for a name with a port, or with a dot unless it looks like a file name.
pub(super) fn is_host(target: &str) -> bool {
    let (host, port) = target.split_once(':').map_or((target, None), |(host, port)| (host, Some(port)));
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '.' | '_'))
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_file = matches!(
        last,
        "xml" | "gz" | "txt" | "rss" | "atom" | "html" | "json" | "csv" | "tsv" | "ndjson" | "jsonl"
    );
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
        let without = url("https://user:secret@example.com/a").unwrap().unwrap();
        assert_eq!(without.as_str(), "https://example.com/a");
        assert_eq!(url_of("https://user:secret@example.com/").unwrap().password(), Some("secret"));
        assert!(url("sitemap.xml").unwrap().is_none());
        assert_eq!(url("HTTPS://Example.com").unwrap().unwrap().as_str(), "https://example.com/");
    }
}
