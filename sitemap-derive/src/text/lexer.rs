//! Splits a URL template into text and placeholders.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text in which each doubled brace has become a single one.
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    pub(crate) name: String,
    /// True for `{*name}`, which stands for the rest of the path.
    pub(crate) rest: bool,
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}{}}}", if self.rest { "*" } else { "" }, self.name)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Placeholder(placeholder) => placeholder.fmt(f),
        }
    }
}

/// Splits a template into texts and placeholders. Texts are never empty, and two texts never follow each other
/// directly.
pub(crate) fn pieces(template: &str) -> Result<Vec<Piece>, Vec<String>> {
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
        } else if let Some(len) = rest.find(['{', '}', '/']).filter(|&len| rest[len..].starts_with('}')) {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            match placeholder(&rest[..len]) {
                Ok(placeholder) => pieces.push(Piece::Placeholder(placeholder)),
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

fn placeholder(inside: &str) -> Result<Placeholder, String> {
    let (rest, name) = match inside.strip_prefix('*') {
        Some(name) => (true, name),
        None => (false, inside),
    };
    if name.is_empty() {
        let star = if rest { "*" } else { "" };
        return Err(format!(
            "empty placeholder `{{{inside}}}` in the URL template; name a field, as in `{{{star}slug}}`"
        ));
    }
    if is_name(name) {
        return Ok(Placeholder { name: name.to_owned(), rest });
    }
    let bare = name.trim_start();
    let bare = bare.strip_prefix("self.").unwrap_or(bare);
    let meant: String = bare.chars().take_while(|&ch| is_in_name(ch)).collect();
    let meant = if is_name(&meant) { meant } else { "slug".to_owned() };
    Err(format!(
        "`{{{inside}}}` is not a placeholder of a URL template; write only a field's name, as in `{{{meant}}}`"
    ))
}

/// Returns true for a field's name and for the number of a tuple's field.
fn is_name(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = !text.starts_with('0') || text == "0";
    !text.is_empty()
        && text.chars().all(is_in_name)
        && if is_number { canonical } else { !text.starts_with(char::is_numeric) }
}

fn is_in_name(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}
