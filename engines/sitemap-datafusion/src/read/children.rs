//! Finds the files of the children of an index.

use std::io;

/// Returns the paths of the files of child sitemaps, relative to the folder of their index.
///
/// A set may be stored in another folder than the one it is served from, so the first folders of the URLs may be missing.
/// How many of them are missing is found out with the first child: `exists` is asked for its whole path, then for the path
/// without its first folder, and so on. At most the folders that all children have in common may be missing, so two
/// children never share a file. If the first child is nowhere, its path without all of these folders is returned.
pub(super) fn paths(
    urls: &[String],
    exists: impl Fn(&str) -> io::Result<bool>,
) -> Result<Vec<String>, io::Error> {
    let paths: Vec<Vec<&str>> = urls.iter().map(|url| segments(url)).collect();
    let Some(first) = paths.first() else { return Ok(Vec::new()) };
    if let Some(at) = paths.iter().position(|path| path.iter().any(|part| matches!(*part, "" | "." | ".."))) {
        let message = format!("the index lists {:?}, which is not the URL of a file", urls[at]);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let folders = |path: &[&str]| path.len().saturating_sub(1);
    let common = paths.iter().fold(folders(first), |common, path| {
        let same = first.iter().zip(path).take_while(|(one, other)| one == other).count();
        common.min(same).min(folders(path))
    });
    let mut missing = 0;
    while missing < common && !exists(&first[missing..].join("/"))? {
        missing += 1;
    }
    Ok(paths.iter().map(|path| path[missing..].join("/")).collect())
}

/// Returns the parts of the path of a URL.
fn segments(url: &str) -> Vec<&str> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let path =
        url.split_once("://").map_or(url, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    path.split('/').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(urls: &[&str], files: &[&str]) -> Vec<String> {
        let urls: Vec<_> = urls.iter().map(|url| format!("https://example.com/{url}")).collect();
        paths(&urls, |path| Ok(files.contains(&path))).unwrap()
    }

    #[test]
    fn the_folders_that_all_children_share_may_be_missing() {
        assert_eq!(found(&["a.xml", "b.xml?v=1"], &[]), ["a.xml", "b.xml"]);
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &["a.xml"]), ["a.xml", "b.xml"]);
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &["y/a.xml", "a.xml"]), ["y/a.xml", "y/b.xml"]);
        assert_eq!(found(&["x/y/a.xml", "x/y/b.xml"], &["x/y/a.xml", "a.xml"]), ["x/y/a.xml", "x/y/b.xml"]);
        assert_eq!(found(&["x/a.xml"], &[]), ["a.xml"]);
        assert_eq!(found(&[], &[]), [""; 0]);
    }

    #[test]
    fn two_children_never_share_a_file() {
        assert_eq!(found(&["de/map.xml", "fr/map.xml"], &["map.xml"]), ["de/map.xml", "fr/map.xml"]);
        assert_eq!(found(&["x/de/map.xml", "x/fr/map.xml"], &["map.xml"]), ["de/map.xml", "fr/map.xml"]);
        assert_eq!(found(&["map.xml", "fr/map.xml"], &["map.xml"]), ["map.xml", "fr/map.xml"]);
        assert_eq!(found(&["de/map.xml", "map.xml"], &["map.xml"]), ["de/map.xml", "map.xml"]);
    }

    #[test]
    fn a_child_is_never_outside_of_the_folder() {
        for url in
            ["https://example.com/../a.xml", "https://example.com/x//a.xml", "https://example.com", "a/./b"]
        {
            assert!(paths(&[url.to_owned()], |_| Ok(true)).is_err(), "{url}");
        }
    }
}
