//! The place of a document.

use std::path::PathBuf;

use url::Url;

/// The place of a document: a file, a URL or standard input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    File(PathBuf),
    Url(Url),
    Stdin,
}
