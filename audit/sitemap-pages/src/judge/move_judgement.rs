//! Judges a move: whether each old URL redirects permanently and in one step to a page of the new set.

use std::collections::BTreeMap;

use sitemap_read::{Finding, Rule};

use super::evidence::{Evidence, PageRecord};
use super::move_fault::{self, Homes, refresh, target};
use super::new_set::NewSet;
use super::url_key::key;
use crate::content::HashedSet;
use crate::urls::without_fragment;

/// The verdict on the move of an old URL, or on an old URL that is still in the new set.
///
/// ```
/// use sitemap_pages::judge::{Listed, MemoryEvidence, NewSet, PageRecord, judge_move};
/// use sitemap_pages::visit::{Failure, FailureKind, Outcome, Visit};
/// use sitemap_read::{Position, Span};
///
/// let (old, span) = ("https://old.example/oak", Span::new(Position::new(0, 1, 1), 23));
/// let mut evidence = MemoryEvidence::default();
/// evidence.entries.push(Listed::new(0, span, old));
/// let outcome = Outcome::Failed(Failure::new(FailureKind::Dns, "the host has no address"));
/// let at = std::time::SystemTime::UNIX_EPOCH;
/// evidence.add(PageRecord::new(Visit::new(old.to_owned(), at, outcome)));
/// let mut new = NewSet::default();
/// new.insert("https://new.example/oak");
///
/// let judgement = judge_move(&evidence, &new, &mut |verdict| {
///     assert_eq!(
///         verdict.finding.as_ref().map(ToString::to_string).as_deref(),
///         Some(
///             "1:1: error[move-failing]: https://old.example/oak: the old URL cannot be fetched: the host has no address; \
///              repair the server of the old URLs, and check again"
///         )
///     );
///     assert_eq!((verdict.status, verdict.target), (None, None));
///     assert_eq!(verdict.suggestion, Some("https://new.example/oak"));
/// });
/// assert_eq!(judgement.unwrap().right(), 0);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveVerdict<'a> {
    /// The old URL.
    pub url: &'a str,
    /// The index of the file that lists the old URL.
    pub file: usize,
    /// The status of the first response, or `None` if there was none.
    pub status: Option<u16>,
    /// The URL where the redirects, or else a refresh, end.
    pub target: Option<&'a str>,
    /// What is wrong, or `None` if nothing is. If the target page itself has a problem, problems with the redirects are
    /// not reported.
    pub finding: Option<Finding>,
    /// The URL of the new set that the old URL should redirect to, if there is an obvious one. `None` if nothing is
    /// wrong.
    pub suggestion: Option<&'a str>,
}

/// The counters of a judgement of a move.
///
/// ```
/// use sitemap_pages::judge::{MemoryEvidence, NewSet, judge_move};
///
/// let judgement = judge_move(&MemoryEvidence::default(), &NewSet::default(), &mut |_| {}).unwrap();
/// assert_eq!((judgement.urls, judgement.unchecked, judgement.right()), (0, 0, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveJudgement {
    /// The number of distinct old URLs.
    pub urls: u64,
    /// The number of old URLs that were not visited, so nothing is known about them.
    pub unchecked: u64,
    /// The number of entries that repeat an earlier URL. They are not judged again.
    pub repeated: u64,
    /// The number of findings of each rule.
    pub counts: BTreeMap<Rule, u64>,
}

impl MoveJudgement {
    /// Returns the number of old URLs without a problem.
    pub fn right(&self) -> u64 {
        let wrong: u64 = self.counts.values().sum();
        self.urls.saturating_sub(self.unchecked).saturating_sub(wrong)
    }
}

/// Judges a move. The evidence must contain the old sitemap as its listing. Passes a verdict on each old URL that was
/// visited, in the order of the listing, with at most one finding each.
///
/// An old URL that the new set also lists has not moved, so it may respond with 200 itself. Redirecting to a home page
/// is wrong if five or more old URLs that aren't home pages themselves redirect there.
///
/// See the [example](MoveVerdict).
///
/// # Errors
///
/// Returns the first error from the evidence.
pub fn judge_move<E: Evidence>(
    evidence: &E,
    new: &NewSet,
    each: &mut dyn FnMut(MoveVerdict<'_>),
) -> Result<MoveJudgement, E::Error> {
    let (mut homes, mut counted) = (Homes::default(), HashedSet::default());
    evidence.entries(&mut |listed| {
        if counted.insert(key(&listed.loc))
            && let Some(record) = evidence.page(without_fragment(&listed.loc))?
        {
            homes.add(&record.visit);
        }
        Ok(())
    })?;
    drop(counted);
    let (mut judgement, mut judged) = (MoveJudgement::default(), HashedSet::default());
    evidence.entries(&mut |listed| {
        if !judged.insert(key(&listed.loc)) {
            judgement.repeated += 1;
            return Ok(());
        }
        judgement.urls += 1;
        let record = evidence.page(without_fragment(&listed.loc))?;
        let record = record.as_ref();
        let known = record.filter(|record| record.facts().is_some() || !record.visit.outcome.is_answer());
        let Some(record) = known else {
            judgement.unchecked += 1;
            return Ok(());
        };
        let fault = move_fault::of(record, new, &homes);
        let mut suggestion = None;
        let finding = fault.map(|fault| {
            *judgement.counts.entry(fault.rule).or_default() += 1;
            suggestion = suggest(record, fault.rule, new);
            Finding::new(fault.rule, listed.span, fault.message).with_entry(&listed.loc)
        });
        each(MoveVerdict {
            url: &listed.loc,
            file: listed.file,
            status: status(record),
            target: end(record),
            finding,
            suggestion,
        });
        Ok(())
    })?;
    Ok(judgement)
}

/// Returns the status of the first response.
fn status(record: &PageRecord) -> Option<u16> {
    let first = record.visit.hops.first().map(|hop| hop.status);
    first.or_else(|| record.facts().map(|facts| facts.status))
}

/// Returns the URL that a visitor finally reaches, if it differs from the requested one.
fn end(record: &PageRecord) -> Option<&str> {
    let visit = &record.visit;
    let page = target(visit);
    let refresh = record.facts().and_then(|facts| refresh(facts, page.unwrap_or(&visit.url)));
    refresh.map(|(url, _)| url).filter(|url| key(url) != key(&visit.url)).or(page)
}

/// Returns the URL that an old URL should redirect to, if there is an obvious one.
fn suggest<'n>(record: &PageRecord, rule: Rule, new: &'n NewSet) -> Option<&'n str> {
    let (old, end) = (&record.visit.url, end(record));
    let by_end = match rule {
        // Only the redirects are wrong. The target is right.
        Rule::MoveChain | Rule::MoveTemporary => end.and_then(|end| new.find(end)),
        // The target is often another spelling of a listed URL.
        Rule::MoveNotListed => end.and_then(|end| new.suggest(end)),
        _ => None,
    };
    let is_wrong = |url: &str| {
        let is_end = end.is_some_and(|end| key(end) == key(url));
        key(url) == key(old)
            || (is_end && matches!(rule, Rule::MoveTargetBroken | Rule::MoveToHome | Rule::MoveBlocked))
    };
    by_end.or_else(|| new.suggest(old)).filter(|url| !is_wrong(url))
}
