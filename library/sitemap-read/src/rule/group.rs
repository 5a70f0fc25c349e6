//! The groups of rules.

use std::cmp::Ordering;
use std::fmt;

/// A group of rules about the same part of a document or set. Groups are ordered by name.
///
/// ```
/// use sitemap_read::{Rule, RuleGroup};
///
/// assert_eq!(Rule::LocFragment.group(), RuleGroup::Loc);
/// assert_eq!(RuleGroup::Loc.to_string(), "loc");
/// assert_eq!(RuleGroup::Formats.rules().next(), Some(Rule::TextLineInvalid));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleGroup {
    /// Compression and encoding.
    Bytes,
    /// The document as a whole: its root, namespaces, size and kind.
    Document,
    /// XML syntax, and the elements of entries.
    Markup,
    /// URLs of pages.
    Loc,
    /// `lastmod`, `changefreq` and `priority`.
    LastMod,
    /// Images, videos and news.
    Extensions,
    /// Links between the language versions of pages.
    Language,
    /// Indexes and their child sitemaps.
    Sets,
    /// Text sitemaps and feeds.
    Formats,
    /// The listed pages themselves.
    Pages,
}

impl RuleGroup {
    /// All groups, in the order of the table of rules.
    pub const ALL: &'static [Self] = &[
        Self::Bytes,
        Self::Document,
        Self::Markup,
        Self::Loc,
        Self::LastMod,
        Self::Extensions,
        Self::Language,
        Self::Sets,
        Self::Formats,
        Self::Pages,
    ];

    /// Returns the group's name, such as `loc`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Document => "document",
            Self::Markup => "markup",
            Self::Loc => "loc",
            Self::LastMod => "lastmod",
            Self::Extensions => "extensions",
            Self::Language => "language",
            Self::Sets => "sets",
            Self::Formats => "formats",
            Self::Pages => "pages",
        }
    }

    /// Returns a heading for the group's rules, such as `URLs`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Bytes => "Compression and encoding",
            Self::Document => "The document",
            Self::Markup => "Markup",
            Self::Loc => "URLs",
            Self::LastMod => "`lastmod`, `changefreq` and `priority`",
            Self::Extensions => "Images, videos and news",
            Self::Language => "Language versions",
            Self::Sets => "Whole sets",
            Self::Formats => "Text sitemaps and feeds",
            Self::Pages => "The listed pages",
        }
    }
}

impl Ord for RuleGroup {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for RuleGroup {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for RuleGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
