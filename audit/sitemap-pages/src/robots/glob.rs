//! Matches a pattern against a path.

/// Returns `true` if the pattern matches the start of the path. Both are in normal form.
///
/// `find` returns the position of the first occurrence of its second argument in its first.
///
/// A pattern is a sequence of literals separated by `*`. If there is a match, there is also one with each literal at
/// its earliest possible position. Each search can therefore start where the previous one ended, and no position is
/// searched twice. If `find` is linear, the work is bounded by the length of the path plus the length of the pattern.
pub(super) fn matches(
    pattern: &[u8],
    path: &[u8],
    find: &mut impl FnMut(&[u8], &[u8]) -> Option<usize>,
) -> bool {
    let (pattern, is_to_end) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut literals = pattern.split(|octet| *octet == b'*');
    let Some(mut rest) = literals.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let Some(last) = literals.next_back() else { return !is_to_end || rest.is_empty() };
    for literal in literals {
        let Some(at) = find(rest, literal) else { return false };
        rest = &rest[at + literal.len()..];
    }
    if is_to_end { rest.ends_with(last) } else { find(rest, last).is_some() }
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
