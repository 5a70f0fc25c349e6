//! Chooses a random sample of pages.

use std::collections::BinaryHeap;

use super::hash64;

/// Chooses the pages with the smallest hashes, so that the sample doesn't depend on the order of pages.
#[derive(Debug)]
pub(super) struct Sample {
    seed: u64,
    /// The largest hash in the sample so far.
    limit: u64,
    /// The number of pages in the sample.
    pub(super) pages: u64,
}

impl Sample {
    /// Chooses this many pages. A page that is listed twice counts once.
    pub(super) fn choose<'a, E>(
        count: u64,
        seed: u64,
        urls: impl Iterator<Item = Result<impl AsRef<str> + 'a, E>>,
    ) -> Result<Self, E> {
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        let mut smallest = BinaryHeap::new();
        let mut known = std::collections::HashSet::new();
        for url in urls {
            let hash = hash(seed, url?.as_ref());
            let is_candidate =
                smallest.len() < most || smallest.peek().is_some_and(|largest| hash < *largest);
            if !is_candidate || !known.insert(hash) {
                continue;
            }
            smallest.push(hash);
            if smallest.len() > most
                && let Some(removed) = smallest.pop()
            {
                known.remove(&removed);
            }
        }
        let (limit, pages) = (smallest.peek().copied().unwrap_or(0), smallest.len() as u64);
        Ok(Self { seed, limit, pages })
    }

    pub(super) fn contains(&self, url: &str) -> bool {
        hash(self.seed, url) <= self.limit
    }
}

fn hash(seed: u64, url: &str) -> u64 {
    hash64(&[&seed.to_le_bytes()[..], url.as_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::Sample;

    fn chosen(count: u64, seed: u64, urls: &[String]) -> Vec<&str> {
        let Ok(sample) = Sample::choose(count, seed, urls.iter().map(Ok::<_, Infallible>));
        urls.iter().map(String::as_str).filter(|url| sample.contains(url)).collect()
    }

    #[test]
    fn a_sample_has_the_wanted_number_and_depends_only_on_the_seed() {
        let urls: Vec<String> = (0..1_000).map(|number| format!("https://example.com/{number}")).collect();
        let first = chosen(10, 1, &urls);
        assert_eq!(first.len(), 10);
        let mut reversed = urls.clone();
        reversed.reverse();
        let mut again = chosen(10, 1, &reversed);
        again.reverse();
        assert_eq!(first, again);
        assert_ne!(first, chosen(10, 2, &urls));
        assert_eq!(chosen(2_000, 1, &urls).len(), 1_000);
    }

    #[test]
    fn a_page_that_is_listed_twice_counts_once() {
        let urls =
            ["https://example.com/a", "https://example.com/a", "https://example.com/b"].map(str::to_owned);
        assert_eq!(chosen(2, 3, &urls).len(), 3);
    }
}
