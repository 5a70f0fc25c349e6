//! A line and its caret, cut to the width of the terminal.

use unicode_width::UnicodeWidthChar as _;

use super::source_text::Line;

/// Two lines of the same width: text and carets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) blank: usize,
    pub(super) carets: usize,
}

/// Where something is left out.
const CUT: &str = "…";

impl Excerpt {
    pub(super) fn new(line: &Line, room: usize) -> Self {
        let room = room.max(20);
        let (before, marked, after) = (shown(&line.before), shown(&line.marked), shown(&line.after));
        let whole = width(&before) + width(&marked) + width(&after);
        if whole <= room && !line.cut {
            let (blank, carets) = (width(&before), width(&marked).max(1));
            return Self { text: before + &marked + &after, blank, carets };
        }
        // A third of the room for what comes before, more if the rest is short.
        let rest = width(&marked) + width(&after);
        let before_room = (room / 3).max(room.saturating_sub(rest)).saturating_sub(1);
        let mut text = end_of(&before, before_room);
        if line.cut || text.len() < before.len() {
            text.insert_str(0, CUT);
        }
        let blank = width(&text);
        let rest_room = room.saturating_sub(blank);
        let rest = marked.clone() + &after;
        let visible = start_of(&rest, rest_room);
        let carets = width(&marked).min(width(visible)).max(1);
        text.push_str(visible);
        if visible.len() < rest.len() {
            text.pop();
            text.push_str(CUT);
        }
        Self { text, blank, carets }
    }
}

/// As a terminal can show it: nothing that moves its cursor or changes its colours.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let printable = |ch: char| {
        if ch == '\t' {
            ' '
        } else if ch.width().is_none() {
            '\u{FFFD}'
        } else {
            ch
        }
    };
    text.chars().filter(|ch| !is_direction(*ch)).map(printable).collect()
}

/// Characters that turn the direction of what follows.
const fn is_direction(ch: char) -> bool {
    matches!(ch, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn width(text: &str) -> usize {
    text.chars().map(|ch| ch.width().unwrap_or(0)).sum()
}

fn start_of(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, ch) in text.char_indices() {
        used += ch.width().unwrap_or(0);
        if used > room {
            return &text[..at];
        }
    }
    text
}

fn end_of(text: &str, room: usize) -> String {
    let mut used = 0;
    for (at, ch) in text.char_indices().rev() {
        used += ch.width().unwrap_or(0);
        if used > room {
            return text[at + ch.len_utf8()..].to_owned();
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(before: &str, marked: &str, after: &str, room: usize) -> (String, String) {
        let line = Line { before: before.into(), marked: marked.into(), after: after.into(), cut: false };
        let Excerpt { text, blank, carets } = Excerpt::new(&line, room);
        (text, " ".repeat(blank) + &"^".repeat(carets))
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
    fn what_would_command_the_terminal_is_not_shown() {
        assert_eq!(excerpt("\x1b[31m", "a\u{202E}b", "\0", 80).0, "\u{FFFD}[31mab\u{FFFD}");
    }
}
