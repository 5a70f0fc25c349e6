//! One row of the input, as a record for the publisher.

use sitemap_core::{Entry, EntryWriter, Error, ErrorKind, SitemapEntry};

/// An entry with its line in the input, or the error of that line.
#[derive(Debug)]
pub(crate) struct Row<'r, 'a> {
    pub(crate) input: &'r str,
    pub(crate) line: u64,
    pub(crate) page: Result<&'r Entry<'a>, String>,
}

impl SitemapEntry for Row<'_, '_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let place = |message: String| Error::other(format!("{}:{}: {message}", self.input, self.line));
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
        ErrorKind::OutOfScope { loc, base } => {
            format!("`loc` {loc:?} is not under the base URL `{base}`; change `--base` or add `--also-list`")
        }
        _ => error.to_string(),
    }
}
