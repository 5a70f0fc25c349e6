//! Sitemaps in the file system: what a folder holds, and where the files of an index are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use sitemap_core::{DocumentKind, ReadOptions, SitemapReader};
use url::Url;

use crate::error::{Outcome, Stop};
use crate::percent;

/// The sitemaps of a folder: indexes first, each group by name.
///
/// A file is one if its name says so, or if it is XML of the protocol. Folders within are left out,
/// unless an index names their files.
pub(super) fn sitemaps(folder: &Path, options: ReadOptions) -> Outcome<Vec<PathBuf>> {
    let failed = |error: &std::io::Error| Stop::io("read", folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
        let entry = entry.map_err(|error| failed(&error))?;
        if let Some(name) = entry.file_name().to_str().filter(|name| is_candidate(name))
            && entry.path().is_file()
        {
            names.push(name.to_owned());
        }
    }
    // The entry point of a set before the others.
    names.sort_by(|a, b| (a != "sitemap.xml", a).cmp(&(b != "sitemap.xml", b)));
    let (mut indexes, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let path = folder.join(&name);
        match kind(&path, options) {
            Some(DocumentKind::Index) => indexes.push(path),
            Some(DocumentKind::UrlSet) => others.push(path),
            _ if name.to_ascii_lowercase().contains("sitemap") => others.push(path),
            _ => {}
        }
    }
    if indexes.is_empty() && others.is_empty() {
        return Err(Stop::new(format!(
            "`{}` holds no sitemap; name a file, found none that is one or is called so",
            folder.display()
        )));
    }
    indexes.append(&mut others);
    Ok(indexes)
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

/// The file of a child, by as much of its URL's path as there are folders for: a set may lie anywhere.
pub(super) fn child(index: &Path, url: &Url) -> Option<PathBuf> {
    let folder = index.parent().unwrap_or(Path::new(""));
    let segments: Vec<&str> = url.path_segments()?.collect();
    (0..segments.len()).find_map(|skipped| {
        let rest = &segments[skipped..];
        as_written(folder, rest).or_else(|| decoded(folder, rest))
    })
}

fn as_written(folder: &Path, segments: &[&str]) -> Option<PathBuf> {
    if !segments.iter().all(|segment| percent::is_safe(segment)) {
        return None;
    }
    let path = segments.iter().fold(folder.to_path_buf(), |path, segment| path.join(segment));
    path.is_file().then_some(path)
}

/// With the blanks and letters that a URL writes as `%20`.
fn decoded(folder: &Path, segments: &[&str]) -> Option<PathBuf> {
    let decoded: Option<Vec<String>> = segments.iter().map(|segment| percent::decoded(segment)).collect();
    let decoded = decoded?;
    as_written(folder, &decoded.iter().map(String::as_str).collect::<Vec<_>>())
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
        let found = |url: &str| child(&index, &Url::parse(url).unwrap());
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
            assert_eq!(child(&index, &Url::parse(url).unwrap()), None, "{url}");
        }
    }
}
