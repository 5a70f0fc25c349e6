//! The URLs of a move's new set.

use super::url_key::{Key, key, path};
use crate::content::HashedMap;
use crate::urls::written_origin;

/// The index of the only URL with a certain property, or `None` if several URLs share it.
type Unique = Option<usize>;

/// The URLs of a move's new set, indexed to find the page that probably replaces an old one.
///
/// All URLs are kept in memory.
///
/// ```
/// use sitemap_pages::judge::NewSet;
///
/// let mut new = NewSet::default();
/// assert!(new.insert("https://new.example/trees/oak/"));
/// assert!(!new.insert("https://NEW.example/trees/oak/#top"), "the same URL");
/// assert_eq!(new.len(), 1);
/// assert!(new.contains("https://new.example:443/trees/oak/"));
/// assert_eq!(new.suggest("https://old.example/trees/oak.html"), Some("https://new.example/trees/oak/"));
/// assert_eq!(new.suggest("https://old.example/oak"), Some("https://new.example/trees/oak/"));
/// assert_eq!(new.suggest("https://old.example/elm"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NewSet {
    urls: Vec<Box<str>>,
    by_url: HashedMap<usize>,
    by_path: HashedMap<Unique>,
    by_stem: HashedMap<Unique>,
    by_segment: HashedMap<Unique>,
}

impl NewSet {
    /// Adds a URL. Returns `false` if the set already contains it.
    pub fn insert(&mut self, url: &str) -> bool {
        let (page, index) = (key(url), self.urls.len());
        if self.by_url.contains_key(&page) {
            return false;
        }
        self.by_url.insert(page, index);
        self.urls.push(url.into());
        let parts = Parts::of(url);
        let add = |map: &mut HashedMap<Unique>, key| {
            map.entry(key).and_modify(|unique| *unique = None).or_insert(Some(index));
        };
        add(&mut self.by_path, parts.path);
        add(&mut self.by_stem, parts.stem);
        if let Some(segment) = parts.segment {
            add(&mut self.by_segment, segment);
        }
        true
    }

    /// Returns the number of distinct URLs.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns `true` if there are no URLs.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns `true` if the set contains this URL. URLs are compared as RFC 3986 defines.
    pub fn contains(&self, url: &str) -> bool {
        self.by_url.contains_key(&key(url))
    }

    /// Returns the URL that obviously replaces an old one. This is the only URL with the same path and query. Failing
    /// that, it is the only one whose path is the same apart from a trailing slash, `index.html` or an extension such
    /// as `.html`. Failing that, it is the only one with the same last path segment.
    pub fn suggest(&self, old: &str) -> Option<&str> {
        if !old.contains("://") {
            return None;
        }
        let parts = Parts::of(old);
        let found = self.only(&self.by_path, parts.path).or_else(|| self.only(&self.by_stem, parts.stem));
        found.or_else(|| self.only(&self.by_segment, parts.segment?))
    }

    /// Returns the URL as written in the set.
    pub(super) fn find(&self, url: &str) -> Option<&str> {
        self.by_url.get(&key(url)).and_then(|index| self.urls.get(*index)).map(|url| &**url)
    }

    fn only(&self, map: &HashedMap<Unique>, key: Key) -> Option<&str> {
        let index = (*map.get(&key)?)?;
        self.urls.get(index).map(|url| &**url)
    }
}

/// The parts that two URLs on different hosts can have in common.
struct Parts {
    /// The path with the query.
    path: Key,
    /// The path with the query, without an ending that makes no difference to the page, such as `index.html`.
    stem: Key,
    /// The last segment of the stem. `None` for a home page or a URL with a query.
    segment: Option<Key>,
}

impl Parts {
    fn of(url: &str) -> Self {
        let url = url.split('#').next().unwrap_or_default();
        let rest = url.get(written_origin(url).len()..).unwrap_or_default();
        let query = rest.find('?').and_then(|at| rest.get(at..)).unwrap_or_default();
        let stem = stem(path(url));
        // The host is only a placeholder. It lets paths be compared in the same way as URLs.
        let part = |path: &str| key(&["https://a.example", path, query].concat());
        let segment = stem.rsplit('/').next().filter(|segment| !segment.is_empty() && query.is_empty());
        Self {
            path: part(path(url)),
            stem: part(stem),
            segment: segment.map(|name| part(&format!("/{name}"))),
        }
    }
}

/// Returns whether a URL is a home page.
pub(super) fn is_home(url: &str) -> bool {
    !url.contains('?') && stem(path(url)).is_empty()
}

/// Returns a path without a trailing slash, index name or page extension.
fn stem(path: &str) -> &str {
    const EXTENSIONS: [&str; 5] = [".html", ".htm", ".php", ".aspx", ".asp"];
    let path = path.trim_end_matches('/');
    let path = EXTENSIONS.iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path);
    path.strip_suffix("/index").unwrap_or(path).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::{NewSet, is_home, stem};

    #[test]
    fn the_end_of_a_path_that_stands_for_the_same_page_is_cut() {
        for (path, expected) in [
            ("", ""),
            ("/", ""),
            ("/index.html", ""),
            ("/index.php", ""),
            ("/oak", "/oak"),
            ("/oak/", "/oak"),
            ("/oak.html", "/oak"),
            ("/oak/index.htm", "/oak"),
            ("/oak/index", "/oak"),
            ("/html", "/html"),
            ("/oak.pdf", "/oak.pdf"),
            ("/my-index.html", "/my-index"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
        assert!(is_home("https://e.com") && is_home("https://e.com/index.html"));
        assert!(!is_home("https://e.com/?p=1") && !is_home("https://e.com/a"));
    }

    #[test]
    fn only_one_page_is_suggested() {
        let mut new = NewSet::default();
        for url in [
            "https://n.com/",
            "https://n.com/a/intro",
            "https://n.com/b/intro",
            "https://n.com/list?page=2",
            "https://n.com/caf%C3%A9",
            "https://n.com/x",
            "https://m.com/x",
        ] {
            assert!(new.insert(url));
        }
        for (old, expected) in [
            ("http://o.com/index.php", Some("https://n.com/")),
            ("http://o.com", Some("https://n.com/")),
            ("http://o.com/a/intro/", Some("https://n.com/a/intro")),
            ("http://o.com/c/intro", None),
            ("http://o.com/list?page=2", Some("https://n.com/list?page=2")),
            ("http://o.com/list.php?page=2", Some("https://n.com/list?page=2")),
            ("http://o.com/list", None),
            ("http://o.com/list?page=3", None),
            ("http://o.com/old/café.html", Some("https://n.com/caf%C3%A9")),
            ("http://o.com/x", None),
            ("not a URL", None),
        ] {
            assert_eq!(new.suggest(old), expected, "{old}");
        }
    }
}
