//! Upserts and removals of records, such as structs with `#[derive(SitemapEntry)]`.

use sitemap_core::record::{HasSection, urls_of};
use sitemap_core::{Loc, SitemapEntry, SitemapSet, entries_of};

use crate::change::Change;
use crate::error::UpdateError;
use crate::update::Update;

/// Starts updates of a [`SitemapSet`].
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
/// use sitemap_update::UpdateSet as _;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/posts/{slug}", section = "posts", skip_if = Post::is_draft)]
/// struct Post {
///     slug: &'static str,
///     is_draft: bool,
/// }
///
/// impl Post {
///     fn is_draft(&self) -> bool {
///         self.is_draft
///     }
/// }
///
/// let set = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new());
/// let mut all = set.replace()?;
/// all.add_all(["tea", "cups"].map(|slug| Post { slug, is_draft: false }))?;
/// all.commit()?;
///
/// let mut some = set.update();
/// some.upsert(&Post { slug: "pots", is_draft: false })?; // added
/// some.upsert(&Post { slug: "cups", is_draft: true })?; // a draft now, so it is removed
/// let applied = some.commit()?;
/// assert_eq!((applied.added(), applied.removed()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait UpdateSet {
    /// Starts an update without any changes yet.
    fn update(&self) -> Update;
}

impl UpdateSet for SitemapSet {
    fn update(&self) -> Update {
        Update::new(self)
    }
}

/// A section whose records an [`Update`] changes. Created by [`Update::section`].
///
/// ```
/// use sitemap_core::{Loc, Memory, Site, SitemapSet};
/// use sitemap_update::UpdateSet as _;
///
/// let set = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new());
/// let mut all = set.replace()?;
/// all.section("posts")?.add_all(["/tea", "/cups", "/pots"])?;
/// all.commit()?;
///
/// let mut some = set.update();
/// let mut posts = some.section("posts");
/// posts.replace("/tea", "/green-tea")?;
/// posts.remove("/cups")?;
/// posts.remove_loc(Loc::parse("https://example.com/pots")?)?;
/// some.section("news").upsert("/news/1")?; // a new section
/// let applied = some.commit()?;
/// assert_eq!((applied.added(), applied.removed()), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SectionUpdate<'u> {
    update: &'u mut Update,
    name: &'u str,
}

impl SectionUpdate<'_> {
    /// Adds or replaces all pages of a record. If the record is skipped now, such as a draft, its pages are removed.
    /// Creates the section if the set doesn't have it.
    ///
    /// If the record's URL has changed, use [`replace`](Self::replace).
    ///
    /// # Errors
    ///
    /// [`UpdateError::Record`] if the record is invalid. Nothing of it is added then.
    pub fn upsert<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), UpdateError> {
        let site = self.update.set.site();
        let entries = entries_of(record, site)?;
        if entries.is_empty() {
            // A page whose URL can't be written can't be in the set, so there is nothing to remove.
            let urls = urls_of(record, site).unwrap_or_default();
            return urls.into_iter().try_for_each(|loc| self.remove_loc(loc));
        }
        entries.into_iter().try_for_each(|entry| self.add(Change::Upsert(entry)))
    }

    /// Removes all pages of a record, even if the record is skipped now.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Record`] if the record's URLs can't be written.
    pub fn remove<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), UpdateError> {
        let urls = urls_of(record, self.update.set.site())?;
        urls.into_iter().try_for_each(|loc| self.remove_loc(loc))
    }

    /// Replaces the pages of a record with those of its new version. Pages that only the old version has are removed,
    /// such as its former URL.
    ///
    /// # Errors
    ///
    /// The same as for [`upsert`](Self::upsert) and [`remove`](Self::remove).
    pub fn replace<T: SitemapEntry + ?Sized>(&mut self, old: &T, new: &T) -> Result<(), UpdateError> {
        // The new version is checked first, so that an invalid one removes nothing.
        entries_of(new, self.update.set.site())?;
        self.remove(old)?;
        self.upsert(new)
    }

    /// Removes one page.
    ///
    /// # Errors
    ///
    /// [`UpdateError::OtherSite`] if the page does not belong to the site.
    pub fn remove_loc(&mut self, loc: Loc<'static>) -> Result<(), UpdateError> {
        self.add(Change::Remove(loc))
    }

    fn add(&mut self, change: Change) -> Result<(), UpdateError> {
        self.update.add_to(self.name, change)?;
        self.update.new_sections.insert(self.name.to_owned());
        Ok(())
    }
}

impl Update {
    /// Returns a section, to change pages of records that name no section themselves. See the example of
    /// [`SectionUpdate`].
    pub fn section<'u>(&'u mut self, name: &'u str) -> SectionUpdate<'u> {
        SectionUpdate { update: self, name }
    }

    /// Adds or replaces all pages of a record in the section that its type declares with
    /// `#[sitemap(section = "posts")]`; see the example of [`UpdateSet`].
    ///
    /// # Errors
    ///
    /// The same as for [`SectionUpdate::upsert`].
    pub fn upsert<T: HasSection + ?Sized>(&mut self, record: &T) -> Result<(), UpdateError> {
        self.section(T::SECTION).upsert(record)
    }

    /// Removes all pages of a record from the section that its type declares.
    ///
    /// # Errors
    ///
    /// The same as for [`SectionUpdate::remove`].
    pub fn remove<T: HasSection + ?Sized>(&mut self, record: &T) -> Result<(), UpdateError> {
        self.section(T::SECTION).remove(record)
    }

    /// Replaces the pages of a record with those of its new version, in the section that its type declares.
    ///
    /// # Errors
    ///
    /// The same as for [`SectionUpdate::replace`].
    pub fn replace<T: HasSection + ?Sized>(&mut self, old: &T, new: &T) -> Result<(), UpdateError> {
        self.section(T::SECTION).replace(old, new)
    }
}
