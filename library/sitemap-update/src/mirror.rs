//! Publishes a source's changes.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::publish::shards::PublishedShards;

use crate::applied::Applied;
use crate::change::Change;
use crate::error::UpdateError;
use crate::place;
use crate::source::ChangeSource;
use crate::update::Update;

/// Publishes the changes of a [source](ChangeSource), batch by batch. The whole set must have been published once
/// before.
///
/// Each commit replaces the changed files together with the source's position. Only then is the batch acknowledged. So
/// after a crash at any moment, the next process continues without a gap. If several processes mirror the same source,
/// only one of them publishes a batch, and the others read the changes again.
///
/// ```
/// use std::convert::Infallible;
///
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
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
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut build = Build::new(builder.clone(), 4, Memory::new());
/// for id in 0..10 {
///     build.add("posts", Entry::new(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
/// }
/// build.run(storage.clone())?;
///
/// let (mirror, mut source, mut removed) = (Mirror::new(builder.storage(storage.clone())), Removals(vec![3, 2, 1]), 0);
/// while let Some(mirrored) = mirror.step(&mut source)? {
///     removed += mirrored.applied().removed();
/// }
/// assert_eq!(removed, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is published before `step`"]
pub struct Mirror {
    settings: Update,
}

impl Mirror {
    /// Creates a mirror. `settings` is an [`Update`] without changes, or just a
    /// [`SitemapSet`](sitemap_core::SitemapSet).
    ///
    /// If the settings [allow an update to shrink the set](Update::allow_shrink), this applies to every batch. Use such
    /// a mirror for a single batch only.
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::{Mirror, Recent, UpdateSet as _};
    ///
    /// let set = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new());
    /// let settings = set.update().default_section("posts").max_removed(ShrinkLimit::pages(5000));
    /// let mirror = Mirror::new(settings.recent(Recent::new()));
    /// # drop(mirror);
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn new(settings: impl Into<Update>) -> Self {
        Self { settings: settings.into() }
    }

    /// Publishes the next batch and acknowledges it. Returns `None` if the source has no changes.
    ///
    /// # Errors
    ///
    /// [`MirrorError::Source`] if the source fails. If the source fails to acknowledge a published batch, the next step
    /// publishes that batch again. [`MirrorError::Update`] if the batch cannot be published. After either error, the
    /// next step continues where this one stopped.
    pub fn step<S: ChangeSource>(&self, source: &mut S) -> Result<Option<Mirrored>, MirrorError<S::Error>> {
        let storage = self.settings.set.storage();
        let mut attempt = 1;
        loop {
            match self.attempt(source, storage) {
                // Another process has published other changes of this source in the meantime.
                Err(MirrorError::Update(UpdateError::OtherPosition { .. }))
                    if attempt < self.settings.retry.attempts =>
                {
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
        if let Some(file) = &self.settings.changed_file {
            // If an interrupted process has published a batch, the source may not return it again.
            file.recover(storage)?;
        }
        let site = self.settings.set.site();
        let published = PublishedShards::read(storage, site).map_err(UpdateError::from)?;
        let section = place::section(&published, self.settings.section.as_deref())?;
        let position = published.position(section, source.name());
        let batch = match source.peek(position) {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(None),
            Err(error) => {
                // If another process has published other changes since we read the position, the position no longer
                // matches.
                let now = PublishedShards::read(storage, site).map_err(UpdateError::from)?;
                let found = now.position(section, source.name()).map(str::to_owned);
                if found.as_deref() == position {
                    return Err(MirrorError::Source(error));
                }
                let (source_name, expected) = (source.name().to_owned(), position.map(str::to_owned));
                return Err(UpdateError::OtherPosition { source_name, expected, found }.into());
            }
        };
        let settings = self.settings.clone().default_section(section);
        let mut update = settings.move_position(source.name(), position, batch.position);
        let (mut removed, mut upserted) = (Vec::new(), Vec::new());
        for change in batch.changes {
            let urls = match &change {
                Change::Upsert(_) => &mut upserted,
                Change::Remove(_) => &mut removed,
            };
            urls.push(change.loc().to_string());
            update.add(change)?;
        }
        let applied = update.commit()?;
        source.acknowledge(batch.token).map_err(MirrorError::Source)?;
        Ok(Some(Mirrored { applied, upserted, removed, skipped: batch.skipped }))
    }
}

/// A published batch. [`Mirror::step`] returns it, as the [example](Mirror) shows.
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
    /// Returns the result of the update.
    #[must_use]
    pub fn applied(&self) -> &Applied {
        &self.applied
    }

    /// Returns the URLs of the pages that were added or changed, even if the set already contained the same entries.
    #[must_use]
    pub fn upserted(&self) -> &[String] {
        &self.upserted
    }

    /// Returns the URLs of the pages that were removed, even if the set did not list them.
    #[must_use]
    pub fn removed(&self) -> &[String] {
        &self.removed
    }

    /// Returns a reason for each change that the source skipped.
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
