//! Goes through the evidence and passes verdicts.

use std::collections::BTreeMap;

use sitemap_read::{Finding, Position, Rule, Span};

use super::answer_kind::Answer;
use super::crawl;
use super::evidence::{Evidence, Listed, PageRecord};
use super::fault::Fault;
use super::options::JudgeOptions;
use super::overview::Overview;
use super::page::{self, Said};
use super::page_numbers::PageNumbers;
use super::standing::Standing;
use super::url_key::key;
use super::verdict::{Judgement, Verdict};
use super::versions;
use crate::content::HashedSet;
use crate::urls::without_fragment;

/// The place of a finding that doesn't belong to an entry.
const START: Span = Span::new(Position::new(0, 1, 1), 0);

/// Judges the pages of a set and passes each verdict to `each`. The same evidence always gives the same verdicts.
///
/// ```
/// use sitemap_pages::judge::{JudgeOptions, Listed, MemoryEvidence, PageRecord, judge};
/// use sitemap_pages::visit::{Blocked, Outcome, Visit};
/// use sitemap_read::{CheckOptions, Checker, SitemapReader};
///
/// let sitemap = b"https://example.com/cart\n";
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check_slice("sitemap.txt", sitemap)?;
/// let mut report = checker.finish();
///
/// let mut evidence = MemoryEvidence::default();
/// let mut reader = SitemapReader::from_slice(sitemap);
/// while let Some(item) = reader.next()? {
///     evidence.entries.push(Listed::new(0, item.span(), item.loc().as_str()));
/// }
/// let blocked = Blocked::Rule { line: 2, pattern: "/cart".to_owned() };
/// let url = "https://example.com/cart".to_owned();
/// let visit = Visit::new(url, std::time::SystemTime::now(), Outcome::Blocked(blocked));
/// evidence.add(PageRecord::new(visit));
///
/// let judgement = report.add_findings(&CheckOptions::new(), |add| {
///     judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
///         verdict.findings.into_iter().for_each(|finding| add(verdict.file, finding));
///     })
/// });
/// assert_eq!(judgement.unwrap().pages(), 1);
/// let (file, finding) = report.findings().next().unwrap();
/// assert_eq!(
///     format!("{}:{finding}", file.name()),
///     "sitemap.txt:1:1: error[page-blocked]: https://example.com/cart: line 2 of robots.txt disallows \"/cart\"; \
///      allow the page in robots.txt or remove its entry"
/// );
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
///
/// # Errors
///
/// Returns the first error from the evidence.
pub fn judge<E: Evidence>(
    evidence: &E,
    options: &JudgeOptions,
    each: &mut dyn FnMut(Verdict<'_>),
) -> Result<Judgement, E::Error> {
    let overview = Overview::of(evidence, options)?;
    let judgement = Judgement::default();
    let causes = BTreeMap::new();
    let mut course = Course { overview: &overview, options, judgement, causes, doubts: (0, 0), each };
    let (mut judged, mut said) = (vec![false; overview.pages.len()], Said::new(options.pages_are));
    evidence.entries(&mut |listed| {
        let Some(place) = overview.pages.place(key(&listed.loc)) else { return Ok(()) };
        if std::mem::replace(&mut judged[place], true) {
            course.judgement.repeated += 1;
            return Ok(());
        }
        let page = overview.pages.at(place);
        let is_needed = overview.is_suspect(page) || course.has_translations(listed, page);
        let record = if is_needed { evidence.page(without_fragment(&listed.loc))? } else { None };
        course.listed(listed, page, record.as_ref(), &mut said);
        Ok(())
    })?;
    drop(judged);
    if overview.pages.iter().any(|page| overview.is_missing(page)) {
        evidence.pages(&mut |record| course.unlisted(record))?;
    }
    course.end();
    course.judgement.causes = course.causes.iter().map(|(rule, pages)| (*rule, pages.len() as u64)).collect();
    Ok(course.judgement)
}

struct Course<'o, 'e> {
    overview: &'o Overview,
    options: &'o JudgeOptions,
    judgement: Judgement,
    /// For each rule, the pages that its findings follow from.
    causes: BTreeMap<Rule, HashedSet>,
    /// How many orphans and unlisted pages are uncertain because the crawl is too old.
    doubts: (u64, u64),
    each: &'e mut dyn FnMut(Verdict<'_>),
}

impl Course<'_, '_> {
    /// Judges a listed page. A page without a record has no faults.
    fn listed(&mut self, listed: &Listed, page: &PageNumbers, record: Option<&PageRecord>, said: &mut Said) {
        let standing = page.standing.unwrap_or(Standing::Unknown);
        let faults = record.map(|record| page::judge(listed, record, self.overview, said));
        self.judgement.table.add(&listed.loc, standing);
        self.judgement.cut += u64::from(page.is_cut);
        let reached = &self.overview.reached;
        if let Some(is_linked) = reached.is_linked(page.key).filter(|_| standing == Standing::Indexable) {
            *self.judgement.orphans.get_or_insert_default() += u64::from(!is_linked);
            self.doubts.0 += u64::from(!is_linked && page.is_doubtful);
        }
        if let Some(record) = record.filter(|_| self.has_translations(listed, page)) {
            self.count_translations(listed, record);
        }
        let findings = self.findings(faults.unwrap_or_default(), listed.span, Some(&listed.loc));
        (self.each)(Verdict {
            url: &listed.loc,
            file: listed.file,
            is_listed: true,
            standing,
            answer: page.answer,
            changed: page.changed,
            findings,
        });
    }

    /// Returns whether to count a page's links to its language versions.
    fn has_translations(&self, listed: &Listed, page: &PageNumbers) -> bool {
        self.options.translations
            && page.standing == Some(Standing::Indexable)
            && (page.has_versions || !listed.alternates.is_empty())
    }

    fn count_translations(&mut self, listed: &Listed, record: &PageRecord) {
        let Some(facts) = record.facts() else { return };
        let (overview, translations) = (self.overview, &mut self.judgement.translations);
        versions::count(listed, facts, &overview.pending, |target| overview.standing(target), translations);
    }

    fn unlisted(&mut self, record: &PageRecord) {
        let (url, overview) = (&record.visit.url, self.overview);
        let page = overview.pages.get(key(url));
        let Some(page) = page.filter(|page| overview.is_missing(page)) else { return };
        *self.judgement.unlisted.get_or_insert_default() += 1;
        self.doubts.1 += u64::from(page.is_doubtful);
        if overview.reached.incomplete().is_none() && !page.is_doubtful {
            let findings = self.findings(vec![crawl::unlisted(url)], START, Some(url));
            (self.each)(Verdict {
                url,
                file: 0,
                is_listed: false,
                standing: Standing::Indexable,
                answer: page.answer,
                changed: page.changed,
                findings,
            });
        }
    }

    /// Adds the findings that don't concern a single page.
    fn end(&mut self) {
        let mut faults = Vec::new();
        let reached = &self.overview.reached;
        if let Some(crawl) = &reached.crawl {
            let orphans = *self.judgement.orphans.get_or_insert_default();
            let unlisted = *self.judgement.unlisted.get_or_insert_default();
            if let Some(why) = reached.incomplete() {
                self.judgement.incomplete = Some(why.to_owned());
                faults.push(crawl::inconclusive(why, orphans, unlisted));
            } else if self.doubts != (0, 0) {
                faults.push(crawl::outdated(crawl.began, self.doubts.0, self.doubts.1));
            }
        }
        if self.overview.pending.is_over {
            let most = self.options.max_pending_links;
            let message = format!(
                "more than {most} links to language versions of pages are pending, because the versions have not linked \
                 back yet, so the language versions that pages name were not checked"
            );
            faults.push(Fault::new(Rule::HreflangUnchecked, message));
        }
        if !faults.is_empty() {
            let findings = self.findings(faults, START, None);
            let url =
                reached.crawl.as_ref().and_then(|crawl| crawl.starts.first()).map_or("", String::as_str);
            (self.each)(Verdict {
                url,
                file: 0,
                is_listed: false,
                standing: Standing::Unknown,
                answer: Answer::Unvisited,
                changed: None,
                findings,
            });
        }
    }

    fn findings(&mut self, faults: Vec<Fault>, span: Span, url: Option<&str>) -> Vec<Finding> {
        let finding = |Fault { rule, message, causes }| {
            *self.judgement.counts.entry(rule).or_default() += 1;
            if !causes.is_empty() {
                self.causes.entry(rule).or_default().extend(causes);
            }
            let finding = Finding::new(rule, span, message);
            match url {
                Some(url) => finding.with_entry(url),
                None => finding,
            }
        };
        faults.into_iter().map(finding).collect()
    }
}
