//! The documents to check: those that the target names, and their child sitemaps.

use std::collections::{HashMap, HashSet};
use std::fs::File;

use sitemap_core::Loc;
use sitemap_read::{Checker, OpenError, OpenedSitemap, SitemapSource};
use url::Url;

use super::since::Since;
use crate::args::CheckArgs;
use crate::error::{Outcome, Stop, read_message};
use crate::interrupt;
use crate::source::{Document, Documents, Place, Refused, Source, lists, url_without_credentials};
use crate::terminal::Progress;

/// The documents of a check. A document that may have findings is kept until its lines are printed, and an index until
/// its child sitemaps are checked.
pub(super) struct Set<'s> {
    source: &'s Source,
    at: Option<Loc<'static>>,
    /// True if the entries are read again after the check.
    keeps_all: bool,
    documents: Documents,
    seen: HashSet<Place>,
    /// The name of the document that the set starts with.
    root: String,
    progress: Progress,
    checked: u64,
    /// The number of documents known so far.
    known: u64,
    follow: bool,
    /// The number of child sitemaps skipped because of `--no-follow`.
    not_followed: u64,
    /// The older set. Sitemaps that it also contains are not checked again.
    since: Option<Since>,
    unread: Unread,
    /// The sitemaps in the robots.txt of each origin. `None` if that robots.txt is not known.
    robots: HashMap<String, Option<Vec<Url>>>,
}

/// The number of child sitemaps that could not be checked, because of the server's response or a failure on this
/// machine.
#[derive(Debug, Default)]
pub(super) struct Unread {
    pub(super) count: usize,
    /// The reason why the first of them could not be checked.
    pub(super) first: String,
}

impl<'s> Set<'s> {
    pub(super) fn new(source: &'s Source, args: &CheckArgs) -> Outcome<Self> {
        Ok(Self {
            source,
            at: served_at(args)?,
            keeps_all: reads_again(args),
            documents: Documents::new(),
            seen: HashSet::new(),
            root: String::new(),
            progress: Progress::of_files("checking files"),
            checked: 0,
            known: 0,
            follow: !args.no_follow,
            not_followed: 0,
            since: args.since.as_deref().map(Since::read).transpose()?,
            unread: Unread::default(),
            robots: HashMap::new(),
        })
    }

    pub(super) fn check(&mut self, checker: &mut Checker, target: &str) -> Outcome<()> {
        let roots = self.source.roots(target)?;
        self.source.expect(&roots);
        self.known += roots.len() as u64;
        let is_one = roots.len() == 1;
        for place in roots {
            // The document may already have been checked as the child of another index.
            if !self.seen.insert(place.clone()) {
                continue;
            }
            let document = self.source.open(&place);
            let document = document.map_err(|why| Stop::new(format!("cannot read `{place}`: {why}")))?;
            if self.follow {
                self.known += self.source.expect_children(&document, self.progress.is_shown());
            }
            let mut opened = OpenedSitemap::new(document.name.as_str(), document.open()?);
            if let Some(loc) = self.served_at(&document, is_one) {
                opened = opened.served_at(loc);
            }
            self.root.clone_from(&document.name);
            self.keep(document);
            checker.check_set(opened, self).map_err(|error| Stop::new(read_message(&error)))?;
        }
        self.source.check_cache()
    }

    /// Counts the sitemaps of the folder that the set does not list. Returns 0 if the check stopped at `--max-files` or
    /// didn't follow indexes, because the count would include listed files that were not read.
    pub(super) fn unlisted(&self, target: &str) -> usize {
        if !self.follow || self.seen.len() >= self.source.max_files() {
            0
        } else {
            self.source.unlisted(target, &self.seen)
        }
    }

    /// Returns the URL that a document is served at: that of `--at`, or by default the URL of the download.
    ///
    /// If `--at` ends with `/`, or if there are several documents, the document's file name is resolved against `--at`.
    fn served_at(&self, document: &Document, is_one: bool) -> Option<Loc<'static>> {
        let Some(at) = &self.at else {
            return document.served_at.clone();
        };
        let of_file = || Url::parse(at.as_str()).ok()?.join(document.file_name()).ok();
        if is_one && !at.as_str().ends_with('/') {
            return Some(at.clone());
        }
        of_file().and_then(|url| Loc::parse(url.as_str()).ok().map(Loc::into_owned))
    }

    fn keep(&mut self, document: Document) {
        self.checked += 1;
        self.progress.advance(self.checked, self.known);
        self.documents.insert(document.name.clone(), document);
    }

    /// Returns the number of child sitemaps skipped because of `--no-follow`.
    pub(super) const fn not_followed(&self) -> u64 {
        self.not_followed
    }

    pub(super) fn into_documents(self) -> (Documents, Option<Since>, Unread) {
        (self.documents, self.since, self.unread)
    }

    /// Records that a child sitemap was not checked. This is not a finding, because it's unknown whether the document
    /// is a sitemap.
    fn skip(&mut self, place: &Place, why: &Refused) -> OpenError {
        let why = format!("cannot read `{place}`: {why}");
        self.progress.say(&format!("error: {why}"));
        if self.unread.count == 0 {
            self.unread.first = why;
        }
        self.unread.count += 1;
        OpenError::Skip
    }
}

impl SitemapSource for Set<'_> {
    type Content = File;

    fn open(&mut self, loc: &Loc<'_>, index: &str) -> Result<OpenedSitemap<File>, OpenError> {
        if !self.follow {
            self.not_followed += 1;
            return Err(OpenError::Skip);
        }
        let (Some(root), Some(index)) = (self.documents.get(&self.root), self.documents.get(index)) else {
            return Err(OpenError::Skip);
        };
        let place = self.source.child(index, loc).map_err(OpenError::unavailable)?;
        // The checker does not know where a folder is served, so it can't detect this loop.
        if place == root.place || place == index.place {
            return Err(OpenError::Loop);
        }
        self.seen.insert(place.clone());
        let document = match self.source.read(&place) {
            Ok(document) => document,
            Err(why) if why.is_fault() => return Err(OpenError::unavailable(String::from(why))),
            Err(why) => {
                interrupt::check().map_err(|error| OpenError::Fatal(error.into()))?;
                return Err(self.skip(&place, &why));
            }
        };
        if let Some(since) = &mut self.since
            && since.has(&document)
        {
            self.checked += 1;
            self.progress.advance(self.checked, self.known);
            return Err(OpenError::Skip);
        }
        self.known += self.source.expect_children(&document, self.progress.is_shown());
        let content = document.open().map_err(|_| OpenError::unavailable("cannot open the file"))?;
        let mut opened = OpenedSitemap::new(document.name.as_str(), content);
        if let Some(loc) = &document.served_at {
            opened = opened.served_at(loc.clone());
        }
        self.keep(document);
        Ok(opened)
    }

    fn checked(&mut self, name: &str, may_have_findings: bool) {
        if !may_have_findings && !self.keeps_all {
            self.documents.remove(name);
        }
    }

    fn robots_lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        let root = self.documents.get(&self.root)?;
        let lines = self.robots.entry(origin.to_owned()).or_insert_with(|| match &root.place {
            Place::Url(_) => self.source.robots_of(origin),
            // For a set of local files, no robots.txt is downloaded. The one in its folder is that of the set's host.
            Place::File(path) => {
                let own = self.at.as_ref().unwrap_or(sitemap);
                let is_own =
                    Url::parse(own.as_str()).is_ok_and(|own| own.origin().ascii_serialization() == origin);
                is_own.then(|| Source::robots_beside(path)).flatten()
            }
            Place::Stdin => None,
        });
        Some(lists(lines.as_ref()?, sitemap))
    }
}

/// Returns `true` if the listed pages are requested after the check.
#[cfg(feature = "pages")]
fn reads_again(args: &CheckArgs) -> bool {
    args.pages.pages || args.pages.moved_to.is_some()
}

#[cfg(not(feature = "pages"))]
const fn reads_again(_: &CheckArgs) -> bool {
    false
}

/// Parses the URL of `--at`, and removes the user name and password because reports may contain the URL. Requests use
/// the credentials of the option itself.
fn served_at(args: &CheckArgs) -> Outcome<Option<Loc<'static>>> {
    let Some(at) = &args.at else { return Ok(None) };
    let without = url_without_credentials(at)?;
    let has_credentials = |without: &Url| Url::parse(at).is_ok_and(|url| url != *without);
    let text = without.filter(has_credentials).map_or_else(|| at.clone(), String::from);
    Loc::parse(text).map(Some).map_err(|error| Stop::new(format!("`--at`: {error}")))
}
