//! The table of all rules, with one file per subject and one row per rule.
//!
//! A row contains all facts about a rule. To add a rule, add a row to the file of its subject:
//!
//! ```text
//! LocFragment = "loc-fragment", Warning from Practice {
//!     summary: "a URL has a fragment, which crawlers ignore",
//!     reason: "Crawlers drop the fragment, so entries that differ only there name the same page.",
//!     remedy: "remove the `#` and everything after it",
//!     wrong: Loc("https://example.com/a#top"),
//!     right: Loc("https://example.com/a"),
//! }
//! ```
//!
//! After the `=` come the ID, the [`Severity`] and the [`Authority`]. To limit a rule to some search engines, write
//! `engines: [Yandex],` after the summary. [`Form`](super::example::Form) lists the forms of examples: `Loc` is an
//! entry's URL, `Document` is a whole document, and `Prose` is a description, for defects that no short document can
//! show. A test checks that the checker reports the wrong example and accepts the right one.
//!
//! Each file defines a macro that appends its rows and calls the next file's macro. In the end, [`rules!`] receives all
//! rows.

use super::example::Form;
use super::{Authority, Engine, Row, RuleGroup, Severity};

#[macro_use]
mod bytes;
#[macro_use]
mod document;
#[macro_use]
mod extensions;
#[macro_use]
mod formats;
#[macro_use]
mod language;
#[macro_use]
mod lastmod;
#[macro_use]
mod loc;
#[macro_use]
mod markup;
#[macro_use]
mod moves;
#[macro_use]
mod pages;
#[macro_use]
mod sets;

macro_rules! rules {
    ($([$group:ident] $(
        $rule:ident = $id:literal, $severity:ident from $authority:ident $(($number:literal))? {
            summary: $summary:literal,
            $(engines: [$($engine:ident),+],)?
            reason: $reason:literal,
            remedy: $remedy:literal,
            wrong: $wrong_form:ident($wrong:literal),
            right: $right_form:ident($right:literal),
        }
    )+)+) => {
        /// A rule that documents must follow. A [`Finding`](crate::Finding) names the rule that is broken. Any release
        /// may add rules.
        ///
        /// Rules are ordered by ID.
        ///
        /// ```
        /// use sitemap_read::{Rule, Severity};
        ///
        /// let rule: Rule = "loc-too-long".parse()?;
        /// assert_eq!(rule, Rule::LocTooLong);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.summary(), "a URL is longer than 2,047 characters");
        /// assert_eq!(rule.remedy(), "shorten the URL");
        /// # Ok::<(), sitemap_read::UnknownName>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = concat!("`", $id, "`: ", $summary, ".")] $rule,)+)+
        }

        impl Rule {
            /// All rules, grouped by subject.
            pub const ALL: &'static [Self] = &[$($(Self::$rule),+),+];

            pub(super) const fn row(self) -> &'static Row {
                match self {
                    $($(Self::$rule => const {
                        &Row {
                            group: RuleGroup::$group,
                            id: $id,
                            severity: Severity::$severity,
                            authority: Authority::$authority $(($number))?,
                            engines: &[$($(Engine::$engine),+)?],
                            summary: $summary,
                            reason: $reason,
                            remedy: $remedy,
                            wrong: (Form::$wrong_form, $wrong),
                            right: (Form::$right_form, $right),
                        }
                    })+)+
                }
            }
        }
    };
}

bytes! { document markup loc lastmod extensions language sets formats pages moves rules }
