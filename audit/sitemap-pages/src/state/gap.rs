//! Why a run is incomplete.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A reason why a run is incomplete, and how often it applies.
///
/// ```
/// use sitemap_pages::state::{Gap, GapReason};
///
/// let gap = Gap::new(GapReason::MaxDepth, 12);
/// assert_eq!(gap.to_string(), "12 pages are deeper than the limit");
/// assert_eq!(Gap::new(GapReason::Sampled, 1).to_string(), "1 page is not in the sample");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Gap {
    /// The reason.
    pub reason: GapReason,
    /// The number of pages or links that are missing.
    pub count: u64,
}

impl Gap {
    /// Creates a reason.
    pub const fn new(reason: GapReason, count: u64) -> Self {
        Self { reason, count }
    }
}

/// Why something is missing from a run.
///
/// ```
/// use sitemap_pages::state::GapReason;
///
/// assert_eq!(GapReason::Sampled.as_str(), "sampled");
/// assert_eq!(GapReason::ALL.len(), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GapReason {
    /// Pages above the maximum number of pages.
    MaxPages,
    /// Pages deeper than the limit.
    MaxDepth,
    /// Pages that are not in the sample.
    Sampled,
    /// Pages without a usable response.
    Failed,
    /// Links above the limit per page.
    Links,
    /// Pages whose body was only partly read, because it is too long.
    Cut,
    /// Pages that look empty without JavaScript.
    NoJavaScript,
}

impl GapReason {
    /// All reasons.
    pub const ALL: &[Self] = &[
        Self::MaxPages,
        Self::MaxDepth,
        Self::Sampled,
        Self::Failed,
        Self::Links,
        Self::Cut,
        Self::NoJavaScript,
    ];

    /// Returns the name, such as `max-pages`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxPages => "max-pages",
            Self::MaxDepth => "max-depth",
            Self::Sampled => "sampled",
            Self::Failed => "failed",
            Self::Links => "links",
            Self::Cut => "cut",
            Self::NoJavaScript => "no-javascript",
        }
    }

    /// Returns the words after the count, in the singular and the plural.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::MaxPages => ("page is past the limit of pages", "pages are past the limit of pages"),
            Self::MaxDepth => ("page is deeper than the limit", "pages are deeper than the limit"),
            Self::Sampled => ("page is not in the sample", "pages are not in the sample"),
            Self::Failed => ("page has no usable answer", "pages have no usable answer"),
            Self::Links => {
                ("link is past the limit of links on a page", "links are past the limit of links on a page")
            }
            Self::Cut => {
                ("page is longer than the limit of bytes", "pages are longer than the limit of bytes")
            }
            Self::NoJavaScript => {
                ("page looks empty without JavaScript", "pages look empty without JavaScript")
            }
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) = self.reason.words();
        write!(f, "{} {}", self.count, if self.count == 1 { one } else { many })
    }
}
