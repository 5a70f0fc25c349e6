//! Options of `sitemap apply` and `sitemap rebucket`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sitemap_core::Loc;
use sitemap_core::publish::ShrinkLimit;
use sitemap_core::publish::feed::Feed;
use sitemap_update::Recent;

use super::html_page::HtmlPageArgs;
use super::keep::KeepArgs;
use super::out::SiteArgs;
use super::replace::ShrinkArgs;
use super::{ColumnArgs, OnInvalid};

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/apply.txt").trim_ascii_end())]
pub(crate) struct ApplyArgs {
    /// The changes, as NDJSON or CSV: files, or `-` for standard input [default: -]
    pub(crate) changes: Vec<PathBuf>,

    /// The format of all changes [default: detected from the file name or the first character]
    #[arg(long, value_enum)]
    pub(crate) input_format: Option<ChangesFormat>,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) site: SiteArgs,

    /// The section whose pages change [default: the only section of the set]
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    /// Append the changed pages to this file once they are published, one `{"op":…,"loc":…,"lastmod":…}` per line
    #[arg(long = "changes", id = "changed", value_name = "FILE")]
    pub(crate) changed: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) shrink: ShrinkArgs,

    /// Publish nothing if this run would remove more pages than this, even if it adds just as many: a share such as
    /// `30%`, a number of pages such as `5000`, or `off`. `--allow-shrink` overrides it
    #[arg(long, value_name = "LIMIT")]
    pub(crate) max_removed: Option<ShrinkLimit>,

    /// What to do about an invalid change
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// What to do if a removed page is not in the set. The first 20 such pages are printed
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub(crate) on_unknown: Unknown,

    #[command(flatten)]
    pub(crate) feed: FeedArgs,

    #[command(flatten)]
    pub(crate) recent: RecentArgs,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    #[command(flatten)]
    pub(crate) html_page: HtmlPageArgs,

    /// Also remove shards of interrupted runs that are at least this many days old
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unknown {
    /// Publish nothing
    Stop,
    /// Apply the other changes
    #[default]
    Skip,
}

/// The recent section.
#[derive(Args, Debug)]
pub(crate) struct RecentArgs {
    /// Also list the most recently changed entries in one small file of the set, the recent section. A run without this
    /// option removes the file
    #[arg(long)]
    recent: bool,

    /// The maximum number of entries in the recent section
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    recent_entries: u32,

    /// Drop entries from the recent section at about this age, such as `24h`: each stays at least this long, and at
    /// most twice as long. Choose more than the time between two visits of a crawler [default: the size of the entries
    /// decides]
    #[arg(long, value_name = "TIME", value_parser = super::keep::time)]
    recent_age: Option<Duration>,
}

impl RecentArgs {
    /// Returns the settings of the recent section, or `None` if there should be none.
    pub(crate) fn settings(&self) -> Option<Recent> {
        self.recent.then(|| Recent::new().max_entries(self.recent_entries as usize).max_age(self.recent_age))
    }
}

/// The feed of the latest changes.
#[derive(Args, Debug)]
pub(crate) struct FeedArgs {
    /// Publish no feed, and remove the existing one
    #[arg(long, conflicts_with_all = ["feed_entries", "feed_age", "hub"])]
    no_feed: bool,

    /// The maximum number of changes in the feed
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    feed_entries: u32,

    /// The maximum age of a change in the feed, such as `12h`
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = super::keep::time)]
    feed_age: Duration,

    /// The hub (`WebSub`) to name in the feed. Nothing is sent to it; use `sitemap notify --hub` for that
    #[arg(long, value_name = "URL")]
    hub: Option<String>,
}

impl FeedArgs {
    /// Returns the settings of the feed, or `None` if there should be none.
    pub(crate) fn settings(&self) -> Result<Option<Feed>, String> {
        if self.no_feed {
            return Ok(None);
        }
        let feed = Feed::new().max_age(self.feed_age).max_entries(self.feed_entries as usize);
        let Some(hub) = &self.hub else { return Ok(Some(feed)) };
        let hub = Loc::parse(hub.clone()).map_err(|error| format!("`--hub`: {error}"))?;
        Ok(Some(feed.hub(hub)))
    }
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/rebucket.txt").trim_ascii_end())]
pub(crate) struct RebucketArgs {
    #[command(flatten)]
    pub(crate) site: SiteArgs,

    /// The section [default: the only section of the set]
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    /// The number of hash buckets
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    pub(crate) buckets: u32,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    /// Also remove the section's shards of interrupted runs, if they are at least this many days old
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangesFormat {
    /// One JSON object per line
    Ndjson,
    /// A header with the columns op and loc, and optionally lastmod, changefreq and priority; without op, each row adds or
    /// changes a page
    Csv,
}
