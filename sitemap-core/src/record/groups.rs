//! Groups of pages that are translations of each other.

use std::collections::HashMap;
use std::hash::Hash;

use super::{EntryWriter, SitemapEntry};
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::{Alternate, Extensions, Hreflang};

/// Pages grouped by a key. Each group holds the versions of one page in different languages.
///
/// Search engines ignore a link to a version that does not link back, so each page links to all pages of its group,
/// including itself. All pages of a group are written to the same file. If one page is invalid, the whole group is
/// skipped.
///
/// A group is complete only once the last page is added, so an `AlternateGroups` keeps all pages in memory: a few
/// hundred bytes per page. If your data keeps all versions of a page together, add one [`AlternateGroup`] at a time to
/// the writer instead. Groups, and the pages in a group, stay in the order in which they were added.
///
/// ```
/// use sitemap_core::{Site, SitemapWriter};
/// use sitemap_core::extension::Hreflang;
/// use sitemap_core::record::AlternateGroups;
///
/// let site = Site::new("https://example.com")?;
/// let rows = [(1, "en", "/about"), (2, "en", "/jobs"), (1, "de", "/ueber-uns")];
///
/// let mut pages = AlternateGroups::new().x_default(Hreflang::parse("en")?);
/// for (page, language, path) in rows {
///     pages.add(page, Hreflang::parse(language)?, site.resolve(path)?)?;
/// }
///
/// let mut sitemap = SitemapWriter::new(site, Vec::new());
/// sitemap.add_all(pages)?;
/// let (xml, _) = sitemap.finish()?;
/// # let xml = String::from_utf8(xml).unwrap();
/// assert!(xml.contains(
///     "<url><loc>https://example.com/ueber-uns</loc>\
///      <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/about\"/>\
///      <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/ueber-uns\"/>\
///      <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/about\"/></url>"
/// ));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AlternateGroups<K> {
    by_key: HashMap<K, usize>,
    groups: Vec<AlternateGroup>,
    x_default: Option<Hreflang<'static>>,
}

/// The versions of one page in different languages. Each version's entry links to all versions.
///
/// ```
/// use sitemap_core::extension::Hreflang;
/// use sitemap_core::record::AlternateGroup;
/// use sitemap_core::{Site, entries_of};
///
/// let site = Site::new("https://example.com")?;
/// let mut about = AlternateGroup::new().x_default(Hreflang::parse("en")?);
/// about.add(Hreflang::parse("en")?, site.resolve("/about")?)?;
/// about.add(Hreflang::parse("de")?, site.resolve("/ueber-uns")?)?;
/// assert_eq!(about.pages().len(), 2);
///
/// let entries = entries_of(&about, &site)?;
/// let links = entries[1].alternates().iter().map(|link| (link.hreflang().as_str(), link.href().as_str()));
/// assert!(links.eq([
///     ("en", "https://example.com/about"),
///     ("de", "https://example.com/ueber-uns"),
///     ("x-default", "https://example.com/about"),
/// ]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AlternateGroup {
    pages: Vec<(Hreflang<'static>, Entry<'static>)>,
    x_default: Option<Hreflang<'static>>,
}

impl<K: Eq + Hash> AlternateGroups<K> {
    /// Creates an `AlternateGroups` without pages.
    pub fn new() -> Self {
        Self { by_key: HashMap::new(), groups: Vec::new(), x_default: None }
    }

    /// Sets the language whose version is also used as `x-default`, for readers of all other languages. Has no effect
    /// on a group without this language or with its own `x-default` page. Default: none. See the [example](Self).
    pub fn x_default(mut self, hreflang: Hreflang<'_>) -> Self {
        self.x_default = Some(hreflang.into_owned());
        self
    }

    /// Adds a page, as a URL or an [`Entry`], to the group with this key.
    ///
    /// Use the language `x-default` for a separate page for readers of all other languages, such as a language
    /// selector. The group's alternates replace those of the entry.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::LocaleTwice`] if the group already has a page for this language.
    pub fn add<'p>(
        &mut self,
        key: K,
        hreflang: Hreflang<'_>,
        page: impl Into<Entry<'p>>,
    ) -> Result<(), Error> {
        let groups = &mut self.groups;
        let index = *self.by_key.entry(key).or_insert_with(|| {
            groups.push(AlternateGroup::default());
            groups.len() - 1
        });
        match groups.get_mut(index) {
            Some(group) => group.add(hreflang, page),
            None => Ok(()),
        }
    }
}

impl<K: Eq + Hash> Default for AlternateGroups<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> IntoIterator for AlternateGroups<K> {
    type Item = AlternateGroup;
    type IntoIter = std::vec::IntoIter<AlternateGroup>;

    fn into_iter(mut self) -> Self::IntoIter {
        for group in &mut self.groups {
            group.x_default.clone_from(&self.x_default);
        }
        self.groups.into_iter()
    }
}

impl AlternateGroup {
    /// Creates a group without pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the language whose version is also used as `x-default`, for readers of all other languages. Has no effect
    /// if the group does not contain this language or has its own `x-default` page. Default: none. See the
    /// [example](Self).
    #[must_use]
    pub fn x_default(mut self, hreflang: Hreflang<'_>) -> Self {
        self.x_default = Some(hreflang.into_owned());
        self
    }

    /// Adds a page, as a URL or an [`Entry`]. The group's alternates replace those of the entry.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::LocaleTwice`] if the group already has a page for this language.
    pub fn add<'p>(&mut self, hreflang: Hreflang<'_>, page: impl Into<Entry<'p>>) -> Result<(), Error> {
        if self.page(&hreflang).is_some() {
            return Err(ErrorKind::LocaleTwice { locale: hreflang.as_str().into() }.into());
        }
        self.pages.push((hreflang.into_owned(), page.into().into_owned()));
        Ok(())
    }

    /// Returns the languages and pages in the order in which they were added.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (&Hreflang<'static>, &Entry<'static>)> {
        self.pages.iter().map(|(hreflang, page)| (hreflang, page))
    }

    fn page(&self, hreflang: &Hreflang<'_>) -> Option<&Entry<'static>> {
        let same = |other: &Hreflang<'_>| other.as_str().eq_ignore_ascii_case(hreflang.as_str());
        self.pages().find(|(other, _)| same(other)).map(|(_, page)| page)
    }
}

#[diagnostic::do_not_recommend]
impl SitemapEntry for AlternateGroup {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let mut alternates: Vec<_> = self
            .pages()
            .map(|(hreflang, page)| Alternate::new(hreflang.clone(), page.loc().clone()))
            .collect();
        if self.page(&Hreflang::X_DEFAULT).is_none()
            && let Some(page) = self.x_default.as_ref().and_then(|hreflang| self.page(hreflang))
        {
            alternates.push(Alternate::new(Hreflang::X_DEFAULT, page.loc().clone()));
        }
        for (_, page) in &self.pages {
            let page: Entry<'_> = page.clone();
            out.add(page.with_alternates(alternates.as_slice()))?;
        }
        Ok(())
    }

    const EXTENSIONS: Extensions = Extensions::ALTERNATES;
}
