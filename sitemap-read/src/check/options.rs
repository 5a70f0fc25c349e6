//! How documents are checked.

use crate::read::{ReadLimits, ReadOptions};
use crate::rule::Rule;
use sitemap_core::Site;
use sitemap_core::value::SiteError;
use sitemap_core::{LastMod, Loc};

use super::engine::{Engine, Engines};

/// How documents are checked.
///
/// ```
/// use sitemap_read::{CheckOptions, Engine, Rule};
/// use sitemap_core::{LastMod, Loc};
///
/// let options = CheckOptions::new()
///     .served_at(Loc::parse("https://example.com/shop/sitemap.xml")?)
///     .also_lists("https://shop.example.net/")?
///     .engine(Engine::Google)
///     .now("2026-01-31T12:00:00Z".parse::<LastMod>()?)
///     .without(Rule::DuplicateLoc);
/// # let _ = options;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
#[must_use]
pub struct CheckOptions {
    pub(super) served_at: Option<Loc<'static>>,
    pub(super) also_lists: Vec<Site>,
    pub(super) scope: bool,
    pub(super) same_site: bool,
    pub(super) engines: Engines,
    pub(super) now: Option<LastMod>,
    pub(super) strict: bool,
    pub(super) without: Vec<Rule>,
    pub(super) findings_per_rule: u64,
    pub(super) duplicates: bool,
    pub(super) hreflang_pairs: usize,
    pub(super) children: u64,
    pub(super) index_depth: usize,
    pub(super) read: ReadOptions,
}

impl Default for CheckOptions {
    fn default() -> Self {
        // Room to say by how much a file is too large.
        let limits = ReadLimits { bytes: 1 << 30, ..ReadLimits::default() };
        Self {
            served_at: None,
            also_lists: Vec::new(),
            scope: true,
            same_site: true,
            engines: Engines::default(),
            now: None,
            strict: false,
            without: Vec::new(),
            findings_per_rule: 100,
            duplicates: true,
            hreflang_pairs: 100_000,
            children: 50_000,
            index_depth: 3,
            read: ReadOptions::new().limits(limits),
        }
    }
}

impl CheckOptions {
    /// All that the protocol demands, without the notes of single engines and without a clock.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets where the document is served, after redirects. Default: not known.
    ///
    /// It says which pages a sitemap may list: those of its own scheme, host and port at or below its
    /// own directory; and which sitemaps an index: those of its host. Where it is not known, all
    /// pages of a file must be of one host.
    ///
    /// Source: [sitemaps.org, sitemap file location](https://www.sitemaps.org/protocol.html#location).
    pub fn served_at(mut self, loc: Loc<'_>) -> Self {
        self.served_at = Some(loc.into_owned());
        self
    }

    /// Allows pages and sitemaps under another base, too, mostly another host that names this
    /// sitemap in its robots.txt. Default: none.
    ///
    /// What only robots.txt can tell is asked of [`SitemapSource::consents`](super::SitemapSource::consents).
    ///
    /// Source: [sitemaps.org, cross-submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
    ///
    /// # Errors
    ///
    /// If the base is no absolute URL, or has a query or fragment.
    pub fn also_lists(mut self, base: &str) -> Result<Self, SiteError> {
        self.also_lists.push(Site::new(base)?);
        Ok(self)
    }

    /// Whether pages must be in the scope of their file. Default: yes.
    pub fn scope(mut self, check: bool) -> Self {
        self.scope = check;
        self
    }

    /// Whether the sitemaps of an index must be on its host. Default: yes.
    pub fn same_site(mut self, check: bool) -> Self {
        self.same_site = check;
        self
    }

    /// Adds what is true for one search engine only; may be said for several. Default: none.
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engines.add(engine);
        self
    }

    /// Sets the time to compare with: the age of news, dates in the future. Default: not known, and
    /// such rules are left out.
    ///
    /// The system's clock is never read.
    pub fn now(mut self, now: LastMod) -> Self {
        self.now = Some(now);
        self
    }

    /// Whether warnings become errors. Default: no.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Leaves a rule out. Default: none.
    pub fn without(mut self, rule: Rule) -> Self {
        self.without.push(rule);
        self
    }

    /// How many findings of one rule a report keeps; further ones are counted. Default: 100.
    pub fn findings_per_rule(mut self, most: u64) -> Self {
        self.findings_per_rule = most;
        self
    }

    /// Whether to look for pages that are listed twice, in one file or in two. Default: yes.
    ///
    /// Takes 14 to 28 bytes a page, for all files of a set, and half as much again for a moment when
    /// room is made for more.
    pub fn duplicates(mut self, check: bool) -> Self {
        self.duplicates = check;
        self
    }

    /// How many versions of pages for other languages may wait for the page that points back to
    /// them. Default: 100,000; 0 leaves the rule out.
    ///
    /// Takes about 32 bytes for each page with versions, and more for those that wait. Few wait where the versions of a page stand near each other. When there are more, it is noted
    /// that not all were checked.
    pub fn hreflang_pairs(mut self, most: usize) -> Self {
        self.hreflang_pairs = most;
        self
    }

    /// How many sitemaps of a set are opened. Default: 50,000.
    pub fn children(mut self, most: u64) -> Self {
        self.children = most;
        self
    }

    /// How deep indexes in indexes are followed, the first one included. Default: 3.
    ///
    /// The protocol has no index in an index; what is in them is checked all the same.
    pub fn index_depth(mut self, most: usize) -> Self {
        self.index_depth = most;
        self
    }

    /// Sets how documents are read. Default: as [`ReadOptions::new`], but up to 1 GiB, so that the
    /// size of a file that is too large can be said.
    ///
    /// A checker reads on after a violation, whatever these options say of that.
    pub fn read(mut self, options: ReadOptions) -> Self {
        self.read = options.strict(false);
        self
    }
}
