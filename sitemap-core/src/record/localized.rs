//! One page in several languages: what a derived `locales` does at run time.

use super::EntryWriter;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::{Alternate, Hreflang};
use crate::value::Loc;

/// The addresses of one record, one for each of its locales.
#[derive(Debug, Default)]
pub struct Localized {
    pages: Vec<Alternate<'static>>,
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
        let hreflang = locale.parse::<Hreflang<'static>>()?;
        if hreflang == Hreflang::X_DEFAULT || self.page(locale).is_some() {
            return Err(ErrorKind::LocaleTwice { locale: locale.into() }.into());
        }
        self.pages.push(Alternate::new(hreflang, loc.into_owned()));
        Ok(())
    }

    /// Adds one entry a locale, each finished by `finish` and linked to all, itself included.
    ///
    /// A record in fewer locales than others may lack the `x_default` one; it then has none.
    ///
    /// # Errors
    ///
    /// Those of `finish`, and those of adding an entry.
    pub fn write<'a>(
        &'a mut self,
        out: &mut EntryWriter<'_>,
        x_default: Option<&str>,
        finish: &mut dyn FnMut(Entry<'a>) -> Result<Entry<'a>, Error>,
    ) -> Result<(), Error> {
        let fallback = x_default.and_then(|locale| self.page(locale));
        let fallback = fallback.map(|page| Alternate::new(Hreflang::X_DEFAULT, page.href().clone()));
        let locales = self.pages.len();
        self.pages.extend(fallback);
        let alternates = &self.pages;
        for page in &alternates[..locales] {
            out.add(finish(Entry::new(page.href().clone()))?.with_alternates(alternates.as_slice()))?;
        }
        Ok(())
    }

    fn page(&self, locale: &str) -> Option<&Alternate<'static>> {
        self.pages.iter().find(|page| page.hreflang().as_str().eq_ignore_ascii_case(locale))
    }
}
