//! The sitemaps that `check --since` skips because they are unchanged since an older set.

use std::collections::HashMap;
use std::fs;

use sitemap_core::publish::files::{content_digest, is_recent_file};

use crate::buckets;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::secret::masked;
use crate::source::Document;
use crate::terminal::say;

/// The sitemaps of an older set, and how many of them are unchanged.
pub(super) struct Since {
    /// The folder, or the URL of the object store.
    old: String,
    files: HashMap<String, OldFile>,
    same: Same,
}

/// A file of the older set, as described by its manifest.
struct OldFile {
    digest: String,
    stored: u64,
    pages: u64,
}

/// The number of skipped sitemaps and their pages.
#[derive(Clone, Copy, Debug, Default)]
struct Same {
    sitemaps: u64,
    pages: u64,
}

impl Since {
    pub(super) fn read(old: &str) -> Outcome<Self> {
        let Some(published) = buckets::published(old)? else {
            return Err(Stop::new(format!(
                "`--since`: `{}` has no set with an intact manifest; name a folder or an object store to which \
                 `sitemap build` has published a set, or check all sitemaps",
                masked(old)
            )));
        };
        // The recent section is always checked, because its dates are compared with those of all other files.
        let of_pages = |name: &str| !is_recent_file(name);
        let files = published
            .sections()
            .into_iter()
            .flat_map(|section| published.section(section))
            .filter(|file| of_pages(file.name()))
            .map(|file| {
                let described =
                    OldFile { digest: file.digest(), stored: file.stored_bytes(), pages: file.urls() };
                (file.name().to_owned(), described)
            })
            .collect();
        Ok(Self { old: old.to_owned(), files, same: Same::default() })
    }

    /// Returns `true` if the older set contains this sitemap with the same bytes. Compares the file's content, not only
    /// its size. Returns `false` for an unreadable file, so that the check reports the reason.
    pub(super) fn has(&mut self, document: &Document) -> bool {
        let Some(old) = self.files.get(document.file_name()) else { return false };
        let has_size = fs::metadata(&document.file).is_ok_and(|metadata| metadata.len() == old.stored);
        let is_same =
            has_size && fs::read(&document.file).is_ok_and(|bytes| content_digest(&bytes) == old.digest);
        if is_same {
            self.same.sitemaps += 1;
            self.same.pages += old.pages;
        }
        is_same
    }

    /// Prints to stderr how many sitemaps were skipped.
    pub(super) fn say(&self) {
        let Same { sitemaps, pages } = self.same;
        if sitemaps > 0 {
            say(&format!(
                "{} with {} not checked, because `{}` has the same; their pages are not compared with those of the other \
                 sitemaps",
                counted(sitemaps, "sitemap"),
                counted(pages, "page"),
                masked(&self.old)
            ));
        }
    }

    /// Returns what was skipped, for the JSON report.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::json!({ "since": masked(&self.old), "sitemaps": self.same.sitemaps, "pages": self.same.pages })
    }
}
