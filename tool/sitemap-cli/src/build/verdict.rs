//! Decides whether an HTML file is listed, and under which URL.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;

use sitemap_core::{Error, Loc, Site};
use url::Url;

use super::head::{self, Head};
use crate::args::FileUrls;
use crate::error::system_message;
use crate::page_file::{file_of, is_missing_page, url_path};

/// Judges each HTML file on its own.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    folder: &'s Path,
    site: &'s Site,
    urls: FileUrls,
}

/// How a file should be listed, according to its content.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The file is listed with this URL.
    Listed(Loc<'static>),
    /// The file names a canonical URL that belongs to no file. The URL is listed, unless an earlier file already named
    /// it.
    OnlyLinked(Loc<'static>),
    /// The file is skipped.
    LeftOut(Reason),
}

#[cfg(feature = "pages")]
impl Verdict {
    /// Returns the URL of a file that may be listed.
    pub(super) fn loc(&self) -> Option<&Loc<'static>> {
        match self {
            Self::Listed(loc) | Self::OnlyLinked(loc) => Some(loc),
            Self::LeftOut(_) => None,
        }
    }
}

/// The reason why a file is skipped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    Noindex,
    Canonical,
    Redirect,
    Missing,
}

/// Keeps track of listed canonical URLs and skipped files.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The listed canonical URLs that belong to no file. Each is listed once, even if several files name it.
    only_linked: HashSet<Loc<'static>>,
    pub(super) left_out: LeftOut,
}

/// The number of skipped files for each reason.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    pub(super) noindex: u64,
    pub(super) canonical: u64,
    pub(super) redirects: u64,
    /// `404.html`, which servers send for missing pages.
    pub(super) missing: u64,
}

impl Files {
    /// Applies the verdict on the next file. Returns the URL to list, or `None` to skip the file.
    pub(super) fn loc(&mut self, verdict: Verdict) -> Option<Loc<'static>> {
        let reason = match verdict {
            Verdict::Listed(loc) => return Some(loc),
            Verdict::OnlyLinked(loc) => {
                if self.only_linked.insert(loc.clone()) {
                    return Some(loc);
                }
                Reason::Canonical
            }
            Verdict::LeftOut(reason) => reason,
        };
        let count = match reason {
            Reason::Noindex => &mut self.left_out.noindex,
            Reason::Canonical => &mut self.left_out.canonical,
            Reason::Redirect => &mut self.left_out.redirects,
            Reason::Missing => &mut self.left_out.missing,
        };
        *count += 1;
        None
    }
}

impl<'s> Judge<'s> {
    pub(super) fn new(folder: &'s Path, site: &'s Site, urls: FileUrls) -> Self {
        Self { folder, site, urls }
    }

    /// Reads the head of a file. The path is relative to the folder.
    pub(super) fn verdict(&self, relative: &Path) -> Result<Verdict, Error> {
        if is_missing_page(relative) {
            return Ok(Verdict::LeftOut(Reason::Missing));
        }
        let path = self.folder.join(relative);
        let head = File::open(&path).and_then(head::read);
        let head = head.map_err(|error| Error::other(format!("cannot read: {}", system_message(&error))))?;
        if head.noindex {
            return Ok(Verdict::LeftOut(Reason::Noindex));
        }
        let own = self.site.resolve(url_path(relative, self.urls))?.into_owned();
        let Ok(own_url) = Url::parse(own.as_str()) else {
            return Ok(Verdict::Listed(own));
        };
        let from =
            head.base.as_deref().and_then(|base| own_url.join(base).ok()).unwrap_or_else(|| own_url.clone());
        if is_redirect(&head, &from, &own_url) {
            return Ok(Verdict::LeftOut(Reason::Redirect));
        }
        let canonical = head.canonical.as_deref().and_then(|href| from.join(href).ok());
        Ok(match canonical.and_then(loc) {
            Some(canonical) if canonical != own => self.by_canonical(canonical, &path),
            _ => Verdict::Listed(own),
        })
    }

    /// Returns the verdict on a file whose canonical URL is not its own. The file is skipped if the canonical URL is on
    /// another site or belongs to another file.
    fn by_canonical(&self, canonical: Loc<'static>, file: &Path) -> Verdict {
        let base = self.site.base();
        let Some(path) = canonical.as_str().strip_prefix(&base[..base.len() - 1]) else {
            return Verdict::LeftOut(Reason::Canonical);
        };
        if !self.site.covers(&canonical) {
            return Verdict::LeftOut(Reason::Canonical);
        }
        let without_query = path.split('?').next().unwrap_or_default();
        match file_of(self.folder, without_query).filter(|_| without_query == path) {
            Some(other) if is_same(&other, file) => Verdict::Listed(canonical),
            Some(_) => Verdict::LeftOut(Reason::Canonical),
            None => Verdict::OnlyLinked(canonical),
        }
    }
}

/// Returns `true` if a page redirects to another page, not just reloads itself.
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
        let (judge, mut listed) = (Judge::new(dir.path(), &site, urls), Files::default());
        let loc = |(name, _): &(&str, &str)| listed.loc(judge.verdict(Path::new(name)).unwrap());
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
