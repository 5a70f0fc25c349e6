//! Sources of changes.

use std::error::Error;

use crate::change::Change;

/// A source of changes, such as a queue of changed pages in a database. A [`Mirror`](crate::Mirror) publishes them.
/// `sitemap-postgres` contains sources for PostgreSQL, and the example application `with-outbox` one for SQLite.
///
/// A batch contains the *current* state of the changed pages, not what happened to them. So it is safe to apply a batch
/// twice: only a page's last state matters. A source that follows these rules loses no change, even if a process is
/// killed at any moment:
///
/// - [`peek`](Self::peek) removes nothing from the source. It first records which pages have changed, then reads their
///   state.
/// - [`acknowledge`](Self::acknowledge) removes exactly the changes of one batch. It is called after these changes are
///   published. If the process is killed before that, the next `peek` returns the changes again.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
///
/// use sitemap_core::{Entry, Loc};
/// use sitemap_update::{Batch, Change, ChangeSource};
///
/// /// Notes the numbers of changed posts.
/// #[derive(Default)]
/// struct Posts {
///     exist: BTreeMap<u64, bool>,
///     changed: BTreeMap<u64, u64>,
///     steps: u64,
/// }
///
/// impl ChangeSource for Posts {
///     /// The notes that were read.
///     type Token = Vec<u64>;
///     type Error = Infallible;
///
///     fn name(&self) -> &str {
///         "posts"
///     }
///
///     fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<Vec<u64>>>, Infallible> {
///         let notes: Vec<u64> = self.changed.keys().take(100).copied().collect();
///         if notes.is_empty() {
///             return Ok(None);
///         }
///         // No two batches may have the same position.
///         self.steps += 1;
///         let mut batch = Batch::new(self.steps.to_string(), notes.clone());
///         for note in notes {
///             let loc = Loc::parse(format!("https://example.com/posts/{}", self.changed[&note])).unwrap();
///             let exists = self.exist.get(&self.changed[&note]).copied().unwrap_or_default();
///             batch.push(if exists { Change::Upsert(Entry::new(loc)) } else { Change::Remove(loc) });
///         }
///         Ok(Some(batch))
///     }
///
///     fn acknowledge(&mut self, notes: Vec<u64>) -> Result<(), Infallible> {
///         for note in notes {
///             self.changed.remove(&note);
///         }
///         Ok(())
///     }
/// }
///
/// let mut posts = Posts { exist: [(7, true)].into(), changed: [(1, 7), (2, 8)].into(), steps: 0 };
/// let batch = posts.peek(None)?.expect("two posts have changed");
/// assert_eq!(batch.changes().len(), 2);
/// # Ok::<(), Infallible>(())
/// ```
pub trait ChangeSource {
    /// What `acknowledge` needs to know about a batch.
    type Token;
    /// The source's error type.
    type Error: Error + 'static;

    /// Returns the source's name. The published set records the source's position under this name. It may contain at
    /// most 200 visible ASCII characters, but not `"`, `\` or `;`.
    fn name(&self) -> &str;

    /// Returns the next changes, or `None` if there are none. `position` is the position of the last published batch,
    /// or `None` if the set has no position for this source.
    ///
    /// # Errors
    ///
    /// Returns an error if the changes cannot be read, or if they don't continue from `position`. In the second case,
    /// all pages must be published again.
    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<Self::Token>>, Self::Error>;

    /// Removes the changes of a published batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be written to. The next `peek` then returns the same changes again, which
    /// is harmless.
    fn acknowledge(&mut self, token: Self::Token) -> Result<(), Self::Error>;
}

/// A batch of changes from a [source](ChangeSource), as its example shows.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_update::{Batch, Change};
///
/// let mut batch = Batch::new("7", ());
/// batch.push(Change::Remove(Loc::parse("https://example.com/tea")?));
/// batch.skip("row 8 has no slug");
/// assert_eq!((batch.position(), batch.changes().len(), batch.skipped().len()), ("7", 1, 1));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<T> {
    pub(crate) changes: Vec<Change>,
    pub(crate) skipped: Vec<String>,
    pub(crate) position: String,
    pub(crate) token: T,
}

impl<T> Batch<T> {
    /// Creates an empty batch. `position` is the set's position after the batch is published. It must differ from the
    /// positions of all earlier batches: if two processes read the same changes, only one of them may publish.
    #[must_use]
    pub fn new(position: impl Into<String>, token: T) -> Self {
        Self { changes: Vec::new(), skipped: Vec::new(), position: position.into(), token }
    }

    /// Adds a change. It replaces any earlier change of the same page.
    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Reports a change that the source skips, for example because the page's URL is invalid.
    pub fn skip(&mut self, reason: impl Into<String>) {
        self.skipped.push(reason.into());
    }

    /// Returns the changes.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns a reason for each change that the source skipped.
    #[must_use]
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Returns the set's position after these changes.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }
}
