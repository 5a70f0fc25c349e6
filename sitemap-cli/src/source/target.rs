//! The target on the command line: standard input, a path, a URL or a host.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sitemap_read::ReadOptions;
use url::Url;

use super::client::Network;
use super::name::{is_host, url};
use super::{Place, local, robots};
use crate::error::{Outcome, Stop};

pub(super) fn roots(target: &str, network: &Network, options: ReadOptions) -> Outcome<Vec<Place>> {
    if target == "-" {
        return Ok(vec![Place::Stdin]);
    }
    if let Some(url) = url(target)? {
        return if url.path() == "/" && url.query().is_none() {
            robots::discover(network, &url)
        } else {
            Ok(vec![Place::Url(url)])
        };
    }
    let path = Path::new(target);
    if path.is_dir() {
        return Ok(local::sitemaps(path, options)?.into_iter().map(Place::File).collect());
    }
    if path.exists() || !is_host(target) {
        return Ok(vec![Place::File(PathBuf::from(target))]);
    }
    let url = Url::parse(&format!("https://{target}/"))
        .map_err(|_| Stop::new(format!("`{target}` is neither a file nor a host; give a path or URL")))?;
    robots::discover(network, &url)
}

/// Counts the unread sitemaps of a folder that has a `sitemap.xml`. Returns 0 for any other target.
pub(super) fn unlisted(target: &str, options: ReadOptions, read: &HashSet<Place>) -> usize {
    let folder = Path::new(target);
    if target == "-" || !folder.is_dir() {
        return 0;
    }
    local::unlisted(folder, options, |path| read.contains(&Place::File(path.to_path_buf())))
}
