//! Publishes the changes of a source.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sitemap_core::Storage;
use sitemap_core::publish::feed::Feed;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::publish::{AllowShrink, PublisherBuilder, ShrinkLimit};

use crate::applied::Applied;
use crate::change::Change;
use crate::changed::ChangedFile;
use crate::error::UpdateError;
use crate::place;
use crate::recent::Recent;
use crate::source::ChangeSource;
use crate::update::Update;

/// Publishes the changes of a [source](ChangeSource), batch by batch. The set must have been published in full once.
///
/// Each commit replaces the changed files and the position of the source together, and the source is told afterwards. So
/// after a crash at any moment, the next process continues without a gap. If several processes mirror the same source,
/// one of them publishes a batch, and the others read the changes again.
///
/// ```
/// use std::convert::Infallible;
///
/// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
/// use sitemap_update::{Batch, Build, Change, ChangeSource, Mirror};
///
/// /// Removes the posts 1, 2, 3.
/// struct Removals(Vec<u32>);
///
/// impl ChangeSource for Removals {
///     type Token = ();
///     type Error = Infallible;
///
///     fn name(&self) -> &str {
///         "removals"
///     }
///
///     fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<()>>, Infallible> {
///         let Some(id) = self.0.last() else { return Ok(None) };
///         let mut batch = Batch::new(id.to_string(), ());
///         batch.push(Change::Remove(Loc::parse(format!("https://example.com/posts/{id}")).unwrap()));
///         Ok(Some(batch))
///     }
///
///     fn acknowledge(&mut self, (): ()) -> Result<(), Infallible> {
///         self.0.pop();
///         Ok(())
///     }
/// }
///
/// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
/// let mut build = Build::new(builder.clone(), 4, Memory::new());
/// for id in 0..10 {
///     build.add("posts", Entry::new(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
/// }
/// build.run(storage.clone())?;
///
/// let (mirror, mut source, mut removed) = (Mirror::new(builder), Removals(vec![3, 2, 1]), 0);
/// while let Some(mirrored) = mirror.step(&mut source, storage.clone())? {
///     removed += mirrored.applied().removed();
/// }
/// assert_eq!(removed, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is published before `step`"]
pub struct Mirror {
    builder: PublisherBuilder,
    section: Option<String>,
    attempts: u32,
    allow_shrink: Option<AllowShrink>,
    max_removed: ShrinkLimit,
    recent: Option<Recent>,
    feed: Option<Feed>,
    keeps_changes: bool,
    changed_file: Option<ChangedFile>,
    uncommitted_for: Option<Duration>,
}

impl Mirror {
    /// Starts to mirror a source in the set of a site.
    pub fn new(builder: PublisherBuilder) -> Self {
        Self {
            builder,
            section: None,
            attempts: 20,
            allow_shrink: None,
            max_removed: ShrinkLimit::OFF,
            recent: None,
            feed: Some(Feed::new()),
            keeps_changes: false,
            changed_file: None,
            uncommitted_for: None,
        }
    }

    /// Sets the section whose pages change. Default: the only section of the set.
    ///
    /// ```
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?)).section("posts");
    /// assert!(format!("{mirror:?}").contains(r#"Some("posts")"#));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn section(mut self, name: impl Into<String>) -> Self {
        self.section = Some(name.into());
        self
    }

    /// Sets how often a step is tried if other processes are quicker. Default: 20.
    ///
    /// ```
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?)).attempts(3);
    /// assert!(format!("{mirror:?}").contains("attempts: 3"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Allows the steps to shrink the set, as [`Update::allow_shrink`] does. Give the permission for one batch only, and
    /// create another `Mirror` for the next ones. Default: a batch that would remove too many pages ends with an error.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?));
    /// let once = mirror.clone().allow_shrink(AllowShrink::Smaller);
    /// assert!(format!("{once:?}").contains("Some(Smaller)"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn allow_shrink(mut self, allow: impl Into<Option<AllowShrink>>) -> Self {
        self.allow_shrink = allow.into();
        self
    }

    /// Sets how many pages a batch may remove, also if it adds as many, as [`Update::max_removed`] does. Default:
    /// [`ShrinkLimit::OFF`].
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?));
    /// let mirror = mirror.max_removed(ShrinkLimit::pages(5000));
    /// assert!(format!("{mirror:?}").contains("Pages(5000)"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn max_removed(mut self, limit: ShrinkLimit) -> Self {
        self.max_removed = limit;
        self
    }

    /// Makes the steps also write the recent section, as [`Update::recent`] does. Default: the set has none.
    ///
    /// ```
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::{Mirror, Recent};
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?)).recent(Recent::new());
    /// assert!(format!("{mirror:?}").contains("max_entries: 10000"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn recent(mut self, recent: impl Into<Option<Recent>>) -> Self {
        self.recent = recent.into();
        self
    }

    /// Sets the limits and the hub of the feed, or removes the feed of the set with `None`, as [`Update::feed`] does.
    /// Default: [`Feed::new`].
    ///
    /// ```
    /// use sitemap_core::publish::feed::Feed;
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?)).feed(Feed::new().max_entries(7));
    /// assert!(format!("{mirror:?}").contains("max_entries: 7"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn feed(mut self, feed: impl Into<Option<Feed>>) -> Self {
        self.feed = feed.into();
        self
    }

    /// Sets whether [`Applied::changes`] of each batch returns the changes that had an effect, as
    /// [`Update::keep_changes`] does. After a crash, those of the last batch are lost; a [file](Self::changed_file) has
    /// them. Default: `false`.
    ///
    /// ```
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?)).keep_changes(true);
    /// assert!(format!("{mirror:?}").contains("keeps_changes: true"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn keep_changes(mut self, keep: bool) -> Self {
        self.keeps_changes = keep;
        self
    }

    /// Adds the changes that had an effect to a file. A program that tells search engines of them
    /// [takes](ChangedFile::take) them there, and misses none, also if a process is killed at any moment: they are written
    /// before the source is told of the batch. Default: `None`.
    ///
    /// ```no_run
    /// # fn submit(_: &[sitemap_core::publish::feed::FeedChange]) -> Result<(), std::io::Error> { Ok(()) }
    /// # fn run<S: sitemap_update::ChangeSource<Error: Send + Sync>>(mut source: S) -> Result<(), Box<dyn std::error::Error>> {
    /// use sitemap_core::{Directory, Publisher, Site};
    /// use sitemap_update::{ChangedFile, Mirror};
    ///
    /// let file = ChangedFile::new("state/changed.ndjson");
    /// let builder = Publisher::builder(Site::new("https://example.com")?);
    /// let mirror = Mirror::new(builder).changed_file(file.clone());
    /// while mirror.step(&mut source, Directory::open("public")?)?.is_some() {}
    /// if let Some(taken) = file.take()? {
    ///     submit(taken.changes())?;
    ///     taken.confirm()?;
    /// }
    /// # assert_eq!(file.path(), std::path::Path::new("state/changed.ndjson"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn changed_file(mut self, file: impl Into<Option<ChangedFile>>) -> Self {
        self.changed_file = file.into();
        self
    }

    /// Makes the steps also remove shards of interrupted runs that are at least this old, as
    /// [`Update::remove_uncommitted`] does. Default: they stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Publisher, Site};
    /// use sitemap_update::Mirror;
    ///
    /// let mirror = Mirror::new(Publisher::builder(Site::new("https://example.com")?));
    /// let mirror = mirror.remove_uncommitted(Duration::from_secs(7 * 24 * 60 * 60));
    /// assert!(format!("{mirror:?}").contains("Some(604800s)"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Publishes the next batch and acknowledges it. Returns `None` if the source has no changes.
    ///
    /// # Errors
    ///
    /// [`MirrorError::Source`] if the source fails, also if it fails to acknowledge a published batch; the next step then
    /// publishes that batch again. [`MirrorError::Update`] if the batch cannot be published. After either error, the next
    /// step continues where this one has stopped.
    pub fn step<S: ChangeSource>(
        &self,
        source: &mut S,
        storage: impl Storage + 'static,
    ) -> Result<Option<Mirrored>, MirrorError<S::Error>> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        let mut attempt = 1;
        loop {
            match self.attempt(source, &storage) {
                // Another process has published other changes of the source since.
                Err(MirrorError::Update(UpdateError::OtherPosition { .. })) if attempt < self.attempts => {
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    fn attempt<S: ChangeSource>(
        &self,
        source: &mut S,
        storage: &Arc<dyn Storage>,
    ) -> Result<Option<Mirrored>, MirrorError<S::Error>> {
        if let Some(file) = &self.changed_file {
            // The source may have nothing more to say of a batch that an interrupted process has published.
            file.recover(storage)?;
        }
        let published = PublishedShards::read(storage, self.builder.site()).map_err(UpdateError::from)?;
        let section = place::section(&published, self.section.as_deref())?;
        let position = published.position(section, source.name());
        let batch = match source.peek(position) {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(None),
            Err(error) => {
                // The position no longer fits if another process has published other changes since it was read.
                let now = PublishedShards::read(storage, self.builder.site()).map_err(UpdateError::from)?;
                let found = now.position(section, source.name()).map(str::to_owned);
                if found.as_deref() == position {
                    return Err(MirrorError::Source(error));
                }
                let (source_name, expected) = (source.name().to_owned(), position.map(str::to_owned));
                return Err(UpdateError::OtherPosition { source_name, expected, found }.into());
            }
        };
        let mut update = Update::new(self.builder.clone())
            .section(section)
            .attempts(self.attempts)
            .allow_shrink(self.allow_shrink)
            .max_removed(self.max_removed)
            .recent(self.recent.clone())
            .feed(self.feed.clone())
            .keep_changes(self.keeps_changes)
            .changed_file(self.changed_file.clone())
            .position(source.name(), position, batch.position);
        if let Some(age) = self.uncommitted_for {
            update = update.remove_uncommitted(age);
        }
        let (mut removed, mut upserted) = (Vec::new(), Vec::new());
        for change in batch.changes {
            let urls = match &change {
                Change::Upsert(_) => &mut upserted,
                Change::Remove(_) => &mut removed,
            };
            urls.push(change.loc().to_string());
            update.add(change)?;
        }
        let applied = update.run(Arc::clone(storage))?;
        source.acknowledge(batch.token).map_err(MirrorError::Source)?;
        Ok(Some(Mirrored { applied, upserted, removed, skipped: batch.skipped }))
    }
}

/// A batch that was published; returned by [`Mirror::step`], as its [example](Mirror) shows.
///
/// ```
/// use sitemap_update::Mirrored;
///
/// /// Prints the URLs to submit to IndexNow.
/// fn print(mirrored: &Mirrored) {
///     assert!(mirrored.skipped().is_empty());
///     mirrored.upserted().iter().chain(mirrored.removed()).for_each(|url| println!("{url}"));
/// }
/// ```
#[derive(Debug)]
pub struct Mirrored {
    applied: Applied,
    upserted: Vec<String>,
    removed: Vec<String>,
    skipped: Vec<String>,
}

impl Mirrored {
    /// Returns what the update of the set has done.
    #[must_use]
    pub fn applied(&self) -> &Applied {
        &self.applied
    }

    /// Returns the URLs of the changed pages that exist, also if the set had the same entries already.
    #[must_use]
    pub fn upserted(&self) -> &[String] {
        &self.upserted
    }

    /// Returns the URLs of the changed pages that are gone, also if the set did not list them.
    #[must_use]
    pub fn removed(&self) -> &[String] {
        &self.removed
    }

    /// Returns a reason for each change that the source has left out.
    #[must_use]
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }
}

/// The error of [`Mirror::step`].
///
/// ```
/// use std::convert::Infallible;
///
/// use sitemap_update::{MirrorError, UpdateError};
///
/// let error = MirrorError::<Infallible>::Update(UpdateError::NoSet);
/// assert_eq!(error.to_string(), "no set is published that could be updated; publish one first");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum MirrorError<E> {
    /// The source failed.
    Source(E),
    /// The set could not be updated.
    Update(UpdateError),
}

impl<E: fmt::Display> fmt::Display for MirrorError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Update(error) => error.fmt(f),
        }
    }
}

impl<E: StdError + 'static> StdError for MirrorError<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Source(error) => error.source(),
            Self::Update(error) => error.source(),
        }
    }
}

impl<E> From<UpdateError> for MirrorError<E> {
    fn from(error: UpdateError) -> Self {
        Self::Update(error)
    }
}
