//! Selects rules by name, group or severity.

use std::fmt;
use std::str::FromStr;

use super::{Rule, RuleGroup, Severity, UnknownName};

/// Selects a set of rules: a single rule, a group, all rules with a given severity, or all rules.
///
/// ```
/// use sitemap_read::{Rule, RuleGroup, RuleSelector, Severity};
///
/// assert_eq!("loc-fragment".parse(), Ok(RuleSelector::Rule(Rule::LocFragment)));
/// assert_eq!("loc".parse(), Ok(RuleSelector::Group(RuleGroup::Loc)));
/// assert_eq!("note".parse(), Ok(RuleSelector::Severity(Severity::Note)));
/// assert_eq!("all".parse(), Ok(RuleSelector::All));
/// assert!(RuleSelector::Group(RuleGroup::Loc).contains(Rule::LocFragment));
/// assert_eq!(RuleSelector::names().next(), Some("all"));
/// # Ok::<(), sitemap_read::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RuleSelector {
    /// All rules: `all`.
    All,
    /// All rules with this severity in the table of rules: `note`, `warning` or `error`.
    Severity(Severity),
    /// All rules in a group, such as `loc`.
    Group(RuleGroup),
    /// A single rule, such as `loc-fragment`.
    Rule(Rule),
}

const SEVERITIES: [Severity; 3] = [Severity::Note, Severity::Warning, Severity::Error];

impl RuleSelector {
    /// Returns the names of all selectors, from broad to narrow.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let severities = SEVERITIES.iter().map(|severity| severity.as_str());
        let groups = RuleGroup::ALL.iter().map(|group| group.as_str());
        std::iter::once("all").chain(severities).chain(groups).chain(Rule::ALL.iter().map(|rule| rule.id()))
    }

    /// Returns `true` if this selects the rule.
    #[must_use]
    pub fn contains(self, rule: Rule) -> bool {
        match self {
            Self::All => true,
            Self::Severity(severity) => rule.severity() == severity,
            Self::Group(group) => rule.group() == group,
            Self::Rule(one) => rule == one,
        }
    }
}

impl fmt::Display for RuleSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::Severity(severity) => severity.fmt(f),
            Self::Group(group) => group.fmt(f),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

impl FromStr for RuleSelector {
    type Err = UnknownName;

    /// Parses a rule's ID, a group's name, a severity, or `all`.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownName`] if the string is none of these.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        if name == "all" {
            return Ok(Self::All);
        }
        if let Some(&severity) = SEVERITIES.iter().find(|severity| severity.as_str() == name) {
            return Ok(Self::Severity(severity));
        }
        if let Some(&group) = RuleGroup::ALL.iter().find(|group| group.as_str() == name) {
            return Ok(Self::Group(group));
        }
        name.parse().map(Self::Rule)
    }
}

impl From<Rule> for RuleSelector {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl From<RuleGroup> for RuleSelector {
    fn from(group: RuleGroup) -> Self {
        Self::Group(group)
    }
}

impl From<Severity> for RuleSelector {
    fn from(severity: Severity) -> Self {
        Self::Severity(severity)
    }
}
