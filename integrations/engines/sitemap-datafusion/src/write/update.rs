//! `mode 'update'`: a single task that changes pages of the published set.

use std::time::Duration;

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::MemoryReservation;
use futures::StreamExt as _;
use sitemap_core::SitemapSet;
use sitemap_update::{Applied, Change, Update, UpdateError};

use super::columns::Pages;
use super::commit::on_thread;
use super::error::{failed, update_failed};
use super::options::Destination;
use super::report::Report;
use super::row::in_row;

/// Applies rows to the published set.
pub(super) async fn update(
    mut rows: SendableRecordBatchStream,
    destination: Destination,
    reservation: MemoryReservation,
) -> Result<RecordBatch> {
    let target = destination.target();
    let storage = on_thread(move || target.storage().map_err(failed)).await?;
    let set = destination.options.builder()?.storage(storage);
    let mut changes = Collector::new(&set, destination, reservation);
    while let Some(batch) = rows.next().await {
        changes.add(&batch?)?;
    }
    let Collector { update, destination, reservation, invalid_rows, duplicate_rows } = changes;
    let applied =
        on_thread(move || update.commit().map_err(|error| update_failed(error, &destination))).await?;
    drop(reservation);
    report(&applied);
    let count = applied.added() + applied.changed() + applied.removed();
    let written = Report { count, invalid_rows, duplicate_rows, ..Report::default() };
    applied.summary().map_or(written, |summary| written.files(summary)).batch()
}

fn report(applied: &Applied) {
    for converted in applied.converted() {
        log::info!(
            "the first update of section `{}` moved its pages to {} hash buckets: {} files read, {} written",
            converted.section(),
            converted.buckets(),
            converted.files_read(),
            converted.files_written()
        );
    }
    log::info!(
        "updated: {} pages added, {} changed, {} removed, {} unchanged, {} unknown removals; {} files read, {} written, {} \
         restarts",
        applied.added(),
        applied.changed(),
        applied.removed(),
        applied.unchanged(),
        applied.unknown_removals(),
        applied.files_read(),
        applied.files_written(),
        applied.restarts()
    );
    match applied.summary() {
        Some(summary) => {
            log::info!("published: {} URLs in {} files", summary.urls(), summary.files().len());
            if summary.retries() > 0 {
                log::warn!("repeated: {} requests that failed during the update", summary.retries());
            }
        }
        None => log::info!("no page has changed, so nothing was published"),
    }
}

/// Collects an update's rows, which stay in memory until the update is published.
struct Collector {
    update: Update,
    destination: Destination,
    reservation: MemoryReservation,
    invalid_rows: u64,
    duplicate_rows: u64,
}

impl Collector {
    fn new(set: &SitemapSet, destination: Destination, reservation: MemoryReservation) -> Self {
        let options = &destination.options;
        let mut update = Update::new(set).allow_shrink(options.allow_shrink());
        if !options.section.is_empty() {
            update = update.default_section(&options.section);
        }
        if let Some(days) = options.remove_uncommitted {
            update = update.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
        }
        Self { update, destination, reservation, invalid_rows: 0, duplicate_rows: 0 }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        self.reserve(batch)?;
        let pages = Pages::new(batch)?;
        let site = self.destination.options.builder()?.site().clone();
        for row in 0..batch.num_rows() {
            let page = pages.row(row);
            let change = page.entry(&site).and_then(|entry| match pages.removes(row) {
                Ok(true) => Ok(Change::Remove(entry.loc().clone().into_owned())),
                Ok(false) => Ok(Change::Upsert(entry.into_owned())),
                Err(error) => Err(in_row(page.loc.unwrap_or_default(), error)),
            });
            let added = change.map_err(|error| error.to_string()).and_then(|change| {
                self.add_change(pages.section(row), change).map_err(|error| error.to_string())
            });
            match added {
                Ok(None) => {}
                Ok(Some(page)) => {
                    return exec_err!(
                        "the rows have two different changes of the page {page:?}; keep the last one, for example with \
                         `row_number() OVER (PARTITION BY loc ORDER BY … DESC)`"
                    );
                }
                Err(error) if self.destination.options.skip_invalid => {
                    self.invalid_rows += 1;
                    log::warn!("skipped: {error}");
                }
                Err(error) => return exec_err!("{error}"),
            }
        }
        Ok(())
    }

    /// Adds a change. If an earlier row changes the same page differently, returns the page: rows have no order, so we
    /// can't tell which change is the last.
    fn add_change(&mut self, section: Option<&str>, change: Change) -> Result<Option<String>, UpdateError> {
        match self.update.change(section, change.loc()) {
            Some(other) if other != change => return Ok(Some(change.loc().to_string())),
            Some(_) => {
                self.duplicate_rows += 1;
                return Ok(None);
            }
            None => {}
        }
        match section {
            Some(section) => self.update.add_to(section, change)?,
            None => self.update.add(change)?,
        }
        Ok(None)
    }

    /// Reserves memory for a batch's changes.
    fn reserve(&mut self, batch: &RecordBatch) -> Result<()> {
        /// The size of a change without its URL, in bytes.
        const CHANGE: usize = 300;

        let bytes = batch.get_array_memory_size() + batch.num_rows() * CHANGE;
        self.reservation.try_grow(bytes).map_err(|error| {
            error.context(
                "the rows of an update do not fit in memory; update with fewer rows at a time, publish all rows with `mode \
                 'replace'`, or give the query more memory, for example with `sitemap-sql --memory`",
            )
        })
    }
}
