//! Patterns for file names.

/// A pattern such as `blog/*.xml`. `*` matches any characters except `/`, `?` matches one such character, and `**`
/// matches any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(String);

impl Glob {
    pub(super) fn new(pattern: &str) -> Self {
        Self(pattern.strip_prefix("./").unwrap_or(pattern).to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the pattern matches the whole name, or the part after one of its slashes.
    pub(super) fn matches(&self, name: &str) -> bool {
        let pattern: Vec<Part> = parts(&self.0);
        let name: Vec<char> = name.chars().map(|ch| if ch == '\\' { '/' } else { ch }).collect();
        (0..name.len())
            .filter(|&start| start == 0 || name[start - 1] == '/')
            .any(|start| matches(&pattern, &name[start..]))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// This character.
    One(char),
    /// Any character except a slash.
    Any,
    /// Any number of characters except slashes.
    Segment,
    /// Any number of characters.
    Path,
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for ch in pattern.chars() {
        match (ch, parts.last()) {
            ('*', Some(Part::Segment | Part::Path)) => {
                parts.pop();
                parts.push(Part::Path);
            }
            ('*', _) => parts.push(Part::Segment),
            ('?', _) => parts.push(Part::Any),
            // `**/` may also match no folder at all.
            ('/', Some(Part::Path)) => {}
            (ch, _) => parts.push(Part::One(ch)),
        }
    }
    parts
}

/// Compares a name with a pattern. `reached` records the places in the pattern that the characters so far can reach. So
/// the cost is at most the product of the two lengths.
fn matches(pattern: &[Part], name: &[char]) -> bool {
    let mut reached = vec![false; pattern.len() + 1];
    reached[0] = true;
    let skip_empty = |reached: &mut Vec<bool>| {
        for (at, part) in pattern.iter().enumerate() {
            if reached[at] && matches!(part, Part::Segment | Part::Path) {
                reached[at + 1] = true;
            }
        }
    };
    skip_empty(&mut reached);
    for &ch in name {
        let mut next = vec![false; pattern.len() + 1];
        for (at, part) in pattern.iter().enumerate().filter(|(at, _)| reached[*at]) {
            match part {
                Part::One(expected) if *expected == ch => next[at + 1] = true,
                Part::Any if ch != '/' => next[at + 1] = true,
                Part::Segment if ch != '/' => next[at] = true,
                Part::Path => next[at] = true,
                _ => {}
            }
        }
        skip_empty(&mut next);
        reached = next;
    }
    reached[pattern.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_the_end_of_a_name() {
        for (pattern, name, expected) in [
            ("sitemap.xml", "public/sitemap.xml", true),
            ("sitemap.xml", "public/my-sitemap.xml", false),
            ("blog/*.xml", "public/blog/a.xml", true),
            ("blog/*.xml", "public/blog/2026/a.xml", false),
            ("blog/**/*.xml", "public/blog/2026/a.xml", true),
            ("blog/**/*.xml", "blog/a.xml", true),
            ("blog/**", "blog/2026/a.xml", true),
            ("./public/*", "public/a.xml", true),
            ("public/*", "public\\a.xml", true),
            ("a?.xml", "a1.xml", true),
            ("a?.xml", "a/.xml", false),
            ("*-1.xml*", "sitemap-posts-1.xml.gz", true),
            ("https://example.com/blog/*", "https://example.com/blog/a.xml", true),
            ("https://example.com/blog/*", "https://example.org/blog/a.xml", false),
            ("*", "", false),
            ("**a**a**a**b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(name), expected, "{pattern} {name}");
        }
    }
}
