//! Records the positions up to which the sections of a set contain the changes from other systems.

use std::collections::BTreeMap;
use std::fmt;

/// The position of each source of changes, keyed by the names of the section and the source.
///
/// Positions are stored in the manifest, so that a commit replaces the pages and the positions together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Positions(BTreeMap<(String, String), String>);

impl Positions {
    pub(crate) fn get(&self, section: &str, source: &str) -> Option<&str> {
        self.0.get(&(section.to_owned(), source.to_owned())).map(String::as_str)
    }

    pub(crate) fn set(&mut self, section: &str, source: &str, position: &str) {
        self.0.insert((section.to_owned(), source.to_owned()), position.to_owned());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.0.iter().map(|((section, source), position)| (section.as_str(), source.as_str(), &**position))
    }

    /// Drops the positions of all other sections.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(section, _), _| is_kept(section));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a string can be the name of a source or a position.
    pub(crate) fn is_valid(text: &str) -> bool {
        !text.is_empty()
            && text.len() <= 200
            && text.chars().all(|ch| ch.is_ascii_graphic() && !matches!(ch, '"' | '\\' | ';'))
    }

    /// Parses the output of `Display`. Skips anything it can't parse: a section without a position is published in full
    /// again.
    pub(super) fn parse(text: &str) -> Self {
        let mut positions = BTreeMap::new();
        for one in text.split(';') {
            let words: Vec<&str> = one.split(' ').collect();
            if let [section, source, position] = words[..] {
                positions.insert((section.to_owned(), source.to_owned()), position.to_owned());
            }
        }
        Self(positions)
    }
}

impl fmt::Display for Positions {
    /// Writes a string such as `posts shop-db 0/15D68A8;shop queue 7`. Section names contain neither spaces nor
    /// semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ((section, source), position)) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ";" };
            write!(f, "{separator}{section} {source} {position}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_positions_can_be_read_again() {
        let mut positions = Positions::default();
        assert!(positions.is_empty() && Positions::parse(&positions.to_string()).is_empty());
        positions.set("shop", "queue", "7");
        positions.set("posts", "db", "0/1");
        positions.set("posts", "db", "0/2");
        assert_eq!(positions.to_string(), "posts db 0/2;shop queue 7");
        assert_eq!(Positions::parse("posts db 0/2;shop queue 7"), positions);
        positions.retain(|section| section == "shop");
        assert_eq!((positions.get("posts", "db"), positions.get("shop", "queue")), (None, Some("7")));
    }

    #[test]
    fn texts_that_would_not_be_read_again_are_invalid() {
        for text in ["", "a b", "a;b", "a\"b", "a\\b", "ä", "a\n", &"a".repeat(201)] {
            assert!(!Positions::is_valid(text), "{text:?}");
        }
        assert!(Positions::is_valid("7311/1/0/15D68A8") && Positions::is_valid(&"a".repeat(200)));
    }
}
