//! Options of `sitemap doctor`.

use clap::Args;
use sitemap_pages::robots::is_product_token;

use super::ReadArgs;

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/doctor.txt").trim_ascii_end())]
pub(crate) struct DoctorArgs {
    /// A host, or the URL of a site, a robots.txt, a sitemap index or a sitemap
    #[arg(value_name = "URL|HOST")]
    pub(crate) url: String,

    /// The crawler whose robots.txt rules apply
    #[arg(long, value_name = "NAME", default_value = "Googlebot", value_parser = crawler)]
    pub(crate) crawler: String,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Parses a crawler's name as robots.txt spells it.
fn crawler(name: &str) -> Result<String, String> {
    if is_product_token(name) {
        Ok(name.to_owned())
    } else {
        Err("use the name that robots.txt has for it: letters, `-` and `_`, such as `bingbot`".to_owned())
    }
}
