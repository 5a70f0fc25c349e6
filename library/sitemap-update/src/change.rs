//! One change to a page.

use sitemap_core::{Entry, Loc};

/// A change to one page, described by the page's new state.
///
/// The last change to a page wins, so it is safe to apply the same changes twice.
///
/// ```
/// use sitemap_core::{Entry, Loc};
/// use sitemap_update::Change;
///
/// let loc = Loc::parse("https://example.com/tea")?;
/// assert_eq!(Change::Remove(loc.clone()).loc(), &loc);
/// assert_eq!(Change::Upsert(Entry::new(loc.clone())).loc(), &loc);
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Adds the page, or replaces the entry with the same URL.
    Upsert(Entry<'static>),
    /// Removes the page.
    Remove(Loc<'static>),
}

impl Change {
    /// Returns the URL of the page.
    #[must_use]
    pub fn loc(&self) -> &Loc<'static> {
        match self {
            Self::Upsert(entry) => entry.loc(),
            Self::Remove(loc) => loc,
        }
    }
}
