//! The start of an invalid value. Values can be of any length, so errors quote only the start.

use std::fmt;

/// The first bytes of a string. They are stored without an allocation, so that errors can be created in constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Excerpt {
    bytes: [u8; MAX_LEN],
    len: u8,
    cut: bool,
}

const MAX_LEN: usize = 48;

impl Excerpt {
    pub(super) const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let cut = text.len() > MAX_LEN;
        let mut len = if cut { MAX_LEN } else { text.len() };
        // Do not cut in the middle of a character.
        while cut && len > 0 && text[len] & 0b1100_0000 == 0b1000_0000 {
            len -= 1;
        }
        let mut bytes = [0; MAX_LEN];
        let mut at = 0;
        while at < len {
            bytes[at] = text[at];
            at += 1;
        }
        #[allow(clippy::cast_possible_truncation)] // at most MAX_LEN
        Self { bytes, len: len as u8, cut }
    }
}

impl fmt::Display for Excerpt {
    /// Writes the string as a quoted literal, which makes spaces and control characters visible.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = std::str::from_utf8(&self.bytes[..self.len.into()]).unwrap_or_default();
        write!(f, "{text:?}{}", if self.cut { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn short_texts_are_kept_and_long_ones_cut_between_characters() {
        assert_eq!(Excerpt::new("a\nb").to_string(), r#""a\nb""#);
        assert_eq!(Excerpt::new(&"x".repeat(48)).to_string(), format!("{:?}", "x".repeat(48)));
        let cut = Excerpt::new(&format!("{}ü", "x".repeat(47))).to_string();
        assert_eq!(cut, format!("{:?}…", "x".repeat(47)));
    }
}
