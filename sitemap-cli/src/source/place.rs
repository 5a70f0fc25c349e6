//! Where a document is.

use std::path::PathBuf;

use url::Url;

/// Where a document is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    File(PathBuf),
    Url(Url),
    Stdin,
}
