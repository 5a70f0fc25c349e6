//! A permission for one run to shrink the set beyond its limit.

/// A permission for one run to shrink the published set, or a section of it, beyond the [`ShrinkLimit`].
///
/// The permission belongs to a run, not to the settings, so that the next run is checked again. See
/// [`Replacement::allow_shrink`] and `ShardCommit::allow_shrink`.
///
/// ```
/// use sitemap_core::publish::AllowShrink;
/// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
///
/// let memory = Memory::new();
/// let publish = |pages: u32, allow: Option<AllowShrink>| {
///     let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
///     run.allow_shrink(allow);
///     run.section("posts")?.add_all((0..pages).map(|id| format!("/posts/{id}")))?;
///     run.section("pages")?.add("/")?;
///     run.commit()
/// };
/// publish(1000, None)?;
/// assert!(publish(400, None).is_err());
/// publish(400, Some(AllowShrink::Smaller))?;
/// assert!(publish(0, Some(AllowShrink::Smaller)).is_err());
/// publish(0, Some(AllowShrink::Empty))?;
/// # Ok::<(), PublishError>(())
/// ```
///
/// [`ShrinkLimit`]: super::ShrinkLimit
/// [`Replacement::allow_shrink`]: crate::Replacement::allow_shrink
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AllowShrink {
    /// The set and its sections may lose any number of pages, but no section may become empty.
    Smaller,
    /// Sections may also become empty. A whole set without pages is always an error.
    Empty,
}
