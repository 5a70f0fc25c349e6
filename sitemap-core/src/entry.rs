//! One page of a sitemap, and the trait by which a record says which pages it has.

// What runs for every page: apart, its pieces would be calls with all their values in memory.
#![allow(clippy::inline_always)]

use std::borrow::Cow;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::{Error, ErrorKind};
use crate::extension::{Alternate, Attached, Element, Extensions, Image, News, Video};
use crate::site::Site;
use crate::value::{ChangeFreq, LastMod, Loc, Priority};
use crate::write::Draft;

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
    /// Other date types become a [`LastMod`] by [`to_last_mod`](crate::ToLastMod::to_last_mod), as in
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
    /// [`SitemapEntry::EXTENSIONS`] or in the options of the writer or publisher.
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

/// A record that has pages in a sitemap.
///
/// Derive it: `#[derive(SitemapEntry)]` writes this implementation from attributes and checks them
/// while compiling. By hand it takes one method, which adds the record's pages: none when the record
/// is not to be listed, one, or several.
///
/// ```
/// use sitemap_core::{Entries, Entry, Error, SitemapEntry, ToLastMod, path_segment};
///
/// struct Post {
///     slug: String,
///     draft: bool,
///     updated: std::time::SystemTime,
/// }
///
/// impl SitemapEntry for Post {
///     fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
///         if self.draft {
///             return Ok(());
///         }
///         let loc = out.site().resolve(format!("/posts/{}", path_segment(&self.slug)))?;
///         out.add(Entry::new(loc).with_lastmod(self.updated.to_last_mod()?))
///     }
/// }
/// ```
///
/// Texts are records too: a string is the page of that URL, or of that path on the site.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sitemap pages",
    label = "not a sitemap record",
    note = "annotate the type with `#[derive(SitemapEntry)]`, or implement `SitemapEntry` by hand",
    note = "rows that can fail are added with `try_add_all`"
)]
pub trait SitemapEntry {
    /// Adds this record's pages to `out`.
    ///
    /// # Errors
    ///
    /// If a value of the record is invalid, or a page is not one of the site's. The record is then
    /// left out as a whole.
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error>;

    /// Which extensions entries of this type may use. Default: none. The derive knows by itself.
    ///
    /// A document has to declare their namespaces before its first entry, so it asks the type of its
    /// first record.
    const EXTENSIONS: Extensions = Extensions::NONE;
}

/// What several kinds of records have in common: the dates and hints of a page, without its address.
///
/// Derive it with `#[derive(SitemapPart)]` and use it in a field with `#[sitemap(flatten)]`, or
/// implement it by hand. A part fills what the record itself leaves unset.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened into a sitemap entry",
    label = "not a part of a sitemap entry",
    note = "annotate the type with `#[derive(SitemapPart)]`, or implement `SitemapPart` by hand"
)]
pub trait SitemapPart {
    /// Adds to the entry what it has not got yet.
    ///
    /// # Errors
    ///
    /// If a value of the part is invalid.
    fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error>;
}

/// An enum of routes whose unit variants are the static pages of a site.
///
/// `#[derive(SitemapEntry)]` implements it for every enum that has such variants.
pub trait StaticPages: SitemapEntry + Sized + 'static {
    /// One value for each page that needs no parameters, in the order of the variants.
    const PAGES: &'static [Self];
}

/// Where a record's pages go, and what they need to know of their site.
///
/// Made by writers and publishers; see [`entries`] for a way to look at a record's pages.
pub struct Entries<'a> {
    site: &'a Site,
    /// Reused from record to record, so that building an address allocates nothing.
    scratch: &'a mut String,
    sink: Sink<'a>,
}

/// An enum, not a closure: what writes the usual record is then compiled into the record's own code.
enum Sink<'a> {
    Write(Draft<'a>),
    Collect(&'a mut Vec<Entry<'static>>),
}

impl<'a> Entries<'a> {
    pub(crate) fn write_to(site: &'a Site, scratch: &'a mut String, draft: Draft<'a>) -> Self {
        Self { site, scratch, sink: Sink::Write(draft) }
    }

    /// The site that the sitemap is for.
    #[must_use]
    pub fn site(&self) -> &Site {
        self.site
    }

    /// Adds one page.
    ///
    /// # Errors
    ///
    /// If the page is not under the site's base, has more than 1,000 images, or one of its videos does
    /// not go with it.
    #[allow(clippy::needless_pass_by_value)] // so that callers write `out.add(Entry::new(…))`
    #[inline(always)]
    pub fn add(&mut self, entry: Entry<'_>) -> Result<(), Error> {
        let added = self.add_ref(&entry);
        // By hand, for the compiler would call a function to find out that there is nothing to free.
        let Entry { attached, .. } = entry;
        if let Some(attached) = attached {
            free(attached);
        }
        added
    }

    #[inline(always)]
    pub(crate) fn add_ref(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        if !self.site.covers(entry.loc()) {
            return Err(out_of_scope(entry.loc(), self.site));
        }
        if let Some(attached) = entry.attached() {
            attached.check(entry.loc())?;
        }
        match &mut self.sink {
            Sink::Write(draft) => draft.push(entry),
            Sink::Collect(entries) => {
                collect(entries, entry);
                Ok(())
            }
        }
    }

    #[inline]
    pub(crate) fn take_scratch(&mut self) -> String {
        let mut scratch = mem::take(self.scratch);
        scratch.clear();
        scratch
    }

    #[inline]
    pub(crate) fn give_back(&mut self, scratch: String) {
        *self.scratch = scratch;
    }
}

/// Kept out of what writes entries, which would lose its registers to it.
#[cold]
#[inline(never)]
fn collect(entries: &mut Vec<Entry<'static>>, entry: &Entry<'_>) {
    entries.push(entry.clone().into_owned());
}

#[inline(never)]
fn free(attached: Box<Attached<'_>>) {
    drop(attached);
}

#[cold]
fn out_of_scope(loc: &Loc<'_>, site: &Site) -> Error {
    ErrorKind::OutOfScope { loc: loc.as_str().into(), base: site.base().into() }.into()
}

/// The pages of one record, as they would stand in the site's sitemap.
///
/// For tests and previews; a writer takes records as they are.
///
/// ```
/// use sitemap_core::{Site, entries};
///
/// let site = Site::new("https://example.com")?;
/// assert_eq!(entries("/about", &site)?[0].loc().as_str(), "https://example.com/about");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
///
/// # Errors
///
/// Those of the record's [`SitemapEntry`] implementation.
pub fn entries<T: SitemapEntry + ?Sized>(record: &T, site: &Site) -> Result<Vec<Entry<'static>>, Error> {
    let mut found = Vec::new();
    let sink = Sink::Collect(&mut found);
    record.entries(&mut Entries { site, scratch: &mut String::new(), sink })?;
    Ok(found)
}

impl SitemapEntry for Entry<'_> {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        out.add_ref(self)
    }
}

impl SitemapEntry for Loc<'_> {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        out.add(Entry::new(self.clone()))
    }
}

impl SitemapEntry for str {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        let loc = out.site().resolve(self)?;
        out.add(Entry::new(loc))
    }
}

impl SitemapEntry for String {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        self.as_str().entries(out)
    }
}

impl SitemapEntry for url::Url {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        self.as_str().entries(out)
    }
}

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: SitemapEntry + ?Sized> SitemapEntry for $pointer {
            fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
                (**self).entries(out)
            }

            const EXTENSIONS: Extensions = T::EXTENSIONS;
        }
    )+};
}

through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: SitemapEntry + ToOwned + ?Sized> SitemapEntry for Cow<'_, T> {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        (**self).entries(out)
    }

    const EXTENSIONS: Extensions = T::EXTENSIONS;
}
