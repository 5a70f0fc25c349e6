//! Decides whether an HTML file is listed, and under which URL.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use sitemap_core::{Error, Loc, Site};
use url::Url;

use super::head::{self, Head};
use crate::args::FileUrls;
use crate::error::system_message;
use crate::page_file::{file_of, is_missing_page, url_path};

/// The judge that decides which URL is listed for each HTML file, and counts the files that are left out.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    folder: PathBuf,
    site: &'s Site,
    urls: FileUrls,
    /// The canonical URLs that are listed although no file belongs to them. Each is listed once, even if several files
    /// name it.
    only_linked: HashSet<Loc<'static>>,
    pub(super) left_out: LeftOut,
}

/// The numbers of files left out, by reason.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    pub(super) noindex: u64,
    pub(super) canonical: u64,
    pub(super) redirects: u64,
    /// `404.html`, which servers send instead of missing pages.
    pub(super) missing: u64,
}

impl<'s> Judge<'s> {
    pub(super) fn new(folder: &Path, site: &'s Site, urls: FileUrls) -> Self {
        Self {
            folder: folder.to_path_buf(),
            site,
            urls,
            only_linked: HashSet::new(),
            left_out: LeftOut::default(),
        }
    }

    /// Returns the URL to list for a file, or `None` to leave the file out.
    pub(super) fn loc(&mut self, relative: &Path) -> Result<Option<Loc<'static>>, Error> {
        if is_missing_page(relative) {
            self.left_out.missing += 1;
            return Ok(None);
        }
        let path = self.folder.join(relative);
        let head = File::open(&path).and_then(head::read);
        let head = head.map_err(|error| Error::other(format!("cannot read: {}", system_message(&error))))?;
        if head.noindex {
            self.left_out.noindex += 1;
            return Ok(None);
        }
        let own = self.site.resolve(url_path(relative, self.urls))?.into_owned();
        let Ok(own_url) = Url::parse(own.as_str()) else {
            return Ok(Some(own));
        };
        let from =
            head.base.as_deref().and_then(|base| own_url.join(base).ok()).unwrap_or_else(|| own_url.clone());
        if is_redirect(&head, &from, &own_url) {
            self.left_out.redirects += 1;
            return Ok(None);
        }
        let canonical = head.canonical.as_deref().and_then(|href| from.join(href).ok());
        let Some(canonical) = canonical.and_then(loc) else {
            return Ok(Some(own));
        };
        if canonical == own {
            return Ok(Some(own));
        }
        if self.lists_canonical(&canonical, &path) {
            return Ok(Some(canonical));
        }
        self.left_out.canonical += 1;
        Ok(None)
    }

    /// Returns `true` if the canonical URL that a file names is listed in place of the file's own URL.
    /// Returns `false` if the canonical URL is on another site, belongs to another file or is already listed.
    fn lists_canonical(&mut self, canonical: &Loc<'static>, file: &Path) -> bool {
        if !self.site.covers(canonical) {
            return false;
        }
        let base = self.site.base();
        let Some(path) = canonical.as_str().strip_prefix(&base[..base.len() - 1]) else {
            return false;
        };
        let without_query = path.split('?').next().unwrap_or_default();
        match file_of(&self.folder, without_query).filter(|_| without_query == path) {
            Some(other) => is_same(&other, file),
            None => self.only_linked.insert(canonical.clone()),
        }
    }
}

/// Returns `true` if a page redirects to another page. A page that reloads itself does not.
fn is_redirect(head: &Head, from: &Url, own: &Url) -> bool {
    let target = head.refresh.as_deref().and_then(|target| from.join(target).ok());
    target.is_some_and(|mut target| {
        target.set_fragment(None);
        target != *own
    })
}

fn loc(mut url: Url) -> Option<Loc<'static>> {
    url.set_fragment(None);
    Loc::parse(url.as_str()).ok().map(Loc::into_owned)
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(files: &[(&str, &str)]) -> Vec<String> {
        listed_as(FileUrls::Files, files)
    }

    fn listed_as(urls: FileUrls, files: &[(&str, &str)]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for (name, html) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, html).unwrap();
        }
        let site = Site::new("https://example.com/x/").unwrap();
        let mut judge = Judge::new(dir.path(), &site, urls);
        let loc = |(name, _): &(&str, &str)| judge.loc(Path::new(name)).unwrap();
        files.iter().filter_map(loc).map(|loc| loc.to_string()).collect()
    }

    #[test]
    fn a_page_that_names_itself_is_listed() {
        assert_eq!(
            listed(&[
                ("a.html", "<link rel=canonical href=/x/a.html>"),
                ("b.html", "<link rel=canonical href='b.html#top'>"),
            ]),
            ["https://example.com/x/a.html", "https://example.com/x/b.html"]
        );
    }

    #[test]
    fn a_canonical_url_replaces_the_url_of_the_file() {
        assert_eq!(
            listed(&[
                ("a.html", "<link rel=canonical href=/x/a>"),
                ("b/index.html", "<link rel=canonical href=/x/b>"),
                ("c/index.html", "<link rel=canonical href=index.html>"),
            ]),
            ["https://example.com/x/a", "https://example.com/x/b", "https://example.com/x/c/index.html"]
        );
    }

    #[test]
    fn copies_are_left_out() {
        assert_eq!(
            listed(&[
                ("a.html", ""),
                ("copy.html", "<link rel=canonical href=a.html>"),
                ("mirror.html", "<link rel=canonical href=https://other.example/>"),
                ("outside.html", "<link rel=canonical href=/y/>"),
                ("1.html", "<link rel=canonical href=/x/all?page=1>"),
                ("2.html", "<link rel=canonical href=/x/all?page=1>"),
            ]),
            ["https://example.com/x/a.html", "https://example.com/x/all?page=1"]
        );
    }

    #[test]
    fn redirects_are_left_out() {
        assert_eq!(
            listed(&[
                ("old.html", "<meta http-equiv=refresh content='0; url=new.html'>"),
                ("new.html", "<meta http-equiv=refresh content='60; url=new.html'>"),
            ]),
            ["https://example.com/x/new.html"]
        );
    }

    #[test]
    fn the_answers_for_missing_pages_are_left_out() {
        assert_eq!(
            listed(&[("404.html", ""), ("de/404.html", ""), ("1404.html", "")]),
            ["https://example.com/x/1404.html"]
        );
    }

    #[test]
    fn clean_urls_have_no_ending() {
        assert_eq!(
            listed_as(
                FileUrls::Clean,
                &[
                    ("index.html", ""),
                    ("a.html", ""),
                    ("b/index.html", ""),
                    ("c.html", "<link rel=canonical href=c.html>")
                ]
            ),
            [
                "https://example.com/x/",
                "https://example.com/x/a",
                "https://example.com/x/b/",
                "https://example.com/x/c.html"
            ]
        );
    }
}
