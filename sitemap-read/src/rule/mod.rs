//! The rules that findings report, each with its severity, source, summary and remedy.

mod table;

use std::fmt;
use std::str::FromStr;

pub use table::Rule;

/// The severity of a broken rule.
///
/// Severities are ordered: an error is greater than a warning, and a warning is greater than a note.
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
    /// A remark; search engines read the sitemap as intended.
    Note,
    /// A broken recommendation, or a likely mistake.
    Warning,
    /// A broken requirement of a specification.
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

/// The source of a rule: a specification, a search engine, or common practice.
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

/// One row of the table of rules.
struct Row {
    id: &'static str,
    severity: Severity,
    authority: Authority,
    summary: &'static str,
    remedy: &'static str,
}

impl Rule {
    /// Returns the rule's stable name, such as `loc-too-long`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the severity of the rule's findings. In a [strict](crate::CheckOptions::strict) check, a warning counts
    /// as an error.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.row().severity
    }

    /// Returns the specification, search engine or experience that the rule comes from.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.row().authority
    }

    /// Returns one line that says what is wrong when the rule is broken.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Returns one line that says how to fix a document that breaks the rule.
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

    /// Returns the rule with this [`id`](Rule::id).
    ///
    /// # Errors
    ///
    /// Returns [`UnknownRule`] if no rule has this id.
    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id).ok_or_else(|| UnknownRule(id.into()))
    }
}

/// The error that is returned if a parsed text is not the id of a [`Rule`].
///
/// ```
/// use sitemap_read::Rule;
///
/// let error = "loc-to-long".parse::<Rule>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "unknown rule \"loc-to-long\"; use an id from the table of rules, such as `loc-too-long`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(Box<str>);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule {:?}; use an id from the table of rules, such as `loc-too-long`", self.0)
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

    /// To rewrite `rules.md` from the table of rules, run `UPDATE_RULES=1 cargo test -p sitemap-read --lib rules_md`.
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
            "`rules.md` differs from the table of rules; run this test with `UPDATE_RULES=1` to rewrite it"
        );
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
    }
}
