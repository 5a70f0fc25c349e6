//! Problems that keep a crawl from reading a complete set.

use std::fmt;

/// The reason why a document can't be read, or can't be read completely.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The path or URL of the document, or the target if it contains too many documents.
    pub(crate) name: String,
    pub(crate) why: String,
    extent: Extent,
}

/// The part of the set that is not read.
#[derive(Clone, Copy, Debug)]
enum Extent {
    Document,
    EndOfDocument,
    OtherDocuments,
}

impl Problem {
    /// Returns the problem for a document that can't be read.
    pub(crate) fn unreadable(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name: name.into(), why: why.into(), extent: Extent::Document }
    }

    /// Returns the problem for an incomplete document.
    pub(super) fn cut_off(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name: name.into(), why: why.into(), extent: Extent::EndOfDocument }
    }

    /// Returns the problem for a target with more documents than the limit.
    pub(super) fn too_many(target: &str, read: usize) -> Self {
        let why = format!("more than {read} files; allow more with `--max-files`");
        Self { name: target.to_owned(), why, extent: Extent::OtherDocuments }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, extent } = self;
        match extent {
            Extent::Document => write!(f, "cannot read `{name}`: {why}"),
            Extent::EndOfDocument => write!(f, "cannot read all of `{name}`: {why}"),
            Extent::OtherDocuments => f.write_str(why),
        }
    }
}
