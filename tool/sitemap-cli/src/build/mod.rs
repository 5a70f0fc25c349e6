//! `sitemap build`: publishes a set from a list of pages or a folder of HTML files.
//!
//! | what | where |
//! |---|---|
//! | lists, read by `page_list` | `list`; `text` and `ndjson` for what only `build` needs |
//! | a folder of HTML files | `folder`, `walk` |
//! | whether a file is listed, and with which URL | `verdict`, `file_kind` |
//! | what is not listed; a wrong base URL | `skipped`, `canonical_hosts` |
//! | dates of files | `dates`, `content` |
//! | pages of a crawl | `crawled` |
//! | from a page to the set | `row`, `sink` |
//! | the site, the storage, the report | `publish`, `out`, `failure` |

mod canonical_hosts;
#[cfg(feature = "pages")]
mod content;
#[cfg(feature = "pages")]
mod crawled;
mod dates;
pub(crate) mod failure;
mod file_kind;
mod folder;
mod list;
mod ndjson;
pub(crate) mod out;
pub(crate) mod publish;
pub(crate) mod row;
pub(crate) mod sink;
mod skipped;
mod text;
mod verdict;
mod walk;

use sitemap_core::publish::{Names, SetOptions};
use sitemap_core::{Dialect, Format, Loc, Site, SitemapSet, Summary};

use self::sink::Sink;
use crate::args::{self, BuildArgs, BuildFormat};
use crate::error::Outcome;
use crate::interrupt::Interruptible;
use crate::terminal::{Paint, say};

pub(crate) fn run(args: &BuildArgs, paint: Paint) -> Outcome<()> {
    publish::report(&build(args, paint)?, paint)
}

/// Publishes the set.
pub(crate) fn build(args: &BuildArgs, paint: Paint) -> Outcome<Summary> {
    let site = publish::site(&args.site)?;
    if Loc::parse(site.base()).is_ok_and(|base| base.has_private_host()) {
        say(&format!(
            "warning: search engines cannot reach `{}`; give the public URL with `--base`",
            site.base()
        ));
    }
    #[cfg(feature = "pages")]
    if let Some(state) = &args.from_state {
        return crawled::build(args, state, builder(args, &site), paint);
    }
    match &args.from_dir {
        Some(folder) => folder::build(args, folder, &site, builder(args, &site), paint),
        None => from_lists(args, &site, builder(args, &site), paint),
    }
}

/// Publishes several lists of pages.
fn from_lists(args: &BuildArgs, site: &Site, builder: SetOptions, paint: Paint) -> Outcome<Summary> {
    // An unusable storage should be reported before the input is read.
    let storage = out::open(&args.site.out)?;
    let mut lists = list::open_all(args)?;
    let declared = match args.format {
        BuildFormat::Xml => Some(lists.declare(builder.clone(), site)?),
        BuildFormat::Text => None,
    };
    let mut sink = Sink::open(args, builder, declared, Interruptible::new(storage), paint)?;
    lists.fill(&mut sink, site)?;
    sink.finish()
}

fn builder(args: &BuildArgs, site: &Site) -> SetOptions {
    let dialect = match args.dialect {
        args::BuildDialect::V0_9 => Dialect::V0_9,
        args::BuildDialect::V0_84 => Dialect::V0_84,
    };
    let mut limits = dialect.limits();
    limits.urls = args.max_urls;
    let builder = SitemapSet::builder(site.clone())
        .dialect(dialect)
        .format(match args.format {
            BuildFormat::Xml => Format::Xml,
            BuildFormat::Text => Format::Text,
        })
        .names(match args.names {
            args::BuildNames::Stable => Names::Stable,
            args::BuildNames::Digest => Names::Digest,
        })
        .threads(publish::threads(args))
        .compare_bytes(args.force)
        .lower_limits(limits)
        // Writes deprecated elements too, because they come from the user's input.
        .deprecated(true)
        .on_invalid(args.on_invalid.into());
    let builder = args.replace.apply(args.keep.apply(args.html_page.apply(builder)));
    if args.gzip { builder.gzip() } else { builder }
}
