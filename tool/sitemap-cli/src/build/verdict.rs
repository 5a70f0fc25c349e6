//! Decides whether an HTML file is listed, and with which URL.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sitemap_core::{Error, Loc, Site};
use sitemap_pages::judge::{OwnStanding, PageRecord, Standing};
use sitemap_pages::urls::origin;
use sitemap_pages::visit::Visit;
use url::Url;

use super::canonical_hosts::CanonicalHost;
use super::file_kind;
use super::skipped::{Reason, Skip};
use crate::args::{FileUrls, PatternArgs};
use crate::error::system_message;
use crate::page_file::url_path;
use crate::site_folder::SiteFolder;

/// Judges each HTML file on its own, as `check --pages --from-dir` judges the page with the file's URL.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    path: &'s Path,
    folder: SiteFolder<'s>,
    site: &'s Site,
    urls: FileUrls,
    patterns: &'s PatternArgs,
    /// The time of the run.
    now: SystemTime,
}

/// The page that a file is listed as, or why it is not listed.
pub(super) type FileResult = Result<ListedFile, Skip>;

/// The verdict on a file.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) page: FileResult,
    pub(super) canonical: Option<CanonicalHost>,
}

/// A file that is listed.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub(super) loc: Loc<'static>,
    #[cfg_attr(not(feature = "pages"), expect(dead_code, reason = "only dates of content need the facts"))]
    pub(super) visit: Visit,
}

/// The verdict on a file at one of its URLs.
enum AtUrl {
    Listed(Visit),
    Skipped(Skip),
    /// The page names this other URL as its canonical.
    Elsewhere(String),
}

impl<'s> Judge<'s> {
    /// Opens a folder, or returns `None` if the site's base URL can't be parsed.
    pub(super) fn new(
        path: &'s Path,
        site: &'s Site,
        urls: FileUrls,
        patterns: &'s PatternArgs,
        now: SystemTime,
    ) -> Option<Self> {
        let folder = SiteFolder::open(path, Url::parse(site.base()).ok()?, None);
        Some(Self { path, folder, site, urls, patterns, now })
    }

    /// Judges a file. The path is relative to the folder.
    pub(super) fn verdict(&self, relative: &Path) -> Result<Verdict, Error> {
        let skipped = |reason| Ok(Verdict { page: Err(Skip::new(reason, "")), canonical: None });
        if !self.patterns.cover(&relative.to_string_lossy()) {
            return skipped(Reason::Excluded);
        }
        if let Some(reason) = file_kind::not_a_page(relative) {
            return skipped(reason);
        }
        let (file, own) =
            (self.path.join(relative), self.site.resolve(url_path(relative, self.urls))?.into_owned());
        let mut canonical = None;
        let page = match self.at_url(&own, &file, &mut canonical)? {
            AtUrl::Listed(visit) => Ok(ListedFile { loc: own, visit }),
            AtUrl::Skipped(skip) => Err(skip),
            AtUrl::Elsewhere(url) => match self.same_file(&url, &file) {
                None => Err(Skip::new(self.canonical_reason(&url), url)),
                // The file is also served at its canonical URL.
                Some(loc) => match self.at_url(&loc, &file, &mut None)? {
                    AtUrl::Listed(visit) => Ok(ListedFile { loc, visit }),
                    AtUrl::Skipped(skip) => Err(skip),
                    AtUrl::Elsewhere(url) => Err(Skip::new(self.canonical_reason(&url), url)),
                },
            },
        };
        Ok(Verdict { page, canonical })
    }

    /// Judges a file at a URL.
    fn at_url(
        &self,
        loc: &Loc<'_>,
        file: &Path,
        canonical: &mut Option<CanonicalHost>,
    ) -> Result<AtUrl, Error> {
        let skipped = |reason, detail: String| Ok(AtUrl::Skipped(Skip::new(reason, detail)));
        let url = loc.as_str();
        if !self.folder.file(url).is_some_and(|found| is_same(&found, file)) {
            return skipped(Reason::OtherFile, url.to_owned());
        }
        let visit = self.folder.visit(url, self.now);
        let visit =
            visit.map_err(|error| Error::other(format!("cannot read: {}", system_message(&error))))?;
        let Some(visit) = visit else { return skipped(Reason::OtherFile, url.to_owned()) };
        let record = PageRecord::new(visit);
        *canonical = record.facts().and_then(|facts| CanonicalHost::of(facts, self.site));
        let own = OwnStanding::of(&record);
        let reason = match own.standing {
            Standing::Indexable | Standing::Canonicalised => {
                if let Some(target) = own.refresh {
                    return skipped(Reason::Redirect, target.to_owned());
                }
                if let Some(url) = own.canonical {
                    return Ok(AtUrl::Elsewhere(url.to_owned()));
                }
                if record.facts().is_some_and(|facts| facts.is_fragment) {
                    return skipped(Reason::Fragment, String::new());
                }
                return Ok(AtUrl::Listed(record.visit));
            }
            Standing::Noindex => Reason::Noindex,
            Standing::Blocked => Reason::Blocked,
            _ => Reason::NoContent,
        };
        // The other reasons explain themselves.
        let detail = own.reason.filter(|_| reason == Reason::Blocked).unwrap_or_default();
        skipped(reason, detail)
    }

    /// Returns a canonical URL if a server would send this file for it.
    fn same_file(&self, canonical: &str, file: &Path) -> Option<Loc<'static>> {
        let loc = Loc::parse(canonical).ok()?.into_owned();
        let found = self.folder.file(loc.as_str()).filter(|found| is_same(found, file));
        found.filter(|_| self.site.covers(&loc)).map(|_| loc)
    }

    fn canonical_reason(&self, canonical: &str) -> Reason {
        if origin(canonical) != origin(self.site.base()) {
            Reason::ForeignCanonical
        } else if Loc::parse(canonical).is_ok_and(|loc| !self.site.covers(&loc)) {
            Reason::CanonicalOutOfScope
        } else if self.folder.file(canonical).is_some() {
            Reason::OtherCanonical
        } else {
            Reason::CanonicalWithoutFile
        }
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| -> Option<PathBuf> { fs::canonicalize(path).ok() };
    a == b || resolved(a).is_some_and(|a| Some(a) == resolved(b))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::UNIX_EPOCH;

    use super::*;

    /// Returns the URLs of the listed files, and the skipped files with their reasons.
    fn judged(urls: FileUrls, files: &[(&str, &str)]) -> (Vec<String>, Vec<(String, Reason)>) {
        let dir = tempfile::tempdir().unwrap();
        for (name, html) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("<title>a</title>{html}")).unwrap();
        }
        let site = Site::new("https://example.com/x/").unwrap();
        let patterns = PatternArgs::default();
        let judge = Judge::new(dir.path(), &site, urls, &patterns, UNIX_EPOCH).unwrap();
        let (mut listed, mut skipped) = (Vec::new(), Vec::new());
        for (name, _) in files {
            match judge.verdict(Path::new(name)).unwrap().page {
                Ok(file) => listed.push(file.loc.to_string()),
                Err(skip) => skipped.push(((*name).to_owned(), skip.reason)),
            }
        }
        (listed, skipped)
    }

    fn listed(files: &[(&str, &str)]) -> Vec<String> {
        let (listed, skipped) = judged(FileUrls::Files, files);
        assert_eq!(skipped, []);
        listed
    }

    fn skipped(files: &[(&str, &str)]) -> Vec<Reason> {
        let (listed, skipped) = judged(FileUrls::Files, files);
        assert_eq!(listed, [""; 0]);
        skipped.into_iter().map(|(_, reason)| reason).collect()
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
    fn a_canonical_url_that_changes_with_the_url_of_the_file_is_not_listed() {
        // At `/x/d`, the canonical URL is `/d`.
        assert_eq!(
            skipped(&[("d/index.html", "<link rel=canonical href=../d>")]),
            [Reason::CanonicalOutOfScope]
        );
    }

    #[test]
    fn other_canonical_urls_are_not_listed() {
        let (listed, skipped) = judged(
            FileUrls::Files,
            &[
                ("a.html", ""),
                ("copy.html", "<link rel=canonical href=a.html>"),
                ("mirror.html", "<link rel=canonical href=https://other.example/>"),
                ("broken.html", "<link rel=canonical href=https://example.../x/broken.html>"),
                ("outside.html", "<link rel=canonical href=/y/>"),
                ("1.html", "<link rel=canonical href=/x/all?page=1>"),
                ("upper.html", "<link rel=canonical href=/x/UPPER>"),
            ],
        );
        assert_eq!(listed, ["https://example.com/x/a.html"]);
        let reasons: Vec<_> = skipped.into_iter().map(|(_, reason)| reason).collect();
        assert_eq!(
            reasons,
            [
                Reason::OtherCanonical,
                Reason::ForeignCanonical,
                Reason::ForeignCanonical,
                Reason::CanonicalOutOfScope,
                Reason::CanonicalWithoutFile,
                Reason::CanonicalWithoutFile,
            ]
        );
    }

    #[test]
    fn redirects_are_not_listed() {
        assert_eq!(
            judged(
                FileUrls::Files,
                &[
                    ("old.html", "<meta http-equiv=refresh content='0; url=new.html'>"),
                    ("new.html", "<meta http-equiv=refresh content='60; url=new.html'>"),
                ]
            ),
            (
                vec!["https://example.com/x/new.html".to_owned()],
                vec![("old.html".to_owned(), Reason::Redirect)]
            )
        );
    }

    #[test]
    fn clean_urls_have_no_ending() {
        let files = [
            ("index.html", ""),
            ("a.html", ""),
            ("b/index.html", ""),
            ("c.html", "<link rel=canonical href=c.html>"),
        ];
        assert_eq!(
            judged(FileUrls::Clean, &files).0,
            [
                "https://example.com/x/",
                "https://example.com/x/a",
                "https://example.com/x/b/",
                "https://example.com/x/c.html"
            ]
        );
    }

    #[test]
    fn a_file_that_another_file_hides_is_not_listed() {
        let files = [("a/index.htm", ""), ("a/index.html", "")];
        let (listed, skipped) = judged(FileUrls::Files, &files);
        assert_eq!(listed, ["https://example.com/x/a/"]);
        assert_eq!(skipped, [("a/index.htm".to_owned(), Reason::OtherFile)]);
    }
}
