//! The error for an unknown name.

use std::fmt;

/// The error for a string that doesn't name a [`Rule`](crate::Rule), a [set of rules](crate::RuleSelector) or an
/// [`Engine`](crate::Engine).
///
/// ```
/// use sitemap_read::{Engine, Rule};
///
/// let error = "loc-to-long".parse::<Rule>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "unknown rule \"loc-to-long\"; use an id from the table of rules, such as `loc-too-long`"
/// );
/// let error = "altavista".parse::<Engine>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown search engine \"altavista\"; use `google`, `bing` or `yandex`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    pub(super) of: &'static str,
    pub(super) name: Box<str>,
    pub(super) remedy: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, name, remedy } = self;
        write!(f, "unknown {of} {name:?}; {remedy}")
    }
}

impl std::error::Error for UnknownName {}
