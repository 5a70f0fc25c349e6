//! Splits a URL template into text and placeholders.

use std::fmt;

use crate::text::fields::Fields;
use crate::text::placeholder::Placeholder;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text in which doubled braces have been replaced with single ones.
    Text(String),
    Placeholder(Placeholder),
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Placeholder(placeholder) => placeholder.fmt(f),
        }
    }
}

/// Splits a template into text and placeholders. A text piece is never empty and never directly follows another.
pub(crate) fn pieces(template: &str, fields: Fields<'_>) -> Result<Vec<Piece>, Vec<String>> {
    let mut pieces = Vec::new();
    let mut problems = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
        } else if brace == "}" {
            problems.push(format!(
                "unmatched `}}` in the URL template {template:?}; \
                 add the missing `{{`, or write `}}}}` for a literal brace"
            ));
        } else if let Some(len) = placeholder_len(rest) {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            match Placeholder::parse(&rest[..len], fields) {
                Ok(placeholder) => pieces.push(Piece::Placeholder(placeholder)),
                Err(problem) if problems.contains(&problem) => {}
                Err(problem) => problems.push(problem),
            }
            rest = &rest[len + 1..];
        } else {
            let len = rest.find(['{', '}', '/']).unwrap_or(rest.len());
            problems.push(format!(
                "unclosed placeholder `{{{}` in the URL template; \
                 add the missing `}}`, or write `{{{{` for a literal brace",
                &rest[..len]
            ));
            rest = &rest[len..];
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    if problems.is_empty() { Ok(pieces) } else { Err(problems) }
}

/// Returns the length of the text before a placeholder's closing brace. `rest` is the text after the opening brace.
/// Returns `None` if the placeholder is not closed.
///
/// After a `:`, the text may contain slashes and pairs of braces, as in the pattern `{id:[0-9]{4}}`.
fn placeholder_len(rest: &str) -> Option<usize> {
    let mut depth = 0;
    let mut after_colon = false;
    for (at, ch) in rest.char_indices() {
        match ch {
            ':' => after_colon = true,
            // `{author/slug}` is closed, but in `{author/{slug}` the first brace is not.
            '/' if !after_colon => {
                let next = rest[at..].find(['{', '}']).map(|brace| at + brace)?;
                return rest[next..].starts_with('}').then_some(next);
            }
            '{' if !after_colon => return None,
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}
