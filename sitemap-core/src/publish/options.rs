//! The options of a set.

use std::time::Duration;

use super::shrink::ShrinkLimit;
use crate::dialect::{Dialect, Limits};
use crate::extension::{Extensions, Namespace};
use crate::html_page::HtmlPage;
use crate::stylesheet::Stylesheet;
use crate::value::LastMod;
use crate::value::Site;
use crate::write::{Format, WriteOptions};

/// What to do with invalid records. A record is invalid if one of its values is invalid or its page is outside the
/// site.
///
/// ```
/// use sitemap_core::publish::OnInvalid;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let site = Site::new("https://example.com")?;
/// let mut run = SitemapSet::builder(site).on_invalid(OnInvalid::Skip).storage(Memory::new()).replace()?;
/// run.section("pages")?.add_all(["/", "ftp://example.com/", "/about"])?;
/// let summary = run.commit()?;
/// assert_eq!((summary.urls(), summary.skipped()), (2, 1));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInvalid {
    /// The run stops with an error that names the record. The published set stays as it is.
    #[default]
    Stop,
    /// The record is skipped. The [`Summary`](super::Summary) contains the number of skipped records and the first
    /// 1,000 errors.
    Skip,
}

/// Where the index gets the `lastmod` of each child sitemap from.
///
/// ```
/// use sitemap_core::publish::IndexLastMod;
/// use sitemap_core::{Entry, LastMod, Loc, Memory, Site, SitemapSet};
///
/// let site = Site::new("https://example.com")?;
/// let memory = Memory::new();
/// let mut run =
///     SitemapSet::builder(site).index_lastmod(IndexLastMod::NewestPage).storage(memory.clone()).replace()?;
/// let post = Entry::new(Loc::parse("https://example.com/tea")?);
/// run.section("posts")?.add(&post.with_lastmod(LastMod::date(2026, 1, 31)?))?;
/// run.section("pages")?.add("/about")?;
/// run.commit()?;
///
/// let index = memory.get("sitemap.xml").unwrap_or_default();
/// assert!(String::from_utf8_lossy(&index).ends_with(
///     "\
/// <sitemap><loc>https://example.com/sitemap-posts-1.xml</loc><lastmod>2026-01-31</lastmod></sitemap>
/// <sitemap><loc>https://example.com/sitemap-pages-1.xml</loc></sitemap>
/// </sitemapindex>
/// "
/// ));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexLastMod {
    /// The time when the file itself last changed, as the protocol requires. If a run produces the same bytes again,
    /// the file keeps its date.
    #[default]
    FileChanged,
    /// The newest `lastmod` of the pages in the file. Omitted if no page has one.
    NewestPage,
    /// No `lastmod`.
    Omit,
}

/// How to name the files that the index lists.
///
/// ```
/// use sitemap_core::publish::Names;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let site = Site::new("https://example.com")?;
/// let mut run = SitemapSet::builder(site).names(Names::Digest).storage(Memory::new()).replace()?;
/// run.section("pages")?.add("/")?;
/// run.section("posts")?.add("/posts/first")?;
/// let summary = run.commit()?;
/// assert_eq!(summary.files()[0].name(), "sitemap-pages-1-92372c8f.xml");
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// A name consists of the section and a number, such as `sitemap-posts-1.xml.gz`. A file keeps its URL when its
    /// content changes.
    ///
    /// A run replaces the files one after another, the index last. Until then, a crawler with the old index may fetch
    /// new files, but each file is complete. If the run is interrupted, the next run finishes the job.
    ///
    /// If the set shrinks, the run removes the files that the new index doesn't list, so a crawler with the old index
    /// gets a 404 for them. [`keep_for`](SetOptions::keep_for) keeps such files for a while.
    #[default]
    Stable,
    /// A name consists of the section, a number and a digest of the content, such as `sitemap-posts-1-3f2a9c41.xml`.
    /// The content behind such a name never changes, so replacing `sitemap.xml` replaces the whole set in one step.
    ///
    /// For crawlers that still have the previous index, the files of the previous set stay until the set changes again.
    /// [`keep_generations`](SetOptions::keep_generations) and [`keep_for`](SetOptions::keep_for) keep more.
    /// If a set needs several indexes, they are replaced one after another, `sitemap.xml` last.
    Digest,
}

/// The options of a [`SitemapSet`](crate::SitemapSet). Created by [`SitemapSet::builder`](crate::SitemapSet::builder).
///
/// ```
/// use sitemap_core::publish::{IndexLastMod, OnInvalid};
/// use sitemap_core::{Dialect, Extensions, Memory, Site, SitemapSet, Stylesheet};
///
/// let mut limits = Dialect::V0_9.limits();
/// limits.urls = 2;
/// let memory = Memory::new();
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?)
///     .lower_limits(limits)
///     .extensions(Extensions::IMAGES)
///     .stylesheet(Stylesheet::BUILT_IN)
///     .on_invalid(OnInvalid::Skip)
///     .index_lastmod(IndexLastMod::Omit)
///     .storage(memory.clone()).replace()?;
/// run.section("pages")?.add_all(["/", "ftp://example.com/", "/about", "/contact"])?;
/// assert_eq!(run.commit()?.skipped(), 1);
///
/// let text = |name: &str| String::from_utf8_lossy(&memory.get(name).unwrap_or_default()).into_owned();
/// assert_eq!(
///     text("sitemap.xml"),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/css" href="sitemap.css"?>
/// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/sitemap-pages-1.xml</loc></sitemap>
/// <sitemap><loc>https://example.com/sitemap-pages-2.xml</loc></sitemap>
/// </sitemapindex>
/// "#
/// );
/// assert_eq!(
///     text("sitemap-pages-2.xml"),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/css" href="sitemap.css"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
/// <url><loc>https://example.com/contact</loc></url>
/// </urlset>
/// "#
/// );
/// assert_eq!(text("sitemap.css"), Stylesheet::CSS);
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SetOptions {
    pub(super) site: Site,
    pub(super) write: WriteOptions,
    pub(super) html_page: HtmlPageAction,
    /// The compression level.
    pub(super) gzip: Option<u32>,
    pub(super) on_invalid: OnInvalid,
    pub(super) index_lastmod: IndexLastMod,
    pub(super) names: Names,
    pub(super) threads: usize,
    pub(super) compare_bytes: bool,
    /// The number of earlier sets whose files stay. `None` for the default, which depends on `names`.
    pub(super) keep_generations: Option<u32>,
    pub(super) keep_for: Duration,
    /// In bytes.
    pub(super) keep_at_most: u64,
    /// How long files stay even if their total size exceeds `keep_at_most`, because other runs may still read them.
    pub(super) needed_for: Duration,
    pub(super) keep_sections: bool,
    pub(super) change_base: bool,
    pub(super) max_shrink: ShrinkLimit,
}

/// What a run does with the HTML page.
#[derive(Clone, Debug, Default)]
pub(super) enum HtmlPageAction {
    /// A run that replaces the whole set removes the HTML page. Other runs keep it.
    #[default]
    Unset,
    Write(HtmlPage),
    Keep,
    Remove,
}

impl SetOptions {
    /// Returns the site whose pages are published.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Returns `true` if a run keeps the sections that it doesn't write; see [`keep_sections`](Self::keep_sections).
    #[must_use]
    pub fn keeps_sections(&self) -> bool {
        self.keep_sections
    }

    pub(super) fn new(site: Site) -> Self {
        Self {
            site,
            write: WriteOptions::new(),
            html_page: HtmlPageAction::default(),
            gzip: None,
            on_invalid: OnInvalid::default(),
            index_lastmod: IndexLastMod::default(),
            names: Names::default(),
            threads: 1,
            compare_bytes: false,
            keep_generations: None,
            keep_for: Duration::ZERO,
            keep_at_most: u64::MAX,
            needed_for: Duration::ZERO,
            keep_sections: false,
            change_base: false,
            max_shrink: ShrinkLimit::default(),
        }
    }

    /// Sets the dialect of all files. Default: [`Dialect::V0_9`].
    ///
    /// ```
    /// use sitemap_core::{Dialect, Memory, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).dialect(Dialect::V0_84);
    /// let mut run = builder.storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// run.commit()?;
    /// let xml = memory.get("sitemap.xml").unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&xml).contains("xmlns=\"http://www.google.com/schemas/sitemap/0.84\""));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.write = self.write.dialect(dialect);
        self
    }

    /// Sets the format of the files that contain pages. Default: [`Format::Xml`].
    ///
    /// With text files, the set always has an index, which is XML.
    ///
    /// ```
    /// use sitemap_core::{Format, Memory, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).format(Format::Text);
    /// let mut run = builder.storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/about")?;
    /// run.commit()?;
    /// assert_eq!(memory.get("sitemap-pages-1.txt").as_deref(), Some(&b"https://example.com/about\n"[..]));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn format(mut self, format: Format) -> Self {
        self.write = self.write.format(format);
        self
    }

    /// Lowers the limits per file, so that the set consists of more and smaller files. See the [example](Self).
    /// Default: the limits of the dialect.
    pub fn lower_limits(mut self, limits: Limits) -> Self {
        self.write = self.write.lower_limits(limits);
        self
    }

    /// Declares the namespaces of these extensions in all files. See the [example](Self). Default: each section
    /// declares the extensions that its first record uses.
    pub fn extensions(mut self, extensions: Extensions) -> Self {
        self.write = self.write.extensions(extensions);
        self
    }

    /// Declares a namespace in all files, for elements of other vocabularies. See [`WriteOptions::namespace`]. Default:
    /// none.
    ///
    /// ```
    /// use sitemap_core::extension::Namespace;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let mobile = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).namespace(mobile);
    /// let mut run = builder.storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// run.commit()?;
    /// let xml = memory.get("sitemap.xml").unwrap_or_default();
    /// let declared = r#"xmlns:mobile="http://www.baidu.com/schemas/sitemap-mobile/1/""#;
    /// assert!(String::from_utf8_lossy(&xml).contains(declared));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn namespace(mut self, namespace: Namespace<'_>) -> Self {
        self.write = self.write.namespace(namespace);
        self
    }

    /// Also writes the deprecated elements of extensions. See [`WriteOptions::deprecated`]. Default: `false`.
    ///
    /// ```
    /// use sitemap_core::{Entry, Extensions, Image, Loc, Memory, Site, SitemapSet};
    ///
    /// let image = Image::new(Loc::parse("https://example.com/tea.jpg")?).with_title("Tea")?;
    /// let page = Entry::new(Loc::parse("https://example.com/")?).with_images(vec![image]);
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).extensions(Extensions::IMAGES);
    /// let mut run = builder.deprecated(true).storage(memory.clone()).replace()?;
    /// run.section("pages")?.add(&page)?;
    /// run.commit()?;
    /// let xml = memory.get("sitemap.xml").unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&xml).contains("<image:title>Tea</image:title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deprecated(mut self, deprecated: bool) -> Self {
        self.write = self.write.deprecated(deprecated);
        self
    }

    /// Omits the news elements of articles that were first published before this moment. See
    /// [`WriteOptions::news_since`]. The pages of these articles stay in the set. Default: all news elements are
    /// written.
    ///
    /// ```
    /// use sitemap_core::extension::Publication;
    /// use sitemap_core::{Entry, Extensions, LastMod, Loc, Memory, News, Site, SitemapSet};
    ///
    /// let paper = Publication::new("The Example Times", "en")?;
    /// let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Tea prices rise")?;
    /// let page = Entry::new(Loc::parse("https://example.com/tea")?).with_news(news);
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).extensions(Extensions::NEWS);
    /// let mut run = builder.news_since(LastMod::date(2026, 2, 3)?).storage(memory.clone()).replace()?;
    /// run.section("news")?.add(&page)?;
    /// run.commit()?;
    /// let xml = memory.get("sitemap.xml").unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&xml).contains("<url><loc>https://example.com/tea</loc></url>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn news_since(mut self, moment: impl Into<Option<LastMod>>) -> Self {
        self.write = self.write.news_since(moment);
        self
    }

    /// Writes an [HTML page](HtmlPage) for visitors next to the set, or removes it with `None`. An unchanged page is
    /// not written again.
    ///
    /// Default: a run that replaces the whole set removes the HTML page of an earlier run. A run that [keeps
    /// sections](Self::keep_sections) or updates hash buckets leaves it as it is. A file of this name that no run wrote
    /// is never removed.
    ///
    /// ```
    /// use sitemap_core::html_page::HtmlPage;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).html_page(HtmlPage::new());
    /// let mut run = builder.storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// let summary = run.commit()?;
    /// assert_eq!(summary.html_page().map(|file| file.name()), Some("sitemap.html"));
    /// assert!(memory.get("sitemap.html").is_some());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn html_page(mut self, page: impl Into<Option<HtmlPage>>) -> Self {
        self.html_page = page.into().map_or(HtmlPageAction::Remove, HtmlPageAction::Write);
        self
    }

    /// Sets the stylesheet that browsers use to show the XML files of the set. See the [example](Self). Default: none.
    ///
    /// [`Stylesheet::BUILT_IN`] is published as the file `sitemap.css` next to the set. Later runs don't remove it,
    /// because browsers may still have XML files that refer to it.
    pub fn stylesheet(mut self, stylesheet: impl Into<Option<Stylesheet>>) -> Self {
        self.write = self.write.stylesheet(stylesheet);
        self
    }

    /// Compresses the files listed by the index, at zlib level 2. Default: off.
    ///
    /// At this level, a million pages take 14 MB, a thirteenth of their uncompressed size. Level 6, the default of the
    /// `gzip` program, takes 12 MB and twice the time. Set the level with [`gzip_level`](Self::gzip_level).
    ///
    /// `sitemap.xml` itself is never compressed, so its name never changes. As in the protocol, limits apply to the
    /// size before compression.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).gzip();
    /// let mut run = builder.storage(memory.clone()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// run.section("posts")?.add("/posts/first")?;
    /// run.commit()?;
    /// assert!(memory.get("sitemap.xml").is_some_and(|bytes| bytes.starts_with(b"<?xml")));
    /// assert!(memory.get("sitemap-posts-1.xml.gz").is_some_and(|bytes| bytes.starts_with(&[0x1F, 0x8B])));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    #[cfg(feature = "gzip")]
    pub fn gzip(mut self) -> Self {
        self.gzip = Some(2);
        self
    }

    /// Compresses the files listed by the index, like [`gzip`](Self::gzip), at a level from 0 (no compression) to 9
    /// (smallest files). Higher levels are treated as 9. Default: off.
    ///
    /// ```
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let stored_bytes = |level| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).gzip_level(level);
    ///     let mut run = builder.storage(Memory::new()).replace()?;
    ///     run.section("pages")?.add("/about")?;
    ///     run.section("posts")?.add_all((0..100).map(|id| format!("/posts/{id}")))?;
    ///     Ok::<_, PublishError>(run.commit()?.files()[1].stored_bytes())
    /// };
    /// assert!(stored_bytes(9)? < stored_bytes(0)?);
    /// # Ok::<(), PublishError>(())
    /// ```
    #[cfg(feature = "gzip")]
    pub fn gzip_level(mut self, level: u32) -> Self {
        self.gzip = Some(level.min(9));
        self
    }

    /// Sets what to do with invalid records. See the [example](Self). Default: [`OnInvalid::Stop`].
    pub fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Sets the `lastmod` of child sitemaps in the index. See the [example](Self). Default:
    /// [`IndexLastMod::FileChanged`].
    pub fn index_lastmod(mut self, index_lastmod: IndexLastMod) -> Self {
        self.index_lastmod = index_lastmod;
        self
    }

    /// Sets how the files listed by the index are named. Default: [`Names::Stable`].
    ///
    /// ```
    /// use sitemap_core::publish::Names;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?).names(Names::Digest);
    /// let mut run = builder.storage(Memory::new()).replace()?;
    /// run.section("pages")?.add("/")?;
    /// run.section("posts")?.add("/posts/first")?;
    /// let summary = run.commit()?;
    /// assert_eq!(summary.files()[0].name(), "sitemap-pages-1-92372c8f.xml");
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Sets how many earlier sets keep their files, for crawlers that still have an older index. Default: 1 with
    /// [`Names::Digest`], 0 with [`Names::Stable`].
    ///
    /// A run that changes nothing doesn't count as a new set. A file also stays for the time set with
    /// [`keep_for`](Self::keep_for). If a later set lists the file again, it isn't removed. [`Summary::removed_files`]
    /// and [`Summary::kept_files`] return how many old files a run removed and kept.
    ///
    /// [`Summary::removed_files`]: super::Summary::removed_files
    /// [`Summary::kept_files`]: super::Summary::kept_files
    ///
    /// ```
    /// use sitemap_core::publish::Names;
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |page: &str| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).names(Names::Digest);
    ///     let mut run = builder.keep_generations(2).storage(memory.clone()).replace()?;
    ///     run.section("pages")?.add(page)?;
    ///     run.section("posts")?.add("/posts/first")?;
    ///     Ok::<_, PublishError>(run.commit()?)
    /// };
    /// let first = publish("/1")?.files()[0].name().to_owned();
    /// assert_eq!(publish("/2")?.kept_files(), 1);
    /// assert_eq!(publish("/3")?.kept_files(), 2);
    /// assert!(memory.get(&first).is_some());
    /// let summary = publish("/4")?;
    /// assert_eq!((summary.kept_files(), summary.removed_files()), (2, 1));
    /// assert!(memory.get(&first).is_none());
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn keep_generations(mut self, generations: u32) -> Self {
        self.keep_generations = Some(generations);
        self
    }

    /// Sets how long a file stays after the set has stopped listing it, for crawlers that still have an older index.
    /// Default: zero.
    ///
    /// A large crawl takes hours. If a site publishes every few minutes, a number of sets
    /// ([`keep_generations`](Self::keep_generations)) doesn't help such a crawl, but a duration does. A file stays as
    /// long as either setting keeps it. Only runs remove files, so a file can stay longer than this.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |sections: &[&str]| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?);
    ///     let mut run = builder.keep_for(Duration::from_secs(86_400)).storage(memory.clone()).replace()?;
    ///     for name in sections {
    ///         run.section(name)?.add(&format!("/{name}"))?;
    ///     }
    ///     run.commit()
    /// };
    /// publish(&["pages", "posts", "users"])?;
    /// let summary = publish(&["pages", "posts"])?;
    /// assert_eq!((summary.kept_files(), summary.removed_files()), (1, 0));
    /// assert!(memory.get("sitemap-users-1.xml").is_some());
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn keep_for(mut self, time: Duration) -> Self {
        self.keep_for = time;
        self
    }

    /// Sets the maximum total size of the files of earlier sets, in stored bytes. Default: no maximum.
    ///
    /// If the files that a run would keep exceed the maximum, it removes the oldest ones early;
    /// [`Summary::removed_early`](super::Summary::removed_early) returns how many. The maximum only cuts the time of
    /// [`keep_for`](Self::keep_for) short. Files kept by [`keep_generations`](Self::keep_generations) count towards it,
    /// but are never removed early. Hash buckets that an update replaced stay for 15 minutes, because other updates may
    /// still read them.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::publish::Names;
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |page: &str| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).names(Names::Digest);
    ///     let builder = builder.keep_for(Duration::from_secs(86_400)).keep_at_most(500);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section("pages")?.add(page)?;
    ///     run.section("posts")?.add("/posts/first")?;
    ///     Ok::<_, PublishError>(run.commit()?)
    /// };
    /// // Each set has another file with 157 bytes.
    /// for (page, kept) in [("/1", 0), ("/2", 1), ("/3", 2), ("/4", 3)] {
    ///     let summary = publish(page)?;
    ///     assert_eq!((summary.kept_files(), summary.removed_early()), (kept, 0));
    /// }
    /// let summary = publish("/5")?;
    /// assert_eq!((summary.kept_files(), summary.removed_early()), (3, 1));
    /// assert!(summary.to_string().ends_with("\n1 old file removed, 1 of them before its time; 3 old files kept"));
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn keep_at_most(mut self, bytes: u64) -> Self {
        self.keep_at_most = bytes;
        self
    }

    /// Sets the number of threads that compress and store files. Default: 1, the caller's own thread.
    ///
    /// With 2 or more, this many threads are started in addition to the caller's thread. The caller's thread then only
    /// generates the text of the pages and puts it into a queue. It waits while the queue is full: at most two pieces
    /// of 512 KiB for each of the other threads. The bytes of all files are the same for any number of threads. More
    /// threads help if most of the time is spent on compression.
    ///
    /// Even with 1, up to 16 more threads are used to wait for the storage, such as a disk or an object store.
    ///
    /// ```
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let publish = |threads| {
    ///     let memory = Memory::new();
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).threads(threads);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section("posts")?.add_all((0..100).map(|id| format!("/posts/{id}")))?;
    ///     run.commit()?;
    ///     Ok::<_, PublishError>(memory.get("sitemap.xml"))
    /// };
    /// assert_eq!(publish(4)?, publish(1)?);
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets whether a run reads the published files to find out if they have changed. Default: `false`.
    ///
    /// By default, a published file is unchanged if its size and date match the manifest. With this setting, its bytes
    /// are compared too, so a run also repairs a file that another program changed without changing its size and date.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// use std::fs;
    ///
    /// use sitemap_core::{Site, SitemapSet};
    ///
    /// let publish = |compare_bytes| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).compare_bytes(compare_bytes);
    ///     let mut run = builder.open(dir.path())?.replace()?;
    ///     run.section("pages")?.add("/about")?;
    ///     run.commit()
    /// };
    /// publish(false)?;
    /// let file = fs::File::options().write(true).open(dir.path().join("sitemap.xml"))?;
    /// let date = file.metadata()?.modified()?;
    /// fs::write(dir.path().join("sitemap.xml"), vec![b' '; file.metadata()?.len() as usize])?;
    /// file.set_modified(date)?;
    ///
    /// assert!(!publish(false)?.files()[0].changed());
    /// assert!(publish(true)?.files()[0].changed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare_bytes(mut self, compare_bytes: bool) -> Self {
        self.compare_bytes = compare_bytes;
        self
    }

    /// Sets whether the sections that a run doesn't start stay in the set. Default: `false`, so the new set replaces
    /// the whole old set.
    ///
    /// The files of these sections are not rewritten. The new index lists them with their dates, in the old order. If
    /// `sitemap.xml` is the only file of the set, its pages move to a file of their section, and `sitemap.xml` becomes
    /// the index. A section that a run starts but doesn't add pages to is removed.
    ///
    /// The sections of the published set are read from the manifest. If it is missing or damaged, the run ends with
    /// [`CannotKeep`](super::PublishErrorKind::CannotKeep). If no set is published, the run starts a new one.
    ///
    /// ```
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |section: &str, page: &str| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).keep_sections(true);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section(section)?.add(page)?;
    ///     run.commit()
    /// };
    /// publish("posts", "/posts/1")?;
    /// publish("shop", "/shop/1")?;
    /// let summary = publish("posts", "/posts/2")?;
    ///
    /// assert_eq!(summary.kept_sections(), ["shop"]);
    /// let names: Vec<_> = summary.files().iter().map(|file| (file.name(), file.changed())).collect();
    /// assert_eq!(names, [("sitemap-posts-1.xml", true), ("sitemap-shop-1.xml", false)]);
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn keep_sections(mut self, keep_sections: bool) -> Self {
        self.keep_sections = keep_sections;
        self
    }

    /// Sets whether a run may replace a set that has another base URL. Default: `false`, so such a run ends with
    /// [`OtherSite`](super::PublishErrorKind::OtherSite) and the published set stays.
    ///
    /// The base URL of the published set is read from the manifest. Sections of another site can't be
    /// [kept](Self::keep_sections).
    ///
    /// ```
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |base: &str, change_base: bool| {
    ///     let builder = SitemapSet::builder(Site::new(base)?).change_base(change_base);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section("pages")?.add("/")?;
    ///     run.commit()
    /// };
    /// publish("https://example.com", false)?;
    /// assert_eq!(
    ///     publish("https://shop.example", false).unwrap_err().to_string(),
    ///     "the published set is of the site `https://example.com/`, and this run is of `https://shop.example/`; \
    ///      correct the base URL, publish to another place, or replace the set with `SetOptions::change_base`"
    /// );
    /// publish("https://shop.example", true)?;
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn change_base(mut self, change_base: bool) -> Self {
        self.change_base = change_base;
        self
    }

    /// Sets how many pages a run may remove from the published set, and from each of its sections. Default: 30 percent,
    /// but a loss of fewer than 100 pages is always allowed.
    ///
    /// A faulty query that returns only one percent of its rows would remove the site from search engines. So a run
    /// that exceeds the limit ends with [`Shrunk`](super::PublishErrorKind::Shrunk) before it changes the published
    /// set.
    ///
    /// The limit also applies to several runs together: each run is compared with the published set and with the
    /// highest number of pages in at least the last six weeks. Whatever the limit, a section must not fall to zero,
    /// unless it has fewer pages than the [floor](ShrinkLimit::floor). [`Replacement::allow_shrink`] lets one run exceed
    /// the limit.
    ///
    /// The numbers come from the manifest of the published set. A run compares numbers, not URLs: it doesn't notice if
    /// pages are replaced by the same number of other pages. Without an intact manifest, a run counts the pages in the
    /// published files and compares only the total. A run that [changes the base URL](Self::change_base) isn't compared
    /// with the set of the other site.
    ///
    /// [`Replacement::allow_shrink`]: crate::Replacement::allow_shrink
    ///
    /// ```
    /// use sitemap_core::publish::{PublishErrorKind, ShrinkLimit};
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let memory = Memory::new();
    /// let publish = |pages: u32, limit: ShrinkLimit| {
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?).max_shrink(limit);
    ///     let mut run = builder.storage(memory.clone()).replace()?;
    ///     run.section("posts")?.add_all((0..pages).map(|id| format!("/posts/{id}")))?;
    ///     run.commit()
    /// };
    /// publish(1000, ShrinkLimit::default())?;
    /// let error = publish(8, ShrinkLimit::default()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "section `posts` would fall from 1000 pages to 8, and the limit is a loss of 30 %, from 100 pages on; check \
    ///      the source of the records, or allow the loss for this run with `allow_shrink(AllowShrink::Smaller)`"
    /// );
    /// assert_eq!(publish(500, ShrinkLimit::percent(50))?.urls(), 500);
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn max_shrink(mut self, limit: ShrinkLimit) -> Self {
        self.max_shrink = limit;
        self
    }

    /// Returns the extension of files that contain pages.
    pub(super) fn extension(&self) -> &'static str {
        match (self.write.get_format(), self.gzip) {
            (Format::Xml, None) => ".xml",
            (Format::Xml, Some(_)) => ".xml.gz",
            (Format::Text, None) => ".txt",
            (Format::Text, Some(_)) => ".txt.gz",
        }
    }
}
