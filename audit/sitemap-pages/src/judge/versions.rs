//! Judges the language versions named by pages and their entries.

use sitemap_read::{Rule, quoted};

use super::evidence::Listed;
use super::fault::Fault;
use super::page_numbers::Numbers;
use super::standing::Standing;
use super::translations::Translations;
use super::url_key::{Key, key, pair};
use crate::content::{HashedMap, HashedSet};
use crate::facts::{PageFacts, Place, Translation};

/// The links between language versions that haven't been seen to link back.
#[derive(Debug)]
pub(super) struct Pending {
    pairs: HashedSet,
    max: usize,
    /// Whether there were too many links to keep, so that nothing can be concluded.
    pub(super) is_over: bool,
}

impl Pending {
    pub(super) fn new(max: usize) -> Self {
        Self { pairs: HashedSet::default(), max, is_over: false }
    }

    /// Adds a page's links. A link back to a page that already links to this one isn't added; instead, the earlier link
    /// is removed. Call this once for each page that can be indexed, with the links of its entry as well.
    pub(super) fn add<'a>(
        &mut self,
        place: usize,
        links: impl Iterator<Item = &'a str>,
        pages: &mut Numbers,
    ) {
        if self.is_over {
            return;
        }
        let page = pages.at(place).key;
        let mut targets: Vec<Key> = links.map(key).filter(|target| *target != page).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if self.pairs.remove(&pair(target, page)) {
                if let Some(place) = pages.place(target) {
                    let page = pages.at_mut(place);
                    page.one_way = page.one_way.saturating_sub(1);
                }
                continue;
            }
            if self.pairs.len() >= self.max {
                self.is_over = true;
                self.pairs = HashedSet::default();
                return;
            }
            self.pairs.insert(pair(page, target));
            pages.at_mut(place).one_way += 1;
        }
    }
}

/// Judges the language versions that a page itself names. Versions that were not visited are not judged.
pub(super) fn judge(
    listed: &Listed,
    page: Key,
    facts: &PageFacts,
    pending: &Pending,
    standing: impl Fn(Key) -> Option<Standing>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (mut broken, mut one_way) = (Worst::default(), Worst::default());
    let mut causes = Vec::new();
    // The default version may be a page that redirects by language.
    for (version, url) in of_page(facts).filter(|(version, _)| !is_default(&version.language)) {
        let target = key(url);
        match standing(target).filter(|_| target != page) {
            None | Some(Standing::Unknown) => {}
            Some(Standing::Indexable) => {
                if pending.pairs.contains(&pair(page, target)) {
                    one_way.add(|| format!("{} for {}", quoted(url), quoted(&version.language)));
                }
            }
            Some(other) => {
                causes.push(target);
                broken.add(|| format!("{} for {} ({other})", quoted(url), quoted(&version.language)));
            }
        }
    }
    if let Some(versions) = broken.shown() {
        let message = format!("the page names a language version that cannot be indexed, {versions}");
        faults.push(Fault::new(Rule::PageHreflangBroken, message).because_of(causes));
    }
    if let Some(versions) = one_way.shown() {
        let message = format!("the page names a language version that does not link back, {versions}");
        faults.push(Fault::new(Rule::PageHreflangNoReturn, message));
    }
    faults.extend(own_version(listed, page, facts));
    faults.extend(difference(listed, page, facts));
    faults
}

/// Reports a page that names language versions but not itself. It's enough if the entry names the page, because Google
/// treats both places as equivalent.
fn own_version(listed: &Listed, page: Key, facts: &PageFacts) -> Option<Fault> {
    let mut entry = listed.alternates.iter().map(|(_, url)| key(url));
    if !lacks_itself(facts, page) || entry.any(|url| url == page) {
        return None;
    }
    let mut others = Worst::default();
    for (version, url) in of_page(facts).filter(|(version, _)| !is_default(&version.language)) {
        others.add(|| format!("{} for {}", quoted(url), quoted(&version.language)));
    }
    let message = format!("the page names its language version {}, but not itself", others.shown()?);
    Some(Fault::new(Rule::PageHreflangNoSelf, message))
}

/// Returns whether a page names language versions, but not itself.
pub(super) fn lacks_itself(facts: &PageFacts, page: Key) -> bool {
    let mut has_others = false;
    for (version, url) in of_page(facts) {
        if key(url) == page {
            return false;
        }
        has_others |= !is_default(&version.language);
    }
    has_others
}

/// Compares the versions that the page names with those that its entry names, if both name any.
fn difference(listed: &Listed, page: Key, facts: &PageFacts) -> Option<Fault> {
    let known = |language: &str, url: &str| (language.to_ascii_lowercase(), key(url));
    let mut entry: HashedMap<Vec<String>> = HashedMap::default();
    let mut own: HashedMap<Vec<String>> = HashedMap::default();
    let other = |language: &str, target: Key| !is_default(language) && target != page;
    for (language, url) in &listed.alternates {
        let (language, target) = known(language, url);
        if other(&language, target) {
            entry.entry(target).or_default().push(language);
        }
    }
    for (version, url) in of_page(facts) {
        let (language, target) = known(&version.language, url);
        if other(&language, target) {
            own.entry(target).or_default().push(language);
        }
    }
    if listed.alternates.is_empty() || of_page(facts).next().is_none() {
        return None;
    }
    let lacks = |from: &HashedMap<Vec<String>>, language: &str, url: &str| {
        let (language, target) = known(language, url);
        other(&language, target) && !from.get(&target).is_some_and(|languages| languages.contains(&language))
    };
    let message = |url: &str, language: &str, with: &str, without: &str| {
        let (url, language) = (quoted(url), quoted(language));
        Some(Fault::new(
            Rule::PageHreflangDiffers,
            format!("{with} names {url} for {language}, {without} does not"),
        ))
    };
    if let Some((version, url)) = of_page(facts).find(|(version, url)| lacks(&entry, &version.language, url))
    {
        return message(url, &version.language, "the page", "its entry");
    }
    let missing = listed.alternates.iter().find(|(language, url)| lacks(&own, language, url));
    missing.and_then(|(language, url)| message(url, language, "the entry", "the page"))
}

/// Counts the links from a page and its entry to the page's other language versions.
pub(super) fn count(
    listed: &Listed,
    facts: &PageFacts,
    pending: &Pending,
    standing: impl Fn(Key) -> Option<Standing>,
    translations: &mut Translations,
) {
    let page = key(&listed.loc);
    let own = of_page(facts).map(|(version, url)| (version.language.trim(), key(url)));
    let entry = listed.alternates.iter().map(|(language, url)| (language.trim(), key(url)));
    let versions: std::collections::BTreeSet<(&str, Key)> =
        own.chain(entry).filter(|(language, _)| !is_default(language)).collect();
    let named = versions.iter().find(|(_, target)| *target == page).map(|(language, _)| *language);
    let from = named.or(facts.language.as_deref()).unwrap_or("unknown");
    for (language, target) in versions.iter().filter(|(_, target)| *target != page) {
        let links_back = match standing(*target) {
            None | Some(Standing::Unknown) => None,
            Some(Standing::Indexable) if pending.is_over => None,
            Some(Standing::Indexable) => Some(!pending.pairs.contains(&pair(page, *target))),
            Some(_) => Some(false),
        };
        translations.add(from, language, links_back);
    }
}

/// Returns the versions that a page names in its headers and head.
pub(super) fn of_page(facts: &PageFacts) -> impl Iterator<Item = (&Translation, &str)> {
    let stated = facts.translations.iter().filter(|version| version.place != Place::Body);
    stated.filter_map(|version| Some((version, version.url.as_deref()?)))
}

fn is_default(language: &str) -> bool {
    language.trim().eq_ignore_ascii_case("x-default")
}

/// The first language version with a fault, and how many versions share that fault.
#[derive(Debug, Default)]
struct Worst {
    first: Option<String>,
    more: usize,
}

impl Worst {
    fn add(&mut self, shown: impl FnOnce() -> String) {
        if self.first.is_some() { self.more += 1 } else { self.first = Some(shown()) }
    }

    fn shown(self) -> Option<String> {
        let more = self.more;
        self.first.map(|first| if more > 0 { format!("{first} and {more} more") } else { first })
    }
}
