//! A row or file of the input, as a record for the set.

use std::fmt;

use sitemap_core::{Entry, EntryWriter, Error, ErrorKind, SitemapEntry};

/// An entry, or the reason why it is invalid, with its place in the input, such as a file and line.
pub(crate) struct Row<'r, 'a> {
    pub(crate) place: &'r dyn fmt::Display,
    pub(crate) page: Result<&'r Entry<'a>, String>,
}

impl SitemapEntry for Row<'_, '_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let place = |message: String| Error::other(format!("{}: {message}", self.place));
        let page = match &self.page {
            Ok(page) => page,
            Err(message) => return Err(place(message.clone())),
        };
        page.write_entries(out)
            .map_err(|error| if error.is_invalid_record() { place(record_message(&error)) } else { error })
    }
}

/// Returns the message of an invalid record, with the command's options as remedies.
pub(crate) fn record_message(error: &Error) -> String {
    match error.kind() {
        ErrorKind::OutOfScope { loc, base } => out_of_scope(loc, base),
        _ => error.to_string(),
    }
}

/// Returns the message for a page that doesn't belong to the site.
pub(super) fn out_of_scope(loc: &str, base: &str) -> String {
    format!("`loc` {loc:?} is not under the base URL `{base}`; change `--base` or add `--also-list`")
}
