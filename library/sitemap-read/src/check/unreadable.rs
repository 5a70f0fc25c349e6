//! Findings about documents that cannot be read to their end.

use crate::read::{ReadError, ReadErrorKind, Span};
use crate::rule::Rule;

use super::sink::Sink;

/// Reports an error as a finding if the document causes it. Returns any other error, such as a failed connection.
pub(super) fn unreadable(error: ReadError, sink: &mut Sink<'_>) -> Result<(), ReadError> {
    let rule = match error.kind() {
        ReadErrorKind::Io(_) | ReadErrorKind::Aborted | ReadErrorKind::Source(_) => return Err(error),
        ReadErrorKind::Empty => Rule::FileEmpty,
        ReadErrorKind::Html => Rule::FileHtml,
        ReadErrorKind::UnknownRoot(_) | ReadErrorKind::NotASitemap(_) => Rule::FileUnknown,
        ReadErrorKind::Limit { limit: "bytes", .. } => Rule::TooLarge,
        ReadErrorKind::Limit { .. } => Rule::ReadLimit,
        _ => Rule::FileUnreadable,
    };
    // The remedy is that of the rule, because whoever reads the finding may not be able to change the reader's limits.
    sink.add_with(rule, Span::new(error.position(), 0), || match error.kind() {
        ReadErrorKind::Limit { limit: "bytes", max } => {
            format!("the document has more than {max} bytes, so the rest was not read")
        }
        ReadErrorKind::Limit { limit, max } => format!("the document exceeds the limit `{limit}` of {max}"),
        _ => error.to_string(),
    });
    Ok(())
}
