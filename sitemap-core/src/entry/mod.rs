//! An entry: one page in a sitemap.

#[cfg(feature = "serde")]
pub(crate) mod serde;

use std::borrow::Cow;

use crate::extension::{Alternate, Attached, Element, Extensions, Image, News, Video};
use crate::value::{ChangeFreq, LastMod, Loc, Priority};

/// One page in a sitemap: a `<url>` element with the page's URL and metadata.
///
/// ```
/// use sitemap_core::{ChangeFreq, Entry, LastMod, Loc, Priority, Site, SitemapWriter};
///
/// let entry = Entry::new(Loc::parse("https://example.com/")?)
///     .with_lastmod(LastMod::date(2026, 1, 31)?)
///     .with_changefreq(ChangeFreq::Daily)
///     .with_priority(Priority::MAX);
/// assert_eq!(entry.loc(), "https://example.com/");
///
/// let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
/// sitemap.add(&entry)?;
/// let (xml, _) = sitemap.finish()?;
/// assert!(String::from_utf8_lossy(&xml).contains(
///     "<url><loc>https://example.com/</loc><lastmod>2026-01-31</lastmod>\
///      <changefreq>daily</changefreq><priority>1.0</priority></url>"
/// ));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
///
/// An entry can also have alternates, images, videos, a news article, and elements of other namespaces:
///
/// ```
/// use sitemap_core::extension::{Element, Namespace, Publication, VideoSource};
/// use sitemap_core::{Alternate, Entry, Extensions, Image, LastMod, Loc, News, Video};
///
/// let image = Image::new(Loc::parse("https://example.com/cat.jpg")?);
/// let player = VideoSource::Player(Loc::parse("https://example.com/embed/1")?);
/// let video = Video::new(Loc::parse("https://example.com/cat.jpg")?, "Cats", "Cats at play", player)?;
/// let paper = Publication::new("The Example Times", "en")?;
/// let baidu = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
///
/// let entry = Entry::new(Loc::parse("https://example.com/cats")?)
///     .with_alternates(vec![Alternate::parse("de", "https://example.com/katzen")?])
///     .with_images(vec![image])
///     .with_videos(vec![video])
///     .with_news(News::new(paper, LastMod::date(2026, 1, 31)?, "Cats at play")?)
///     .with_elements(vec![Element::new(baidu, "mobile")?]);
///
/// assert_eq!(entry.alternates()[0].href(), "https://example.com/katzen");
/// assert_eq!(entry.images()[0].loc().unwrap(), "https://example.com/cat.jpg");
/// assert_eq!(entry.videos()[0].title(), "Cats");
/// assert_eq!(entry.news().map(News::title), Some("Cats at play"));
/// assert_eq!(entry.elements()[0].name(), "mobile");
/// assert!(entry.extensions().contains(Extensions::VIDEOS | Extensions::NEWS));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
///
/// Each value is valid on its own, but a writer can still reject the entry. It may be outside the scope of the site,
/// too large for a file, or contain values that conflict, such as a video whose media file is the page itself. A writer
/// also rejects extensions that the document does not declare. A document declares the extensions that the type of its
/// first record lists in [`SitemapEntry::EXTENSIONS`](crate::SitemapEntry::EXTENSIONS), plus those named in the options
/// of the writer or set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an entry does nothing until it is added to a sitemap"]
pub struct Entry<'a> {
    loc: Loc<'a>,
    lastmod: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
    /// The images, videos and other extensions. They are boxed to keep an entry without extensions small.
    attached: Option<Box<Attached<'a>>>,
}

impl<'a> Entry<'a> {
    /// Creates an entry with only a URL.
    #[inline]
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc, lastmod: None, changefreq: None, priority: None, attached: None }
    }

    /// Sets the date when the page last changed. `None` removes the date. See the [example](Self).
    ///
    /// [`to_last_mod`](crate::value::ToLastMod::to_last_mod) converts other date types to a [`LastMod`]:
    /// `entry.with_lastmod(updated_at.to_last_mod()?)`.
    #[inline]
    pub fn with_lastmod(mut self, lastmod: impl Into<Option<LastMod>>) -> Self {
        self.lastmod = lastmod.into();
        self
    }

    /// Sets how often the page is likely to change. `None` removes the value. See the [example](Self).
    #[inline]
    pub fn with_changefreq(mut self, changefreq: impl Into<Option<ChangeFreq>>) -> Self {
        self.changefreq = changefreq.into();
        self
    }

    /// Sets the priority of the page relative to other pages of the site. `None` removes the priority. See the
    /// [example](Self).
    ///
    /// [`Priority::new`] converts a number to a [`Priority`].
    #[inline]
    pub fn with_priority(mut self, priority: impl Into<Option<Priority>>) -> Self {
        self.priority = priority.into();
        self
    }

    /// Sets the links to all language versions of the page, including the page itself. See the [example](Self).
    ///
    /// The document must declare [`Extensions::ALTERNATES`].
    pub fn with_alternates(self, alternates: impl Into<Cow<'a, [Alternate<'a>]>>) -> Self {
        let alternates: Cow<'a, _> = alternates.into();
        self.attach(alternates.is_empty(), |attached| attached.alternates = alternates.into())
    }

    /// Sets the images on the page, at most [1,000](Image::MAX_PER_PAGE). See the [example](Self).
    ///
    /// The document must declare [`Extensions::IMAGES`].
    pub fn with_images(self, images: impl Into<Cow<'a, [Image<'a>]>>) -> Self {
        let images: Cow<'a, _> = images.into();
        self.attach(images.is_empty(), |attached| attached.images = images.into())
    }

    /// Sets the videos on the page. See the [example](Self).
    ///
    /// The document must declare [`Extensions::VIDEOS`].
    pub fn with_videos(self, videos: impl Into<Cow<'a, [Video<'a>]>>) -> Self {
        let videos: Cow<'a, _> = videos.into();
        self.attach(videos.is_empty(), |attached| attached.videos = videos.into())
    }

    /// Sets the news article that the page contains. `None` removes the article. See the [example](Self).
    ///
    /// The document must declare [`Extensions::NEWS`].
    pub fn with_news(self, news: impl Into<Option<News<'a>>>) -> Self {
        let news = news.into();
        self.attach(news.is_none(), |attached| attached.news = news)
    }

    /// Sets elements from other namespaces. See the [example](Self).
    ///
    /// The document must declare the elements' namespaces with
    /// [`WriteOptions::namespace`](crate::WriteOptions::namespace).
    pub fn with_elements(self, elements: impl Into<Cow<'a, [Element<'a>]>>) -> Self {
        let elements: Cow<'a, _> = elements.into();
        self.attach(elements.is_empty(), |attached| attached.elements = elements.into())
    }

    fn attach(mut self, is_empty: bool, set: impl FnOnce(&mut Attached<'a>)) -> Self {
        if is_empty && self.attached.is_none() {
            return self;
        }
        let mut attached = self.attached.take().unwrap_or_default();
        set(&mut attached);
        self.attached = (!attached.is_empty()).then_some(attached);
        self
    }

    /// Sets all extensions at once. The entry must not have any extensions yet. The reader uses this method because
    /// each separate setter would have to check what is already there.
    pub(crate) fn with_extensions(
        mut self,
        alternates: Vec<Alternate<'a>>,
        images: Vec<Image<'a>>,
        videos: Vec<Video<'a>>,
        news: Option<News<'a>>,
    ) -> Self {
        self.attached = Attached::of(alternates, images, videos, news).map(Box::new);
        self
    }

    /// Sets `lastmod`, `changefreq` and `priority`, but keeps values that are already set. Derived code calls this
    /// method.
    pub(crate) fn or(
        self,
        lastmod: Option<LastMod>,
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
    ) -> Self {
        Self {
            loc: self.loc,
            lastmod: self.lastmod.or(lastmod),
            changefreq: self.changefreq.or(changefreq),
            priority: self.priority.or(priority),
            attached: self.attached,
        }
    }

    /// Returns the URL of the page.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'a> {
        &self.loc
    }

    /// Returns the date when the page last changed.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }

    /// Returns the date of the last change by reference. Copying the date would be slower: the copy loads several
    /// fields at once, and if they were just written one by one, the processor has to wait for those writes.
    #[inline]
    pub(crate) const fn lastmod_ref(&self) -> Option<&LastMod> {
        self.lastmod.as_ref()
    }

    /// Returns how often the page is likely to change.
    #[must_use]
    pub const fn changefreq(&self) -> Option<ChangeFreq> {
        self.changefreq
    }

    /// Returns the priority of the page relative to other pages of the site.
    #[must_use]
    pub const fn priority(&self) -> Option<Priority> {
        self.priority
    }

    /// Returns the links to all language versions of the page.
    #[must_use]
    pub fn alternates(&self) -> &[Alternate<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.alternates)
    }

    /// Returns the images on the page.
    pub fn images(&self) -> &[Image<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.images)
    }

    /// Returns the videos on the page.
    pub fn videos(&self) -> &[Video<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.videos)
    }

    /// Returns the news article that the page contains.
    #[must_use]
    pub fn news(&self) -> Option<&News<'a>> {
        self.attached.as_ref()?.news.as_ref()
    }

    /// Returns the elements from other namespaces.
    pub fn elements(&self) -> &[Element<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.elements)
    }

    /// Returns the extensions that the entry uses. [`elements`](Self::elements) from other namespaces are not included.
    #[must_use]
    pub fn extensions(&self) -> Extensions {
        self.attached.as_ref().map_or(Extensions::NONE, |attached| attached.extensions())
    }

    /// Returns the extensions, or `None` if there are none. With `None`, there is nothing to drop, so the caller can
    /// skip the drop function.
    #[inline(always)]
    #[allow(clippy::inline_always)] // runs for each page
    pub(crate) fn into_attached(self) -> Option<Box<Attached<'a>>> {
        self.attached
    }

    #[inline]
    pub(crate) fn attached(&self) -> Option<&Attached<'a>> {
        self.attached.as_deref()
    }

    /// Copies the borrowed strings, so that the entry owns all of its data.
    pub fn into_owned(self) -> Entry<'static> {
        Entry {
            loc: self.loc.into_owned(),
            lastmod: self.lastmod,
            changefreq: self.changefreq,
            priority: self.priority,
            attached: self.attached.map(|attached| Box::new(attached.into_owned())),
        }
    }
}

impl<'a> From<Loc<'a>> for Entry<'a> {
    fn from(loc: Loc<'a>) -> Self {
        Self::new(loc)
    }
}
