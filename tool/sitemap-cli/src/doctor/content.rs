//! Checks the content of the sitemap.

use std::fs::File;
use std::time::SystemTime;

use sitemap_core::{LastMod, Loc};
use sitemap_read::{
    CheckOptions, Checker, DocumentKind, Item, OpenError, OpenedSitemap, Severity, SitemapReader,
    SitemapSource,
};
use url::Url;

use super::log::{Log, Step};
use crate::config::Config;
use crate::error::{Outcome, Stop, read_message};
use crate::number::{counted, grouped};
use crate::source::lists;
use crate::source::{Asked, Source};

/// The maximum number of findings to print.
const MAX_FINDINGS: usize = 5;

/// Checks encoding, size, syntax and rules. Returns the child sitemaps of an index.
pub(super) fn check(
    source: &Source,
    config: &Config,
    asked: &Asked,
    url: &Url,
    log: &mut Log,
) -> Outcome<Vec<Url>> {
    let open = || File::open(asked.path()).map_err(|error| Stop::io("read", asked.path(), &error));
    let mut reader = SitemapReader::from_reader_with(open()?, source.read_options());
    let document = match reader.document() {
        Ok(document) => document,
        Err(error) => return log.fail(Step::Parse, &read_message(&error)).map(|()| Vec::new()),
    };
    let gzip = if document.gzip { ", a gzip file" } else { "" };
    if document.encoding == "UTF-8" {
        log.ok(Step::Encoding, &format!("UTF-8{gzip}"))?;
    } else {
        let encoding = document.encoding;
        log.warn(Step::Encoding, &format!("{encoding}{gzip}; sitemaps must be UTF-8"))?;
    }
    let mut children = Vec::new();
    let result = loop {
        match reader.next() {
            Ok(Some(Item::Sitemap(sitemap))) => children.extend(Url::parse(sitemap.loc().as_str())),
            Ok(Some(_)) => {}
            Ok(None) => break Ok(()),
            Err(error) => break Err(read_message(&error)),
        }
        drop(reader.drain_findings());
    };
    let stored = std::fs::metadata(asked.path()).map_or(0, |file| file.len());
    let bytes = reader.position().offset;
    let size = if stored == bytes {
        counted(bytes, "byte")
    } else {
        format!("{} compressed, {} decompressed", counted(stored, "byte"), counted(bytes, "byte"))
    };
    log.ok(Step::Size, &size)?;
    if let Err(why) = result {
        log.fail(Step::Parse, &why)?;
        return Ok(Vec::new());
    }
    if let Some(rule) = reader.incomplete() {
        log.fail(Step::Parse, &format!("{}; {}", rule.summary(), rule.remedy()))?;
        return Ok(children);
    }
    let (kind, thing) = match document.kind {
        DocumentKind::Index => ("sitemap index", "sitemap"),
        _ => (document.kind.as_str(), "page"),
    };
    log.ok(Step::Parse, &format!("{kind} with {}", counted(reader.entries(), thing)))?;
    findings(source, config, open()?, url, log)?;
    Ok(children)
}

/// Answers what robots.txt allows, and opens no other sitemap.
struct RobotsOnly<'s>(&'s Source);

impl SitemapSource for RobotsOnly<'_> {
    type Content = File;

    fn open(&mut self, _: &Loc<'_>, _: &str) -> Result<OpenedSitemap<File>, OpenError> {
        Err(OpenError::Skip)
    }

    fn robots_lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        Some(lists(&self.0.robots_of(origin)?, sitemap))
    }
}

fn findings(source: &Source, config: &Config, file: File, url: &Url, log: &mut Log) -> Outcome<()> {
    let mut options = config.with_levels(CheckOptions::new().read(source.read_options()));
    if let Ok(now) = LastMod::try_from(SystemTime::now()) {
        options = options.now(now);
    }
    let mut checker = Checker::new(options);
    let mut opened = OpenedSitemap::new(url.as_str(), file);
    if let Ok(loc) = Loc::parse(url.as_str()) {
        opened = opened.served_at(loc.into_owned());
    }
    checker.check_set(opened, &mut RobotsOnly(source)).map_err(|error| Stop::new(read_message(&error)))?;
    let report = checker.finish();
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (report.count(severity), severity))
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| counted(count, severity.as_str()))
        .collect();
    let allowed = match report.allowed().values().sum() {
        0_u64 => String::new(),
        allowed => format!(", {} allowed by `sitemap.toml`", counted(allowed, "finding")),
    };
    let text = format!("{}{allowed}", counts.join(", "));
    match report.worst() {
        None => return log.ok(Step::Findings, &format!("none{allowed}")),
        Some(Severity::Error) => log.fail(Step::Findings, &text)?,
        Some(_) => log.warn(Step::Findings, &text)?,
    }
    let mut findings: Vec<_> = report.findings().map(|(_, finding)| finding).collect();
    let rank =
        |severity| [Severity::Error, Severity::Warning].iter().position(|one| *one == severity).unwrap_or(2);
    findings.sort_by_key(|finding| rank(finding.severity()));
    for finding in findings.iter().take(MAX_FINDINGS) {
        let (at, severity, rule) = (finding.span().start, finding.severity(), finding.rule());
        log.more(&format!("{at}: {severity}[{rule}]: {}", finding.message()))?;
    }
    let total: u64 = report.counts().values().sum();
    let more = total.saturating_sub(findings.len().min(MAX_FINDINGS) as u64);
    if more > 0 {
        log.more(&format!("and {} more; see them with `sitemap check {url}`", grouped(more)))?;
    }
    Ok(())
}
