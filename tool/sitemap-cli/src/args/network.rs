//! Options of the commands that send requests.

use std::path::PathBuf;

use clap::Args;

/// How requests are sent.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Requests")]
pub(crate) struct NetworkArgs {
    /// The `User-Agent` of all requests; for pages, its first word also selects the robots.txt group [default:
    /// `sitemap/VERSION`]
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,

    /// Add a header to requests; can be repeated. It is sent only to the hosts of URLs on the command line
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,

    /// Send a user name and password, only to the hosts of URLs on the command line; if the password is missing, it is
    /// read from the environment variable `SITEMAP_PASSWORD`
    #[arg(long, value_name = "USER[:PASSWORD]", group = "credentials")]
    pub(crate) auth: Option<String>,

    /// Send the bearer token in this file to the same hosts
    #[arg(long, value_name = "FILE", group = "credentials")]
    pub(crate) bearer_file: Option<PathBuf>,

    /// Send the bearer token in this environment variable to the same hosts
    #[arg(long, value_name = "NAME", group = "credentials")]
    pub(crate) bearer_env: Option<String>,

    /// The maximum number of requests to one host at the same time [default: 16 for sitemaps, 4 for pages]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,

    /// How many times to retry a failed request
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) retries: u32,
}
