//! Finds pages that look like the response to a nonexistent URL.

use std::collections::{BTreeMap, BTreeSet};

use sitemap_read::{Rule, quoted};

use super::evidence::Evidence;
use super::fault::Obstacle;
use super::standing::Standing;
use super::url_key::path;
use crate::content::{Blocks, Folder, SharedBlocks, hash64};
use crate::facts::PageFacts;
use crate::visit::{Outcome, Visit};

/// The responses with status 200 to URLs that can't exist, keyed by the URL's directory.
#[derive(Debug, Default)]
pub(super) struct Probes {
    by_directory: BTreeMap<u64, Probe>,
}

#[derive(Debug)]
struct Probe {
    url: String,
    title: Option<String>,
    blocks: Blocks,
    folder: Folder,
    body_digest: [u8; 16],
}

impl Probe {
    /// Returns whether the response has content, so that the content of pages can be compared with it.
    fn has_content(&self) -> bool {
        !self.blocks.is_empty()
    }
}

impl Probes {
    /// Reads the probes. Only a response with status 200 at the URL itself can be mistaken for a page.
    pub(super) fn of<E: Evidence>(evidence: &E) -> Result<Self, E::Error> {
        let mut probes = Self::default();
        evidence.probes(&mut |visit: &Visit, blocks: &Blocks| {
            let Outcome::Page { facts, .. } = &visit.outcome else { return };
            let is_page = facts.status == 200 && facts.is_html && visit.hops.is_empty();
            if is_page {
                let blocks =
                    if facts.is_empty_without_javascript { Blocks::default() } else { blocks.clone() };
                let (url, title, body_digest) = (visit.url.clone(), facts.title.clone(), facts.body_digest);
                let folder = Folder::of(&url);
                let directory = directories(&url).next().map(|directory| hash64(directory.as_bytes()));
                if let Some(directory) = directory {
                    let probe = Probe { url, title, blocks, folder, body_digest };
                    probes.by_directory.insert(directory, probe);
                }
            }
        })?;
        Ok(probes)
    }

    /// Compares a page's content with the nearest probe.
    pub(super) fn like(&self, url: &str, blocks: &Blocks, shared: &SharedBlocks) -> Option<Like> {
        // A home page is often shown for nonexistent URLs, but it is a real page.
        if self.by_directory.is_empty() || matches!(path(url), "" | "/") {
            return None;
        }
        let mut directories = directories(url).map(|directory| hash64(directory.as_bytes()));
        let (directory, probe) = directories.find_map(|directory| {
            let probe = self.by_directory.get(&directory).filter(|probe| probe.has_content())?;
            Some((directory, probe))
        })?;
        let shapes = |blocks: &Blocks, folder: Folder| -> BTreeSet<u32> {
            shared.own(blocks, folder).map(|block| block.shape).collect()
        };
        let (page, error) = (shapes(blocks, Folder::of(url)), shapes(&probe.blocks, probe.folder));
        let common = page.intersection(&error).count();
        let all = page.len() + error.len() - common;
        let is_equal = if all == 0 {
            // If many pages are soft 404s, the error text itself looks like their template.
            let every = |blocks: &Blocks| blocks.iter().map(|block| block.shape).collect::<BTreeSet<_>>();
            every(blocks) == every(&probe.blocks)
        } else {
            common * 10 >= all * 9
        };
        // An error page may repeat the URL, which makes one of its blocks differ.
        (is_equal || common * 2 >= all).then_some(Like { directory, is_equal })
    }

    /// Returns the URL of the probe that a page resembles, unless their titles tell them apart.
    pub(super) fn confirm(&self, like: Like, facts: &PageFacts) -> Option<&str> {
        let probe = self.by_directory.get(&like.directory)?;
        let has_title = facts
            .title
            .as_ref()
            .is_some_and(|title| !title.is_empty() && probe.title.as_ref() == Some(title));
        let is_like = (like.is_equal || has_title) && !facts.is_empty_without_javascript;
        is_like.then_some(&*probe.url)
    }

    /// Returns the URL of the nearest probe if its response has exactly the body of a page. A single-page application
    /// may send the same HTML for every URL.
    pub(super) fn same_body(&self, url: &str, facts: &PageFacts) -> Option<&str> {
        if self.by_directory.is_empty() || matches!(path(url), "" | "/") {
            return None;
        }
        let mut near = directories(url).map(|directory| hash64(directory.as_bytes()));
        let probe = near.find_map(|directory| self.by_directory.get(&directory))?;
        (probe.body_digest == facts.body_digest).then_some(&*probe.url)
    }
}

/// How closely a page resembles a probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Like {
    /// The probe's directory.
    directory: u64,
    /// Whether the page and the probe share nearly all of their text. If `false`, they share at least half of it.
    is_equal: bool,
}

/// Returns the obstacle for a page that looks like a probe's response.
pub(super) fn obstacle(probe: &str) -> Obstacle {
    let message = format!("the page looks like the answer to {}, a URL that does not exist", quoted(probe));
    Obstacle::new(Standing::Soft404, Rule::PageSoft404, message)
}

/// Returns the directories of a URL, deepest first. Each includes the origin and ends with a slash.
fn directories(url: &str) -> impl Iterator<Item = &str> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let host = url.find("://").map_or(0, |at| at + 3);
    let mut end = url.len();
    std::iter::from_fn(move || {
        end = host + url.get(host..end)?.rfind('/')?;
        Some(&url[..=end])
    })
}

#[cfg(test)]
mod tests {
    use super::directories;

    #[test]
    fn directories_of_urls() {
        let of = |url| directories(url).collect::<Vec<_>>();
        assert_eq!(of("https://e.com/a/b?c/d"), ["https://e.com/a/", "https://e.com/"]);
        assert_eq!(of("https://e.com/a/"), ["https://e.com/a/", "https://e.com/"]);
        assert_eq!(of("https://e.com"), [""; 0]);
    }
}
