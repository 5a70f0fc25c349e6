//! One record of the input on its way to the publisher.

use sitemap_core::{Entry, EntryWriter, Error, ErrorKind, SitemapEntry};

/// A page and where in the input it stands, or what is wrong there.
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
            .map_err(|error| if error.is_invalid_record() { place(told(&error)) } else { error })
    }
}

/// The command's words for what is wrong with a record.
pub(crate) fn told(error: &Error) -> String {
    match error.kind() {
        ErrorKind::OutOfScope { loc, base } => format!(
            "`loc` is not under `{base}`, all that this sitemap may list; change `--base` or add \
             `--also-list`, found {loc:?}"
        ),
        _ => error.to_string(),
    }
}
