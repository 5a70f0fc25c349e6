//! Findings of what cannot be read, or not further.

use crate::error::{Error, ErrorKind};
use crate::read::{ReadErrorKind, Span};
use crate::rule::Rule;

use super::sink::Sink;

/// Makes a finding of an error about the document; others are given back.
pub(super) fn unreadable(error: Error, sink: &mut Sink<'_>) -> Result<(), Error> {
    let ErrorKind::Read(read) = error.kind() else {
        return Err(error);
    };
    let rule = match read.kind() {
        ReadErrorKind::Empty => Rule::FileEmpty,
        ReadErrorKind::Html => Rule::FileHtml,
        ReadErrorKind::UnknownRoot(_) | ReadErrorKind::NotASitemap(_) => Rule::FileUnknown,
        ReadErrorKind::Limit { limit: "bytes", .. } => Rule::TooLarge,
        ReadErrorKind::Limit { .. } => Rule::ReadLimit,
        _ => Rule::FileUnreadable,
    };
    sink.explain(rule, Span::new(read.position(), 0), || read.to_string());
    Ok(())
}
