//! Where a document is.

use std::fmt;
use std::path::PathBuf;

use url::Url;

/// Where a document is: a file, a URL or standard input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    File(PathBuf),
    Url(Url),
    Stdin,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
            Self::Stdin => f.write_str("<stdin>"),
        }
    }
}
