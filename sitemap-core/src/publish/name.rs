//! Names of sections: safe parts of file names and URLs.

use std::fmt;

/// Letters, digits, `-` and `_`, at most this many.
const LONGEST: usize = 100;

/// Checks a section's name; it becomes part of file names and URLs.
pub(super) fn check(name: &str) -> Result<(), SectionNameError> {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_safe) {
        Ok(())
    } else {
        Err(SectionNameError { name: name.chars().take(LONGEST).collect() })
    }
}

/// A section's name that cannot stand in a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionNameError {
    name: Box<str>,
}

impl fmt::Display for SectionNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a section's name becomes part of a file name; use 1 to {LONGEST} of the characters \
             `A-Z a-z 0-9 - _`, found {:?}",
            self.name
        )
    }
}

impl std::error::Error for SectionNameError {}

/// The file of a set that everything else hangs from.
pub(super) const ENTRY_POINT: &str = "sitemap.xml";

/// The name of a section's file, counted from 1.
///
/// Its last `-` parts the section from the number, so no two sections share a name.
pub(super) fn of_file(section: &str, number: usize, extension: &str) -> String {
    format!("sitemap-{section}-{number}{extension}")
}

/// The name of an index file, counted from 1; the first is the entry point.
pub(super) fn of_index(number: usize) -> String {
    match number {
        1 => ENTRY_POINT.to_owned(),
        _ => format!("sitemap-{number}.xml"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_safe_part_of_a_file_name_are_refused() {
        let long = "x".repeat(101);
        for name in ["", ".", "..", "a/b", "a\\b", "a b", "ü", "a.b", "a\0", "con:", &long] {
            assert!(check(name).is_err(), "{name:?}");
        }
        for name in ["posts", "Blog_2024", "a-1", &long[..100]] {
            assert!(check(name).is_ok(), "{name:?}");
        }
        assert_eq!(
            check("../etc").unwrap_err().to_string(),
            "a section's name becomes part of a file name; use 1 to 100 of the characters \
             `A-Z a-z 0-9 - _`, found \"../etc\""
        );
    }

    #[test]
    fn sections_never_share_a_file_name() {
        assert_eq!(of_file("a", 11, ".xml"), "sitemap-a-11.xml");
        assert_eq!(of_file("a-1", 1, ".xml"), "sitemap-a-1-1.xml");
        assert_eq!(of_index(1), "sitemap.xml");
        assert_eq!(of_index(2), "sitemap-2.xml");
    }
}
