//! URLs that can't exist, used to learn how a site responds to a missing page.

use std::collections::{BTreeMap, HashMap};

use sitemap_pages::urls::origin;

use super::hash64;

/// The number of folders to probe on a host, in addition to its root.
const FOLDERS: usize = 20;
/// The maximum number of folders to count pages for. Folders found after that are not probed.
const MOST: usize = 100_000;

/// The folders of the listed pages.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// The number of pages in each folder, by host.
    hosts: BTreeMap<String, HashMap<String, u64>>,
    known: usize,
}

impl Folders {
    /// Counts a listed page towards its folder.
    pub(super) fn add(&mut self, url: &str) {
        let Some(origin) = origin(url) else { return };
        let folders = match self.hosts.get_mut(&*origin) {
            Some(folders) => folders,
            None => self.hosts.entry(origin.into_owned()).or_default(),
        };
        let folder = folder_of(url);
        if let Some(pages) = folders.get_mut(folder) {
            *pages += 1;
        } else if self.known < MOST {
            self.known += 1;
            folders.insert(folder.to_owned(), 1);
        }
    }

    /// Returns the folders to probe: each host's root, and the folders with the most pages.
    pub(super) fn chosen(self) -> Vec<String> {
        let mut chosen = Vec::new();
        for (origin, folders) in self.hosts {
            let root = format!("{origin}/");
            let mut folders: Vec<_> = folders.into_iter().filter(|(folder, _)| *folder != root).collect();
            folders.sort_by(|(one, pages), (other, more)| more.cmp(pages).then_with(|| one.cmp(other)));
            chosen.push(root);
            chosen.extend(folders.into_iter().take(FOLDERS).map(|(folder, _)| folder));
        }
        chosen
    }
}

/// Returns a URL up to and including the last slash of its path.
fn folder_of(url: &str) -> &str {
    let path = &url[..url.find('?').unwrap_or(url.len())];
    let host = path.find("://").map_or(0, |at| at + 3);
    path[host..].rfind('/').map_or(path, |slash| &path[..=host + slash])
}

/// Returns a URL in a folder for a page that exists on no site. The URL is always the same for a folder.
pub(super) fn impossible(folder: &str) -> String {
    let slash = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{slash}no-such-page-{:016x}", hash64(folder.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Folders, folder_of, impossible};

    #[test]
    fn folders_end_with_the_last_slash_of_the_path() {
        for (url, folder) in [
            ("https://e.com/a/b?c=/d", "https://e.com/a/"),
            ("https://e.com/", "https://e.com/"),
            ("https://e.com", "https://e.com"),
        ] {
            assert_eq!(folder_of(url), folder, "{url}");
        }
        assert_eq!(impossible("https://e.com/a/"), impossible("https://e.com/a/"));
        assert!(impossible("https://e.com").starts_with("https://e.com/no-such-page-"));
    }

    #[test]
    fn the_root_and_the_largest_folders_of_each_host_are_probed() {
        let mut folders = Folders::default();
        (0..60).for_each(|number| folders.add(&format!("https://e.com/{}/{number}", number % 30)));
        for url in ["https://e.com/29/x", "http://f.com/", "mailto:x"] {
            folders.add(url);
        }

        let folders = folders.chosen();
        assert_eq!(folders.len(), 1 + 1 + 20);
        assert_eq!(folders[..3], ["http://f.com/", "https://e.com/", "https://e.com/29/"]);
    }
}
