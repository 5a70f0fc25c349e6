//! Describes a loss of pages that exceeds the limit.

use std::fmt;

/// A loss of pages that caused a run to be refused, either in the whole set or in one section.
///
/// ```
/// use sitemap_core::publish::PublishErrorKind;
/// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
///
/// let memory = Memory::new();
/// let publish = |pages: u32| {
///     let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
///     run.section("posts")?.add_all((0..pages).map(|id| format!("/posts/{id}")))?;
///     run.commit()
/// };
/// publish(1000)?;
/// let error = publish(500).unwrap_err();
/// let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
/// assert_eq!(losses[0].section(), Some("posts"));
/// assert_eq!((losses[0].before(), losses[0].after()), (1000, 500));
/// assert_eq!(losses[0].to_string(), "section `posts` would fall from 1000 pages to 500");
/// # Ok::<(), PublishError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrinkage {
    pub(crate) section: Option<Box<str>>,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) is_gradual: bool,
    /// The number of removed pages, if that number alone exceeds the limit.
    pub(crate) removed: Option<u64>,
}

impl Shrinkage {
    /// Returns the section that loses pages, or `None` for the whole set.
    #[must_use]
    pub fn section(&self) -> Option<&str> {
        self.section.as_deref()
    }

    /// Returns the number of pages before the loss: the number in the published set or, if the loss is
    /// [gradual](Self::is_gradual), the highest number of the last weeks.
    #[must_use]
    pub fn before(&self) -> u64 {
        self.before
    }

    /// Returns the number of pages in the refused set.
    #[must_use]
    pub fn after(&self) -> u64 {
        self.after
    }

    /// Returns `true` if several runs together lose too many pages, although this run alone doesn't.
    #[must_use]
    pub fn is_gradual(&self) -> bool {
        self.is_gradual
    }

    /// Returns the number of removed pages if this number alone caused the refusal, even if the run also adds pages.
    /// Otherwise, returns `None`. See the example of
    /// [`PublishedShards::check_removed`](crate::publish::shards::PublishedShards::check_removed).
    #[must_use]
    pub fn removed(&self) -> Option<u64> {
        self.removed
    }
}

impl fmt::Display for Shrinkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.section() {
            Some(section) => write!(f, "section `{section}` ")?,
            None => f.write_str("the whole set ")?,
        }
        let pages = if self.before == 1 { "page" } else { "pages" };
        if let Some(removed) = self.removed {
            return write!(f, "would lose {removed} of {} {pages}", self.before);
        }
        write!(f, "would fall from {} {pages} ", self.before)?;
        if self.is_gradual {
            f.write_str("in the last weeks ")?;
        }
        if self.after == 0 { f.write_str("to none") } else { write!(f, "to {}", self.after) }
    }
}
