//! The download cache: a folder of documents, with the validators for conditional requests.
//!
//! The cache always asks the server whether a document has changed. So it never returns an outdated document, but saves
//! the download of an unchanged one.

mod entry;
mod folder;

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, SystemTime};

use sitemap_fetch::DownloadResponse;
use sitemap_pages::visit::Validators;
use url::Url;

use self::entry::{Entry, Unusable};
use self::folder::Folder;
use super::identity::Identity;
use crate::error::system_message;
use crate::number::counted;

#[derive(Debug)]
pub(super) struct Cache {
    folder: Folder,
    /// What the document depends on, apart from its URL.
    variant: String,
    /// True if the server may choose a document by the values of headers or credentials. The cache doesn't store these
    /// values, so only an entity tag can tell two documents apart.
    needs_tags: bool,
    unchanged: Cell<u64>,
    stored: Cell<u64>,
    not_stored: Cell<u64>,
}

/// A cached document. Only the server knows whether it is outdated.
#[derive(Debug)]
pub(super) struct Known {
    entry: Entry,
    key: String,
}

/// The reason why a cached document is not used.
#[derive(Debug)]
pub(super) enum NotUsed {
    /// Another run has replaced or removed it.
    Replaced,
    /// It is damaged or can't be read. The message contains the remedy.
    Broken(String),
}

impl Known {
    /// Returns the validators for a conditional request, and the URL that sent them.
    pub(super) fn condition(&self) -> (Validators, &str) {
        (self.entry.validators.clone(), &self.entry.served_at)
    }
}

impl Cache {
    /// Opens or creates a cache. The identity matters too, because the server may choose a document by the headers and
    /// credentials it receives.
    pub(super) fn open(path: &Path, max_bytes: u64, identity: &Identity) -> Result<Self, String> {
        Ok(Self {
            folder: Folder::open(path, max_bytes)?,
            variant: identity.variant(),
            needs_tags: !identity.is_plain(),
            unchanged: Cell::default(),
            stored: Cell::default(),
            not_stored: Cell::default(),
        })
    }

    /// Returns a URL's document, if it is in the cache. If the document is damaged, it is removed and an error is
    /// returned.
    pub(super) fn known(&self, url: &Url) -> Result<Option<Known>, String> {
        let key = entry::key(url.as_str(), &self.variant);
        match Entry::read(&self.folder.entry(&key)) {
            Ok(entry) if entry.url == url.as_str() => Ok(Some(Known { entry, key })),
            // The file belongs to a different URL with the same key.
            Ok(_) | Err(Unusable::Missing) => Ok(None),
            Err(unusable) => Err(self.broken(&key, unusable)),
        }
    }

    /// Copies a document that hasn't changed from the cache to a file.
    pub(super) fn copy(&self, known: &Known, response: &DownloadResponse, to: &Path) -> Result<(), NotUsed> {
        // The server's response is about a different document than the one in the cache.
        if let (Some(known), Some(found)) = (&known.entry.validators.etag, response.header("etag"))
            && opaque(known) != opaque(found)
        {
            return Err(NotUsed::Replaced);
        }
        match known.entry.copy(&self.folder.entry(&known.key), to) {
            Ok(()) => {
                self.folder.used(&known.key);
                self.unchanged.set(self.unchanged.get() + 1);
                Ok(())
            }
            Err(Unusable::Missing) => Err(NotUsed::Replaced),
            Err(unusable) => Err(NotUsed::Broken(self.broken(&known.key, unusable))),
        }
    }

    /// Stores a document, provided that the server can later tell whether the document has changed. If storing fails,
    /// the document is only counted, because the run has a copy anyway.
    pub(super) fn store(&self, url: &Url, served_at: &str, response: &DownloadResponse, body: &Path) {
        let key = entry::key(url.as_str(), &self.variant);
        let Some(validators) = validators(response, self.needs_tags) else {
            self.folder.remove(&key);
            return;
        };
        let entry = Entry { url: url.to_string(), served_at: served_at.to_owned(), validators };
        let stored = self
            .folder
            .create()
            .and_then(|mut file| entry.write(file.as_file_mut(), body).map(|()| file))
            .and_then(|file| self.folder.put(file, &key));
        let count = if stored.is_ok() { &self.stored } else { &self.not_stored };
        count.set(count.get() + 1);
    }

    /// Returns the cache's line for the summary of a run, or `None` if the run didn't use the cache.
    pub(super) fn summary(&self) -> Option<String> {
        let (unchanged, stored, not_stored) =
            (self.unchanged.get(), self.stored.get(), self.not_stored.get());
        if unchanged + stored + not_stored == 0 {
            return None;
        }
        let mut parts =
            vec![format!("{} unchanged", counted(unchanged, "sitemap")), format!("{stored} stored")];
        let removed = self.folder.removed();
        if removed > 0 {
            let limit = self.folder.max_bytes();
            parts.push(format!("{} removed at the limit of {limit} bytes", counted(removed, "old one")));
        }
        if not_stored > 0 {
            parts.push(format!("{not_stored} could not be stored"));
        }
        Some(format!("cache: {}", parts.join(", ")))
    }

    /// Removes an unusable entry, and returns a message about it.
    fn broken(&self, key: &str, unusable: Unusable) -> String {
        let path = self.folder.entry(key);
        let path = path.display();
        match unusable {
            Unusable::Failed(error) => {
                format!("cannot read `{path}` of the cache: {}", system_message(&error))
            }
            _ if self.folder.remove(key) => {
                format!("`{path}` of the cache was damaged and has been removed; run the command again")
            }
            _ => format!("`{path}` of the cache is damaged; remove it"),
        }
    }
}

/// Returns a response's validators, or `None` if it may not be stored or contains none.
///
/// A `Last-Modified` date is used only if it is older than the response, because a document may change twice within a
/// second. If headers or credentials may select the document, the date is never used, because two users' documents may
/// have the same date.
///
/// Sources: RFC 9110, sections 8.8.2.2 and 8.8.3; RFC 9111, section 5.2.2.5.
fn validators(response: &DownloadResponse, needs_tags: bool) -> Option<Validators> {
    let header = |name| response.header(name).map(str::to_owned);
    let lines = response.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("cache-control"));
    if lines.flat_map(|(_, line)| line.split(',')).any(|one| one.trim().eq_ignore_ascii_case("no-store")) {
        return None;
    }
    let date = |text: &str| httpdate::parse_http_date(text).ok();
    let sent = response.header("date").and_then(date).unwrap_or_else(SystemTime::now);
    let is_old =
        |modified: &String| date(modified).is_some_and(|modified| modified + Duration::from_secs(1) <= sent);
    let dated = header("last-modified").filter(|_| !needs_tags).filter(is_old);
    let validators = Validators::new(header("etag"), dated);
    (!validators.is_empty()).then_some(validators)
}

/// Returns an entity tag without the prefix that marks weak tags.
fn opaque(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/")
}
