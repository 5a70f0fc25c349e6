use memchr::memmem;
use proptest::prelude::*;

use super::matches;

/// Matches by trying every possible length for each `*`, straight from the definition. Patterns and paths must be
/// short.
fn naive(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| naive(rest, &path[skipped..])),
        [octet, rest @ ..] => path.first() == Some(octet) && naive(rest, &path[1..]),
    }
}

fn fast(pattern: &[u8], path: &[u8]) -> bool {
    matches(pattern, path, &mut |text, literal| memmem::find(text, literal))
}

#[test]
fn the_naive_matcher_matches_too() {
    for (pattern, path, is_match) in [
        ("/a*b$", "/acb", true),
        ("/a*b$", "/acbc", false),
        ("/a*b", "/acbc", true),
        ("*b*c*", "/a/b/c/d", true),
        ("/*ab*ab$", "/ab", false),
        ("/ab*$", "/ab", true),
        ("$", "/", false),
    ] {
        assert_eq!(naive(pattern.as_bytes(), path.as_bytes()), is_match, "{pattern} {path}");
        assert_eq!(fast(pattern.as_bytes(), path.as_bytes()), is_match, "{pattern} {path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    /// With only two letters, overlaps are common, so the first possible position is often not the only one.
    #[test]
    fn greedy_matching_equals_trying_everything(pattern in "/?[ab*]{0,9}\\$?", path in "/[ab]{0,12}") {
        prop_assert_eq!(fast(pattern.as_bytes(), path.as_bytes()), naive(pattern.as_bytes(), path.as_bytes()));
    }
}
