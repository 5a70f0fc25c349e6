//! The statement's options: `OPTIONS (…)`.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::str::FromStr;

use datafusion::arrow::datatypes::Schema;
use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};
use sitemap_core::publish::{AllowShrink, OnInvalid, SetOptions, ShrinkLimit};
use sitemap_core::{Extensions, Site, SitemapSet};

use crate::extensions;
use crate::target::Target;

/// The options of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "users combine the options freely")]
pub(crate) struct Options {
    /// The URL of the folder where the set is served.
    pub(crate) base: String,
    pub(crate) also_list: Vec<String>,
    pub(crate) section: String,
    pub(crate) buckets: u32,
    pub(crate) gzip: bool,
    /// True if invalid rows are skipped.
    pub(crate) skip_invalid: bool,
    pub(crate) expect_urls: Option<u64>,
    /// Uncommitted shards are deleted if they are at least this many days old.
    pub(crate) remove_uncommitted: Option<u32>,
    /// The limit on how far the statement may shrink the published set, as the user wrote it. Empty for the default.
    max_shrink: String,
    /// The permission to exceed that limit. Empty if there is none.
    allow_shrink: String,
    pub(crate) mode: Mode,
    /// True if a section's number of hash buckets may change.
    pub(crate) allow_rebucket: bool,
    /// True if each row names its section.
    pub(crate) has_sections: bool,
    /// The extension columns that the rows have.
    extensions: Vec<String>,
    /// True if a hash bucket is written even if its rows are already published.
    pub(crate) rewrite: bool,
    /// True if a page that occurs in several rows is an error.
    pub(crate) refuse_duplicates: bool,
}

/// The part of the set that a statement replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The sections that the rows belong to.
    #[default]
    Replace,
    /// The whole set.
    ReplaceAll,
    /// Only the pages in the rows.
    Update,
}

/// A set's options and location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    pub(crate) options: Options,
    /// The path or URL of the set's folder.
    pub(crate) url: String,
}

const NAMES: &str = "`base`, `mode`, `section`, `buckets`, `gzip`, `on_invalid`, `on_duplicate`, `expect_urls`, `remove_uncommitted`, \
                     `max_shrink`, `allow_shrink`, `allow_rebucket`, `rewrite` and `also_list`";

/// The options that an update doesn't accept, because it uses those of the set.
const NOT_OF_UPDATES: [&str; 5] = ["buckets", "gzip", "expect_urls", "allow_rebucket", "rewrite"];

impl Options {
    /// Parses the options. DataFusion adds the prefix `format.` to the names that the user wrote.
    pub(crate) fn parse(given: &HashMap<String, String>) -> Result<Self> {
        let mut options = Self::default();
        for (key, value) in given {
            let name = key.strip_prefix("format.").unwrap_or(key);
            match name {
                "base" => options.base.clone_from(value),
                "also_list" => options.also_list = value.split_whitespace().map(ToOwned::to_owned).collect(),
                "section" => options.section.clone_from(value),
                "buckets" => options.buckets = number::<NonZeroU32>(name, value)?.get(),
                "gzip" => options.gzip = number(name, value)?,
                "mode" => {
                    options.mode = match value.to_ascii_lowercase().as_str() {
                        "replace" => Mode::Replace,
                        "replace_all" => Mode::ReplaceAll,
                        "update" => Mode::Update,
                        _ => {
                            return plan_err!(
                                "`mode` is {value:?}; use `replace`, `replace_all` or `update`"
                            );
                        }
                    };
                }
                "allow_rebucket" => options.allow_rebucket = number(name, value)?,
                "rewrite" => options.rewrite = number(name, value)?,
                "expect_urls" => options.expect_urls = Some(number(name, value)?),
                "remove_uncommitted" => options.remove_uncommitted = Some(number(name, value)?),
                "max_shrink" => {
                    let _: ShrinkLimit = number(name, value)?;
                    options.max_shrink.clone_from(value);
                }
                "allow_shrink" => {
                    options.allow_shrink = value.to_ascii_lowercase();
                    if options.allow_shrink().is_none() {
                        return plan_err!("`allow_shrink` is {value:?}; use `smaller` or `empty`");
                    }
                }
                "on_invalid" => {
                    options.skip_invalid = match value.to_ascii_lowercase().as_str() {
                        "stop" => false,
                        "skip" => true,
                        _ => return plan_err!("`on_invalid` is {value:?}; use `stop` or `skip`"),
                    }
                }
                "on_duplicate" => {
                    options.refuse_duplicates = match value.to_ascii_lowercase().as_str() {
                        "keep_first" => false,
                        "stop" => true,
                        _ => return plan_err!("`on_duplicate` is {value:?}; use `keep_first` or `stop`"),
                    }
                }
                _ => return plan_err!("`{name}` is not an option of a sitemap; the options are {NAMES}"),
            }
        }
        if options.base.is_empty() {
            return plan_err!(
                "the option `base` is missing; set it to the URL of the folder that the set will be served from, as in \
                 `OPTIONS (base 'https://www.example.com', buckets 100)`"
            );
        }
        let is_given =
            |name: &&str| given.contains_key(*name) || given.contains_key(&format!("format.{name}"));
        if options.mode == Mode::Update {
            if let Some(name) = NOT_OF_UPDATES.iter().find(|name| is_given(name)) {
                return plan_err!(
                    "`{name}` is not an option of the mode `update`, which keeps the files as they were published; leave \
                     it out"
                );
            }
        } else if options.section.is_empty() {
            "pages".clone_into(&mut options.section);
        }
        if options.buckets == 0 && options.mode != Mode::Update {
            return plan_err!(
                "the option `buckets` is missing; set it to about one bucket for each 25,000 pages, and use this number in \
                 all runs"
            );
        }
        let _ = options.builder()?;
        Ok(options)
    }

    /// Records which extension columns the rows have. All files of the statement declare the namespaces of these
    /// extensions.
    pub(crate) fn set_extensions(&mut self, rows: &Schema) {
        let found = extensions::COLUMNS.iter().filter(|(name, _)| rows.index_of(name).is_ok());
        self.extensions = found.map(|(name, _)| (*name).to_owned()).collect();
    }

    fn extensions(&self) -> Extensions {
        let has = |name: &str| self.extensions.iter().any(|found| found == name);
        let found = extensions::COLUMNS.iter().filter(|(name, _)| has(name));
        found.fold(Extensions::NONE, |all, (_, extension)| all | *extension)
    }

    /// Returns all settings that affect how a section's rows are written, as bytes.
    pub(crate) fn settings(&self, section: &str) -> Vec<u8> {
        /// Must be increased whenever the encoding of a row changes, or the entry made from it.
        const ROWS: u32 = 2;

        let Self { base, also_list, buckets, gzip, extensions, .. } = self;
        let settings = (base, also_list, section, buckets, gzip, extensions);
        format!("sitemap-datafusion {} {ROWS} {settings:?}", env!("CARGO_PKG_VERSION")).into_bytes()
    }

    /// Returns this statement's permission to shrink the published set.
    pub(crate) fn allow_shrink(&self) -> Option<AllowShrink> {
        match self.allow_shrink.as_str() {
            "smaller" => Some(AllowShrink::Smaller),
            "empty" => Some(AllowShrink::Empty),
            _ => None,
        }
    }

    /// Returns the options of a set.
    pub(crate) fn builder(&self) -> Result<SetOptions> {
        let base =
            Site::new(&self.base).map_err(|error| DataFusionError::Plan(format!("`base`: {error}")))?;
        let site = self.also_list.iter().try_fold(base, |site, other| {
            site.also_list(other).map_err(|error| DataFusionError::Plan(format!("`also_list`: {error}")))
        })?;
        let on_invalid = if self.skip_invalid { OnInvalid::Skip } else { OnInvalid::Stop };
        let limit = match self.max_shrink.as_str() {
            "" => ShrinkLimit::default(),
            limit => number("max_shrink", limit)?,
        };
        let keeps_sections = self.mode == Mode::Replace;
        let builder = SitemapSet::builder(site).on_invalid(on_invalid).max_shrink(limit);
        let builder = builder.keep_sections(keeps_sections).extensions(self.extensions());
        Ok(if self.gzip { builder.gzip() } else { builder })
    }
}

impl Destination {
    pub(crate) fn target(&self) -> Target {
        Target::new(&self.url)
    }
}

fn number<T: FromStr<Err: std::fmt::Display>>(name: &str, value: &str) -> Result<T> {
    value.parse().map_err(|error| DataFusionError::Plan(format!("`{name}` is {value:?}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(options: &[(&str, &str)]) -> Result<Options> {
        Options::parse(
            &options.iter().map(|(key, value)| (format!("format.{key}"), (*value).to_owned())).collect(),
        )
    }

    #[test]
    fn all_options() {
        let options = parsed(&[
            ("base", "https://example.com"),
            ("also_list", "https://example.org/ https://example.net/"),
            ("section", "posts"),
            ("buckets", "7"),
            ("gzip", "true"),
            ("on_invalid", "SKIP"),
            ("expect_urls", "12"),
            ("remove_uncommitted", "7"),
            ("max_shrink", "50%"),
            ("allow_shrink", "Empty"),
            ("mode", "Replace_All"),
            ("allow_rebucket", "true"),
            ("rewrite", "true"),
            ("on_duplicate", "stop"),
        ])
        .unwrap();
        assert_eq!((options.mode, options.allow_rebucket), (Mode::ReplaceAll, true));
        assert!(options.rewrite && options.refuse_duplicates);
        assert_eq!(options.also_list, ["https://example.org/", "https://example.net/"]);
        assert_eq!((options.buckets, options.gzip, options.skip_invalid), (7, true, true));
        assert_eq!((options.section.as_str(), options.expect_urls), ("posts", Some(12)));
        assert_eq!(options.remove_uncommitted, Some(7));
        assert_eq!((options.max_shrink.as_str(), options.allow_shrink()), ("50%", Some(AllowShrink::Empty)));
    }

    #[test]
    fn bad_options_say_what_is_expected() {
        let base = ("base", "https://example.com");
        for (options, message) in [
            (vec![("buckets", "1")], "the option `base` is missing"),
            (vec![base], "the option `buckets` is missing"),
            (vec![base, ("buckets", "0")], "`buckets` is \"0\": number would be zero for non-zero type"),
            (vec![base, ("buckets", "many")], "`buckets` is \"many\": invalid digit found in string"),
            (
                vec![base, ("buckets", "1"), ("gzip", "yes")],
                "`gzip` is \"yes\": provided string was not `true` or `false`",
            ),
            (
                vec![base, ("buckets", "1"), ("on_invalid", "go")],
                "`on_invalid` is \"go\"; use `stop` or `skip`",
            ),
            (
                vec![base, ("buckets", "1"), ("max_shrink", "half")],
                "`max_shrink` is \"half\": \"half\" is not a limit; write a share such as `30%`",
            ),
            (
                vec![base, ("buckets", "1"), ("allow_shrink", "yes")],
                "`allow_shrink` is \"yes\"; use `smaller` or `empty`",
            ),
            (
                vec![base, ("buckets", "1"), ("on_duplicate", "skip")],
                "`on_duplicate` is \"skip\"; use `keep_first` or `stop`",
            ),
            (vec![base, ("bukets", "1")], "`bukets` is not an option"),
            (
                vec![base, ("mode", "append")],
                "`mode` is \"append\"; use `replace`, `replace_all` or `update`",
            ),
            (
                vec![base, ("mode", "update"), ("buckets", "1")],
                "`buckets` is not an option of the mode `update`, which keeps the files as they were published; leave it \
                 out",
            ),
            (vec![("base", "example.com"), ("buckets", "1")], "`base`: "),
        ] {
            let error = parsed(&options).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
