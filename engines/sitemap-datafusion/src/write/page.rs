//! One row on its way into a shard.

use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, LastMod, Priority, SitemapEntry};

/// What a row says of its page beside the address.
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
                "a row has no `loc`, found NULL; leave such rows out, as with `WHERE loc IS NOT NULL`",
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

/// Names the row of an invalid value; an error of the storage is not a row's.
#[cold]
fn in_row(loc: &str, error: Error) -> Error {
    if error.is_invalid_record() { Error::other(format!("{error}, in the row of {loc:?}")) } else { error }
}
