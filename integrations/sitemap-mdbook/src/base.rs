//! The book's base URL.

use crate::context::Html;
use crate::failure::Failure;

/// Returns the URL of the folder with the HTML files. It comes from `site-url` in `[output.sitemap]`, and from
/// `site-url` and `cname` in `[output.html]`, which must not contradict each other.
pub(crate) fn base(ours: Option<&str>, html: &Html) -> Result<String, Failure> {
    let (origin, path) = match html.site_url.as_deref() {
        Some(url) if is_absolute(url) => {
            let (origin, path) = split(url);
            (Some(origin.to_owned()), Some(path))
        }
        path => (html.cname.as_ref().map(|cname| format!("https://{cname}")), path.map(folder)),
    };
    let Some(ours) = ours else {
        let origin = origin.ok_or_else(|| {
            Failure::new(
                "the URL of the book is unknown; add `site-url = \"https://www.example.com/book/\"` to \
                 `[output.sitemap]`",
            )
        })?;
        return Ok(origin + &path.unwrap_or_else(|| "/".to_owned()));
    };
    if !is_absolute(ours) {
        return Err(Failure::new(format!(
            "`site-url` of `[output.sitemap]` is {ours:?}; give an absolute URL, such as \
             \"https://www.example.com/book/\""
        )));
    }
    let (our_origin, our_path) = split(ours);
    let same_path = match &path {
        // If our URL is only an origin, `[output.html]` sets the folder.
        Some(path) => our_path == "/" || *path == our_path,
        None => true,
    };
    // With only a `cname`, our URL may have a different host, such as a proxy in front of GitHub Pages.
    let has_url = html.site_url.as_deref().is_some_and(is_absolute);
    let same_origin = !has_url || origin.as_deref() == Some(our_origin);
    if !same_path || !same_origin {
        let theirs = html.site_url.as_deref().unwrap_or_default();
        return Err(Failure::new(format!(
            "`site-url` of `[output.sitemap]` is {ours:?}, but `site-url` of `[output.html]` is {theirs:?}; make both \
             agree, or remove one of them"
        )));
    }
    Ok(our_origin.to_owned() + &path.unwrap_or(our_path))
}

fn is_absolute(url: &str) -> bool {
    url.contains("://")
}

/// Splits an absolute URL into its origin and its path.
fn split(url: &str) -> (&str, String) {
    let host = url.find("://").map_or(0, |colon| colon + 3);
    let end = url[host..].find('/').map_or(url.len(), |slash| host + slash);
    (&url[..end], folder(&url[end..]))
}

/// Returns a path with a leading and a trailing slash.
fn folder(path: &str) -> String {
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base_of(ours: &str, site_url: &str, cname: &str) -> Result<String, String> {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let html = Html { site_url: some(site_url), cname: some(cname), input_404: None };
        base(some(ours).as_deref(), &html).map_err(|failure| failure.to_string())
    }

    #[test]
    fn the_url_of_this_table_is_the_base() {
        assert_eq!(base_of("https://a.example/book", "", "").unwrap(), "https://a.example/book/");
    }

    #[test]
    fn the_path_of_the_html_table_is_added_to_an_origin() {
        assert_eq!(base_of("https://a.example", "/book/", "").unwrap(), "https://a.example/book/");
    }

    #[test]
    fn the_html_table_alone_is_enough_if_it_has_a_host() {
        assert_eq!(base_of("", "https://a.example/book/", "").unwrap(), "https://a.example/book/");
        assert_eq!(base_of("", "/book/", "b.example").unwrap(), "https://b.example/book/");
        assert_eq!(base_of("", "", "b.example").unwrap(), "https://b.example/");
    }

    #[test]
    fn equal_urls_agree_with_and_without_the_last_slash() {
        assert_eq!(
            base_of("https://a.example/b", "https://a.example/b/", "").unwrap(),
            "https://a.example/b/"
        );
    }

    #[test]
    fn a_contradiction_is_an_error() {
        for (ours, html) in
            [("https://a.example/x/", "/book/"), ("https://a.example/book/", "https://b.example/book/")]
        {
            assert_eq!(
                base_of(ours, html, "").unwrap_err(),
                format!(
                    "`site-url` of `[output.sitemap]` is {ours:?}, but `site-url` of `[output.html]` is {html:?}; make \
                     both agree, or remove one of them"
                )
            );
        }
    }

    #[test]
    fn without_a_host_there_is_no_base() {
        assert_eq!(
            base_of("", "/book/", "").unwrap_err(),
            "the URL of the book is unknown; add `site-url = \"https://www.example.com/book/\"` to `[output.sitemap]`"
        );
        assert_eq!(
            base_of("/book/", "", "").unwrap_err(),
            "`site-url` of `[output.sitemap]` is \"/book/\"; give an absolute URL, such as \
             \"https://www.example.com/book/\""
        );
    }
}
