//! Errors for keys and pages that IndexNow would refuse.

use std::fmt;

/// The reason why an IndexNow request cannot use a key, a key file or a page.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_notify::{IndexNow, IndexNowError};
///
/// let index_now = IndexNow::new(&Loc::parse("https://example.com/")?, "8f3b-20a1")?;
/// let error = index_now.check(&Loc::parse("https://shop.example.com/")?).unwrap_err();
/// assert!(matches!(error, IndexNowError::PageOnOtherHost { .. }));
/// assert_eq!(
///     error.to_string(),
///     "page `https://shop.example.com/` is not on host `example.com`; send the pages of each host in requests \
///      of their own"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexNowError {
    /// The key is too short, too long, or contains a character that is not allowed in keys.
    Key {
        /// The rejected key, truncated to 200 characters.
        found: Box<str>,
    },
    /// The key file is on a different host from the pages.
    KeyOnOtherHost {
        /// The URL of the key file.
        file: Box<str>,
        /// The host of the pages.
        host: Box<str>,
    },
    /// The page is on a different host from the other pages.
    PageOnOtherHost {
        /// The URL of the page.
        page: Box<str>,
        /// The host of the other pages.
        host: Box<str>,
    },
    /// The page is outside the key file's directory.
    OutsideKeyDirectory {
        /// The URL of the page.
        page: Box<str>,
        /// The URL of the key file.
        file: Box<str>,
    },
}

impl fmt::Display for IndexNowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { found } => {
                write!(f, "{found:?} is not an IndexNow key; use 8 to 128 of the characters `a-z A-Z 0-9 -`")
            }
            Self::KeyOnOtherHost { file, host } => {
                write!(f, "key file `{file}` is not on the host of the pages; put it on `{host}`")
            }
            Self::PageOnOtherHost { page, host } => write!(
                f,
                "page `{page}` is not on host `{host}`; send the pages of each host in requests of their own"
            ),
            Self::OutsideKeyDirectory { page, file } => write!(
                f,
                "page `{page}` is outside the directory of the key file `{file}`; put the key file into the \
                 host's root directory"
            ),
        }
    }
}

impl std::error::Error for IndexNowError {}
