//! front door (to be written)
#![cfg_attr(docsrs, feature(doc_cfg))]

mod dialect;
mod entry;
mod error;
mod localized;
mod publish;
mod robots;
mod site;
mod template;
mod value;
mod write;

pub use dialect::{Dialect, Limits};
pub use entry::{Entries, Entry, SitemapEntry, SitemapPart, StaticPages, entries};
pub use error::{Error, ErrorKind};
pub use publish::{
    IndexLastMod, OnInvalid, PublishedFile, Publisher, PublisherBuilder, Section, SectionNameError, Skipped,
    Summary,
};
pub use robots::robots_txt_lines;
pub use site::{Site, SiteError};
#[cfg(feature = "derive")]
pub use sitemap_derive::{SitemapEntry, SitemapPart};
pub use template::{ParamWriter, UrlParam};
pub use value::{
    ChangeFreq, ChangeFreqError, LastMod, LastModError, LastModErrorKind, Loc, LocError, LocErrorKind,
    Precision, Priority, PriorityError, ToChangeFreq, ToLastMod, ToLoc, ToPriority,
};
pub use write::{Fit, Format, IndexWriter, SitemapWriter, WriteOptions, Written};

/// What the derive's output names. Not part of the public interface: any release may change it.
#[doc(hidden)]
pub mod __private {
    pub use crate::localized::Localized;
    pub use crate::template::TemplateUrl;

    use crate::{ChangeFreq, Entry, LastMod, Priority};

    /// Sets what the entry has not got yet.
    pub fn fill(
        entry: Entry<'_>,
        lastmod: Option<LastMod>,
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
    ) -> Entry<'_> {
        entry.or(lastmod, changefreq, priority)
    }
}
