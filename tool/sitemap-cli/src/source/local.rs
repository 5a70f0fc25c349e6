//! Sitemaps on disk: those in a folder, and the files of an index's child sitemaps.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sitemap_core::publish::files::{ENTRY_POINT, FEED, MANIFEST, index_file_name};
use sitemap_read::{ChildPaths, DocumentKind, ReadOptions, SitemapReader};
use url::Url;

use crate::error::{Outcome, Stop};

/// Returns the sitemaps in a folder that are read first. Their child sitemaps are read later.
///
/// A folder with a `sitemap.xml` contains a set, so this returns `sitemap.xml` and any further indexes of the set.
/// Other files may belong to an older set or to no set at all. If there is no `sitemap.xml`, this returns all sitemaps
/// in the folder.
pub(super) fn sitemaps(folder: &Path, options: ReadOptions) -> Outcome<Vec<PathBuf>> {
    let entry_point = folder.join(ENTRY_POINT);
    if !entry_point.is_file() {
        return all(folder, options);
    }
    let mut roots = vec![entry_point];
    if kind(&roots[0], options) == Some(DocumentKind::Index) {
        let further = (2..).map(index_file_name).take_while(|name| {
            kind(&folder.join(name), options) == Some(DocumentKind::Index) && !is_outdated(folder, name)
        });
        roots.extend(further.map(|name| folder.join(name)));
    }
    Ok(roots)
}

/// Returns `true` if an index belongs to an older set according to the manifest. A set keeps the files of such a
/// set for a while.
fn is_outdated(folder: &Path, name: &str) -> bool {
    let manifest = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    let marks = ["kept", "unlisted"].map(|mark| format!("{{\"{mark}\":\"{name}\""));
    manifest.lines().any(|line| marks.iter().any(|mark| line.starts_with(mark)))
}

/// Counts the sitemaps in a folder that were not read, because the folder's `sitemap.xml` does not list them. Returns 0
/// for a folder without a `sitemap.xml`.
pub(super) fn unlisted(folder: &Path, options: ReadOptions, is_read: impl Fn(&Path) -> bool) -> usize {
    if !folder.join(ENTRY_POINT).is_file() {
        return 0;
    }
    let names = candidates(folder).unwrap_or_default();
    // The pages in the set's feed are also in its sitemaps.
    let names = names.iter().filter(|name| *name != FEED);
    let others = names.map(|name| (folder.join(name), name)).filter(|(path, _)| !is_read(path));
    others
        .filter(|(path, name)| is_named_sitemap(name) || kind(path, options).is_some_and(is_urlset_or_index))
        .count()
}

/// Returns all sitemaps in a folder: indexes first, then the others, each group sorted by name.
///
/// A file is a sitemap if its name contains `sitemap`, or if its content is a urlset or an index. Subfolders are
/// ignored.
fn all(folder: &Path, options: ReadOptions) -> Outcome<Vec<PathBuf>> {
    let mut names = candidates(folder).map_err(|error| Stop::io("read", folder, &error))?;
    names.sort();
    let (mut indexes, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let path = folder.join(&name);
        match kind(&path, options) {
            Some(DocumentKind::Index) => indexes.push(path),
            Some(DocumentKind::UrlSet) => others.push(path),
            _ if is_named_sitemap(&name) => others.push(path),
            _ => {}
        }
    }
    if indexes.is_empty() && others.is_empty() {
        return Err(Stop::new(format!(
            "folder `{}` contains no sitemap (subfolders are not searched); give the path of a sitemap or its \
             folder",
            folder.display()
        )));
    }
    indexes.append(&mut others);
    Ok(indexes)
}

/// Returns the names of those files in a folder that may be sitemaps.
fn candidates(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(name) = entry.file_name().to_str().filter(|name| is_candidate(name))
            && entry.path().is_file()
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn is_named_sitemap(name: &str) -> bool {
    name.to_ascii_lowercase().contains("sitemap")
}

const fn is_urlset_or_index(kind: DocumentKind) -> bool {
    matches!(kind, DocumentKind::Index | DocumentKind::UrlSet)
}

fn is_candidate(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let stem_and_extension = plain.rsplit_once('.');
    !name.starts_with('.')
        && match stem_and_extension {
            Some((_, "xml")) => true,
            Some((stem, "txt" | "rss" | "atom")) => stem.contains("sitemap"),
            _ => false,
        }
}

fn kind(path: &Path, options: ReadOptions) -> Option<DocumentKind> {
    let file = File::open(path).ok()?;
    SitemapReader::from_reader_with(file, options).document().ok().map(|document| document.kind)
}

/// The files of child sitemaps, in the folder of an index or robots.txt, or in a subfolder.
#[derive(Clone, Debug)]
pub(super) struct Children {
    folder: PathBuf,
    paths: ChildPaths,
    /// The paths that several URLs map to.
    shared: BTreeSet<String>,
}

/// The reason why a child sitemap has no file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoFile {
    /// There is no file at this path.
    Missing(String),
    /// Another child sitemap has the same path.
    Shared(String),
    /// The URL doesn't map to a file in the folder.
    Outside,
}

impl fmt::Display for NoFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(
                f,
                "no file `{path}` in the folder of the index; put it there, or give the URL of the index"
            ),
            Self::Shared(path) => write!(
                f,
                "the index lists another URL with the same file `{path}`; give the URL of the index"
            ),
            Self::Outside => f.write_str(
                "its URL does not name a file in the folder of the index; give the URL of the index",
            ),
        }
    }
}

impl Children {
    /// Looks for the files of these URLs.
    pub(super) fn new(index: &Path, urls: &[String]) -> Self {
        let folder = index.parent().unwrap_or(Path::new("")).to_path_buf();
        let paths = ChildPaths::find(urls, |path| join(&folder, path).is_file());
        Self { folder, paths, shared: paths.shared(urls) }
    }

    /// Returns the file for one of the URLs.
    pub(super) fn file(&self, url: &Url) -> Result<PathBuf, NoFile> {
        let mut candidates = self.paths.candidates(url.as_str());
        match candidates.iter().find(|path| join(&self.folder, path).is_file()) {
            Some(path) if self.shared.contains(path) => Err(NoFile::Shared(path.clone())),
            Some(path) => Ok(join(&self.folder, path)),
            None => Err(candidates.pop().map_or(NoFile::Outside, NoFile::Missing)),
        }
    }
}

fn join(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_path_buf(), |path, segment| path.join(segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_found_by_the_end_of_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let index = dir.path().join("sitemap.xml");
        fs::create_dir(dir.path().join("sub")).unwrap();
        for name in ["a.xml", "sub/b.xml", "c d.xml"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let found = |url: &str| Children::new(&index, &[url.to_owned()]).file(&Url::parse(url).unwrap()).ok();
        assert_eq!(found("https://example.com/a.xml"), Some(dir.path().join("a.xml")));
        assert_eq!(found("https://example.com/x/y/a.xml?z"), Some(dir.path().join("a.xml")));
        assert_eq!(found("https://example.com/x/sub/b.xml"), Some(dir.path().join("sub/b.xml")));
        assert_eq!(found("https://example.com/c%20d.xml"), Some(dir.path().join("c d.xml")));
        assert_eq!(found("https://example.com/b.xml"), None);
    }

    #[test]
    fn a_child_cannot_be_outside_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        fs::write(dir.path().join("secret.xml"), "").unwrap();
        let index = dir.path().join("in/sitemap.xml");
        for url in [
            "https://example.com/../secret.xml",
            "https://example.com/%2e%2e/secret.xml",
            "https://example.com/..%2fsecret.xml",
            "https://example.com/%2e%2e%2fsecret.xml",
            "https://example.com/..%5csecret.xml",
        ] {
            let children = Children::new(&index, &[url.to_owned()]);
            assert!(children.file(&Url::parse(url).unwrap()).is_err(), "{url}");
        }
    }
}
