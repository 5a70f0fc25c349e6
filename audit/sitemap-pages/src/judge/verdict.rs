//! The result of a judgement.

use std::collections::BTreeMap;
use std::time::SystemTime;

use sitemap_read::{Finding, Rule};

use super::answer_kind::Answer;
use super::standing::Standing;
use super::table::Table;
use super::translations::Translations;

/// The verdict on one page, with its findings.
///
/// [`judge`](super::judge()) passes verdicts on listed pages in the order of the set. Verdicts on unlisted pages that
/// should be listed follow. If the crawl is incomplete, a note about it comes last.
///
/// ```
/// use sitemap_pages::judge::{JudgeOptions, Listed, MemoryEvidence, Standing, judge};
/// use sitemap_read::{Position, Span};
///
/// let mut evidence = MemoryEvidence::default();
/// evidence.entries.push(Listed::new(0, Span::new(Position::new(0, 1, 1), 23), "https://example.com/oak"));
///
/// let mut standings = Vec::new();
/// let judgement = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
///     assert!(verdict.findings.is_empty());
///     standings.push((verdict.url.to_owned(), verdict.standing));
/// });
/// assert_eq!(standings, [("https://example.com/oak".to_owned(), Standing::Unknown)]);
/// assert_eq!(judgement.unwrap().table.count(Standing::Unknown), 1);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict<'a> {
    /// The URL of the page.
    pub url: &'a str,
    /// The index of the file that lists the page, or 0.
    pub file: usize,
    /// Whether the page is listed.
    pub is_listed: bool,
    /// Whether the page can be indexed.
    pub standing: Standing,
    /// How the page responded to the last request.
    pub answer: Answer,
    /// When the content last changed, or `None` if it hasn't changed since the first visit.
    pub changed: Option<SystemTime>,
    /// The findings about the page. If the page is not listed, their place is the start of the first file.
    pub findings: Vec<Finding>,
}

/// The counters of a judgement.
///
/// ```
/// use sitemap_pages::judge::Judgement;
///
/// let judgement = Judgement::default();
/// assert_eq!((judgement.pages(), judgement.counts.len(), judgement.orphans), (0, 0, None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The listed pages by section and standing.
    pub table: Table,
    /// The number of findings of each rule.
    pub counts: BTreeMap<Rule, u64>,
    /// For rules whose findings follow from other pages, the number of these pages. For example, every page that names a
    /// broken page as a language version has a finding, but only the broken page needs a repair.
    pub causes: BTreeMap<Rule, u64>,
    /// The number of entries whose page is already listed. They are not judged again.
    pub repeated: u64,
    /// The number of listed pages that were truncated when they were read, so that facts may be missing.
    pub cut: u64,
    /// The number of listed pages that no crawled page links to, or `None` if there was no crawl. Pages first visited
    /// after the crawl are included, but get no finding.
    pub orphans: Option<u64>,
    /// The number of pages that are linked and can be indexed but aren't listed, or `None` if there was no crawl. Pages
    /// visited only by an old crawl are included, but get no finding.
    pub unlisted: Option<u64>,
    /// The links between the language versions of listed pages that can be indexed. Empty unless
    /// [`JudgeOptions::translations`](super::JudgeOptions::translations) is set.
    pub translations: Translations,
    /// Why the crawl is incomplete. If it is, the numbers of orphans and unlisted pages are inconclusive.
    pub incomplete: Option<String>,
}

impl Judgement {
    /// Returns the number of distinct listed pages.
    pub fn pages(&self) -> u64 {
        self.table.pages()
    }
}
