//! The parts of a date in a placeholder, such as `%Y`, and how other libraries write them.

/// The parts of dates, with the ways in which other formats write them. A format of letters, such as `yyyy-MM`, has one
/// word for each part.
pub(crate) const PARTS: &[(Directive, &str, &[&str])] = &[
    (Directive::Year, "%Y", &["y", "yy", "yyyy", "[year]", "year", "%y", "%G"]),
    (Directive::Month, "%m", &["m", "mm", "[month]", "month", "%M", "%b", "%B"]),
    (Directive::ShortMonth, "%-m", &[]),
    (Directive::Day, "%d", &["d", "dd", "[day]", "day", "%D"]),
    (Directive::ShortDay, "%-d", &["%e", "%-D"]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    Year,
    Month,
    ShortMonth,
    Day,
    ShortDay,
}

impl Directive {
    /// Returns the directive at the start of a string, and its text.
    pub(crate) fn at_start(text: &str) -> Option<(Self, &'static str)> {
        PARTS
            .iter()
            .find(|(_, written, _)| text.starts_with(written))
            .map(|(part, written, _)| (*part, *written))
    }

    pub(crate) fn written(self) -> &'static str {
        PARTS.iter().find(|(part, ..)| *part == self).map_or("", |(_, written, _)| written)
    }
}

/// Returns the directive for a part of a date in another format.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    let is_letters = word.chars().all(char::is_alphabetic);
    let word = if is_letters { word.to_lowercase() } else { word.to_owned() };
    PARTS.iter().find(|(.., others)| others.contains(&word.as_str())).map(|(_, written, _)| *written)
}

/// Translates a date format such as `yyyy-MM-dd` or `[year]/[month]`. Returns `None` if the text is not a date format.
pub(super) fn translated(format: &str) -> Option<String> {
    let mut all = String::new();
    for word in words(format) {
        match meant(word) {
            Some(directive) => all.push_str(directive),
            None if word.contains(char::is_alphanumeric) => return None,
            None => all.push_str(word),
        }
    }
    all.contains("%Y").then_some(all)
}

/// Splits a format into runs of the same letter, names in brackets, and single other characters.
fn words(format: &str) -> impl Iterator<Item = &str> {
    let mut rest = format;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_name =
            format.contains('[') || ["year", "month", "day"].iter().any(|name| rest.starts_with(name));
        let len = match first {
            '[' => rest.find(']').map_or(rest.len(), |at| at + 1),
            _ if first.is_alphabetic() && is_name => {
                rest.find(|ch: char| !ch.is_alphabetic()).unwrap_or(rest.len())
            }
            _ if first.is_alphabetic() => {
                rest.find(|ch: char| !ch.eq_ignore_ascii_case(&first)).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(len);
        rest = after;
        Some(word)
    })
}

/// Returns the error message for text between the directives of a date format, without its subject.
pub(super) fn problem(text: &str) -> Option<String> {
    if text.contains(['?', '&', '=', '#', '{', '%']) {
        return Some(format!(
            "contains `{text}`; write only directives like `%Y`, and text of one path segment or `/`, between the braces"
        ));
    }
    if text.contains(|ch: char| ch.is_whitespace() || ch.is_control() || super::url::is_invisible(ch)) {
        return Some(
            "contains a space or an invisible character; write `-` or `/` between the parts".to_owned(),
        );
    }
    let word = text.split(|ch: char| !ch.is_alphabetic()).find(|word| meant(word).is_some())?;
    Some(format!("contains `{word}` as plain text; write `{}`", meant(word)?))
}
