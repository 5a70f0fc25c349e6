//! A single crawler's view of a robots.txt.

use memchr::memmem;

use super::answer::RobotsAnswer;
use super::delay::CrawlDelay;
use super::glob::matches;
use super::normal_form::path_of;
use super::robots_txt::RobotsTxt;
use super::rules::{GroupName, RuleEntry, RuleSet};
use super::verdict::{Reason, Rule, Verdict};

/// What one crawler may fetch. Returned by [`RobotsTxt::agent`] and [`Access::agent`](super::Access::agent).
///
/// Creating it costs nothing, because it copies no rules.
///
/// ```
/// use sitemap_pages::robots::RobotsTxt;
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /drafts/\n\nUser-agent: otherbot\nDisallow: /\n");
/// assert!(robots.agent("sitemap").is_allowed("https://example.com/page"));
/// assert!(!robots.agent("OtherBot").is_allowed("https://example.com/page"));
/// assert!(robots.agent("OtherBot").is_named());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Agent<'r> {
    pub(super) source: Source<'r>,
}

/// Where an agent's verdicts come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'r> {
    Rules {
        rules: &'r RuleSet,
        /// The groups that name the agent.
        named: &'r [GroupName],
        /// The `*` groups, because no group names the agent.
        default: &'r [GroupName],
    },
    /// The same verdict for every URL.
    Always { is_allowed: bool, answer: RobotsAnswer },
}

impl RobotsTxt {
    /// Returns what a crawler may fetch.
    ///
    /// `product_token` is the crawler's name without its version, such as `sitemap` or `Googlebot`; see
    /// [`is_product_token`](super::is_product_token). The rules of all groups that name it are combined; case is
    /// ignored. If no group names it, the `*` groups apply. The token `*` returns the rules of the `*` groups.
    pub fn agent(&self, product_token: &str) -> Agent<'_> {
        let rules = &self.rules;
        let (named, default) = (rules.groups_of(product_token), rules.groups_of("*"));
        Agent { source: Source::Rules { rules, named, default } }
    }
}

impl<'r> Agent<'r> {
    /// Returns `true` if the crawler may fetch the URL.
    ///
    /// `url` is a URL, or a path with its query, such as `/search?q=tea`. A fragment is ignored. For a path that starts
    /// with two slashes, pass the whole URL: `//a/b` is read as the path `/b` on the host `a`.
    pub fn is_allowed(&self, url: &str) -> bool {
        self.verdict(url).is_allowed
    }

    /// Returns whether the crawler may fetch the URL, and which rule decides it.
    ///
    /// `url` has the same form as for [`is_allowed`](Self::is_allowed). Among all matching rules, the one with the
    /// longest pattern wins. If an `Allow` and a `Disallow` have the same length, the `Allow` wins. If several lines
    /// contain the same rule, the first is returned.
    pub fn verdict(&self, url: &str) -> Verdict<'r> {
        self.verdict_with(url, &mut |text, literal| memmem::find(text, literal))
    }

    /// Finds the verdict, using `find` to search for one string in another.
    fn verdict_with(&self, url: &str, find: &mut impl FnMut(&[u8], &[u8]) -> Option<usize>) -> Verdict<'r> {
        let path = path_of(url);
        if *path == *b"/robots.txt" {
            return Verdict { is_allowed: true, reason: Reason::RobotsTxt };
        }
        let (rules, groups) = match self.source {
            Source::Always { is_allowed, answer } => {
                return Verdict { is_allowed, reason: Reason::Answer(answer) };
            }
            Source::Rules { rules, named: [], default } => (rules, default),
            Source::Rules { rules, named, .. } => (rules, named),
        };
        let mut best: Option<&RuleEntry> = None;
        for group in groups {
            for rule in rules.rules_of(group) {
                let is_better = best.is_none_or(|best| rank(rule) > rank(best));
                if is_better && matches(rules.pattern(rule), &path, find) {
                    best = Some(rule);
                }
            }
        }
        let Some(best) = best else { return Verdict { is_allowed: true, reason: Reason::NoRule } };
        let rule = Rule { line: best.line, is_allow: best.is_allow, written: rules.written(best) };
        Verdict { is_allowed: best.is_allow, reason: Reason::Rule(rule) }
    }

    /// Returns how long the file asks the crawler to wait between requests to the host.
    ///
    /// A delay applies to the `User-agent` lines before it, back to the previous delay or rule. If several delays apply
    /// to the crawler, returns the longest. If none does, returns the delay of the `*` groups, as Bing does.
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        let Source::Rules { named, default, .. } = self.source else { return None };
        let delay_of = |groups: &[GroupName]| {
            let delays = groups.iter().filter_map(|group| group.delay);
            // The first of several equal delays.
            delays.reduce(|longest, delay| if delay.asked > longest.asked { delay } else { longest })
        };
        delay_of(named).or_else(|| delay_of(default))
    }

    /// Returns `true` if a `User-agent` line names the crawler. The `*` groups then don't apply.
    pub const fn is_named(&self) -> bool {
        matches!(self.source, Source::Rules { named: [_, ..], .. })
    }
}

/// Decides which of two matching rules wins.
fn rank(rule: &RuleEntry) -> (u32, bool) {
    (rule.len, rule.is_allow)
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
