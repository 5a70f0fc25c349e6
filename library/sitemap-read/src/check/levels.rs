//! The levels of rules: whether findings are allowed, warnings or errors. A level can apply to all files or only to
//! some.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::rule::{Rule, RuleSelector, Severity};

/// How the findings of a rule are treated.
///
/// ```
/// use sitemap_read::Level;
///
/// assert_eq!(Level::Deny.as_str(), "deny");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The findings are counted, but not reported.
    Allow,
    /// The findings are warnings, or errors if the check is strict.
    Warn,
    /// The findings are errors.
    Deny,
}

impl Level {
    /// Returns `allow`, `warn` or `deny`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The levels of rules, to be passed to [`CheckOptions::levels`](super::CheckOptions::levels).
///
/// The most specific level wins: first the level of the rule itself, then of its group, then of its severity, then of
/// all rules. A rule without a level keeps its severity.
///
/// ```
/// use sitemap_read::{CheckOptions, Checker, Levels, Rule, RuleGroup, RuleSelector, Severity};
///
/// let levels = Levels::new()
///     .deny(RuleGroup::Loc)
///     .allow(Rule::DuplicateLoc)
///     .warn(Severity::Note)
///     .allow(RuleSelector::All);
/// let mut checker = Checker::new(CheckOptions::new().levels(levels));
/// checker.check_slice("urls.txt", b"https://example.com/a\nhttps://example.com/a\nhttps://example.com/#b\nc\n")?;
/// let report = checker.finish();
///
/// let found: Vec<_> = report.findings().map(|(_, finding)| (finding.rule(), finding.severity())).collect();
/// assert_eq!(found, [(Rule::LocFragment, Severity::Error)]);
/// assert_eq!(report.allowed().into_iter().collect::<Vec<_>>(), [(Rule::DuplicateLoc, 1), (Rule::TextLineInvalid, 1)]);
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Levels(BTreeMap<RuleSelector, Level>);

impl Levels {
    /// Returns levels that keep every rule at its own severity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the findings of these rules without reporting them. See the [example](Self).
    pub fn allow(self, rules: impl Into<RuleSelector>) -> Self {
        self.set(rules, Level::Allow)
    }

    /// Reports the findings of these rules as warnings. See the [example](Self).
    pub fn warn(self, rules: impl Into<RuleSelector>) -> Self {
        self.set(rules, Level::Warn)
    }

    /// Reports the findings of these rules as errors. See the [example](Self).
    pub fn deny(self, rules: impl Into<RuleSelector>) -> Self {
        self.set(rules, Level::Deny)
    }

    /// Sets the level of these rules. Replaces the level of an earlier call for the same selector.
    ///
    /// ```
    /// use sitemap_read::{Level, Levels, Rule};
    ///
    /// let levels = Levels::new().set(Rule::XsdOrder, Level::Deny).set(Rule::XsdOrder, Level::Allow);
    /// assert_eq!(levels.of(Rule::XsdOrder), Some(Level::Allow));
    /// ```
    pub fn set(mut self, rules: impl Into<RuleSelector>, level: Level) -> Self {
        self.0.insert(rules.into(), level);
        self
    }

    /// Returns the level of a rule, or `None` if no level applies to it.
    #[must_use]
    pub fn of(&self, rule: Rule) -> Option<Level> {
        // Selectors are sorted from broad to narrow, so single rules come last.
        self.0.iter().rev().find(|(rules, _)| rules.contains(rule)).map(|(_, &level)| level)
    }

    /// Returns `true` if no level is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Selects files by name.
type FileFilter = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Levels for all files, or only for files whose name passes a filter.
#[derive(Clone)]
pub(super) struct Layer {
    pub(super) files: Option<FileFilter>,
    pub(super) levels: Levels,
}

impl Layer {
    fn applies_to(&self, file: &str) -> bool {
        self.files.as_ref().is_none_or(|files| files(file))
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer")
            .field("filtered", &self.files.is_some())
            .field("levels", &self.levels)
            .finish()
    }
}

/// The severity of each rule in one file. `None` means that the rule is allowed.
#[derive(Clone, Debug)]
pub(super) struct Severities(Arc<[Option<Severity>]>);

impl Severities {
    pub(super) fn of(&self, rule: Rule) -> Option<Severity> {
        self.0.get(rule as usize).copied().unwrap_or(Some(rule.severity()))
    }

    /// Combines these layers. Later layers override earlier ones.
    fn new(layers: &[&Layer], strict: bool) -> Self {
        let severity = |&rule: &Rule| {
            let severity = match layers.iter().rev().find_map(|layer| layer.levels.of(rule)) {
                None => rule.severity(),
                Some(Level::Allow) => return None,
                Some(Level::Warn) => Severity::Warning,
                Some(Level::Deny) => Severity::Error,
            };
            Some(if strict && severity == Severity::Warning { Severity::Error } else { severity })
        };
        Self(Rule::ALL.iter().map(severity).collect())
    }
}

/// A cache of severity tables, keyed by the layers that apply to a file. Most files share one table.
#[derive(Debug, Default)]
pub(super) struct SeverityTables(BTreeMap<Vec<bool>, Severities>);

impl SeverityTables {
    pub(super) fn of_file(&mut self, name: &str, layers: &[Layer], strict: bool) -> Severities {
        let applied: Vec<bool> = layers.iter().map(|layer| layer.applies_to(name)).collect();
        if let Some(table) = self.0.get(&applied) {
            return table.clone();
        }
        let chosen: Vec<&Layer> =
            layers.iter().zip(&applied).filter(|(_, applies)| **applies).map(|(layer, _)| layer).collect();
        let table = Severities::new(&chosen, strict);
        self.0.insert(applied, table.clone());
        table
    }
}
