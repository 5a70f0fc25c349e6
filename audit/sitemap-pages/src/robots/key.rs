//! The keys in the lines of a robots.txt.

use sitemap_core::robots::Field;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
    Other,
}

impl Key {
    /// The recommended spelling.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::UserAgent => "User-agent",
            Self::Allow => "Allow",
            Self::Disallow => "Disallow",
            Self::Sitemap => "Sitemap",
            Self::CrawlDelay => "Crawl-delay",
            Self::Other => "",
        }
    }
}

/// The prefixes by which keys are recognised, with misspellings last.
const CORRECT: [(&str, Key); 5] = [
    ("user-agent", Key::UserAgent),
    ("allow", Key::Allow),
    ("disallow", Key::Disallow),
    ("sitemap", Key::Sitemap),
    ("crawl-delay", Key::CrawlDelay),
];
const MISSPELLED: [(&str, Key); 8] = [
    ("useragent", Key::UserAgent),
    ("user agent", Key::UserAgent),
    ("dissallow", Key::Disallow),
    ("dissalow", Key::Disallow),
    ("disalow", Key::Disallow),
    ("diasllow", Key::Disallow),
    ("disallaw", Key::Disallow),
    ("site-map", Key::Sitemap),
];

/// Returns what a line is about, and whether its key is a common misspelling.
pub(super) fn key_of(field: &Field<'_>) -> (Key, bool) {
    let find = |keys: &[(&str, Key)]| keys.iter().find(|(name, _)| field.is_key(name)).map(|(_, key)| *key);
    match (find(&CORRECT), find(&MISSPELLED)) {
        (Some(key), _) => (key, false),
        (None, Some(key)) => (key, true),
        (None, None) => (Key::Other, false),
    }
}
