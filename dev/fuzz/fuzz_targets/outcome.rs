//! The complete result of reading a document, for comparisons.

use sitemap_core::{Entry, LastMod};
use sitemap_read::Value;
use sitemap_read::{Document, Finding, Item, SitemapReader, Span};

/// The entries with their positions in the document, the findings, the error and the totals.
///
/// Outcomes are compared field by field, because formatting them as strings would take longer than reading the
/// document.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pages: Vec<(Entry<'static>, Places)>,
    sitemaps: Vec<(String, Option<LastMod>, Places)>,
    findings: Vec<Finding>,
    error: Option<String>,
    totals: (u64, u64),
    document: Option<Document>,
}

type Places = (Span, [Option<Span>; 4]);

/// Reads a document to its end.
pub fn outcome(mut reader: SitemapReader<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    loop {
        match reader.next() {
            Ok(Some(item)) => outcome.take(item),
            Ok(None) => break,
            Err(error) => {
                outcome.error = Some(error.to_string());
                break;
            }
        }
    }
    assert!(matches!(reader.next(), Ok(None)));
    outcome.findings = reader.drain_findings().collect();
    outcome.totals = (reader.findings_total(), reader.entries());
    outcome.document = reader.document().ok();
    outcome
}

impl Outcome {
    fn take(&mut self, item: Item<'_>) {
        let values = [Value::Loc, Value::LastMod, Value::ChangeFreq, Value::Priority];
        let places = (item.span(), values.map(|value| item.value_span(value)));
        match item {
            Item::Page(page) => self.pages.push((page.into_entry().into_owned(), places)),
            Item::Sitemap(sitemap) => {
                self.sitemaps.push((sitemap.loc().to_string(), sitemap.lastmod(), places));
            }
            _ => unreachable!(),
        }
    }
}
