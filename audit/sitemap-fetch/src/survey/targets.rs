//! The pages that listed pages name as canonicals or translations.

use std::collections::{BTreeSet, HashSet};

use sitemap_pages::facts::PageFacts;
use sitemap_pages::state::{ListedPage, Run, State, StateError};
use sitemap_pages::urls::without_fragment;

use super::hash64;

/// The maximum number of such pages that a run requests.
const MOST: usize = 200_000;

/// The named pages that aren't listed, and how many of them exceed the limit.
pub(super) struct Targets {
    pub(super) urls: BTreeSet<String>,
    pub(super) omitted: u64,
}

impl Targets {
    /// Collects the pages that the run's visited pages name, and the translations that the pages' entries name.
    pub(super) fn of(
        state: &State,
        run: &Run,
        listed: &HashSet<u64>,
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<Self, StateError> {
        let mut targets = Self { urls: BTreeSet::new(), omitted: 0 };
        for entry in state.listing() {
            let entry = entry?;
            if is_chosen(without_fragment(&entry.loc)) {
                entry.alternates.iter().for_each(|alternate| targets.add(&alternate.url, listed));
            }
        }
        for page in state.pages() {
            let page = page?;
            let is_listed = listed.contains(&hash64(page.visit.url.as_bytes()));
            if page.run != run.number() || !is_listed || !is_chosen(&page.visit.url) {
                continue;
            }
            page.facts().into_iter().flat_map(named_by).for_each(|url| targets.add(url, listed));
        }
        Ok(targets)
    }

    fn add(&mut self, url: &str, listed: &HashSet<u64>) {
        let url = without_fragment(url);
        if !is_web(url) || listed.contains(&hash64(url.as_bytes())) || self.urls.contains(url) {
            return;
        }
        if self.urls.len() < MOST {
            self.urls.insert(url.to_owned());
        } else {
            self.omitted += 1;
        }
    }
}

/// The pages that listed pages name. They are collected during the visits, so that the listed pages don't have to be
/// read again.
#[derive(Debug, Default)]
pub(super) struct Named {
    urls: BTreeSet<String>,
    /// Whether the collection is incomplete.
    is_spoiled: bool,
}

impl Named {
    /// Adds the translations that an entry names.
    pub(super) fn entry(&mut self, entry: &ListedPage, listed: &HashSet<u64>) {
        entry.alternates.iter().for_each(|alternate| self.add(&alternate.url, listed));
    }

    /// Adds the pages that a listed page's facts name.
    pub(super) fn page(&mut self, page: &str, facts: &PageFacts, listed: &HashSet<u64>) {
        named_by(facts).filter(|url| *url != page).for_each(|url| self.add(url, listed));
    }

    /// Leaves something out.
    pub(super) fn spoil(&mut self) {
        *self = Self { is_spoiled: true, ..Self::default() };
    }

    /// Adds a URL unless it is already known to be listed.
    fn add(&mut self, url: &str, listed: &HashSet<u64>) {
        let url = without_fragment(url);
        if self.is_spoiled || !is_web(url) || listed.contains(&hash64(url.as_bytes())) {
            return;
        }
        if !self.urls.contains(url) {
            self.urls.insert(url.to_owned());
        }
        if self.urls.len() > MOST {
            self.spoil();
        }
    }

    /// Returns the pages that aren't listed, or `None` if the collection is incomplete.
    pub(super) fn targets(self, listed: &HashSet<u64>) -> Option<Targets> {
        let Self { mut urls, is_spoiled } = self;
        urls.retain(|url| !listed.contains(&hash64(url.as_bytes())));
        (!is_spoiled).then_some(Targets { urls, omitted: 0 })
    }
}

/// Returns a page's canonicals and translations.
fn named_by(facts: &PageFacts) -> impl Iterator<Item = &str> {
    let canonicals = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_deref());
    canonicals.chain(facts.translations.iter().filter_map(|translation| translation.url.as_deref()))
}

fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}
