//! The place in a set where some pages belong.

use sitemap_core::publish::SetOptions;
use sitemap_core::publish::shards::{PublishedShard, PublishedShards};
use sitemap_core::{Dialect, Format};

use crate::error::UpdateError;

/// A hash bucket of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'s> {
    pub(crate) section: &'s str,
    pub(crate) buckets: u32,
    pub(crate) bucket: u32,
    /// True if the files of the section are compressed.
    pub(crate) is_gzip: bool,
    /// True if the section's files are plain text.
    pub(crate) is_text: bool,
    /// The set whose section defines the dialect and the file size, or `None` to use that of the options.
    pub(crate) like: Option<&'s PublishedShards>,
}

impl<'s> Place<'s> {
    /// Returns a bucket whose files have the format of the options.
    pub(crate) fn new(section: &'s str, buckets: u32, bucket: u32) -> Self {
        Self { section, buckets, bucket, is_gzip: false, is_text: false, like: None }
    }

    /// Returns a section's first bucket. New files use the format of the section's first file, and the dialect and size
    /// from the manifest.
    pub(crate) fn first(published: &'s PublishedShards, section: &'s str, buckets: u32) -> Self {
        let files = published.section(section);
        let first: Option<&&PublishedShard> = files.first();
        let extension = first.and_then(|file| file.name().split_once('.')).map(|(_, extension)| extension);
        let is_gzip = matches!(extension, Some("xml.gz" | "txt.gz"));
        let is_text = matches!(extension, Some("txt" | "txt.gz"));
        Self { section, buckets, bucket: 0, is_gzip, is_text, like: Some(published) }
    }

    pub(crate) fn apply(&self, builder: SetOptions) -> SetOptions {
        let builder = match self.like {
            Some(published) => builder.like_section(published, self.section),
            None => builder,
        };
        let builder = if self.is_text { builder.format(Format::Text) } else { builder };
        if self.is_gzip { builder.gzip() } else { builder }
    }
}

/// Returns the section with this name or, without a name, the only section of the set.
pub(crate) fn section<'p>(
    published: &'p PublishedShards,
    name: Option<&str>,
) -> Result<&'p str, UpdateError> {
    if published.is_empty() {
        return Err(UpdateError::NoSet);
    }
    let sections = published.sections();
    let found = match name {
        Some(name) => sections.iter().find(|section| **section == name),
        None => sections.first().filter(|_| sections.len() == 1),
    };
    let all =
        || UpdateError::Section { sections: sections.iter().map(|&section| section.to_owned()).collect() };
    found.copied().ok_or_else(all)
}

/// Returns the settings for a set's indexes. They use the sections' dialect if all sections have the same one.
pub(crate) fn of_indexes(builder: &SetOptions, published: &PublishedShards) -> SetOptions {
    let builder = builder.clone();
    let sections = published.sections();
    let mut dialects = sections.iter().map(|section| published.dialect(section));
    let first = dialects.next().filter(|first| *first != Dialect::default());
    let common = first.filter(|first| dialects.all(|dialect| dialect == *first));
    match common {
        Some(dialect) => builder.dialect(dialect),
        None => builder,
    }
}
