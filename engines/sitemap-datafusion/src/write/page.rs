//! A row as a record of a shard.

use std::cmp::Ordering;

use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, LastMod, Priority, Site, SitemapEntry};

use super::extras::attach;

/// The values of a row other than its URL and those of extensions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    pub(super) lastmod: Option<LastMod>,
    pub(super) changefreq: Option<ChangeFreq>,
    pub(super) priority: Option<Priority>,
}

#[derive(Debug)]
pub(super) struct Page<'b> {
    pub(super) loc: Option<&'b str>,
    pub(super) values: Result<Values, &'b Error>,
    /// The values of extensions, as JSON.
    pub(super) extras: Option<&'b str>,
}

impl<'b> Page<'b> {
    /// Compares rows by URL, and rows with the same URL by their values, so that the same rows always get the same
    /// order.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_values = || format!("{:?}", self.values).cmp(&format!("{:?}", other.values));
        self.loc.cmp(&other.loc).then_with(by_values).then_with(|| self.extras.cmp(&other.extras))
    }

    /// Returns the entry of the row.
    pub(super) fn entry(&self, site: &Site) -> Result<Entry<'b>, Error> {
        let loc = self.loc.ok_or_else(|| {
            Error::other(
                "the `loc` of a row is NULL; leave such rows out, for example with `WHERE loc IS NOT NULL`",
            )
        })?;
        let named = |error: Error| in_row(loc, error);
        let values = self.values.map_err(|error| named(Error::other(error.to_string())))?;
        let entry = Entry::new(site.resolve(loc).map_err(|error| named(error.into()))?);
        let entry = entry
            .with_lastmod(values.lastmod)
            .with_changefreq(values.changefreq)
            .with_priority(values.priority);
        match self.extras {
            Some(json) => attach(entry, json).map_err(named),
            None => Ok(entry),
        }
    }
}

impl SitemapEntry for Page<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let entry = self.entry(out.site())?;
        out.add(entry).map_err(|error| in_row(self.loc.unwrap_or_default(), error))
    }
}

/// Adds the row's URL to an error about a value of the row. Returns an error of the storage unchanged.
#[cold]
pub(super) fn in_row(loc: &str, error: Error) -> Error {
    if error.is_invalid_record() { Error::other(format!("row {loc:?}: {error}")) } else { error }
}
