//! The names of sections.

/// Returns true if the name can be part of a file name. The rule is the same as in `sitemap-core`.
pub(crate) fn is_section_name(name: &str) -> bool {
    const LONGEST: usize = 100;

    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parts_of_file_names() {
        for name in ["posts", "Blog_2024", "a-1", &"x".repeat(100)] {
            assert!(is_section_name(name), "{name}");
        }
        for name in ["", "a b", "../etc", "ü", "a.b", &"x".repeat(101)] {
            assert!(!is_section_name(name), "{name}");
        }
    }
}
