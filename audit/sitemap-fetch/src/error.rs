//! The error for unusable options.

use std::fmt;

/// Why a [`Fetcher`](crate::Fetcher) could not be created.
///
/// ```
/// use sitemap_fetch::{FetchOptions, Fetcher};
///
/// let error = Fetcher::new(FetchOptions::new().user_agent("(my crawler)")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the user agent `(my crawler)` does not start with a product token; start it with a name of letters, `-` and \
///      `_`, such as `mybot/1.0`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchError {
    message: String,
}

impl FetchError {
    pub(crate) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FetchError {}
