//! What an update does when asked to remove a page that the set does not list.

/// What an update does when asked to remove a page that the set does not list. This is harmless if, for example, the
/// same changes are applied twice. But it can also come from a mistake in the URL, and then the page stays in the set.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Build, Change, OnUnknown, UpdateSet as _, UpdateError};
///
/// let page = |path: &str| Loc::parse(format!("https://example.com{path}"));
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut build = Build::new(builder.clone(), 4, Memory::new());
/// build.add("posts", Entry::new(page("/tea")?))?;
/// build.run(storage.clone())?;
///
/// let mut update = builder.storage(storage.clone()).update().on_unknown(OnUnknown::Stop);
/// update.add(Change::Remove(page("/tea/")?))?;
/// let error = update.commit().unwrap_err();
/// assert!(matches!(error, UpdateError::Unknown { count: 1, .. }));
/// assert_eq!(
///     error.to_string(),
///     "the set does not list `https://example.com/tea/`, which is to be removed; correct the URL, or allow such removals"
/// );
/// let applied = update.on_unknown(OnUnknown::Skip).commit()?;
/// assert_eq!(applied.unknown(), ["https://example.com/tea/"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnUnknown {
    /// Skips such removals. They are [counted](crate::Applied::unknown_removals), and the first of them are
    /// [listed](crate::Applied::unknown).
    #[default]
    Skip,
    /// The update fails with [`UpdateError::Unknown`](crate::UpdateError::Unknown) and writes nothing. To check for
    /// such removals, it reads the buckets of all changed pages one extra time.
    Stop,
}
