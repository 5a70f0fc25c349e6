//! The target on the command line: standard input, a path, a URL or a host.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sitemap_read::ReadOptions;
use url::Url;

use super::client::Network;
use super::name::{is_host, url};
use super::{Place, local, robots, site};
use crate::error::{Outcome, Stop};

/// Returns the places of a target's documents. With `probe`, a site's documents include those at the usual paths.
pub(super) fn roots(
    target: &str,
    network: &Network,
    options: ReadOptions,
    probe: bool,
) -> Outcome<Vec<Place>> {
    if target == "-" {
        return Ok(vec![Place::Stdin]);
    }
    if let Some(url) = url(target)? {
        return if is_home(&url) {
            site::sitemaps(network, &url, options, probe)
        } else if robots::is_robots(url.path()) {
            site::of_robots(network, &url, options, probe)
        } else {
            Ok(vec![Place::Url(url)])
        };
    }
    let path = Path::new(target);
    if path.is_dir() {
        return Ok(local::sitemaps(path, options)?.into_iter().map(Place::File).collect());
    }
    if robots::is_robots(target) {
        return robots::of_file(path);
    }
    if path.exists() || !is_host(target) {
        return Ok(vec![Place::File(PathBuf::from(target))]);
    }
    let url = Url::parse(&format!("https://{target}/"))
        .map_err(|_| Stop::new(format!("`{target}` is neither a file nor a host; give a path or URL")))?;
    site::sitemaps(network, &url, options, probe)
}

/// Returns `true` for the URL of a site's home page.
pub(super) fn is_home(url: &Url) -> bool {
    url.path() == "/" && url.query().is_none()
}

/// Counts the unread sitemaps in a folder that has a `sitemap.xml`. Returns 0 for any other target.
pub(super) fn unlisted(target: &str, options: ReadOptions, read: &HashSet<Place>) -> usize {
    let folder = Path::new(target);
    if target == "-" || !folder.is_dir() {
        return 0;
    }
    local::unlisted(folder, options, |path| read.contains(&Place::File(path.to_path_buf())))
}
