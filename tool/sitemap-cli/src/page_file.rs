//! Converts between the path of an HTML file and the path of its URL.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::args::FileUrls;
use crate::percent;

/// Returns the path of a file's URL, relative to the base URL: `/a/` for `a/index.html`.
pub(crate) fn url_path(relative: &Path, urls: FileUrls) -> String {
    let mut path = String::new();
    for segment in relative {
        path.push('/');
        percent::push_encoded(&mut path, segment.as_encoded_bytes());
    }
    let is_index = relative.file_stem().is_some_and(|stem| stem == "index");
    if is_index && let Some(slash) = path.rfind('/') {
        path.truncate(slash + 1);
    } else if urls == FileUrls::Clean
        && let Some(dot) = path.rfind('.')
    {
        path.truncate(dot);
    }
    path
}

/// Returns `true` if a file name has the extension of an HTML file.
pub(crate) fn is_page(name: &OsStr) -> bool {
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| {
        ["html", "htm", "xhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Returns the file that a web server would serve for a URL path, if it exists.
pub(crate) fn file_of(folder: &Path, url_path: &str) -> Option<PathBuf> {
    let mut file = folder.to_path_buf();
    for segment in url_path.split('/').filter(|segment| !segment.is_empty()) {
        let segment = percent::decoded(segment).filter(|segment| percent::is_safe(segment))?;
        file.push(segment);
    }
    let with_extension = |extension: &str| {
        let mut name = file.clone().into_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let in_folder = ["index.html", "index.htm", "index.xhtml"].map(|name| file.join(name));
    if url_path.ends_with('/') {
        return in_folder.into_iter().find(|file| file.is_file());
    }
    let mut candidates = vec![file.clone(), with_extension(".html"), with_extension(".htm")];
    candidates.extend(in_folder);
    candidates.into_iter().find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_paths() {
        for (file, path) in [
            ("index.html", "/"),
            ("a/index.html", "/a/"),
            ("a/b.html", "/a/b.html"),
            ("a b/100%.html", "/a%20b/100%25.html"),
            ("what?#.html", "/what%3F%23.html"),
            ("ü.html", "/%C3%BC.html"),
            ("myindex.html", "/myindex.html"),
        ] {
            assert_eq!(url_path(Path::new(file), FileUrls::Files), path, "{file}");
        }
    }

    #[test]
    fn a_path_leads_to_the_file_that_a_server_would_serve() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        for name in ["index.html", "a/index.html", "a/b c.html"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let found = |path: &str| file_of(dir.path(), path);
        assert_eq!(found("/"), Some(dir.path().join("index.html")));
        for path in ["/a/", "/a", "/a/index.html"] {
            assert_eq!(found(path), Some(dir.path().join("a/index.html")), "{path}");
        }
        for path in ["/a/b%20c.html", "/a/b%20c"] {
            assert_eq!(found(path), Some(dir.path().join("a/b c.html")), "{path}");
        }
        assert_eq!(found("/%2e%2e/x"), None);
        assert_eq!(found("/b"), None);
    }
}
