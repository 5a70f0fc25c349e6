//! Escapes text from servers for terminals.

use std::fmt::{self, Write as _};

/// Text that may come from a server. Its [`Display`](fmt::Display) escapes the characters that could control a
/// terminal.
pub(super) struct Shown<'t>(pub(super) &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                // The text may quote values that are already escaped.
                '"' | '\'' | '\\' => f.write_char(char)?,
                _ => write!(f, "{}", char.escape_debug())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn a_text_cannot_control_a_terminal() {
        for (text, expected) in [
            ("no \"answer\" from `Bäume`", "no \"answer\" from `Bäume`"),
            (r#"leads to "\u{202e}""#, r#"leads to "\u{202e}""#),
            ("/\u{1b}[31m*\u{202e}\r\n", r"/\u{1b}[31m*\u{202e}\r\n"),
        ] {
            assert_eq!(Shown(text).to_string(), expected);
        }
    }
}
