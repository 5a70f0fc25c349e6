//! `sitemap check --moved-to`: checks whether each old URL redirects to a page of a new set.

use std::path::Path;

use sitemap_core::Entry;
use sitemap_pages::judge::{MoveVerdict, NewSet};
use sitemap_read::{CheckOptions, Report, Rule};

use super::requests;
use crate::args::CheckArgs;
use crate::csv_file::CsvFile;
use crate::error::{Outcome, Stop};
use crate::number::{counted, grouped};
use crate::source::{Document, Documents, Identity, Source, Visitor, crawl};
use crate::terminal::{Paint, say};
use crate::url_map::UrlMap;

/// Collects the URLs in sitemaps.
struct Urls(NewSet, UrlMap);

impl Visitor for Urls {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        self.0.insert(&self.1.url(entry.loc().as_str()));
        Ok(())
    }
}

/// Requests the old URLs, which the report's files list, and adds findings about their redirects to the report.
pub(crate) fn run(
    args: &CheckArgs,
    identity: &Identity,
    source: &Source,
    options: &CheckOptions,
    report: &mut Report,
    documents: &Documents,
    err: Paint,
) -> Outcome<()> {
    let Some(target) = args.pages.moved_to.as_deref() else { return Ok(()) };
    let new = new_set(source, target, args.map.urls())?;
    let asked = requests::pages(args, identity, &source.read_options(), report, documents, err)?;
    let mut table = args.pages.moved_csv.as_deref().map(Table::new).transpose()?;
    let mut written = Ok(());
    let judgement = report.add_findings(options, |add| {
        asked.judge_move(&new, &mut |verdict| {
            if let (Some(table), Ok(())) = (&mut table, &written) {
                written = table.add(&verdict);
            }
            if let Some(finding) = verdict.finding {
                add(verdict.file, finding);
            }
        })
    })?;
    written?;
    let unchecked = match judgement.unchecked {
        0 => String::new(),
        unchecked => format!(", {} not checked", grouped(unchecked)),
    };
    let gone = match judgement.counts.get(&Rule::MoveGone) {
        None => String::new(),
        Some(gone) => format!(", {} gone on purpose (status 410)", grouped(*gone)),
    };
    let (right, urls) = (grouped(judgement.right()), counted(judgement.urls, "old URL"));
    let listed = counted(new.len() as u64, "page");
    say(&format!("{right} of {urls} in order{gone}{unchecked}; the new set lists {listed}"));
    table.map_or(Ok(()), |table| table.0.finish())
}

/// Reads the URLs of the new set. Returns an error if the set can't be read completely, because the findings would be
/// wrong.
fn new_set(source: &Source, target: &str, map: UrlMap) -> Outcome<NewSet> {
    let mut urls = Urls(NewSet::default(), map);
    crawl(source, target, &mut urls)?.report(target)?;
    if urls.0.is_empty() {
        return Err(Stop::new(format!(
            "the new set `{target}` lists no pages; name the sitemap of the new site"
        )));
    }
    Ok(urls.0)
}

/// The CSV file of URLs that do not redirect correctly.
struct Table<'p>(CsvFile<'p>);

impl<'p> Table<'p> {
    fn new(path: &'p Path) -> Outcome<Self> {
        CsvFile::create(path, ["old", "status", "target", "problem", "suggestion"]).map(Self)
    }

    /// Adds a row if the URL doesn't redirect correctly.
    fn add(&mut self, verdict: &MoveVerdict<'_>) -> Outcome<()> {
        let Some(finding) = &verdict.finding else { return Ok(()) };
        let status = verdict.status.map(|status| status.to_string()).unwrap_or_default();
        let (target, suggestion) =
            (verdict.target.unwrap_or_default(), verdict.suggestion.unwrap_or_default());
        self.0.row([verdict.url, &status, target, finding.rule().id(), suggestion])
    }
}
