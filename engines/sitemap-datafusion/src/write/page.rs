//! A row as a record of a shard.

use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, LastMod, Priority, SitemapEntry};

/// The values of a row other than its URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) lastmod: Option<LastMod>,
    pub(super) changefreq: Option<ChangeFreq>,
    pub(super) priority: Option<Priority>,
}

#[derive(Debug)]
pub(super) struct Page<'b> {
    pub(super) loc: Option<&'b str>,
    pub(super) values: Result<Values, &'b Error>,
}

impl SitemapEntry for Page<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let loc = self.loc.ok_or_else(|| {
            Error::other(
                "the `loc` of a row is NULL; leave such rows out, for example with `WHERE loc IS NOT NULL`",
            )
        })?;
        let named = |error: Error| in_row(loc, error);
        let values = self.values.map_err(|error| named(Error::other(error.to_string())))?;
        let page = Entry::new(out.site().resolve(loc).map_err(|error| named(error.into()))?)
            .with_lastmod(values.lastmod)
            .with_changefreq(values.changefreq)
            .with_priority(values.priority);
        out.add(page).map_err(named)
    }
}

/// Adds the row's URL to an error about a value of the row. Returns an error of the storage unchanged.
#[cold]
fn in_row(loc: &str, error: Error) -> Error {
    if error.is_invalid_record() { Error::other(format!("row {loc:?}: {error}")) } else { error }
}
