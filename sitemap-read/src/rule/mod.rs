//! What a finding can be about: one rule each, with its severity, source, summary and remedy.

mod table;

use std::fmt;
use std::str::FromStr;

pub use table::Rule;

/// How bad a broken rule is.
///
/// Ordered: an error is greater than a warning, a warning greater than a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; nothing is lost.
    Note,
    /// Against a recommendation, or likely a mistake.
    Warning,
    /// Against what a specification demands.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
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

/// Who made a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Authority {
    /// The protocol's own page, <https://www.sitemaps.org/protocol.html>.
    SitemapsOrg,
    /// The protocol's XML schemas.
    Schema,
    /// Google's documentation for site owners.
    Google,
    /// Bing's documentation.
    Bing,
    /// Yandex's documentation.
    Yandex,
    /// W3C's note on date and time formats.
    W3cDatetime,
    /// XML 1.0 or Namespaces in XML.
    Xml,
    /// An RFC, by its number.
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

/// One row of the table.
struct Row {
    id: &'static str,
    severity: Severity,
    authority: Authority,
    summary: &'static str,
    remedy: &'static str,
}

impl Rule {
    /// The rule's stable name, as in `loc-too-long`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// How bad it is to break the rule.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.row().severity
    }

    /// Where the rule comes from.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.row().authority
    }

    /// What is wrong when the rule is broken, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.row().summary
    }

    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        self.row().remedy
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    /// Finds a rule by its [`id`](Rule::id).
    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id).ok_or_else(|| UnknownRule(id.into()))
    }
}

/// A text that is no rule's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(Box<str>);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule {:?}", self.0)
    }
}

impl std::error::Error for UnknownRule {}

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

    /// `UPDATE_RULES=1 cargo test rules_md` writes the page anew.
    #[test]
    fn rules_md_lists_the_table() {
        let mut page = String::from("| rule | severity | source | what is wrong |\n|---|---|---|---|\n");
        for &rule in Rule::ALL {
            let (severity, authority) = (rule.severity(), rule.authority());
            let engines: Vec<_> = rule.engines().iter().map(|engine| engine.as_str()).collect();
            let only = if engines.is_empty() {
                String::new()
            } else {
                format!(" (only for {})", engines.join(", "))
            };
            let summary = rule.summary();
            page.extend([format!("| `{rule}` | {severity} | {authority} | {summary}{only} |\n")]);
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rule/rules.md");
        if std::env::var_os("UPDATE_RULES").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            page,
            "run this test with UPDATE_RULES=1 to write `rules.md`"
        );
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
    }
}
