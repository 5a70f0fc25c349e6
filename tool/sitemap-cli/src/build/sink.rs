//! The set of a run. It is written the files in the order of the input, or in hash buckets.

use std::fmt::Display;
use std::time::Duration;

use sitemap_core::publish::shards::ShardRow;
use sitemap_core::publish::{OnInvalid, Section, SetOptions};
use sitemap_core::{Entry, Replacement, Storage, Summary};
use sitemap_update::{Build, UpdateError};

use super::failure::{failed, update_failed};
use super::publish::{MAX_SHOWN, threads};
use super::row::{Row, out_of_scope};
use crate::args::BuildArgs;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::temporary::Temporary;
use crate::terminal::{Ink, Paint, say};

pub(super) enum Sink {
    InOrder(Box<Replacement>),
    Buckets(Box<Buckets>),
}

/// The section that pages are added to.
pub(super) enum Pages<'p> {
    InOrder(Box<Section<'p>>),
    Buckets(&'p mut Buckets, String),
}

/// A set in hash buckets.
pub(crate) struct Buckets {
    build: Build,
    storage: Box<dyn Storage>,
    base: String,
    on_invalid: OnInvalid,
    skipped: u64,
    paint: Paint,
    /// The folder that `build` uses; it is removed at the end of the run.
    _temporary: Temporary,
}

impl Sink {
    /// Opens the storage for a run. Doesn't change the old set yet.
    ///
    /// `declared` is a builder with the namespaces that the pages need. Hash bucket files declare only the namespaces
    /// they use.
    pub(super) fn open(
        args: &BuildArgs,
        builder: SetOptions,
        declared: Option<SetOptions>,
        storage: impl Storage + 'static,
        paint: Paint,
    ) -> Outcome<Self> {
        let allow = args.replace.shrink.allow_shrink();
        let Some(buckets) = args.buckets else {
            let mut run =
                declared.unwrap_or(builder).storage(storage).replace().map_err(|error| failed(&error))?;
            run.allow_shrink(allow);
            return Ok(Self::InOrder(Box::new(run)));
        };
        let temporary = Temporary::new()?;
        let mut build =
            Build::new(builder, buckets, temporary.storage()?).threads(threads(args)).allow_shrink(allow);
        if let Some(limit) = args.max_removed {
            build = build.max_removed(limit);
        }
        if let Some(days) = args.remove_uncommitted {
            build = build.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
        }
        let (storage, on_invalid) = (Box::new(storage), args.on_invalid.into());
        Ok(Self::Buckets(Box::new(Buckets::new(build, storage, on_invalid, paint, temporary))))
    }

    /// Starts or continues a section.
    pub(super) fn section(&mut self, name: &str) -> Outcome<Pages<'_>> {
        match self {
            Self::InOrder(run) => {
                let section = run.section(name).map_err(|error| failed(&error))?;
                Ok(Pages::InOrder(Box::new(section)))
            }
            Self::Buckets(buckets) => Ok(Pages::Buckets(buckets, name.to_owned())),
        }
    }

    /// Publishes the set.
    pub(super) fn finish(self) -> Outcome<Summary> {
        match self {
            Self::InOrder(run) => run.commit().map_err(|error| failed(&error)),
            Self::Buckets(buckets) => buckets.finish(),
        }
    }
}

impl Pages<'_> {
    /// Adds a page, or the reason why the page is invalid. `place` is the page's position in the input.
    pub(super) fn add(&mut self, place: &dyn Display, page: Result<&Entry<'_>, String>) -> Outcome<()> {
        match self {
            Self::InOrder(section) => section.add(&Row { place, page }).map_err(|error| failed(&error)),
            Self::Buckets(buckets, section) => buckets.add(section, place, page),
        }
    }
}

impl Buckets {
    /// Creates an empty set. `build` keeps its files in the temporary folder.
    pub(crate) fn new(
        build: Build,
        storage: Box<dyn Storage>,
        on_invalid: OnInvalid,
        paint: Paint,
        temporary: Temporary,
    ) -> Self {
        let base = build.site().base().to_owned();
        Self { build, storage, base, on_invalid, skipped: 0, paint, _temporary: temporary }
    }

    /// Adds a page, or the reason why the page is invalid.
    pub(crate) fn add(
        &mut self,
        section: &str,
        place: &dyn Display,
        page: Result<&Entry<'_>, String>,
    ) -> Outcome<()> {
        let message = match page {
            Ok(page) => match self.build.add(section, page.clone().into_owned()) {
                Ok(()) => return Ok(()),
                Err(UpdateError::OtherSite { loc }) => out_of_scope(&loc, &self.base),
                Err(error) => return Err(update_failed(&error)),
            },
            Err(message) => message,
        };
        let message = format!("{place}: {message}");
        if self.on_invalid != OnInvalid::Skip {
            return Err(Stop::new(message));
        }
        self.build.count_skipped();
        self.skipped += 1;
        if self.skipped <= MAX_SHOWN as u64 {
            say(&format!("{}: {message}", self.paint.ink(Ink::Warning, "skipped")));
        }
        Ok(())
    }

    /// Writes the shards without publishing them.
    pub(crate) fn write(self) -> Outcome<Vec<ShardRow>> {
        let (rows, duplicates) = self.build.write(self.storage).map_err(|error| update_failed(&error))?;
        let skipped = self.paint.ink(Ink::Warning, "skipped");
        if self.skipped > MAX_SHOWN as u64 {
            say(&format!("{skipped}: {} more", self.skipped - MAX_SHOWN as u64));
        }
        for (count, what) in [(self.skipped, "invalid record"), (duplicates, "duplicate")] {
            if count > 0 {
                say(&format!("{skipped}: {} in total", counted(count, what)));
            }
        }
        Ok(rows)
    }

    fn finish(self) -> Outcome<Summary> {
        let built = self.build.run(self.storage).map_err(|error| update_failed(&error))?;
        if built.duplicates() > 0 {
            say(&format!("left out {}", counted(built.duplicates(), "duplicate")));
        }
        built.into_summary().ok_or_else(|| Stop::new("no page to publish; check the input"))
    }
}
