//! Reads a URL template: `/posts/{slug}`, `https://example.com/{*path}?page={page}`.

use std::mem;

use crate::text::lexer::{Piece, Placeholder, pieces};
use crate::text::url::{is_dot_segment, normal_origin, push_encoded};

/// A template whose texts are checked and percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// Whether it begins with a scheme and host, not with a slash.
    pub(crate) absolute: bool,
    /// No two texts follow each other.
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Value(Placeholder, Place),
}

/// Where a value stands, which says how it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Segment,
    Rest,
    Query,
}

impl Template {
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Value(placeholder, _) => Some(placeholder),
        })
    }
}

/// Reads a template, or says all that is wrong with it.
pub(crate) fn scan(template: &str) -> Result<Template, Vec<String>> {
    let mut pieces = pieces(template)?;
    let (origin, absolute) = split_origin("URL template", "`/` or `https://`", template, &mut pieces)?;
    let mut scanner = Scanner { text: origin, ..Scanner::default() };
    for piece in pieces {
        match piece {
            Piece::Text(text) => scanner.text(&text),
            Piece::Placeholder(placeholder) => scanner.placeholder(placeholder),
        }
    }
    let parts = scanner.finish()?;
    Ok(Template { absolute, parts })
}

/// Reads a `base`, which is an absolute URL without placeholders; its last slash is dropped.
pub(crate) fn scan_base(base: &str) -> Result<String, Vec<String>> {
    if base.contains(['{', '}']) {
        return Err(vec![format!("`base` has no placeholders; write them into `loc`, found {base:?}")]);
    }
    if base.contains(['?', '#']) {
        return Err(vec![format!(
            "`base` has neither query nor fragment; remove all from `?` or `#` on, found {base:?}"
        )]);
    }
    let mut pieces = vec![Piece::Text(base.to_owned())];
    let (origin, absolute) = split_origin("`base`", BASE_STARTS, base, &mut pieces)?;
    if !absolute {
        return Err(vec![format!("`base` must begin with {BASE_STARTS}, found {base:?}")]);
    }
    let mut scanner = Scanner { text: origin, ..Scanner::default() };
    for piece in pieces {
        if let Piece::Text(text) = piece {
            scanner.text(&text);
        }
    }
    match scanner.finish()?.pop() {
        Some(Part::Text(text)) => Ok(text.strip_suffix('/').map_or(text.clone(), str::to_owned)),
        _ => Ok(String::new()),
    }
}

const BASE_STARTS: &str = "`https://` or `http://`";

/// Takes scheme, host and port off the first piece; nothing if it is a path.
fn split_origin(
    what: &str,
    starts: &str,
    whole: &str,
    pieces: &mut [Piece],
) -> Result<(String, bool), Vec<String>> {
    let relative = || vec![format!("{what} must begin with {starts}, found {whole:?}")];
    let Some(Piece::Text(first)) = pieces.first() else {
        return Err(relative());
    };
    if first.starts_with("//") {
        return Err(vec![format!(
            "{what} begins with `//`; begin it with one `/` or with `https://`, found {whole:?}"
        )]);
    }
    if first.starts_with('/') {
        return Ok((String::new(), false));
    }
    let Some((scheme, rest)) = first.split_once("://") else {
        return Err(relative());
    };
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return Err(vec![format!("{what} must be an `http` or `https` URL, found {whole:?}")]);
    }
    let authority_ends = rest.find(['/', '?', '#']);
    if let (None, Some(Piece::Placeholder(placeholder))) = (authority_ends, pieces.get(1)) {
        return Err(vec![format!(
            "placeholder `{placeholder}` before the path of the URL template; \
             write scheme, host and port as they are, or begin with `/` and leave them to `Site`"
        )]);
    }
    let (authority, rest) = rest.split_at(authority_ends.unwrap_or(rest.len()));
    let origin = normal_origin(&scheme, authority).map_err(|problem| vec![format!("{what} {problem}")])?;
    let rest = rest.to_owned();
    pieces[0] = Piece::Text(rest);
    Ok((origin, true))
}

/// Goes through path and query and keeps what it has to know of the current segment.
#[derive(Default)]
struct Scanner {
    parts: Vec<Part>,
    problems: Vec<String>,
    /// Encoded text that is not among the parts yet.
    text: String,
    /// Whether the first slash was seen.
    in_path: bool,
    in_query: bool,
    /// The current segment as it was written.
    segment: String,
    values: usize,
    rest: Option<Placeholder>,
}

impl Scanner {
    fn text(&mut self, text: &str) {
        for ch in text.chars() {
            match ch {
                '?' if !self.in_query => {
                    self.end_segment(true);
                    self.in_query = true;
                }
                '/' if !self.in_query => {
                    self.end_segment(false);
                    self.in_path = true;
                }
                '#' => self.problem(
                    "`#` in a URL template; a sitemap lists pages, not fragments of them: remove it, or write `%23`"
                        .to_owned(),
                ),
                _ if ch.is_whitespace() && !ch.is_control() => {
                    self.problem("a space in a URL template; remove it, or write `%20`".to_owned());
                }
                _ if ch.is_control() || matches!(ch, '\u{FFFE}' | '\u{FFFF}') => {
                    self.problem(format!("the character U+{:04X} in a URL template, which no URL can hold", u32::from(ch)));
                }
                _ => self.segment.push(ch),
            }
        }
        push_encoded(&mut self.text, text);
    }

    fn placeholder(&mut self, placeholder: Placeholder) {
        let place = match (self.in_query, placeholder.rest) {
            (true, true) => {
                self.problem(format!(
                    "`{placeholder}` in the query of a URL template; write `{{{}}}` there",
                    placeholder.name
                ));
                Place::Query
            }
            (true, false) => Place::Query,
            (false, true) => {
                self.rest = Some(placeholder.clone());
                Place::Rest
            }
            (false, false) => Place::Segment,
        };
        self.values += 1;
        if !self.text.is_empty() {
            self.parts.push(Part::Text(mem::take(&mut self.text)));
        }
        self.parts.push(Part::Value(placeholder, place));
    }

    fn end_segment(&mut self, last: bool) {
        let segment = mem::take(&mut self.segment);
        let values = mem::take(&mut self.values);
        if let Some(rest) = self.rest.take() {
            if !segment.is_empty() || values > 1 {
                self.problem(format!(
                    "`{rest}` is not alone in its path segment; write a `/` before it and nothing after it"
                ));
            } else if !last {
                self.problem(format!(
                    "`{rest}` is not the end of the path; end the path with it, or write `{{{}}}` for one segment",
                    rest.name
                ));
            }
        }
        if !self.in_path || values > 0 {
            return;
        }
        if segment.is_empty() && !last {
            self.problem("empty path segment in a URL template; write one `/`, not `//`".to_owned());
        }
        if is_dot_segment(&segment) {
            self.problem(format!(
                "path segment `{segment}` in a URL template, which crawlers resolve away; write the resolved path"
            ));
        }
    }

    fn problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn finish(mut self) -> Result<Vec<Part>, Vec<String>> {
        if !self.in_query {
            self.end_segment(true);
        }
        if !self.text.is_empty() {
            self.parts.push(Part::Text(mem::take(&mut self.text)));
        }
        let fixed: usize =
            self.parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum();
        if fixed > MAX_LEN {
            self.problem(format!(
                "URL template is longer than the {MAX_LEN} characters that an address may have"
            ));
        }
        if self.problems.is_empty() { Ok(self.parts) } else { Err(self.problems) }
    }
}

/// "Less than 2,048 characters", says sitemaps.org.
const MAX_LEN: usize = 2_047;

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
