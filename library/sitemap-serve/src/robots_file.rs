//! Builds robots.txt with the set's `Sitemap:` lines.

use std::sync::Arc;

use super::file::File;
use super::source::Found;
use sitemap_core::Site;
use sitemap_core::publish::files::{ENTRY_POINT, index_file_name};
use sitemap_core::robots;

#[derive(Clone, Debug)]
pub(super) struct RobotsFile {
    site: Site,
    rules: String,
}

impl RobotsFile {
    pub(super) fn new(site: &Site, rules: &str) -> Self {
        Self { site: site.clone(), rules: rules.to_owned() }
    }

    /// Builds the file. `find` finds the set's indexes.
    pub(super) fn make<E>(&self, find: impl Fn(&str) -> Result<Found, E>) -> Result<Found, E> {
        let mut sitemaps = vec![self.site.resolve(format!("/{ENTRY_POINT}"))];
        // A set with too many files for one index has more indexes, with numbered names.
        loop {
            let name = index_file_name(sitemaps.len() + 1);
            let Found::File(_) = find(&name)? else { break };
            sitemaps.push(self.site.resolve(format!("/{name}")));
        }
        let text = robots::merge(&self.rules, &self.site, sitemaps.iter().flatten());
        Ok(Found::File(Arc::new(File::new("robots.txt", text.into(), None))))
    }
}
