//! Assertions for testing the sitemap that a program publishes.
//!
//! [`PublishedSet::read`] reads the index and all child sitemaps. Like `assert!`, the assertions panic with a message.
//!
//! If an application serves its sitemap with [`LiveSitemap`], you can test the set without starting a server:
//!
//! ```
//! use sitemap_core::{LastMod, Site, SitemapEntry};
//! use sitemap_read::testing::PublishedSet;
//! # use sitemap_core::{Memory, SitemapSet};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}", skip_if = Post::is_draft)]
//! struct Post {
//!     slug: &'static str,
//!     #[sitemap(lastmod)]
//!     updated: Option<LastMod>,
//!     is_draft: bool,
//! }
//!
//! impl Post {
//!     fn is_draft(&self) -> bool {
//!         self.is_draft
//!     }
//! }
//!
//! let site = Site::new("https://www.example.com")?;
//! let tea = Post { slug: "tea", updated: Some("2026-01-31".parse()?), is_draft: false };
//! let draft = Post { slug: "draft", updated: None, is_draft: true };
//! # let memory = Memory::new();
//! # let mut run = SitemapSet::builder(site.clone()).storage(memory.clone()).replace()?;
//! # run.section("posts")?.add_all([&tea, &draft])?;
//! # run.section("pages")?.add("/about")?;
//! # run.commit()?;
//! # let get = |path: &str| memory.get(&path[1..]).map(|file| file.to_vec()).ok_or("404");
//!
//! // With `live`, a `LiveSitemap` that the program has refreshed:
//! // let get = |path: &str| match live.service().respond_to("GET", path, [("", ""); 0]) {
//! //     found if found.status() == 200 => Ok(found.into_body()),
//! //     other => Err(other.status()),
//! // };
//! let set = PublishedSet::read(&site, get);
//! set.assert_lists(&site, &tea);
//! set.assert_omits("/posts/draft");
//! assert_eq!(set.page("/about").lastmod(), None);
//! assert_eq!(set.len(), 2);
//! set.assert_valid();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For a set in a directory, pass `|path: &str| std::fs::read(format!("public{path}"))` as `get`. To test a running
//! server, pass a function that sends a request.
//!
//! [`LiveSitemap`]: https://docs.rs/sitemap-serve/latest/sitemap_serve/struct.LiveSitemap.html
#![allow(clippy::panic, reason = "a failed assertion panics")]

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::{Display, Write as _};
use std::io::Cursor;

use sitemap_core::reading::is_recent_file;
use sitemap_core::record::entries_of;
use sitemap_core::{Entry, Loc, Site, SitemapEntry};

use crate::{CheckOptions, Checker, Item, OpenError, OpenedSitemap, Severity, SitemapReader, SitemapSource};

/// All pages in a published set, to be tested with assertions. The [module page](self) has an example with records.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_read::testing::PublishedSet;
///
/// let site = Site::new("https://example.com")?;
/// let set = PublishedSet::read(&site, |path| match path {
///     "/sitemap.xml" => Ok("https://example.com/\nhttps://example.com/about\n"),
///     _ => Err("status 404"),
/// });
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.page("/about").priority(), None);
/// set.assert_omits("/admin");
/// set.assert_valid();
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PublishedSet {
    base: String,
    /// Each page, with the index of its file.
    pages: Vec<(usize, Entry<'static>)>,
    files: Vec<String>,
    /// The files that can't be read in full, each with the reason.
    unreadable: Vec<String>,
    /// The checker's findings, one line each.
    findings: Vec<String>,
}

impl PublishedSet {
    /// Reads a site's set: `/sitemap.xml` below its base URL, and the child sitemaps listed there. `get` returns the
    /// bytes of the file at a path such as `/sitemap.xml`, compressed or not.
    ///
    /// # Panics
    ///
    /// Panics if `/sitemap.xml` can't be read. For child sitemaps that can't be read,
    /// [`assert_valid`](Self::assert_valid) panics instead.
    #[track_caller]
    pub fn read<B: Into<Vec<u8>>, E: Display>(
        site: &Site,
        mut get: impl FnMut(&str) -> Result<B, E>,
    ) -> Self {
        let base = site.base().trim_end_matches('/').to_owned();
        let mut set =
            Self { pages: Vec::new(), files: Vec::new(), unreadable: Vec::new(), findings: Vec::new(), base };
        let first = format!("{}/sitemap.xml", set.base);
        let mut files = Files::default();
        let mut queue = VecDeque::from([first.clone()]);
        while let Some(url) = queue.pop_front() {
            if files.0.contains_key(&url) {
                continue;
            }
            let found = get(path_of(&url)).map(Into::into).map_err(|error| error.to_string());
            if let (Err(error), true) = (&found, files.0.is_empty()) {
                panic!("cannot read `{first}`: {error}; publish the set before the test reads it");
            }
            let read = match &found {
                Ok(bytes) => set.add_pages(&url, bytes, &mut queue),
                Err(error) => Err(error.clone()),
            };
            if let Err(error) = read {
                // The checker reports this error, too.
                set.unreadable.push(format!("`{url}`: {error}"));
            }
            files.0.insert(url, found);
        }
        set.remove_repeated();
        set.check(&first, files);
        set
    }

    /// Adds a document's pages, or queues the child sitemaps of an index. Returns the reason if the document can't be
    /// read to the end.
    fn add_pages(&mut self, url: &str, bytes: &[u8], queue: &mut VecDeque<String>) -> Result<(), String> {
        let file = self.files.len();
        self.files.push(url.to_owned());
        let mut reader = SitemapReader::from_slice(bytes);
        while let Some(item) = reader.next().map_err(|error| error.to_string())? {
            match item {
                Item::Sitemap(child) => queue.push_back(child.loc().as_str().to_owned()),
                Item::Page(page) => self.pages.push((file, page.into_entry().into_owned())),
            }
        }
        reader.incomplete().map_or(Ok(()), |rule| Err(rule.summary().to_owned()))
    }

    /// Removes the entries of the recent section that repeat entries of other files.
    fn remove_repeated(&mut self) {
        let is_recent: Vec<bool> = self.files.iter().map(|file| is_recent_file(file)).collect();
        if !is_recent.contains(&true) {
            return;
        }
        let others = self.pages.iter().filter(|(file, _)| !is_recent[*file]);
        let others: HashSet<String> = others.map(|(_, page)| page.loc().as_str().to_owned()).collect();
        self.pages.retain(|(file, page)| !is_recent[*file] || !others.contains(page.loc().as_str()));
    }

    fn check(&mut self, first: &str, mut files: Files) {
        let mut checker = Checker::new(CheckOptions::new());
        let bytes = files.0.get(first).and_then(|found| found.clone().ok()).unwrap_or_default();
        let mut index = OpenedSitemap::new(first, Cursor::new(bytes));
        if let Ok(loc) = Loc::parse(first) {
            index = index.served_at(loc);
        }
        if let Err(error) = checker.check_set(index, &mut files) {
            self.findings.push(format!("{first}: {error}"));
        }
        let report = checker.finish();
        let findings = report.findings().filter(|(_, finding)| finding.severity() >= Severity::Warning);
        self.findings.extend(findings.map(|(file, finding)| format!("{}:{finding}", file.name())));
    }

    /// Returns the number of pages. If the recent section repeats a page, it is only counted once.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns `true` if the set doesn't list any pages.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns the entries of all pages, one file after another.
    pub fn pages(&self) -> impl Iterator<Item = &Entry<'static>> {
        self.pages.iter().map(|(_, page)| page)
    }

    /// Returns a page's entry. `url` is an absolute URL, or a path below the site's base URL that starts with a slash.
    ///
    /// # Panics
    ///
    /// Panics if the page isn't listed. The message names the most similar URL in the set.
    #[track_caller]
    pub fn page(&self, url: &str) -> &Entry<'static> {
        let url = self.resolve(url);
        match self.pages().find(|page| page.loc() == url.as_str()) {
            Some(page) => page,
            None => panic!("`{url}` is not listed{}", self.similar(&url)),
        }
    }

    /// Asserts that all of a record's pages are listed, with exactly the record's values.
    ///
    /// # Panics
    ///
    /// Panics if a page isn't listed or has different values. Also panics if the record has no pages, for example
    /// because of `skip_if`.
    #[track_caller]
    pub fn assert_lists<T: SitemapEntry + ?Sized>(&self, site: &Site, record: &T) {
        let entries = match entries_of(record, site) {
            Ok(entries) => entries,
            Err(error) => panic!("the record is invalid: {error}"),
        };
        assert!(!entries.is_empty(), "the record has no page, so the set cannot list it; see `skip_if`");
        for expected in entries {
            let found = self.page(expected.loc().as_str());
            assert!(
                *found == expected,
                "`{}` is listed with other values:{}",
                expected.loc(),
                differences(&expected, found)
            );
        }
    }

    /// Asserts that a page is not listed. `url` is an absolute URL, or a path that starts with a slash.
    ///
    /// # Panics
    ///
    /// Panics if the page is listed. Also panics if a file of the set can't be read, because the page may be listed
    /// there. The message names the file.
    #[track_caller]
    pub fn assert_omits(&self, url: &str) {
        let url = self.resolve(url);
        if let Some((file, _)) = self.pages.iter().find(|(_, page)| page.loc() == url.as_str()) {
            panic!("`{url}` is listed in `{}`", self.files[*file]);
        }
        if let Some(unreadable) = self.unreadable.first() {
            panic!("`{url}` may be listed in a file that cannot be read, {unreadable}; mend the set");
        }
    }

    /// Asserts that the checker finds no errors or warnings in the set, and that all child sitemaps can be read.
    ///
    /// # Panics
    ///
    /// Panics otherwise. The message contains each finding with its file, line, column, rule and remedy.
    #[track_caller]
    pub fn assert_valid(&self) {
        let count = self.findings.len();
        assert!(count == 0, "the checker has {count} findings:\n{}", self.findings.join("\n"));
    }

    fn resolve(&self, url: &str) -> String {
        if url.starts_with('/') { format!("{}{url}", self.base) } else { url.to_owned() }
    }

    /// Returns the last part of the message for a URL that isn't listed.
    fn similar(&self, url: &str) -> String {
        let common = |page: &&(usize, Entry<'_>)| {
            page.1.loc().as_str().bytes().zip(url.bytes()).take_while(|(one, other)| one == other).count()
        };
        match self.pages.iter().max_by_key(common) {
            None => "; the set lists no pages".to_owned(),
            Some((file, page)) => format!(
                "; the most similar of {} pages is `{}` in `{}`",
                self.pages.len(),
                page.loc(),
                self.files[*file]
            ),
        }
    }
}

/// Returns a URL's path and query.
fn path_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |scheme| scheme + 3);
    url[host..].find('/').map_or("/", |path| &url[host + path..])
}

/// Returns one line per value that differs.
fn differences(expected: &Entry<'_>, found: &Entry<'_>) -> String {
    let mut lines = String::new();
    let mut compare = |name, expected: String, found: String| {
        if expected != found {
            // Writing to a `String` can't fail.
            let _ = write!(lines, "\n{name}: expected {expected}, found {found}");
        }
    };
    let none = || "none".to_owned();
    macro_rules! texts {
        ($($value:ident)*) => {
            $(compare(
                stringify!($value),
                expected.$value().map_or_else(none, |value| value.to_string()),
                found.$value().map_or_else(none, |value| value.to_string()),
            );)*
        };
    }
    texts!(lastmod changefreq priority);
    macro_rules! lists {
        ($($value:ident)*) => {
            $(compare(
                stringify!($value),
                format!("{:?}", expected.$value()),
                format!("{:?}", found.$value()),
            );)*
        };
    }
    lists!(images videos news alternates elements);
    lines
}

/// The files in a set, by URL. If a file can't be read, the value is the reason.
#[derive(Default)]
struct Files(HashMap<String, Result<Vec<u8>, String>>);

impl SitemapSource for Files {
    type Content = Cursor<Vec<u8>>;

    fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
        match self.0.remove(loc.as_str()) {
            Some(Ok(bytes)) => Ok(OpenedSitemap::new(loc.as_str(), Cursor::new(bytes))),
            Some(Err(error)) => Err(OpenError::unavailable(error)),
            None => Err(OpenError::Skip),
        }
    }
}
