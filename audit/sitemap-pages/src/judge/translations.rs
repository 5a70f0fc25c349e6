//! How the language versions of a site link to each other.

use std::collections::BTreeMap;

/// The maximum number of language pairs that are counted separately.
const MOST: usize = 10_000;

/// Counts of links from pages in one language to their versions in another.
///
/// ```
/// use sitemap_pages::judge::Translations;
///
/// let mut translations = Translations::default();
/// for links_back in [Some(true), Some(true), Some(false)] {
///     translations.add("de", "fr", links_back);
/// }
/// let (_, links) = translations.pairs().next().unwrap();
/// assert_eq!(links.links - links.one_way - links.unchecked, 2, "links in both directions");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionLinks {
    /// The number of links.
    pub links: u64,
    /// The number of links to versions that don't link back or can't be indexed.
    pub one_way: u64,
    /// The number of links to versions that were not visited, so nothing is known about them.
    pub unchecked: u64,
}

/// The links between the languages of a site. After the first 10,000 language pairs, links between further pairs are
/// only counted in total.
///
/// ```
/// use sitemap_pages::judge::Translations;
///
/// let mut translations = Translations::default();
/// translations.add("DE", "fr", Some(true));
/// translations.add("de", "fr", Some(false));
/// let (pair, links) = translations.pairs().next().unwrap();
/// assert_eq!((pair, links.links, links.one_way), (("de", "fr"), 2, 1));
/// assert_eq!(translations.omitted(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translations {
    pairs: BTreeMap<(String, String), VersionLinks>,
    omitted: u64,
}

impl Translations {
    /// Counts a link from a page in one language to its version in another. `links_back` is whether the version links
    /// back, if known.
    pub fn add(&mut self, from: &str, to: &str, links_back: Option<bool>) {
        let pair = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        if self.pairs.len() >= MOST && !self.pairs.contains_key(&pair) {
            self.omitted += 1;
            return;
        }
        let counts = self.pairs.entry(pair).or_default();
        counts.links += 1;
        counts.one_way += u64::from(links_back == Some(false));
        counts.unchecked += u64::from(links_back.is_none());
    }

    /// Returns the language pairs in order, each with its links.
    pub fn pairs(&self) -> impl Iterator<Item = ((&str, &str), VersionLinks)> {
        self.pairs.iter().map(|((from, to), links)| ((&**from, &**to), *links))
    }

    /// Returns the number of links between language pairs above the limit.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }
}
