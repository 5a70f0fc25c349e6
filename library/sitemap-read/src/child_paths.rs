//! Finds the child sitemaps of an index in the folder that contains the index.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use percent_encoding::percent_decode_str;

/// The maximum number of child sitemaps to look for. After that, the search ends even if no file was found.
const MAX_TRIED: usize = 16;

/// The paths of an index's child sitemaps, relative to the folder of the index.
///
/// A set's folder often corresponds to the first folders of its URLs. For example, the file for
/// `https://example.com/maps/de.xml` may be just `de.xml`. The same folders are missing for all child sitemaps, so URLs
/// in different folders never share a file. URLs that differ only in host or query do share one;
/// [`shared`](Self::shared) finds these.
///
/// ```
/// use sitemap_read::ChildPaths;
///
/// let urls = ["https://example.com/maps/de/1.xml", "https://example.com/maps/fr/1.xml"];
/// let files = ["de/1.xml", "fr/1.xml", "1.xml"];
/// let paths = ChildPaths::find(&urls, |path| files.contains(&path));
/// assert_eq!(paths.candidates(urls[0]), ["de/1.xml"]);
/// assert_eq!(paths.candidates(urls[1]), ["fr/1.xml"]);
///
/// // A name is tried as the URL has it, and then decoded.
/// assert_eq!(paths.candidates("https://example.com/maps/de/a%20b.xml"), ["de/a%20b.xml", "de/a b.xml"]);
/// assert!(paths.shared(&urls).is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildPaths {
    missing: usize,
}

impl ChildPaths {
    /// Finds out how many folders are missing. Calls `exists` with the path of a child sitemap, then with the same path
    /// without its first folder, and so on, until a file exists.
    ///
    /// If none of the first 16 child sitemaps has a file, all folders that they have in common count as missing.
    pub fn find(urls: &[impl AsRef<str>], mut exists: impl FnMut(&str) -> bool) -> Self {
        let found: Result<Self, std::convert::Infallible> = Self::try_find(urls, |path| Ok(exists(path)));
        found.unwrap_or_else(|never| match never {})
    }

    /// Does the same as [`find`](Self::find), for an `exists` that can fail.
    ///
    /// # Errors
    ///
    /// Returns the first error of `exists`.
    pub fn try_find<E>(
        urls: &[impl AsRef<str>],
        mut exists: impl FnMut(&str) -> Result<bool, E>,
    ) -> Result<Self, E> {
        let mut paths = urls.iter().filter_map(|url| segments(url.as_ref()));
        let Some(first) = paths.next() else { return Ok(Self { missing: 0 }) };
        let folders = first.len() - 1;
        let common = paths.fold(folders, |common, path| {
            let same = first.iter().zip(&path).take_while(|(one, other)| one == other).count();
            common.min(same).min(path.len() - 1)
        });
        for url in urls.iter().take(MAX_TRIED) {
            for missing in 0..=common {
                for path in (Self { missing }).candidates(url.as_ref()) {
                    if exists(&path)? {
                        return Ok(Self { missing });
                    }
                }
            }
        }
        Ok(Self { missing: common })
    }

    /// Returns the paths where the file of a child sitemap may be: the path of its URL, first as written and then with
    /// escapes such as `%20` decoded. Returns no paths if a path would lead out of the folder on any operating system.
    #[must_use]
    pub fn candidates(&self, url: &str) -> Vec<String> {
        let Some(path) = segments(url).and_then(|path| path.get(self.missing..).map(<[&str]>::to_vec)) else {
            return Vec::new();
        };
        let mut candidates = Vec::new();
        if path.iter().all(|part| is_safe(part)) {
            candidates.push(path.join("/"));
        }
        let decoded: Option<Vec<String>> = path
            .iter()
            .map(|part| percent_decode_str(part).decode_utf8().ok().map(Cow::into_owned))
            .collect();
        if let Some(decoded) = decoded
            && decoded.iter().all(|part| is_safe(part))
            && decoded != path
        {
            candidates.push(decoded.join("/"));
        }
        candidates
    }

    /// Returns the paths that several URLs share, as `/map.xml?page=1` and `/map.xml?page=2` do. A single file can't
    /// contain both sitemaps.
    ///
    /// ```
    /// use sitemap_read::ChildPaths;
    ///
    /// let urls = ["https://example.com/map.xml?page=1", "https://example.com/map.xml?page=2"];
    /// let paths = ChildPaths::find(&urls, |path| path == "map.xml");
    /// assert!(paths.shared(&urls).contains("map.xml"));
    /// ```
    #[must_use]
    pub fn shared(&self, urls: &[impl AsRef<str>]) -> BTreeSet<String> {
        let (mut first, mut shared) = (HashMap::new(), BTreeSet::new());
        for url in urls.iter().map(AsRef::as_ref) {
            for path in self.candidates(url) {
                match first.get(&path) {
                    Some(other) if *other != url => _ = shared.insert(path),
                    Some(_) => {}
                    None => _ = first.insert(path, url),
                }
            }
        }
        shared
    }
}

/// Returns the segments of a URL's path. There is always at least one.
fn segments(url: &str) -> Option<Vec<&str>> {
    let url = url.split(['?', '#']).next()?;
    let path =
        url.split_once("://").map_or(Some(url), |(_, rest)| rest.split_once('/').map(|(_, path)| path))?;
    Some(path.split('/').collect())
}

/// Returns `true` if a path can't leave its folder through this segment, on any operating system.
fn is_safe(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each child sitemap's file.
    fn found(urls: &[&str], files: &[&str]) -> Vec<Option<String>> {
        let urls: Vec<_> = urls.iter().map(|url| format!("https://example.com/{url}")).collect();
        let paths = ChildPaths::find(&urls, |path| files.contains(&path));
        let file =
            |url: &String| paths.candidates(url).into_iter().find(|path| files.contains(&path.as_str()));
        urls.iter().map(file).collect()
    }

    fn some(files: &[&str]) -> Vec<Option<String>> {
        files.iter().map(|file| Some((*file).to_owned())).collect()
    }

    #[test]
    fn the_folders_that_all_children_share_may_be_missing() {
        assert_eq!(found(&["a.xml", "b.xml?v=1"], &["a.xml", "b.xml"]), some(&["a.xml", "b.xml"]));
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &["a.xml", "b.xml"]), some(&["a.xml", "b.xml"]));
        let files = ["y/a.xml", "y/b.xml", "a.xml", "b.xml"];
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &files), some(&["y/a.xml", "y/b.xml"]));
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &["b.xml"]), [None, Some("b.xml".to_owned())]);
        assert_eq!(found(&["x/a.xml"], &[]), [None]);
        assert_eq!(found(&[], &[]), []);
    }

    #[test]
    fn children_that_differ_in_host_or_query_share_a_file() {
        let shared = |urls: &[&str]| ChildPaths { missing: 0 }.shared(urls).into_iter().collect::<Vec<_>>();
        assert_eq!(shared(&["https://a.example/map.xml", "https://b.example/map.xml"]), ["map.xml"]);
        assert_eq!(shared(&["https://a.example/m.xml", "https://a.example/m.xml?p=2"]), ["m.xml"]);
        assert_eq!(shared(&["https://a.example/a%20b.xml", "https://a.example/a b.xml"]), ["a b.xml"]);
        assert!(shared(&["https://a.example/m.xml", "https://a.example/m.xml"]).is_empty());
    }

    #[test]
    fn children_in_different_folders_never_share_a_file() {
        assert_eq!(found(&["de/map.xml", "fr/map.xml"], &["map.xml"]), [None, None]);
        assert_eq!(found(&["x/de/map.xml", "x/fr/map.xml"], &["map.xml"]), [None, None]);
        assert_eq!(found(&["map.xml", "fr/map.xml"], &["map.xml"]), [Some("map.xml".to_owned()), None]);
        assert_eq!(found(&["de/map.xml", "map.xml"], &["map.xml"]), [None, Some("map.xml".to_owned())]);
    }

    #[test]
    fn a_child_is_never_outside_of_the_folder() {
        for url in [
            "https://example.com/../a.xml",
            "https://example.com/x//a.xml",
            "https://example.com",
            "a/./b",
            "https://example.com/%2e%2e/a.xml",
            "https://example.com/..%2fa.xml",
            "https://example.com/..%5ca.xml",
        ] {
            let escape = |path: &String| !path.contains('%') || path.contains("..\\") || path.contains("../");
            let candidates = ChildPaths { missing: 0 }.candidates(url);
            assert!(!candidates.iter().any(escape), "{url}: {candidates:?}");
        }
    }

    #[test]
    fn an_error_ends_the_search() {
        let failed =
            ChildPaths::try_find(&["https://example.com/a.xml"], |path| Err::<bool, _>(path.to_owned()));
        assert_eq!(failed, Err("a.xml".to_owned()));
    }
}
