//! The pages that listed pages name: canonicals and translations.

use std::collections::{BTreeSet, HashSet};

use crate::content::hash64;
use crate::state::{Run, State, StateError};
use crate::visit::without_fragment;

/// The number of such pages that a run requests.
const MOST: usize = 200_000;

/// The pages that are named and not listed, and the number of those past the limit.
pub(super) struct Targets {
    pub(super) urls: BTreeSet<String>,
    pub(super) omitted: u64,
}

impl Targets {
    /// Collects the targets of the pages that a run visited, and the translations that its entries name.
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
            let Some(facts) = page.facts() else { continue };
            let canonicals = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_deref());
            let translations = facts.translations.iter().filter_map(|translation| translation.url.as_deref());
            canonicals.chain(translations).for_each(|url| targets.add(url, listed));
        }
        Ok(targets)
    }

    fn add(&mut self, url: &str, listed: &HashSet<u64>) {
        let url = without_fragment(url);
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        if !is_web || listed.contains(&hash64(url.as_bytes())) || self.urls.contains(url) {
            return;
        }
        if self.urls.len() < MOST {
            self.urls.insert(url.to_owned());
        } else {
            self.omitted += 1;
        }
    }
}
