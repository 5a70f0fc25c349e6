//! Versions of a page that come one by one, linked to each other.

use std::collections::HashMap;
use std::hash::Hash;

use super::{EntryWriter, SitemapEntry};
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::{Alternate, Extensions, Hreflang};

/// Groups pages by a key and links those of a group to each other as versions for other languages.
///
/// Search engines ignore links that are not returned. Here each page of a group lists all of the
/// group, itself among them, so that none can be missing. All pages of a group come to stand in the
/// same file; a group with an invalid page is left out whole.
///
/// A group is known to be complete only when all pages were seen, so this holds all pages that it was
/// given: a few hundred bytes each. Of records whose versions come together, hand over one group at a
/// time instead. Groups, and the pages in them, stay in the order in which they first came.
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

/// The versions of one page, each an entry that lists all of them.
#[derive(Clone, Debug, Default)]
pub struct AlternateGroup {
    pages: Vec<(Hreflang<'static>, Entry<'static>)>,
    x_default: Option<Hreflang<'static>>,
}

impl<K: Eq + Hash> AlternateGroups<K> {
    /// No group yet.
    pub fn new() -> Self {
        Self { by_key: HashMap::new(), groups: Vec::new(), x_default: None }
    }

    /// Names the version that is also for readers of all other languages, in groups that have it and
    /// have no `x-default` of their own. Default: none.
    pub fn x_default(mut self, hreflang: Hreflang<'_>) -> Self {
        self.x_default = Some(hreflang.into_owned());
        self
    }

    /// Adds a page, its address alone or an [`Entry`], to the group of its key.
    ///
    /// `x-default` is for a page of its own, as one where readers choose their language. Alternates
    /// that the entry has are replaced.
    ///
    /// # Errors
    ///
    /// If the group has a page of that language.
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
    /// A group without a page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the version that is also for readers of all other languages, if the group has it and no
    /// `x-default` of its own. Default: none.
    #[must_use]
    pub fn x_default(mut self, hreflang: Hreflang<'_>) -> Self {
        self.x_default = Some(hreflang.into_owned());
        self
    }

    /// Adds a page, its address alone or an [`Entry`].
    ///
    /// # Errors
    ///
    /// If the group has a page of that language.
    pub fn add<'p>(&mut self, hreflang: Hreflang<'_>, page: impl Into<Entry<'p>>) -> Result<(), Error> {
        if self.page(&hreflang).is_some() {
            return Err(ErrorKind::LocaleTwice { locale: hreflang.as_str().into() }.into());
        }
        self.pages.push((hreflang.into_owned(), page.into().into_owned()));
        Ok(())
    }

    /// Its languages and pages.
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
