//! A site in memory, made of responses.

use std::time::{Duration, SystemTime};

use sitemap_core::LastMod;
use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::judge::{
    Crawl, JudgeOptions, Judgement, Listed, MemoryEvidence, PageRecord, Verdict, judge,
};
use sitemap_pages::visit::{Blocked, Failure, FailureKind, Hop, Outcome, Validators, Visit};
use sitemap_read::{Position, Span};

pub(crate) const HTML: [(&str, &str); 1] = [("content-type", "text/html; charset=utf-8")];

/// Returns a time in November 2026, such as noon on the 22nd for `day(22)`.
pub(crate) fn day(day: u8) -> SystemTime {
    let noon = LastMod::parse(&format!("2026-11-{day:02}T12:00:00Z")).unwrap().timestamp();
    SystemTime::UNIX_EPOCH + Duration::from_secs(noon.unsigned_abs())
}

/// Returns a page with its own text and a template that all pages share.
pub(crate) fn html(name: &str, head: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>{name} | Woods</title>{head}</head><body><p>All about wood</p>\
         <h1>{name}</h1><p>{name} grows in many places.</p><p>Tables of {name} last long.</p><p>Write to us</p></body>"
    )
}

/// Returns the absolute URL of a path on the main host.
pub(crate) fn url(path: &str) -> String {
    if path.contains("://") { path.to_owned() } else { format!("https://e.com{path}") }
}

/// Returns the outcome of a response.
pub(crate) fn answer(at: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Outcome {
    let response = Response::new(at, status, headers, body.as_bytes());
    Outcome::Page { facts: Box::new(PageFacts::of(&response)), validators: Validators::default() }
}

pub(crate) fn failed(kind: FailureKind, message: &str) -> Outcome {
    Outcome::Failed(Failure::new(kind, message))
}

pub(crate) fn blocked(line: u64, pattern: &str) -> Outcome {
    Outcome::Blocked(Blocked::Rule { line, pattern: pattern.to_owned() })
}

pub(crate) fn unreachable(why: &str) -> Outcome {
    Outcome::Blocked(Blocked::Unreachable { why: why.to_owned() })
}

/// Visits a page after some redirects, each given as a status and a target.
pub(crate) fn visit(path: &str, hops: &[(u16, &str)], outcome: Outcome) -> PageRecord {
    let mut from = url(path);
    let hops = hops.iter().map(|&(status, target)| {
        let location = Some(url(target));
        Hop::new(std::mem::replace(&mut from, url(target)), status, location)
    });
    let mut visit = Visit::new(url(path), day(22), outcome);
    visit.hops = hops.collect();
    PageRecord::new(visit)
}

/// A site and its sitemap. Each entry is on a separate line.
#[derive(Default)]
pub(crate) struct Site {
    pub(crate) evidence: MemoryEvidence,
}

impl Site {
    /// Lists a page.
    pub(crate) fn list(&mut self, path: &str) -> &mut Listed {
        let line = self.evidence.entries.len() as u64 + 1;
        let entry = Listed::new(0, Span::new(Position::new(line * 100, line, 1), 20), url(path));
        self.evidence.entries.push(entry);
        self.evidence.entries.last_mut().unwrap()
    }

    /// Lists and visits a page.
    pub(crate) fn add(&mut self, path: &str, hops: &[(u16, &str)], outcome: Outcome) -> &mut Listed {
        let record = visit(path, hops, outcome);
        self.evidence.add(record);
        self.list(path)
    }

    /// Lists a page that responds with 200, its own text, and `head` in its head.
    pub(crate) fn page(&mut self, path: &str, head: &str) -> &mut Listed {
        self.page_with(path, head, &[])
    }

    /// Lists a page that responds with 200 and additional headers.
    pub(crate) fn page_with(&mut self, path: &str, head: &str, headers: &[(&str, &str)]) -> &mut Listed {
        let headers = [&HTML, headers].concat();
        let name = format!("Page {path}");
        self.add(path, &[], answer(&url(path), 200, &headers, &html(&name, head)))
    }

    /// Lists a page that responds with 200 and a body.
    pub(crate) fn body(&mut self, path: &str, body: &str) -> &mut Listed {
        self.add(path, &[], answer(&url(path), 200, &HTML, body))
    }

    /// Visits a page that is not listed.
    pub(crate) fn unlisted(&mut self, path: &str, hops: &[(u16, &str)], head: &str) {
        let last = hops.last().map_or(path, |hop| hop.1);
        let outcome = answer(&url(last), 200, &HTML, &html(&format!("Page {last}"), head));
        let record = visit(path, hops, outcome);
        self.evidence.add(record);
    }

    /// Requests a nonexistent URL. The site responds with 200.
    pub(crate) fn probe(&mut self, path: &str, body: &str) {
        let visit = visit(path, &[], answer(&url(path), 200, &HTML, body)).visit;
        self.evidence.probes.push(visit);
    }

    /// Lists a page first seen on some day, with a `lastmod`, in a sitemap that was read on the day of the visit.
    pub(crate) fn dated(
        &mut self,
        path: &str,
        head: &str,
        since: u8,
        changed: Option<(u8, u8)>,
        lastmod: &str,
    ) {
        let outcome = answer(&url(path), 200, &HTML, &html(&format!("Page {path}"), head));
        let mut record = visit(path, &[], outcome);
        record.content_since = Some(day(changed.map_or(since, |(_, by)| by)));
        record.unchanged_until = changed.map(|(until, _)| day(until));
        self.evidence.add(record);
        let listed = self.list(path);
        listed.lastmod = Some(LastMod::parse(lastmod).unwrap());
        listed.read_at = Some(day(22));
    }

    /// Crawls the site from its home page, which links to all listed pages except those in `without`.
    pub(crate) fn crawl(&mut self, without: &[&str], incomplete: Option<&str>) {
        let home = url("/");
        let starts = vec![home.clone()];
        let mut crawl = Crawl::new(starts);
        crawl.incomplete = incomplete.map(str::to_owned);
        self.evidence.crawl = Some(crawl);
        for entry in &self.evidence.entries {
            if !without.iter().any(|path| url(path) == entry.loc) {
                self.evidence.links.push((home.clone(), entry.loc.clone()));
            }
        }
    }

    /// Links from one page to another.
    pub(crate) fn link(&mut self, from: &str, to: &str) {
        self.evidence.links.push((url(from), url(to)));
    }

    /// Judges the site. Returns the findings, each as `path rule: message`.
    pub(crate) fn findings(&self) -> Vec<String> {
        self.judge(&JudgeOptions::new()).0
    }

    pub(crate) fn judge(&self, options: &JudgeOptions) -> (Vec<String>, Judgement) {
        let mut lines = Vec::new();
        let mut last = 0;
        let mut each = |verdict: Verdict<'_>| {
            for finding in verdict.findings {
                let line = finding.span().start.line;
                if verdict.is_listed {
                    let entry = &self.evidence.entries[usize::try_from(line).unwrap() - 1];
                    assert_eq!(entry.loc, verdict.url, "the finding is at the entry of the page");
                    assert!(line >= last, "the findings are in the order of the entries");
                    last = line;
                } else {
                    assert_eq!(line, 1);
                }
                let path = verdict.url.strip_prefix("https://e.com").unwrap_or(verdict.url);
                lines.push(format!("{path} {}: {}", finding.rule().id(), finding.message()));
            }
        };
        let judgement = judge(&self.evidence, options, &mut each).unwrap();
        let counted: u64 = judgement.counts.values().sum();
        assert_eq!(counted, lines.len() as u64, "each finding is counted");
        (lines, judgement)
    }
}
