//! Finds the file that a request path names. Paths are compared as they are, never decoded or joined to a directory.

use sitemap_core::Stylesheet;
use sitemap_core::html_page::HtmlPage;
use sitemap_core::publish::files::is_set_file;

/// The file that a request path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target<'p> {
    /// A name that is a valid file name in a set.
    File(&'p str),
    Stylesheet,
    /// The HTML page for people.
    HtmlPage,
    /// The host's robots.txt.
    Robots,
}

/// The path under which a set is served. Starts and ends with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount(String);

impl Mount {
    pub(super) fn new(path: &str) -> Self {
        match path.trim_matches('/') {
            "" => Self("/".to_owned()),
            path => Self(format!("/{path}/")),
        }
    }

    /// Returns the file that a path names, or `None` if the service serves nothing at this path.
    pub(super) fn target<'p>(&self, path: &'p str) -> Option<Target<'p>> {
        if path == "/robots.txt" {
            return Some(Target::Robots);
        }
        match path.strip_prefix(&self.0)? {
            Stylesheet::FILE_NAME => Some(Target::Stylesheet),
            HtmlPage::FILE_NAME => Some(Target::HtmlPage),
            name => is_set_file(name).then_some(Target::File(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_has_a_slash_at_both_ends() {
        for (path, mount) in [("", "/"), ("/", "/"), ("shop", "/shop/"), ("/a/b/", "/a/b/")] {
            assert_eq!(Mount::new(path), Mount(mount.to_owned()), "{path:?}");
        }
    }

    #[test]
    fn files_of_a_set_are_found_under_the_mount_and_nowhere_else() {
        let (root, shop) = (Mount::new("/"), Mount::new("/shop"));
        for name in ["sitemap.xml", "sitemap-2.xml", "sitemap-posts-1-3f2a9c41.xml.gz", "sitemap-a-1.txt"] {
            assert_eq!(root.target(&format!("/{name}")), Some(Target::File(name)));
            assert_eq!(shop.target(&format!("/shop/{name}")), Some(Target::File(name)));
            assert_eq!(shop.target(&format!("/{name}")), None);
            assert_eq!(root.target(&format!("/shop/{name}")), None);
            assert_eq!(root.target(name), None);
        }
        assert_eq!(shop.target("/shop/sitemap.css"), Some(Target::Stylesheet));
        assert_eq!(shop.target("/robots.txt"), Some(Target::Robots));
        assert_eq!(shop.target("/shop/robots.txt"), None);
    }

    #[test]
    fn nothing_else_is_a_path_of_a_set() {
        let mount = Mount::new("/");
        for path in [
            "",
            "/",
            "//",
            "//sitemap.xml",
            "/./sitemap.xml",
            "/../sitemap.xml",
            "/..%2fsitemap.xml",
            "/%2e%2e/sitemap.xml",
            "/%73itemap.xml",
            "/sitemap%2exml",
            "/sitemap.xml%00",
            "/sitemap.xml\0",
            "/sitemap.xml/",
            "/sitemap.xml/..",
            "/sitemap.xml?x",
            "/sitemap.xml#x",
            "/sitemap.xml ",
            "/sitemap.xml.bak",
            "/sitemap.xml~",
            "/SITEMAP.XML",
            "/Sitemap.xml",
            "/sitemap",
            "/sitemaps.xml",
            "/sitemap-../../etc/passwd",
            "/sitemap-a/1.xml",
            "/sitemap-a\\1.xml",
            "/sitemap-ü-1.xml",
            "/sitemap-a-1.html",
            "/.sitemap-manifest.jsonl",
            "/.sitemap-journal.jsonl",
            "/.sitemap.lock",
            "/.sitemap.xml.1-1.tmp",
            "/.sitemap-posts-1.xml.gz.4711-3.tmp",
            "/etc/passwd",
            "/index.html",
            "sitemap.xml",
            "\\sitemap.xml",
        ] {
            assert_eq!(mount.target(path), None, "{path:?}");
        }
    }
}
