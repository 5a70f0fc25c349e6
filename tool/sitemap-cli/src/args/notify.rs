//! Options of `sitemap notify`.

use std::path::PathBuf;

use clap::Args;

use super::ReadArgs;

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/notify.txt").trim_ascii_end())]
pub(crate) struct NotifyArgs {
    /// The old set: a file, a folder, a URL, a host, an object store such as `s3://bucket/folder`, or `-`
    /// for standard input
    #[arg(value_name = "OLD", required_unless_present_any = ["changes", "hub"], conflicts_with = "changes")]
    pub(crate) old: Option<String>,

    /// The new set
    #[arg(value_name = "NEW", required_unless_present_any = ["changes", "hub"], conflicts_with = "changes")]
    pub(crate) new: Option<String>,

    /// A list of changed pages, as `sitemap apply --changes` writes it, instead of two sets; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "since_manifest")]
    pub(crate) changes: Option<PathBuf>,

    /// The file that stores which URLs were sent in the last ten minutes, and which to send again; created if missing
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// The key that proves to search engines that you may submit the host's URLs
    #[arg(long, value_name = "KEY", required_unless_present = "hub")]
    pub(crate) key: Option<String>,

    /// The hub (`WebSub`) to tell about the changed feed; use the one that `sitemap apply --hub` puts into the feed
    #[arg(long, value_name = "URL")]
    pub(crate) hub: Option<String>,

    /// The URL of the feed, such as `https://www.example.com/sitemap-changes.atom`
    #[arg(long, value_name = "URL")]
    pub(crate) feed: Option<String>,

    /// The URL of the key file; only pages in its directory or below can be sent [default: KEY.txt in the root of the
    /// host]
    #[arg(long, value_name = "URL")]
    pub(crate) key_location: Option<String>,

    /// The IndexNow endpoint; search engines that support IndexNow share the URLs with each other
    #[arg(long, value_name = "URL", default_value = "https://api.indexnow.org/indexnow")]
    pub(crate) endpoint: String,

    /// Send only URLs that start with this URL; required if the sets list pages on several hosts
    #[arg(long, value_name = "URL")]
    pub(crate) prefix: Option<String>,

    /// Skip files whose digests in the manifests of both folders are the same
    #[arg(long)]
    pub(crate) since_manifest: bool,

    /// Print the requests, one per line, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// The maximum total number of seconds to wait before retries
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub(crate) max_wait: u64,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
