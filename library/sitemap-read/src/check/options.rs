//! The options of a checker.

use std::sync::Arc;

use crate::read::{ReadLimits, ReadOptions};
use crate::rule::{Engine, Engines, Rule};
use sitemap_core::Site;
use sitemap_core::value::SiteError;
use sitemap_core::{LastMod, Loc};

use super::baseline::Baseline;
use super::levels::{Layer, Levels};

/// The options of a [`Checker`](crate::Checker): what is known about the documents, which rules apply, and limits.
///
/// ```
/// use sitemap_core::{LastMod, Loc};
/// use sitemap_read::{CheckOptions, Checker, Engine, Levels, Rule, Severity};
///
/// let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/shop/a</loc><lastmod>2999-01-01</lastmod></url>
/// <url><loc>https://example.com/shop/a</loc><priority>0.5</priority></url>
/// <url><loc>https://shop.example.net/b</loc></url>
/// <url><loc>https://example.org/c</loc></url>
/// </urlset>"#;
///
/// let options = CheckOptions::new()
///     .served_at(Loc::parse("https://example.com/shop/sitemap.xml")?)
///     .also_lists("https://shop.example.net/")?
///     .engine(Engine::Google)
///     .now("2026-01-31T12:00:00Z".parse::<LastMod>()?)
///     .strict(true)
///     .levels(Levels::new().allow(Rule::DuplicateLoc));
/// let mut checker = Checker::new(options);
/// checker.check_slice("sitemap.xml", xml)?;
/// let report = checker.finish();
///
/// let rules: Vec<_> = report.findings().map(|(_, finding)| finding.rule()).collect();
/// assert_eq!(rules, [Rule::LastModFuture, Rule::HintsIgnored, Rule::ScopeUnknown]);
/// assert_eq!(report.count(Severity::Error), 1); // `LastModFuture` is a warning unless the check is strict.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
#[must_use]
pub struct CheckOptions {
    pub(super) served_at: Option<Loc<'static>>,
    pub(super) also_lists: Vec<Site>,
    pub(super) scope: bool,
    pub(super) same_site: bool,
    pub(super) private_hosts: bool,
    pub(super) engines: Engines,
    pub(super) now: Option<LastMod>,
    pub(super) strict: bool,
    pub(super) layers: Vec<Layer>,
    pub(super) baseline: Option<Baseline>,
    pub(super) record: bool,
    pub(super) max_findings_per_rule: u64,
    pub(super) duplicates: bool,
    pub(super) max_hreflang_pairs: usize,
    pub(super) max_children: u64,
    pub(super) max_index_depth: usize,
    pub(super) threads: usize,
    pub(super) read: ReadOptions,
}

impl Default for CheckOptions {
    fn default() -> Self {
        // The report states the size of a file that is too large, so the reader must read past the protocol's limit.
        let limits = ReadLimits { bytes: 1 << 30, ..ReadLimits::default() };
        Self {
            served_at: None,
            also_lists: Vec::new(),
            scope: true,
            same_site: true,
            private_hosts: false,
            engines: Engines::default(),
            now: None,
            strict: false,
            layers: Vec::new(),
            baseline: None,
            record: false,
            max_findings_per_rule: 100,
            duplicates: true,
            max_hreflang_pairs: 100_000,
            max_children: 50_000,
            max_index_depth: 3,
            threads: 1,
            read: ReadOptions::new().limits(limits),
        }
    }
}

impl CheckOptions {
    /// Returns the default options. They enable all rules except those of individual search engines and those that need
    /// the current time.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the URL that serves the document, after redirects. Default: unknown.
    ///
    /// This URL decides which pages a sitemap may list: pages with the same scheme, host and port, in the sitemap's
    /// directory or below. It also decides which sitemaps an index may list: sitemaps on the same host. If the URL is
    /// unknown, all pages in a file must be on the same host. See the [example](Self).
    ///
    /// Source: [sitemaps.org, sitemap file location](https://www.sitemaps.org/protocol.html#location).
    pub fn served_at(mut self, loc: Loc<'_>) -> Self {
        self.served_at = Some(loc.into_owned());
        self
    }

    /// Also allows pages and sitemaps under this base URL. Default: none.
    ///
    /// Typically, the base is another host whose robots.txt names the sitemap. If a URL is outside the
    /// scope and not under any of these bases, the checker calls
    /// [`SitemapSource::robots_lists`](super::SitemapSource::robots_lists). Call `also_lists`
    /// once per base. See the [example](Self).
    ///
    /// Source: [sitemaps.org, cross-submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
    ///
    /// # Errors
    ///
    /// Returns [`SiteError`] if the base isn't an absolute URL, or if it has a query or fragment.
    pub fn also_lists(mut self, base: &str) -> Result<Self, SiteError> {
        self.also_lists.push(Site::new(base)?);
        Ok(self)
    }

    /// Sets whether all pages must be in the scope of their file (see [`served_at`](Self::served_at)). Default: `true`.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// let two_hosts = b"https://example.com/\nhttps://example.org/\n";
    /// for (scope, count) in [(true, Some(&1)), (false, None)] {
    ///     let mut checker = Checker::new(CheckOptions::new().scope(scope));
    ///     checker.check_slice("sitemap.txt", two_hosts)?;
    ///     assert_eq!(checker.finish().counts().get(&Rule::ScopeUnknown), count);
    /// }
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn scope(mut self, check: bool) -> Self {
        self.scope = check;
        self
    }

    /// Sets whether child sitemaps must be on the same host as the index. Default: `true`.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/a.xml</loc></sitemap>
    /// <sitemap><loc>https://example.org/b.xml</loc></sitemap>
    /// </sitemapindex>"#;
    /// for (same_site, count) in [(true, Some(&1)), (false, None)] {
    ///     let mut checker = Checker::new(CheckOptions::new().same_site(same_site));
    ///     checker.check_slice("sitemap.xml", index)?;
    ///     assert_eq!(checker.finish().counts().get(&Rule::ChildOtherHost), count);
    /// }
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn same_site(mut self, check: bool) -> Self {
        self.same_site = check;
        self
    }

    /// Sets whether pages and sitemaps may be on hosts that the internet can't reach, such as `localhost`. Default:
    /// `false`. They always may be if the sitemap itself is [served](Self::served_at) by such a host.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// for (private_hosts, count) in [(true, None), (false, Some(&1))] {
    ///     let mut checker = Checker::new(CheckOptions::new().private_hosts(private_hosts));
    ///     checker.check_slice("sitemap.txt", b"http://localhost:8080/\n")?;
    ///     assert_eq!(checker.finish().counts().get(&Rule::LocPrivateHost), count);
    /// }
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn private_hosts(mut self, allow: bool) -> Self {
        self.private_hosts = allow;
        self
    }

    /// Enables the rules of one search engine. Default: none.
    ///
    /// Call this once per engine. See the [example](Self).
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engines.add(engine);
        self
    }

    /// Sets the current time, which the rules about old news articles, expired videos and future dates need. Default:
    /// unknown, which disables these rules.
    ///
    /// The checker never reads the system clock. See the [example](Self).
    pub fn now(mut self, now: LastMod) -> Self {
        self.now = Some(now);
        self
    }

    /// Sets whether warnings are treated as errors. Default: `false`. See the [example](Self).
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Changes the levels of rules in all files. By default, each rule has the severity in the table of rules.
    ///
    /// Later calls override earlier ones. In a [strict](Self::strict) check, findings at
    /// [`Level::Warn`](super::Level::Warn) are errors.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Levels, Rule, Severity};
    ///
    /// let options = CheckOptions::new().levels(Levels::new().deny(Rule::LocFragment));
    /// let mut checker = Checker::new(options);
    /// checker.check_slice("sitemap.txt", b"https://example.com/#top\n")?;
    /// assert_eq!(checker.finish().count(Severity::Error), 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn levels(mut self, levels: Levels) -> Self {
        self.layers.push(Layer { files: None, levels });
        self
    }

    /// Sets [`levels`](Self::levels) only for files whose name makes `files` return `true`.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Levels, Rule};
    ///
    /// let old = |file: &str| file.starts_with("archive/");
    /// let options = CheckOptions::new().levels_for(old, Levels::new().allow(Rule::LocFragment));
    /// let mut checker = Checker::new(options);
    /// checker.check_slice("archive/2019.txt", b"https://example.com/#a\n")?;
    /// checker.check_slice("sitemap.txt", b"https://example.com/#b\n")?;
    /// let report = checker.finish();
    /// assert_eq!(report.allowed()[&Rule::LocFragment], 1);
    /// assert_eq!(report.counts()[&Rule::LocFragment], 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn levels_for(
        mut self,
        files: impl Fn(&str) -> bool + Send + Sync + 'static,
        levels: Levels,
    ) -> Self {
        self.layers.push(Layer { files: Some(Arc::new(files)), levels });
        self
    }

    /// Reports only findings that the baseline does not list. Default: no baseline.
    ///
    /// [`Report::known`](super::Report::known) counts the findings that the baseline lists. The checker describes only
    /// a limited number of XML violations in full; any further ones count as new.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// let fragment = b"https://example.com/#a\n";
    /// let mut checker = Checker::new(CheckOptions::new().record_baseline(true));
    /// checker.check_slice("sitemap.txt", fragment)?;
    /// let baseline = checker.finish().recorded().unwrap().clone();
    ///
    /// let mut checker = Checker::new(CheckOptions::new().baseline(baseline));
    /// checker.check_slice("sitemap.txt", fragment)?;
    /// let report = checker.finish();
    /// assert_eq!((report.findings().count(), report.known()[&Rule::LocFragment]), (0, 1));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn baseline(mut self, baseline: Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }

    /// Sets whether the report records all findings as a [`Baseline`] for the next check. Default: `false`.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker};
    ///
    /// let mut checker = Checker::new(CheckOptions::new().record_baseline(true));
    /// checker.check_slice("sitemap.txt", b"https://example.com/#a\n")?;
    /// assert_eq!(checker.finish().recorded().unwrap().findings(), 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn record_baseline(mut self, record: bool) -> Self {
        self.record = record;
        self
    }

    /// Sets the maximum number of findings that the report keeps per rule. Further findings are only counted. Default:
    /// 100.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// let mut checker = Checker::new(CheckOptions::new().max_findings_per_rule(1));
    /// checker.check_slice("sitemap.txt", b"https://example.com/#a\nhttps://example.com/#b\n")?;
    /// let report = checker.finish();
    /// assert_eq!(report.findings().count(), 1);
    /// assert_eq!(report.omitted()[&Rule::LocFragment], 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn max_findings_per_rule(mut self, max: u64) -> Self {
        self.max_findings_per_rule = max;
        self
    }

    /// Sets whether the checker looks for pages that are listed twice, in the same file or in different files. Default:
    /// `true`.
    ///
    /// This takes 14 to 28 bytes of memory per page, and briefly up to 43 while the hash table grows.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// for (duplicates, count) in [(true, Some(&1)), (false, None)] {
    ///     let mut checker = Checker::new(CheckOptions::new().duplicates(duplicates));
    ///     checker.check_slice("sitemap.txt", b"https://example.com/\nhttps://example.com/\n")?;
    ///     assert_eq!(checker.finish().counts().get(&Rule::DuplicateLoc), count);
    /// }
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn duplicates(mut self, check: bool) -> Self {
        self.duplicates = check;
        self
    }

    /// Sets the maximum number of pending links. A link to a language version is pending until that version links back.
    /// Default: 100,000. A maximum of 0 turns off the rules that compare the links on different pages.
    ///
    /// These rules take about 32 bytes of memory per page with language versions, and more per pending link. Few links
    /// are pending at a time if the versions of a page are listed close together. When there are too many, the checker
    /// stops checking links and reports that.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Rule};
    ///
    /// let german_only = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    /// xmlns:xhtml="http://www.w3.org/1999/xhtml">
    /// <url><loc>https://example.com/de</loc>
    /// <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
    /// <xhtml:link rel="alternate" hreflang="en" href="https://example.com/en"/></url>
    /// </urlset>"#;
    /// for (pairs, count) in [(100, Some(&1)), (0, None)] {
    ///     let mut checker = Checker::new(CheckOptions::new().max_hreflang_pairs(pairs));
    ///     checker.check_slice("sitemap.xml", german_only)?;
    ///     assert_eq!(checker.finish().counts().get(&Rule::HreflangNotListed), count);
    /// }
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn max_hreflang_pairs(mut self, max: usize) -> Self {
        self.max_hreflang_pairs = max;
        self
    }

    /// Sets the maximum number of child sitemaps that the checker opens per set. Default: 50,000.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Rule, SitemapSource};
    ///
    /// struct Home;
    ///
    /// impl SitemapSource for Home {
    ///     type Content = &'static [u8];
    ///
    ///     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<&'static [u8]>, OpenError> {
    ///         Ok(OpenedSitemap::new(loc.as_str(), b"https://example.com/\n"))
    ///     }
    /// }
    ///
    /// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/1.txt</loc></sitemap>
    /// <sitemap><loc>https://example.com/2.txt</loc></sitemap>
    /// </sitemapindex>"#;
    /// let mut checker = Checker::new(CheckOptions::new().max_children(1));
    /// checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut Home)?;
    /// let report = checker.finish();
    /// assert_eq!(report.files().len(), 2); // the index and its first child
    /// assert_eq!(report.counts()[&Rule::TooManyChildren], 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn max_children(mut self, max: u64) -> Self {
        self.max_children = max;
        self
    }

    /// Sets the maximum depth of nested indexes that the checker follows. The first index counts as depth 1. Default:
    /// 3.
    ///
    /// The protocol doesn't allow an index in an index. The checker reports a nested index, but still checks the files
    /// that it lists.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Rule, SitemapSource};
    ///
    /// struct Nested;
    ///
    /// impl SitemapSource for Nested {
    ///     type Content = &'static [u8];
    ///
    ///     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<&'static [u8]>, OpenError> {
    ///         let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/deeper.xml</loc></sitemap>
    /// </sitemapindex>"#;
    ///         Ok(OpenedSitemap::new(loc.as_str(), index))
    ///     }
    /// }
    ///
    /// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/deep.xml</loc></sitemap>
    /// </sitemapindex>"#;
    /// let mut checker = Checker::new(CheckOptions::new().max_index_depth(1));
    /// checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut Nested)?;
    /// let report = checker.finish();
    /// assert_eq!(report.files().len(), 2); // `deeper.xml` is not opened
    /// assert_eq!(report.counts()[&Rule::IndexTooDeep], 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn max_index_depth(mut self, max: usize) -> Self {
        self.max_index_depth = max;
        self
    }

    /// Sets the options of the reader. Default: [`ReadOptions::new`] with a limit of 1 GiB per document, so that the
    /// report can state the size of a file that is too large.
    ///
    /// [`ReadOptions::strict`] has no effect here: a checker continues after a violation.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, ReadLimits, ReadOptions, Rule};
    ///
    /// let mut limits = ReadLimits::default();
    /// limits.entries = 1;
    /// let options = CheckOptions::new().read(ReadOptions::new().limits(limits));
    /// let mut checker = Checker::new(options);
    /// checker.check_slice("sitemap.txt", b"https://example.com/a\nhttps://example.com/b\n")?;
    /// assert_eq!(checker.finish().counts()[&Rule::ReadLimit], 1);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn read(mut self, options: ReadOptions) -> Self {
        self.read = options.strict(false);
        self
    }

    /// Sets the number of threads that check the child sitemaps of a set. Default: 1.
    ///
    /// With 2 or more, the checker starts this many threads in addition to the caller's thread. The caller's thread
    /// opens the sitemaps in the order of the index and compares them with each other. The report doesn't depend on the
    /// number of threads. Up to two sitemaps per thread are open at a time. While earlier sitemaps are still being
    /// checked, the findings of later ones wait in memory and take up to about 16 MiB per thread.
    ///
    /// Single documents and indexes are always checked on the caller's thread.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, SitemapSource};
    ///
    /// struct Files;
    ///
    /// impl SitemapSource for Files {
    ///     type Content = &'static [u8];
    ///
    ///     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<&'static [u8]>, OpenError> {
    ///         Ok(OpenedSitemap::new(loc.as_str(), &b"https://example.com/a\nhttps://example.com/#b\n"[..]))
    ///     }
    /// }
    ///
    /// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/a.txt</loc></sitemap>
    /// <sitemap><loc>https://example.com/b.txt</loc></sitemap>
    /// </sitemapindex>"#;
    /// let check = |threads| {
    ///     let mut checker = Checker::new(CheckOptions::new().threads(threads));
    ///     checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut Files)?;
    ///     let report = checker.finish();
    ///     let found = report.findings().map(|(file, finding)| format!("{}:{finding}", file.name()));
    ///     Ok::<_, sitemap_read::ReadError>(found.collect::<Vec<_>>())
    /// };
    /// assert_eq!(check(4)?, check(1)?);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Returns `true` if the rule applies to all engines or to one that the options enable.
    pub(super) fn wants(&self, rule: Rule) -> bool {
        let engines = rule.engines();
        engines.is_empty() || engines.iter().any(|&engine| self.engines.has(engine))
    }
}
