//! What cannot be sent.

use std::fmt;

/// Why something cannot be sent by IndexNow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexNowError {
    /// The key has another length or other characters than keys have.
    Key {
        /// What was given, or its beginning.
        found: Box<str>,
    },
    /// The key's file is on another host than the pages.
    KeyHost {
        /// Where the file is.
        file: Box<str>,
        /// The pages' host.
        host: Box<str>,
    },
    /// A page is on another host than the others.
    PageHost {
        /// The page.
        page: Box<str>,
        /// The others' host.
        host: Box<str>,
    },
    /// A page is not below the directory that the key's file is in.
    OutsideKeyDirectory {
        /// The page.
        page: Box<str>,
        /// Where the key's file is.
        file: Box<str>,
    },
}

impl fmt::Display for IndexNowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { found } => {
                write!(f, "an IndexNow key has 8 to 128 of the characters `a-z A-Z 0-9 -`, found {found:?}")
            }
            Self::KeyHost { file, host } => write!(
                f,
                "the key's file must be on the host of the pages; put it on `{host}`, found {file:?}"
            ),
            Self::PageHost { page, host } => write!(
                f,
                "all pages of a request must be on one host; send those of `{host}` apart from others, \
                 found {page:?}"
            ),
            Self::OutsideKeyDirectory { page, file } => write!(
                f,
                "a key whose file is at `{file}` is valid for pages in and below that directory only; put the \
                 file into the host's root, found {page:?}"
            ),
        }
    }
}

impl std::error::Error for IndexNowError {}
