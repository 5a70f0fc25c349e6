//! A line of text with carets below it, cut to the width of the terminal.

use unicode_width::UnicodeWidthChar as _;

use super::source_text::Line;

/// A line of text, with the position and number of its carets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) indent: usize,
    pub(super) carets: usize,
}

/// The character that marks where text was cut off.
const ELLIPSIS: &str = "…";

impl Excerpt {
    pub(super) fn new(line: &Line, max_width: usize) -> Self {
        let max_width = max_width.max(20);
        // Text is cut to one column more than fits, which is enough to detect that it is too long. So the cost depends
        // on the terminal's width, not on the length of the line.
        let (before, marked, after) = (
            printable_end(&line.before, max_width + 1),
            printable_start(&line.marked, max_width + 1),
            printable_start(&line.after, max_width + 1),
        );
        let whole = width(&before) + width(&marked) + width(&after);
        if whole <= max_width && !line.cut {
            let (indent, carets) = (width(&before), width(&marked).max(1));
            return Self { text: before + &marked + &after, indent, carets };
        }
        // The text before the carets gets a third of the width, or more if the rest of the line is short.
        let rest = width(&marked) + width(&after);
        let before_width = (max_width / 3).max(max_width.saturating_sub(rest)).saturating_sub(1);
        let mut text = end_of(&before, before_width);
        if line.cut || text.len() < before.len() {
            text.insert_str(0, ELLIPSIS);
        }
        let indent = width(&text);
        let rest_width = max_width.saturating_sub(indent);
        let rest = marked.clone() + &after;
        let visible = start_of(&rest, rest_width);
        let carets = width(&marked).min(width(visible)).max(1);
        text.push_str(visible);
        if visible.len() < rest.len() {
            text.pop();
            text.push_str(ELLIPSIS);
        }
        Self { text, indent, carets }
    }
}

/// Returns the start of a string: just enough characters to fill `wanted` columns. Removes characters that would move the
/// terminal's cursor or change its colours.
fn printable_start(bytes: &[u8], wanted: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut used = 0;
    text.chars().filter_map(printable).take_while(|ch| is_before(*ch, &mut used, wanted)).collect()
}

/// Returns the end of a string that fills `wanted` columns. Otherwise the same as [`printable_start`].
fn printable_end(bytes: &[u8], wanted: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut used = 0;
    let end: Vec<char> =
        text.chars().rev().filter_map(printable).take_while(|ch| is_before(*ch, &mut used, wanted)).collect();
    end.into_iter().rev().collect()
}

/// Returns `true` if the characters before this one fill fewer than `wanted` columns. Adds this character's width.
fn is_before(ch: char, used: &mut usize, wanted: usize) -> bool {
    let is_before = *used < wanted;
    *used += ch.width().unwrap_or(0);
    is_before
}

/// Returns what to print for a character of the file. Returns `None` if the character is dropped.
fn printable(ch: char) -> Option<char> {
    if is_direction_mark(ch) {
        None
    } else if ch == '\t' {
        Some(' ')
    } else if ch.width().is_none() {
        Some('\u{FFFD}')
    } else {
        Some(ch)
    }
}

/// Returns `true` for characters that change the text direction.
const fn is_direction_mark(ch: char) -> bool {
    matches!(ch, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn width(text: &str) -> usize {
    text.chars().map(|ch| ch.width().unwrap_or(0)).sum()
}

fn start_of(text: &str, max_width: usize) -> &str {
    let mut used = 0;
    for (at, ch) in text.char_indices() {
        used += ch.width().unwrap_or(0);
        if used > max_width {
            return &text[..at];
        }
    }
    text
}

fn end_of(text: &str, max_width: usize) -> String {
    let mut used = 0;
    for (at, ch) in text.char_indices().rev() {
        used += ch.width().unwrap_or(0);
        if used > max_width {
            return text[at + ch.len_utf8()..].to_owned();
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(before: &str, marked: &str, after: &str, max_width: usize) -> (String, String) {
        let line = Line { before: before.into(), marked: marked.into(), after: after.into(), cut: false };
        let Excerpt { text, indent, carets } = Excerpt::new(&line, max_width);
        (text, " ".repeat(indent) + &"^".repeat(carets))
    }

    fn lines(text: &str, carets: &str) -> (String, String) {
        (text.to_owned(), carets.to_owned())
    }

    #[test]
    fn short_lines_are_shown_whole() {
        assert_eq!(excerpt("<loc>", "/a", "</loc>", 80), lines("<loc>/a</loc>", "     ^^"));
        assert_eq!(excerpt("", "", "", 80), lines("", "^"));
        assert_eq!(excerpt("\t", "日本", "", 80), lines(" 日本", " ^^^^"));
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let long = "0123456789".repeat(10);
        assert_eq!(excerpt(&long, "ab", &long, 30), lines("…123456789ab01234567890123456…", "          ^^"));
        assert_eq!(
            excerpt(&long, "ab", "", 30),
            lines("…345678901234567890123456789ab", &format!("{}^^", " ".repeat(28)))
        );
        assert_eq!(excerpt("", &long, "", 30), lines("01234567890123456789012345678…", &"^".repeat(30)));
    }

    #[test]
    fn control_characters_are_not_printed() {
        assert_eq!(excerpt("\x1b[31m", "a\u{202E}b", "\0", 80).0, "\u{FFFD}[31mab\u{FFFD}");
    }
}
