//! An entry with an explanation of its errors, such as the line of a file.

use super::{EntryWriter, SitemapEntry};
use crate::entry::Entry;
use crate::error::Error;

/// An entry, and the function that makes the error of the record if the entry is invalid.
pub(crate) struct Explained<'r, 'a> {
    pub(crate) entry: &'r Entry<'a>,
    pub(crate) explain: &'r dyn Fn(&Error) -> Error,
}

impl SitemapEntry for Explained<'_, '_> {
    #[inline]
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        out.add_ref(self.entry)
            .map_err(|error| if error.is_invalid_record() { (self.explain)(&error) } else { error })
    }
}
