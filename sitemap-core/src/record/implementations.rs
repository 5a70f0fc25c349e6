//! `SitemapEntry` for entries, URLs, strings, and pointers to records. `SitemapPart` for optional parts and pointers to
//! parts.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{EntryWriter, SitemapEntry, SitemapPart};
use crate::entry::Entry;
use crate::error::Error;
use crate::extension::Extensions;
use crate::value::Loc;

impl SitemapEntry for Entry<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        out.add_ref(self)
    }
}

impl SitemapEntry for Loc<'_> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        out.add(Entry::new(self.clone()))
    }
}

impl SitemapEntry for str {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let loc = out.site().resolve(self)?;
        out.add(Entry::new(loc))
    }
}

impl SitemapEntry for String {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.as_str().write_entries(out)
    }
}

#[cfg(feature = "url")]
impl SitemapEntry for url::Url {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.as_str().write_entries(out)
    }
}

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: SitemapEntry + ?Sized> SitemapEntry for $pointer {
            fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
                (**self).write_entries(out)
            }

            const EXTENSIONS: Extensions = T::EXTENSIONS;
        }
    )+};
}

through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: SitemapEntry + ToOwned + ?Sized> SitemapEntry for Cow<'_, T> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        (**self).write_entries(out)
    }

    const EXTENSIONS: Extensions = T::EXTENSIONS;
}

macro_rules! part_through_pointer {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: SitemapPart + ?Sized> SitemapPart for $pointer {
            fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error> {
                (**self).fill(entry)
            }
        }
    )+};
}

part_through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: SitemapPart + ToOwned + ?Sized> SitemapPart for Cow<'_, T> {
    fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error> {
        (**self).fill(entry)
    }
}

#[diagnostic::do_not_recommend]
impl<T: SitemapPart> SitemapPart for Option<T> {
    fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error> {
        match self {
            Some(part) => part.fill(entry),
            None => Ok(entry),
        }
    }
}
