//! Collects pages into Arrow batches.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::Decoder;
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::error::Result;
use serde::Serialize;
use sitemap_pages::facts::{PageFacts, Place, RobotsDirective, RobotsRule};
use sitemap_pages::state::{Page, RunKind};
use sitemap_pages::visit::{Hop, Outcome};

/// Returns the schema of a table of pages.
pub(super) fn schema() -> SchemaRef {
    let text = |name| Field::new(name, DataType::Utf8, true);
    let needed = |name| Field::new(name, DataType::Utf8, false);
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let list = |kind| DataType::List(Arc::new(Field::new("item", kind, true)));
    let hop = vec![text("url"), Field::new("status", DataType::UInt16, true), text("location")];
    Arc::new(Schema::new(vec![
        needed("loc"),
        Field::new("status", DataType::UInt16, true),
        needed("outcome"),
        text("failure"),
        text("message"),
        needed("url"),
        Field::new("redirects", list(DataType::Struct(hop.into())), true),
        text("content_type"),
        text("title"),
        text("language"),
        text("canonical"),
        text("noindex"),
        Field::new("noindex_agents", list(DataType::Utf8), true),
        Field::new("unavailable_after", time.clone(), true),
        text("etag"),
        text("last_modified"),
        text("body_digest"),
        Field::new("first_seen", time.clone(), false),
        Field::new("visited", time.clone(), false),
        Field::new("changed", time.clone(), true),
        Field::new("unchanged_until", time.clone(), true),
        Field::new("content_since", time, true),
        Field::new("run", DataType::UInt64, false),
        text("run_kind"),
    ]))
}

/// A collector of pages. It keeps only the columns that the query reads.
pub(super) struct Pages {
    schema: SchemaRef,
    /// `None` if the query reads no column.
    decoder: Option<Decoder>,
    rows: usize,
    kinds: HashMap<u64, RunKind>,
}

impl Pages {
    /// Creates an empty collector. `schema` has the columns to collect, and `kinds` what the runs of the state do.
    pub(super) fn new(schema: SchemaRef, batch_size: usize, kinds: HashMap<u64, RunKind>) -> Result<Self> {
        let decoder = if schema.fields().is_empty() {
            None
        } else {
            Some(ReaderBuilder::new(Arc::clone(&schema)).with_batch_size(batch_size).build_decoder()?)
        };
        Ok(Self { schema, decoder, rows: 0, kinds })
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, page: &Page) -> Result<()> {
        self.rows += 1;
        if let Some(decoder) = &mut self.decoder {
            let kind = self.kinds.get(&page.run).copied();
            decoder.serialize(&[Row::of(page, kind)])?;
        }
        Ok(())
    }

    /// Empties the collector and returns its pages as a batch.
    pub(super) fn take(&mut self) -> Result<RecordBatch> {
        let rows = std::mem::take(&mut self.rows);
        if let Some(decoder) = &mut self.decoder
            && let Some(batch) = decoder.flush()?
        {
            return Ok(batch);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), Vec::new(), &options)?)
    }
}

/// A page in the form of the columns.
#[derive(Serialize)]
struct Row<'p> {
    loc: &'p str,
    status: Option<u16>,
    outcome: &'static str,
    failure: Option<&'static str>,
    message: Option<String>,
    url: &'p str,
    redirects: Option<Vec<Redirect<'p>>>,
    content_type: Option<&'p str>,
    title: Option<&'p str>,
    language: Option<&'p str>,
    canonical: Option<&'p str>,
    noindex: Option<&'static str>,
    noindex_agents: Option<Vec<&'p str>>,
    unavailable_after: Option<i64>,
    etag: Option<&'p str>,
    last_modified: Option<&'p str>,
    body_digest: Option<String>,
    first_seen: i64,
    visited: i64,
    changed: Option<i64>,
    unchanged_until: Option<i64>,
    content_since: Option<i64>,
    run: u64,
    run_kind: Option<&'static str>,
}

#[derive(Serialize)]
struct Redirect<'p> {
    url: &'p str,
    status: u16,
    location: Option<&'p str>,
}

impl<'p> Row<'p> {
    fn of(page: &'p Page, kind: Option<RunKind>) -> Self {
        let visit = &page.visit;
        let facts = page.facts();
        let (outcome, failure, message) = match &visit.outcome {
            Outcome::Page { .. } => ("page", None, None),
            Outcome::NotModified(_) => ("not-modified", None, None),
            Outcome::Blocked(blocked) => ("blocked", None, Some(blocked.to_string())),
            Outcome::Failed(failed) => ("failed", Some(failed.kind.as_str()), Some(failed.to_string())),
        };
        let hops = || visit.hops.iter().map(redirect).collect();
        let validators = page.validators();
        Self {
            loc: &visit.url,
            status: facts.map(|facts| facts.status).or_else(|| visit.status()),
            outcome,
            failure,
            message,
            url: visit.last_url(),
            redirects: (!visit.hops.is_empty()).then(hops),
            content_type: facts.and_then(|facts| facts.content_type.as_deref()),
            title: facts.and_then(|facts| facts.title.as_deref()),
            language: facts.and_then(|facts| facts.language.as_deref()),
            canonical: facts.and_then(canonical),
            noindex: facts.and_then(noindex),
            noindex_agents: facts.and_then(noindex_agents),
            unavailable_after: facts.and_then(unavailable_after),
            etag: validators.and_then(|validators| validators.etag.as_deref()),
            last_modified: validators.and_then(|validators| validators.last_modified.as_deref()),
            body_digest: facts.map(|facts| hex(&facts.body_digest)),
            first_seen: micros(page.first_seen),
            visited: micros(visit.at),
            changed: page.content_changed.map(micros),
            unchanged_until: page.unchanged_until.map(micros),
            content_since: page.content_since.map(micros),
            run: page.run,
            run_kind: kind.map(RunKind::as_str),
        }
    }
}

fn redirect(hop: &Hop) -> Redirect<'_> {
    Redirect { url: &hop.url, status: hop.status, location: hop.location.as_deref() }
}

/// Returns the only canonical outside the body, where search engines ignore it. Several different ones count as none.
fn canonical(facts: &PageFacts) -> Option<&str> {
    let mut named = facts.canonicals.iter().filter(|one| one.place != Place::Body);
    let first = named.next()?.url.as_deref();
    named.all(|other| other.url.as_deref() == first).then_some(first)?
}

/// Returns the directives of a page that search engines certainly read.
fn clear(facts: &PageFacts) -> impl Iterator<Item = &RobotsDirective> {
    facts.robots.iter().filter(|one| one.is_clear())
}

/// Returns the means by which a page keeps all search engines from indexing it.
fn noindex(facts: &PageFacts) -> Option<&'static str> {
    let found = clear(facts).find(|one| one.rule.is_noindex() && one.agent.is_none())?;
    Some(if found.place == Place::Header { "header" } else { "meta" })
}

/// Returns the crawlers that a page keeps from indexing it by their names.
fn noindex_agents(facts: &PageFacts) -> Option<Vec<&str>> {
    let mut agents: Vec<_> =
        clear(facts).filter(|one| one.rule.is_noindex()).filter_map(|one| one.agent.as_deref()).collect();
    agents.sort_unstable();
    agents.dedup();
    (!agents.is_empty()).then_some(agents)
}

/// Returns the time from which on no search engine may index a page.
fn unavailable_after(facts: &PageFacts) -> Option<i64> {
    let dates = clear(facts).filter(|one| one.agent.is_none()).filter_map(|one| match &one.rule {
        RobotsRule::UnavailableAfter { date: Some(date), .. } => Some(date.timestamp() * 1_000_000),
        _ => None,
    });
    dates.min()
}

/// Returns the microseconds since 1970, rounded down. Times that the type of the column cannot have are its limits.
fn micros(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_micros()).unwrap_or(i64::MAX),
        Err(before) => {
            let nanos = before.duration().as_nanos();
            i64::try_from(nanos.div_ceil(1_000)).map_or(i64::MIN, |micros| -micros)
        }
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
