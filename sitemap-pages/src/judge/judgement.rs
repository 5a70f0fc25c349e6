//! Goes over the evidence, and passes the verdicts.

use sitemap_read::{Finding, Position, Rule, Span};

use super::crawl;
use super::evidence::{Evidence, Listed, PageRecord};
use super::fault::Fault;
use super::options::JudgeOptions;
use super::overview::Overview;
use super::page::{self, Said};
use super::same::{Keys, key};
use super::standing::Standing;
use super::verdict::{Judgement, Verdict};

/// The place of a finding that belongs to no entry.
const START: Span = Span::new(Position::new(0, 1, 1), 0);

/// Judges the pages of a set. Passes each verdict to `each`. The same evidence always gives the same verdicts.
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
/// let visit = Visit { url, at: std::time::SystemTime::now(), hops: Vec::new(), outcome: Outcome::Blocked(blocked) };
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
///     "sitemap.txt:1:1: error[page-blocked]: line 2 of robots.txt disallows \"/cart\"; \
///      allow the page in robots.txt or remove its entry"
/// );
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
///
/// # Errors
///
/// Returns the first error of the evidence.
pub fn judge<E: Evidence>(
    evidence: &E,
    options: &JudgeOptions,
    each: &mut dyn FnMut(Verdict<'_>),
) -> Result<Judgement, E::Error> {
    let overview = Overview::of(evidence, options)?;
    let mut course = Course { overview: &overview, judgement: Judgement::default(), each };
    let (mut judged, mut said) = (Keys::default(), Said::default());
    evidence.listed(&mut |listed, record| {
        if judged.insert(key(&listed.loc)) {
            course.listed(listed, record, &mut said);
        } else {
            course.judgement.repeated += 1;
        }
    })?;
    if overview.reached.crawl.is_some() {
        evidence.unlisted(&mut |record| course.unlisted(record, &judged))?;
    }
    course.end(options);
    Ok(course.judgement)
}

/// A judgement under way.
struct Course<'o, 'e> {
    overview: &'o Overview,
    judgement: Judgement,
    each: &'e mut dyn FnMut(Verdict<'_>),
}

impl Course<'_, '_> {
    fn listed(&mut self, listed: &Listed, record: Option<&PageRecord>, said: &mut Said) {
        let (standing, faults) = page::judge(listed, record, self.overview, said);
        self.judgement.table.add(&listed.loc, standing);
        self.judgement.cut += u64::from(record.and_then(PageRecord::facts).is_some_and(|facts| facts.is_cut));
        let reached = &self.overview.reached;
        if let Some(is_linked) =
            reached.is_linked(key(&listed.loc)).filter(|_| standing == Standing::Indexable)
        {
            *self.judgement.orphans.get_or_insert_default() += u64::from(!is_linked);
        }
        let findings = self.findings(faults, listed.span);
        let url = &listed.loc;
        (self.each)(Verdict { url, file: listed.file, is_listed: true, standing, record, findings });
    }

    fn unlisted(&mut self, record: &PageRecord, listed: &Keys) {
        let (url, overview) = (&record.visit.url, self.overview);
        let page = key(url);
        let is_linked = overview.reached.is_linked(page) == Some(true);
        if !is_linked || listed.contains(&page) || overview.standing(page) != Some(Standing::Indexable) {
            return;
        }
        let Some(facts) = record.facts().filter(|facts| crawl::is_candidate(record, facts)) else { return };
        // A copy of a listed page, such as one with another order of its items, need not be listed.
        let content = overview.content(page, facts);
        if content.is_some_and(|content| overview.is_listed_content(content)) {
            return;
        }
        *self.judgement.unlisted.get_or_insert_default() += 1;
        if overview.reached.incomplete().is_none() {
            let findings = self.findings(vec![crawl::unlisted(url)], START);
            let standing = Standing::Indexable;
            (self.each)(Verdict { url, file: 0, is_listed: false, standing, record: Some(record), findings });
        }
    }

    /// Adds what concerns no page.
    fn end(&mut self, options: &JudgeOptions) {
        let mut faults = Vec::new();
        let reached = &self.overview.reached;
        if reached.crawl.is_some() {
            let orphans = *self.judgement.orphans.get_or_insert_default();
            let unlisted = *self.judgement.unlisted.get_or_insert_default();
            if let Some(why) = reached.incomplete() {
                self.judgement.incomplete = Some(why.to_owned());
                faults.push(crawl::inconclusive(why, orphans, unlisted));
            }
        }
        if self.overview.pending.is_over {
            let most = options.max_pending_links;
            let message = format!(
                "more than {most} links to language versions of pages are pending, because the versions have not linked \
                 back yet, so links back were not checked"
            );
            faults.push(Fault::new(Rule::HreflangUnchecked, message));
        }
        if !faults.is_empty() {
            let findings = self.findings(faults, START);
            let url =
                reached.crawl.as_ref().and_then(|crawl| crawl.starts.first()).map_or("", String::as_str);
            let standing = Standing::Unknown;
            (self.each)(Verdict { url, file: 0, is_listed: false, standing, record: None, findings });
        }
    }

    fn findings(&mut self, faults: Vec<Fault>, span: Span) -> Vec<Finding> {
        let count = |fault: &Fault| *self.judgement.counts.entry(fault.rule).or_default() += 1;
        faults.iter().for_each(count);
        faults.into_iter().map(|fault| Finding::new(fault.rule, span, fault.message)).collect()
    }
}
