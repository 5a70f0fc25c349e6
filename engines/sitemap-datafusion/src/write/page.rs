//! One row on its way into a shard.

use sitemap_core::{ChangeFreq, Entries, Entry, Error, LastMod, Priority, SitemapEntry};

#[derive(Debug)]
pub(super) struct Page<'b> {
    pub(super) loc: Option<&'b str>,
    pub(super) lastmod: Result<Option<LastMod>, Error>,
    pub(super) changefreq: Option<&'b str>,
    pub(super) priority: Result<Option<Priority>, Error>,
}

impl SitemapEntry for Page<'_> {
    fn entries(&self, out: &mut Entries<'_>) -> Result<(), Error> {
        let loc = self.loc.ok_or_else(|| Error::other("a row has no `loc`, found NULL"))?;
        let named = |error: Error| in_row(loc, error);
        let value = |error: &Error| named(Error::other(error.to_string()));
        let lastmod = *self.lastmod.as_ref().map_err(value)?;
        let priority = *self.priority.as_ref().map_err(value)?;
        let changefreq = self.changefreq.map(str::parse::<ChangeFreq>).transpose();
        let page = Entry::new(out.site().resolve(loc).map_err(|error| named(error.into()))?)
            .with_lastmod(lastmod)
            .with_changefreq(changefreq.map_err(|error| named(error.into()))?)
            .with_priority(priority);
        out.add(page).map_err(named)
    }
}

/// Says which row it is; an error of the storage is not a row's.
#[cold]
fn in_row(loc: &str, error: Error) -> Error {
    if error.is_about_record() { Error::other(format!("{error}, in the row of {loc:?}")) } else { error }
}
