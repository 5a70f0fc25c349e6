//! One page of a sitemap.

#[cfg(feature = "serde")]
mod serde;

use std::borrow::Cow;

use crate::extension::{Alternate, Attached, Element, Extensions, Image, News, Video};
use crate::value::{ChangeFreq, LastMod, Loc, Priority};

/// One page: its address and what is known about it.
///
/// Its values cannot be invalid, so an entry can only fail to fit: into a site's scope, into what is
/// left of a file, or its values to each other, as a video whose media file is the page itself.
///
/// ```
/// use sitemap_core::{ChangeFreq, Entry, Loc, Priority};
///
/// let entry = Entry::new(Loc::parse("https://example.com/")?)
///     .with_lastmod("2026-01-31".parse::<sitemap_core::LastMod>()?)
///     .with_changefreq(ChangeFreq::Daily)
///     .with_priority(Priority::MAX);
/// assert_eq!(entry.loc().as_str(), "https://example.com/");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an entry does nothing until it is added to a sitemap"]
pub struct Entry<'a> {
    loc: Loc<'a>,
    lastmod: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
    /// One pointer, so that plain entries stay small.
    attached: Option<Box<Attached<'a>>>,
}

impl<'a> Entry<'a> {
    /// An entry with nothing but its address.
    #[inline]
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc, lastmod: None, changefreq: None, priority: None, attached: None }
    }

    /// Sets when the page last changed; `None` leaves it out.
    ///
    /// Other date types become a [`LastMod`] by [`to_last_mod`](crate::value::ToLastMod::to_last_mod), as in
    /// `entry.with_lastmod(updated_at.to_last_mod()?)`.
    #[inline]
    pub fn with_lastmod(mut self, lastmod: impl Into<Option<LastMod>>) -> Self {
        self.lastmod = lastmod.into();
        self
    }

    /// Sets how often the page is likely to change; `None` leaves it out.
    #[inline]
    pub fn with_changefreq(mut self, changefreq: impl Into<Option<ChangeFreq>>) -> Self {
        self.changefreq = changefreq.into();
        self
    }

    /// Sets the page's weight within its site; `None` leaves it out.
    ///
    /// Numbers become a [`Priority`] by [`Priority::new`], or in constants.
    #[inline]
    pub fn with_priority(mut self, priority: impl Into<Option<Priority>>) -> Self {
        self.priority = priority.into();
        self
    }

    /// Sets the page's versions for other languages, itself among them.
    ///
    /// Documents that take such entries declare [`Extensions::ALTERNATES`]: name it in the record's
    /// [`SitemapEntry::EXTENSIONS`](crate::SitemapEntry::EXTENSIONS) or in the options of the writer or publisher.
    pub fn with_alternates(self, alternates: impl Into<Cow<'a, [Alternate<'a>]>>) -> Self {
        let alternates: Cow<'a, _> = alternates.into();
        self.attach(alternates.is_empty(), |attached| attached.alternates = alternates.into())
    }

    /// Sets the pictures on the page, at most 1,000 of them.
    ///
    /// Documents that take such entries declare [`Extensions::IMAGES`], and so on for the others.
    pub fn with_images(self, images: impl Into<Cow<'a, [Image<'a>]>>) -> Self {
        let images: Cow<'a, _> = images.into();
        self.attach(images.is_empty(), |attached| attached.images = images.into())
    }

    /// Sets the videos on the page.
    pub fn with_videos(self, videos: impl Into<Cow<'a, [Video<'a>]>>) -> Self {
        let videos: Cow<'a, _> = videos.into();
        self.attach(videos.is_empty(), |attached| attached.videos = videos.into())
    }

    /// Sets what the page is as an article; `None` leaves it out.
    pub fn with_news(self, news: impl Into<Option<News<'a>>>) -> Self {
        let news = news.into();
        self.attach(news.is_none(), |attached| attached.news = news)
    }

    /// Sets elements of other namespaces.
    ///
    /// Documents that take such entries declare the namespaces by
    /// [`WriteOptions::namespace`](crate::WriteOptions::namespace).
    pub fn with_elements(self, elements: impl Into<Cow<'a, [Element<'a>]>>) -> Self {
        let elements: Cow<'a, _> = elements.into();
        self.attach(elements.is_empty(), |attached| attached.elements = elements.into())
    }

    fn attach(mut self, nothing: bool, set: impl FnOnce(&mut Attached<'a>)) -> Self {
        if nothing && self.attached.is_none() {
            return self;
        }
        let mut attached = self.attached.take().unwrap_or_default();
        set(&mut attached);
        self.attached = (!attached.is_empty()).then_some(attached);
        self
    }

    /// Adds what is not set yet, for [`SitemapPart`].
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

    /// The page's address.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'a> {
        &self.loc
    }

    /// When the page last changed.
    #[must_use]
    pub const fn lastmod(&self) -> Option<LastMod> {
        self.lastmod
    }

    /// By reference: a copy would load at once what was stored piece by piece just before.
    #[inline]
    pub(crate) const fn lastmod_ref(&self) -> Option<&LastMod> {
        self.lastmod.as_ref()
    }

    /// How often the page is likely to change.
    #[must_use]
    pub const fn changefreq(&self) -> Option<ChangeFreq> {
        self.changefreq
    }

    /// The page's weight within its site.
    #[must_use]
    pub const fn priority(&self) -> Option<Priority> {
        self.priority
    }

    /// The page's versions for other languages.
    #[must_use]
    pub fn alternates(&self) -> &[Alternate<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.alternates)
    }

    /// The pictures on the page.
    pub fn images(&self) -> &[Image<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.images)
    }

    /// The videos on the page.
    pub fn videos(&self) -> &[Video<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.videos)
    }

    /// What the page is as an article.
    #[must_use]
    pub fn news(&self) -> Option<&News<'a>> {
        self.attached.as_ref()?.news.as_ref()
    }

    /// Elements of other namespaces.
    pub fn elements(&self) -> &[Element<'a>] {
        self.attached.as_ref().map_or(&[], |attached| &attached.elements)
    }

    /// Which extensions this entry uses; [`elements`](Self::elements) belong to none of them.
    #[must_use]
    pub fn extensions(&self) -> Extensions {
        self.attached.as_ref().map_or(Extensions::NONE, |attached| attached.extensions())
    }

    /// Takes the entry apart, so that its owner can free the extensions by hand.
    #[inline(always)]
    #[allow(clippy::inline_always)] // runs for every page
    pub(crate) fn into_attached(self) -> Option<Box<Attached<'a>>> {
        self.attached
    }

    #[inline]
    pub(crate) fn attached(&self) -> Option<&Attached<'a>> {
        self.attached.as_deref()
    }

    /// The same entry, independent of what it was made from.
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
