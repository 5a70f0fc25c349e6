//! The values of pages, and how to compare them.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use indexmap::IndexMap;
use serde::Serialize;
use sitemap_core::{ChangeFreq, Entry, LastMod, Priority};

use crate::page_list::document::Carried;
use crate::url_map::UrlMap;

/// The values of a page, and digests of its extensions.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// Which values the page's document can have.
    carried: Carried,
    lastmod: Option<LastMod>,
    changefreq: Option<ChangeFreq>,
    priority: Option<Priority>,
    /// The digests of the extensions, in the order of [`EXTENSIONS`], or `None` for a page without extensions.
    extensions: Option<Box<[u64; 5]>>,
}

pub(super) const EXTENSIONS: [&str; 5] = ["alternates", "images", "videos", "news", "elements"];

/// The old and the new value. Both are `None` for extensions, because only their digests are compared.
#[derive(Serialize)]
pub(super) struct Change {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<String>,
}

/// The changed values, by name.
pub(super) type Changes = IndexMap<&'static str, Change>;

impl Values {
    pub(super) fn of(entry: &Entry<'_>, carried: Carried, map: &UrlMap) -> Self {
        let has_extensions =
            entry.extensions() != sitemap_core::Extensions::NONE || !entry.elements().is_empty();
        Self {
            carried,
            lastmod: entry.lastmod(),
            changefreq: entry.changefreq(),
            priority: entry.priority(),
            extensions: has_extensions.then(|| {
                let digests = [
                    digest(entry.alternates().is_empty(), entry.alternates(), map),
                    digest(entry.images().is_empty(), entry.images(), map),
                    digest(entry.videos().is_empty(), entry.videos(), map),
                    digest(entry.news().is_none(), entry.news(), map),
                    digest(entry.elements().is_empty(), entry.elements(), map),
                ];
                Box::new(digests)
            }),
        }
    }

    /// Returns `true` if one of the two documents cannot have all values.
    pub(super) fn is_partial(&self, new: &Self) -> bool {
        self.carried.and(new.carried) != Carried::ALL
    }

    fn extension(&self, which: usize) -> u64 {
        self.extensions.as_ref().map_or(0, |digests| digests[which])
    }

    /// Returns the values that have changed, among those that both documents can have.
    pub(super) fn changes(&self, new: &Self) -> Changes {
        let (mut changes, both) = (IndexMap::new(), self.carried.and(new.carried));
        if both.lastmod && self.lastmod != new.lastmod {
            changes.insert("lastmod", Change::of(self.lastmod, new.lastmod));
        }
        if both.changefreq && self.changefreq != new.changefreq {
            changes.insert("changefreq", Change::of(self.changefreq, new.changefreq));
        }
        if both.priority && self.priority != new.priority {
            changes.insert("priority", Change::of(self.priority, new.priority));
        }
        for (which, name) in EXTENSIONS.into_iter().enumerate() {
            if both.extensions && self.extension(which) != new.extension(which) {
                changes.insert(name, Change { old: None, new: None });
            }
        }
        changes
    }
}

/// Returns the digest of an extension, or 0 if the page doesn't use it.
fn digest(is_empty: bool, value: impl Hash + Serialize, map: &UrlMap) -> u64 {
    let mut hasher = DefaultHasher::new();
    if map.is_empty() {
        value.hash(&mut hasher);
    } else {
        map.text(&serde_json::to_string(&value).unwrap_or_default()).hash(&mut hasher);
    }
    if is_empty { 0 } else { hasher.finish().max(1) }
}

impl Change {
    fn of<T: ToString>(old: Option<T>, new: Option<T>) -> Self {
        let text = |value: T| value.to_string();
        Self { old: old.map(text), new: new.map(text) }
    }
}
