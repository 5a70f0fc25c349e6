//! The run-time part of the derive macro's `locales`: one page in several languages.

use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::{Alternate, Hreflang};
use crate::record::EntryWriter;
use crate::value::Loc;

/// The URLs of one record, one for each of its locales.
#[derive(Debug, Default)]
pub struct Localized {
    pages: Vec<Alternate<'static>>,
}

impl Localized {
    /// Creates a `Localized` without URLs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the URL of the record in one locale.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Hreflang`] if the locale is not a valid language tag, with [`ErrorKind::LocaleXDefault`]
    /// if it is `x-default`, or with [`ErrorKind::LocaleTwice`] if it was added before.
    pub fn push(&mut self, locale: &str, loc: Loc<'_>) -> Result<(), Error> {
        let hreflang = locale.parse::<Hreflang<'static>>()?;
        if hreflang == Hreflang::X_DEFAULT {
            return Err(ErrorKind::LocaleXDefault.into());
        }
        if self.page(locale).is_some() {
            return Err(ErrorKind::LocaleTwice { locale: locale.into() }.into());
        }
        self.pages.push(Alternate::new(hreflang, loc.into_owned()));
        Ok(())
    }

    /// Adds one entry for each locale. Before an entry is added, `finish` sets its other values. Each entry links to
    /// the entries of all locales, including its own.
    ///
    /// If the record has no URL for the locale `x_default`, the entries have no `x-default` link.
    ///
    /// # Errors
    ///
    /// Returns the errors of `finish` and [`EntryWriter::add`].
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

    /// Returns the URL of the first locale, for error messages.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        Some(self.pages.first()?.href().as_str())
    }

    fn page(&self, locale: &str) -> Option<&Alternate<'static>> {
        self.pages.iter().find(|page| page.hreflang().as_str().eq_ignore_ascii_case(locale))
    }
}
