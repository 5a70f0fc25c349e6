//! Serialization of entries as objects, in JSON and other formats.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Entry;
use crate::extension::serde::{Key, unknown};
use crate::value::{Loc, Site};

/// Serializes an entry as an object with the keys `loc`, `lastmod`, `changefreq`, `priority`, `alternates`, `images`,
/// `videos`, `news` and `elements`. Values that are not set are omitted.
impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("loc", self.loc())?;
        if let Some(lastmod) = self.lastmod() {
            map.serialize_entry("lastmod", &lastmod)?;
        }
        if let Some(changefreq) = self.changefreq() {
            map.serialize_entry("changefreq", &changefreq)?;
        }
        if let Some(priority) = self.priority() {
            map.serialize_entry("priority", &priority)?;
        }
        serialize_list(&mut map, "alternates", self.alternates())?;
        serialize_list(&mut map, "images", self.images())?;
        serialize_list(&mut map, "videos", self.videos())?;
        if let Some(news) = self.news() {
            map.serialize_entry("news", news)?;
        }
        serialize_list(&mut map, "elements", self.elements())?;
        map.end()
    }
}

fn serialize_list<M: SerializeMap>(
    map: &mut M,
    key: &'static str,
    values: &[impl Serialize],
) -> Result<(), M::Error> {
    if values.is_empty() { Ok(()) } else { map.serialize_entry(key, values) }
}

/// Deserializes an entry. Borrows its strings from the input if the format allows it. An unknown key is an error,
/// because it is most likely a typo. The keys `sitemap` and `section`, which say where an entry was found, are ignored.
impl<'de: 'a, 'a> Deserialize<'de> for Entry<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor { site: None })
    }
}

/// Deserializes an entry whose `loc` may be a path on this site.
///
/// ```
/// use serde::de::DeserializeSeed as _;
/// use sitemap_core::Site;
///
/// let site = Site::new("https://example.com")?;
/// let mut json = serde_json::Deserializer::from_str(r#"{"loc": "/about", "priority": 0.8}"#);
/// let entry = site.deserialize(&mut json)?;
/// assert_eq!(entry.loc(), "https://example.com/about");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> DeserializeSeed<'de> for &Site {
    type Value = Entry<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Entry<'de>, D::Error> {
        deserializer.deserialize_map(EntryVisitor { site: Some(self) })
    }
}

struct EntryVisitor<'v> {
    /// The site for `loc` values that are paths.
    site: Option<&'v Site>,
}

impl<'de> Visitor<'de> for EntryVisitor<'_> {
    type Value = Entry<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the values of an entry")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry<'de>, A::Error> {
        let mut loc = None;
        let mut entry = Entry::new(Loc::NONE.clone());
        let mut seen = [false; KEYS.len()];
        while let Some(Key(key)) = map.next_key()? {
            if PLACES.contains(&&*key) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let Some(at) = KEYS.iter().position(|known| *known == key) else {
                return Err(unknown(&key, KEYS));
            };
            if std::mem::replace(&mut seen[at], true) {
                return Err(A::Error::duplicate_field(KEYS[at]));
            }
            match KEYS[at] {
                "loc" => loc = Some(self.loc(&mut map)?),
                "lastmod" => entry = entry.with_lastmod(map.next_value::<Option<_>>()?),
                "changefreq" => entry = entry.with_changefreq(map.next_value::<Option<_>>()?),
                "priority" => entry = entry.with_priority(map.next_value::<Option<_>>()?),
                "alternates" => entry = entry.with_alternates(list(&mut map)?),
                "images" => entry = entry.with_images(list(&mut map)?),
                "videos" => entry = entry.with_videos(list(&mut map)?),
                "news" => entry = entry.with_news(map.next_value::<Option<_>>()?),
                _ => entry = entry.with_elements(list(&mut map)?),
            }
        }
        entry.loc = loc.ok_or_else(|| A::Error::missing_field("loc"))?;
        Ok(entry)
    }
}

const KEYS: [&str; 9] =
    ["loc", "lastmod", "changefreq", "priority", "alternates", "images", "videos", "news", "elements"];

/// Keys that say where an entry was found.
const PLACES: [&str; 2] = ["sitemap", "section"];

/// Deserializes a list. `null` becomes an empty list.
fn list<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<Vec<T>, A::Error> {
    map.next_value::<Option<_>>().map(Option::unwrap_or_default)
}

impl EntryVisitor<'_> {
    fn loc<'de, A: MapAccess<'de>>(&self, map: &mut A) -> Result<Loc<'de>, A::Error> {
        let Some(site) = self.site else { return map.next_value() };
        let Key(text) = map.next_value()?;
        site.resolve(text).map_err(A::Error::custom)
    }
}
