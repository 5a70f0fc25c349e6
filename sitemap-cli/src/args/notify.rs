//! Options of `sitemap notify`.

use clap::Args;

use super::ReadArgs;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap notify --key KEY https://www.example.com/sitemap.xml public/    before a new set goes online
  sitemap notify --key KEY old/ new/ --since-manifest
  sitemap notify --key KEY old/ new/ --dry-run

Sent are the pages that were added, removed, or have another date of change. KEY is 8 to 128 of the
characters a-z A-Z 0-9 -, chosen freely; https://HOST/KEY.txt must have it as its content.

Exit status: 0 accepted or nothing changed, 2 not everything was accepted or could be read.")]
pub(crate) struct NotifyArgs {
    /// What engines know: a file, a folder, a URL, a host, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub(crate) old: String,

    /// What they are to know
    #[arg(value_name = "NEW")]
    pub(crate) new: String,

    /// The key by which engines know that the sender may speak for the host
    #[arg(long, value_name = "KEY")]
    pub(crate) key: String,

    /// Where the key's file is; only pages in and below that directory can be sent [default: the host's
    /// root]
    #[arg(long, value_name = "URL")]
    pub(crate) key_location: Option<String>,

    /// Whom to tell; each engine that takes part tells the others
    #[arg(long, value_name = "URL", default_value = "https://api.indexnow.org/indexnow")]
    pub(crate) endpoint: String,

    /// Only pages whose address begins so; for sets with pages of several hosts
    #[arg(long, value_name = "URL")]
    pub(crate) prefix: Option<String>,

    /// Leave out the files that have the same digest in the manifests of both folders
    #[arg(long)]
    pub(crate) since_manifest: bool,

    /// Print the requests, one a line, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Seconds to wait at most, in all, when the endpoint answers that there were too many requests, or fails
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub(crate) max_wait: u64,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
