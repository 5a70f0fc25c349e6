//! The pauses before retries.

use std::time::Duration;

use twox_hash::XxHash3_64;

/// The longest pause before a retry.
const MAX: Duration = Duration::from_secs(30);

/// Returns the pause before a retry: `first`, doubled for each earlier retry, up to 30 seconds. The result is then
/// shortened at random by up to half.
///
/// The random part depends only on the seed, the URL and the number of earlier retries, not on the order of requests.
pub(crate) fn pause(first: Duration, earlier: u32, seed: u64, url: &str) -> Duration {
    let longest = first.saturating_mul(2_u32.saturating_pow(earlier)).min(MAX);
    let mut random =
        fastrand::Rng::with_seed(XxHash3_64::oneshot_with_seed(seed ^ u64::from(earlier), url.as_bytes()));
    longest.mul_f64(1.0 - random.f64() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit() {
        let second = Duration::from_secs(1);
        for (earlier, longest) in [(0, 1), (1, 2), (2, 4), (4, 16), (5, 30), (6, 30), (40, 30)] {
            let pause = pause(second, earlier, 7, "https://example.com/oak");
            let longest = Duration::from_secs(longest);
            assert!(pause <= longest && pause >= longest / 2, "{earlier}: {pause:?}");
        }
        assert_eq!(pause(Duration::ZERO, 3, 7, "https://example.com/oak"), Duration::ZERO);
    }

    #[test]
    fn the_pause_depends_on_seed_url_and_retry_only() {
        let of = |seed, url, earlier| pause(Duration::from_secs(4), earlier, seed, url);
        assert_eq!(of(1, "https://example.com/a", 0), of(1, "https://example.com/a", 0));
        assert_ne!(of(1, "https://example.com/a", 0), of(2, "https://example.com/a", 0));
        assert_ne!(of(1, "https://example.com/a", 0), of(1, "https://example.com/b", 0));
    }
}
