//! The crate sitemap: its `SiteMapReader`, which is built on xml-rs, reads from memory and parses each URL with the
//! crate url.

use std::path::Path;

use ::sitemap::reader::{SiteMapEntity, SiteMapReader};
use ::sitemap::structs::{ChangeFreq, LastMod, Priority};

use super::tally::each_in_memory;
use crate::Result;

/// Reads the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        for entity in SiteMapReader::new(bytes) {
            match entity {
                SiteMapEntity::Url(entry) => {
                    let loc = entry.loc.get_url().ok_or("found an entry without a URL")?;
                    tally.add(
                        loc.as_str(),
                        matches!(entry.lastmod, LastMod::DateTime(_)),
                        !matches!(entry.changefreq, ChangeFreq::None | ChangeFreq::ParseErr(_)),
                        matches!(entry.priority, Priority::Value(_)),
                    );
                }
                SiteMapEntity::SiteMap(_) => return Err("found a `<sitemap>` element in a urlset".into()),
                SiteMapEntity::Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    })
}
