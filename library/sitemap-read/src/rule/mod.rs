//! The rules, each with a severity, source, summary and remedy.

mod engine;
mod example;
mod group;
mod selector;
mod table;
mod unknown;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

pub(crate) use engine::Engines;
use example::Form;

pub use engine::Engine;
pub use example::Example;
pub use group::RuleGroup;
pub use selector::RuleSelector;
pub use table::Rule;
pub use unknown::UnknownName;

/// How serious it is to break a rule.
///
/// Severities are ordered: note < warning < error.
///
/// ```
/// use sitemap_read::{Rule, Severity};
///
/// assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
/// assert_eq!(Rule::XsdOrder.severity(), Severity::Warning);
/// assert_eq!(Severity::Warning.as_str(), "warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A remark. Search engines still read the sitemap as intended.
    Note,
    /// Goes against a recommendation, or is probably a mistake.
    Warning,
    /// Breaks a requirement of a specification.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a rule comes from: a specification, a search engine, or common practice.
///
/// ```
/// use sitemap_read::{Authority, Rule};
///
/// assert_eq!(Rule::LocTooLong.authority(), Authority::SitemapsOrg);
/// assert_eq!(Rule::LocHost.authority().to_string(), "RFC 3986");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Authority {
    /// The protocol's website, <https://www.sitemaps.org/protocol.html>.
    SitemapsOrg,
    /// The protocol's XML schemas.
    Schema,
    /// Google's documentation for site owners.
    Google,
    /// Bing's documentation.
    Bing,
    /// Yandex's documentation.
    Yandex,
    /// The W3C note on date and time formats.
    W3cDatetime,
    /// XML 1.0 or Namespaces in XML.
    Xml,
    /// The RFC with this number.
    Rfc(u16),
    /// The RSS 2.0 specification.
    Rss,
    /// The experience of this crate's authors.
    Practice,
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::SitemapsOrg => "sitemaps.org",
            Self::Schema => "sitemaps.org XML schema",
            Self::Google => "Google",
            Self::Bing => "Bing",
            Self::Yandex => "Yandex",
            Self::W3cDatetime => "W3C datetime",
            Self::Xml => "XML 1.0",
            Self::Rfc(number) => return write!(f, "RFC {number}"),
            Self::Rss => "RSS 2.0",
            Self::Practice => "practice",
        })
    }
}

/// One row in the table of rules.
struct Row {
    group: RuleGroup,
    id: &'static str,
    severity: Severity,
    authority: Authority,
    engines: &'static [Engine],
    summary: &'static str,
    reason: &'static str,
    remedy: &'static str,
    wrong: (Form, &'static str),
    right: (Form, &'static str),
}

impl Rule {
    /// Returns the rule's stable name, such as `loc-too-long`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the severity of the rule's findings. In a [strict](crate::CheckOptions::strict) check, warnings count as
    /// errors.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.row().severity
    }

    /// Returns where the rule comes from: a specification, a search engine, or experience.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.row().authority
    }

    /// Returns one line that describes what is wrong.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Returns one line that explains how to fix the document.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        self.row().remedy
    }

    /// Returns one or two sentences that explain why the rule exists.
    ///
    /// ```
    /// let reason = sitemap_read::Rule::TextStray.reason();
    /// assert_eq!(reason, "The schema allows no text there. Often a tag around the text is missing.");
    /// ```
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.row().reason
    }

    /// Returns an example that breaks the rule. To make the checker report it, add the rule's [engine](Self::engines)
    /// and the current time to the options if the rule needs them. See [`Example`].
    #[must_use]
    pub fn wrong_example(self) -> Example {
        Example::new(self.row().wrong)
    }

    /// Returns an example similar to [`wrong_example`](Self::wrong_example) that follows the rule.
    #[must_use]
    pub fn right_example(self) -> Example {
        Example::new(self.row().right)
    }

    /// Returns the search engines that the rule is limited to. Returns an empty slice if it applies to all of them.
    ///
    /// If a rule is limited to some engines, a [`Checker`](crate::Checker) applies it only if one of them was
    /// [enabled](crate::CheckOptions::engine).
    #[must_use]
    pub const fn engines(self) -> &'static [Engine] {
        self.row().engines
    }

    /// Returns `true` if the rule is about the listed pages, and not about the sitemap files. The crate `sitemap-pages`
    /// reports these rules. A [`Checker`](crate::Checker) doesn't fetch pages and never reports them.
    ///
    /// ```
    /// use sitemap_read::Rule;
    ///
    /// assert!(Rule::PageNoindex.is_about_pages());
    /// assert!(!Rule::PageInTwoFiles.is_about_pages());
    /// ```
    #[must_use]
    pub const fn is_about_pages(self) -> bool {
        matches!(self.group(), RuleGroup::Pages)
    }

    /// Returns the URL of the page that explains the rule.
    ///
    /// ```
    /// use sitemap_read::Rule;
    ///
    /// assert!(Rule::LocFragment.url().ends_with("/rules.html#loc-fragment"));
    /// ```
    #[must_use]
    pub fn url(self) -> String {
        format!("https://OWNER.github.io/sitemap/rules.html#{self}")
    }

    /// Returns the group of the rule.
    #[must_use]
    pub const fn group(self) -> RuleGroup {
        self.row().group
    }
}

impl RuleGroup {
    /// Returns the group's rules, in the order of the table of rules.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| rule.group() == self)
    }
}

impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id().cmp(other.id())
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Rule {
    type Err = UnknownName;

    /// Returns the rule with this [`id`](Rule::id).
    ///
    /// # Errors
    ///
    /// Returns [`UnknownName`] if no rule has this ID.
    fn from_str(id: &str) -> Result<Self, UnknownName> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id).ok_or_else(|| UnknownName {
            of: "rule",
            name: id.into(),
            remedy: "use an id from the table of rules, such as `loc-too-long`",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_has_an_id_of_its_own_and_is_found_by_it() {
        let ids: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        assert_eq!(ids.len(), Rule::ALL.len());
        for &rule in Rule::ALL {
            assert_eq!(rule.id().parse(), Ok(rule));
            assert!(rule.id().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(!rule.summary().is_empty() && !rule.remedy().is_empty(), "{rule}");
            assert!(!rule.summary().ends_with('.') && !rule.remedy().ends_with('.'), "{rule}");
        }
    }

    #[test]
    fn every_set_of_rules_has_a_name_of_its_own() {
        let names: Vec<_> = RuleSelector::names().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for name in names {
            assert_eq!(name.parse::<RuleSelector>().unwrap().to_string(), name);
        }
        assert_eq!(RuleGroup::ALL.iter().flat_map(|group| group.rules()).collect::<Vec<_>>(), Rule::ALL);
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
    }
}
