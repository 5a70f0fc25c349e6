//! Patterns for file names and URLs.

use globset::{GlobBuilder, GlobMatcher};

/// A pattern such as `blog/*.html`, which matches a whole name or the part after one of its slashes. A pattern that
/// starts with a slash matches from the start of a path.
///
/// `*` and `?` don't match slashes, and `**` matches any number of folders. A slash at the end stands for everything in
/// the folder.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    text: String,
    matcher: GlobMatcher,
}

impl Glob {
    /// Parses a pattern. The error message is a part of a sentence.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        let text = pattern.strip_prefix("./").unwrap_or(pattern).to_owned();
        let from_start = text.strip_prefix('/');
        let end = if text.ends_with('/') { "**" } else { "" };
        let whole = match from_start {
            Some(path) => format!("{path}{end}"),
            None => format!("**/{text}{end}"),
        };
        let glob = GlobBuilder::new(&whole).literal_separator(true).build();
        let glob = glob.map_err(|error| format!("`{text}` is not a pattern: {}", error.kind()))?;
        Ok(Self { text, matcher: glob.compile_matcher() })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the pattern matches a path or URL. Queries and fragments don't count.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let name = name.replace('\\', "/");
        if !self.text.starts_with('/') {
            return self.matcher.is_match(&name);
        }
        let path = match name.split_once("://") {
            Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
            None => name.trim_start_matches('/'),
        };
        self.matcher.is_match(path)
    }
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
            ("{tag,author}/*", "author/a.html", true),
        ] {
            assert_eq!(Glob::new(pattern).unwrap().matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_slash_at_the_start_or_the_end_names_a_folder() {
        for (pattern, name, expected) in [
            ("/blog/*", "blog/a.html", true),
            ("/blog/*", "https://example.com/blog/a", true),
            ("/blog/*", "https://example.com/de/blog/a", false),
            ("/", "https://example.com/a/b", true),
            ("drafts/", "a/drafts/b/c.html", true),
            ("drafts/", "https://example.com/drafts/", true),
            ("drafts/", "https://example.com/drafts", false),
        ] {
            assert_eq!(Glob::new(pattern).unwrap().matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_broken_pattern_is_an_error() {
        let message = Glob::new("a[").unwrap_err();
        assert!(message.starts_with("`a[` is not a pattern: "), "{message}");
    }
}
