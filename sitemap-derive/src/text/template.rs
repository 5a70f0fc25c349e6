//! Parses a URL template such as `/posts/{slug}` or `https://example.com/{*path}?page={page}`.

use std::mem;

use crate::text::fields::Fields;
use crate::text::foreign;
use crate::text::lexer::{Piece, pieces};
use crate::text::placeholder::{DateItem, Placeholder};
use crate::text::url::{is_dot_segment, is_invisible, normal_origin, push_encoded};

/// A URL template. Its text has been checked and percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// True if the template starts with a scheme and host, false if it starts with a slash.
    pub(crate) absolute: bool,
    /// The parts in order. A text part never directly follows another.
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Value(Placeholder, Place),
    /// Text after an optional query pair, without its leading separator. The separator is `&`, or `?` if all pairs
    /// before the text are omitted.
    Joined(String),
    /// A query pair that is omitted if its value is `None`. The string is the text between the separator and the value,
    /// such as `page=`.
    Optional(String, Placeholder),
}

/// The place of a value in the URL. It determines how the value is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Segment,
    Rest,
    Query,
}

impl Template {
    /// Returns the template for a path without placeholders.
    pub(crate) fn of_path(path: &str) -> Self {
        let mut text = String::new();
        push_encoded(&mut text, path);
        Self { absolute: false, parts: vec![Part::Text(text)] }
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) | Part::Joined(_) => None,
            Part::Value(placeholder, _) | Part::Optional(_, placeholder) => Some(placeholder),
        })
    }
}

/// Parses a template, or returns all of its errors. `fields` are the record's fields, for the remedies in error
/// messages.
pub(crate) fn scan(template: &str, fields: Fields<'_>) -> Result<Template, Vec<String>> {
    let mut pieces = pieces(template, fields)?;
    let whole = template.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(template);
    if fields.contains(whole) {
        return Err(vec![format!(
            "URL template {template:?} does not start with `/` or `https://`; write \"/{{{whole}}}\", or mark the \
             field `{whole}` with `#[sitemap(loc)]`"
        )]);
    }
    let (origin, absolute) = split_origin("URL template", "`/` or `https://`", template, &mut pieces)?;
    let problems = foreign::problems(&pieces, fields);
    if !problems.is_empty() {
        return Err(vec![problems.join("; also, ")]);
    }
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

/// Parses a `base`, which is an absolute URL without placeholders, and removes its trailing slash.
pub(crate) fn scan_base(base: &str) -> Result<String, Vec<String>> {
    if base.contains(['{', '}']) {
        return Err(vec![format!("`base` {base:?} contains a brace; write placeholders in `loc`")]);
    }
    if base.contains(['?', '#']) {
        return Err(vec![format!(
            "`base` {base:?} has a query or fragment; remove everything from `?` or `#` on"
        )]);
    }
    let mut pieces = vec![Piece::Text(base.to_owned())];
    let (origin, absolute) = split_origin("`base`", BASE_STARTS, base, &mut pieces)?;
    if !absolute {
        return Err(vec![format!("`base` {base:?} is not an absolute URL; start it with {BASE_STARTS}")]);
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

/// Removes the scheme, host and port of an absolute URL from the first piece, and returns them with `true`. If the
/// first piece starts with a path, returns an empty string with `false`.
fn split_origin(
    what: &str,
    starts: &str,
    whole: &str,
    pieces: &mut [Piece],
) -> Result<(String, bool), Vec<String>> {
    let relative =
        || vec![format!("{what} {whole:?} does not start with {starts}; {}", with_start(starts, whole))];
    let Some(Piece::Text(first)) = pieces.first() else {
        return Err(relative());
    };
    if first.starts_with("//") {
        return Err(vec![format!("{what} {whole:?} starts with `//`; replace it with {starts}")]);
    }
    if first.starts_with('/') {
        return Ok((String::new(), false));
    }
    let Some((scheme, rest)) = first.split_once("://") else {
        return Err(relative());
    };
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return Err(vec![format!(
            "{what} {whole:?} is not an `http` or `https` URL; start it with {starts}"
        )]);
    }
    let authority_ends = rest.find(['/', '?', '#']);
    if let (None, Some(Piece::Placeholder(placeholder))) = (authority_ends, pieces.get(1)) {
        return Err(vec![format!(
            "placeholder `{placeholder}` is before the path of the URL template; \
             write out the scheme, host and port, or start with `/` to use those of `Site`"
        )]);
    }
    let (authority, rest) = rest.split_at(authority_ends.unwrap_or(rest.len()));
    if let host @ ("http" | "https") = authority.trim_end_matches(':').to_ascii_lowercase().as_str() {
        return Err(vec![format!("{what} has a scheme twice; remove one `{host}:`")]);
    }
    let origin = normal_origin(&scheme, authority).map_err(|problem| vec![format!("{what} {problem}")])?;
    let rest = rest.to_owned();
    pieces[0] = Piece::Text(rest);
    Ok((origin, true))
}

/// Returns the remedy for a URL without a scheme and a leading slash.
fn with_start(starts: &str, whole: &str) -> String {
    let other_scheme =
        ["mailto:", "javascript:", "data:", "tel:"].iter().any(|scheme| whole.starts_with(scheme));
    let rest = ["https", "http"].iter().find_map(|scheme| {
        let after = whole.strip_prefix(scheme)?.trim_start_matches([':', '/']);
        (whole.len() > scheme.len() + after.len()).then_some(after)
    });
    let host = whole.split(['/', '?', '{']).next().unwrap_or_default();
    let is_host = host.contains('.') && !host.ends_with('.') && normal_origin("https", host).is_ok();
    match rest {
        None if !is_host && starts == BASE_STARTS => "write one like \"https://example.com\"".to_owned(),
        _ if whole.is_empty() => "write \"/\" for the home page".to_owned(),
        Some(rest) => format!("write {:?}", format!("https://{rest}")),
        None if is_host => format!("write {:?}", format!("https://{whole}")),
        None if !other_scheme
            && whole.starts_with(|ch: char| ch.is_alphanumeric() || "{_.-".contains(ch)) =>
        {
            format!("write {:?}", format!("/{}", whole.trim_start_matches(['.', '/'])))
        }
        None => "write the path of a page after a `/`".to_owned(),
    }
}

/// Scans the path and the query, and keeps track of the current segment or pair.
#[derive(Default)]
struct Scanner {
    parts: Vec<Part>,
    problems: Vec<String>,
    /// Encoded text that has not been added to `parts` yet.
    text: String,
    /// True if `text` follows an optional pair. The separator between them has been removed.
    is_joined: bool,
    /// True after the path's first slash.
    in_path: bool,
    in_query: bool,
    /// The text of the current segment, as the user wrote it.
    segment: String,
    /// The number of placeholders in the current path segment.
    values: usize,
    rest: Option<Placeholder>,
    /// The optional placeholder directly before the current position.
    optional: Option<Placeholder>,
}

impl Scanner {
    fn text(&mut self, mut text: &str) {
        if let Some(optional) = self.optional.take() {
            match text.strip_prefix('&') {
                Some(after) => text = after,
                None => self.report_optional(&optional),
            }
            self.is_joined = true;
        }
        self.check(text);
        push_encoded(&mut self.text, text);
    }

    /// Checks text, and keeps track of the segments that end in it.
    fn check(&mut self, text: &str) {
        let mut before = self.segment.chars().next_back();
        for ch in text.chars() {
            match ch {
                '?' if self.in_query => self.problem(
                    "URL template has a second `?`; write `&` between the pairs of the query, or `%3F` for a question \
                     mark"
                        .to_owned(),
                ),
                '?' => {
                    self.end_segment(true);
                    self.in_query = true;
                }
                '/' if !self.in_query => {
                    self.end_segment(false);
                    self.in_path = true;
                }
                '#' => self.problem(
                    "URL template has a `#`, but a sitemap lists whole pages, not fragments; remove it, or write `%23`"
                        .to_owned(),
                ),
                _ if ch.is_whitespace() && !ch.is_control() => {
                    self.problem("URL template contains a space; remove it, or write `%20`".to_owned());
                }
                _ if ch.is_control() || matches!(ch, '\u{FFFE}' | '\u{FFFF}') => {
                    let code = u32::from(ch);
                    self.problem(format!(
                        "URL template contains the character U+{code:04X}, which is not allowed in a URL; remove it"
                    ));
                }
                _ if is_invisible(ch) && !(is_joiner(ch) && before.is_some_and(|before| !before.is_ascii())) => {
                    let mut escape = String::new();
                    push_encoded(&mut escape, ch.encode_utf8(&mut [0; 4]));
                    let code = u32::from(ch);
                    self.problem(format!(
                        "URL template contains the invisible character U+{code:04X}; remove it, or write `{escape}`"
                    ));
                }
                _ => self.segment.push(ch),
            }
            before = Some(ch);
        }
    }

    fn placeholder(&mut self, placeholder: Placeholder) {
        let before = self.optional.take();
        if let Some(before) = &before {
            self.report_optional(before);
        }
        if placeholder.optional {
            if before.is_none() {
                self.optional_pair(placeholder);
            }
            return;
        }
        let place = match (self.in_query, placeholder.rest) {
            (true, true) => {
                self.problem(format!(
                    "`{placeholder}` is in the query of the URL template; write `{{{}}}` instead",
                    placeholder.path()
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
        if placeholder.date.is_empty() {
            self.values += 1;
        }
        for item in &placeholder.date {
            match item {
                DateItem::Text(text) => self.check(text),
                DateItem::Directive(_) => self.values += 1,
            }
        }
        self.flush();
        self.parts.push(Part::Value(placeholder, place));
    }

    /// Adds a query pair with an optional placeholder.
    fn optional_pair(&mut self, placeholder: Placeholder) {
        if !self.in_query {
            let remedy = match placeholder.as_field() {
                _ if placeholder.path() == "locale" => "write `{locale}`".to_owned(),
                Some(field) if placeholder.date.is_empty() => format!(
                    "write `{{{field}}}`, and mark the field `{field}` with `#[sitemap(param, with = Clone::clone)]`, \
                     which skips records with `None`"
                ),
                _ => "remove the `?`".to_owned(),
            };
            self.problem(format!(
                "`{placeholder}` is in the path of the URL template, but only a pair of the query can be omitted; \
                 {remedy}"
            ));
            self.values += 1;
            return;
        }
        let (before, key) = match self.text.rfind(['?', '&']) {
            Some(at) => (self.text[..at].to_owned(), self.text[at + 1..].to_owned()),
            None if self.is_joined => (String::new(), mem::take(&mut self.text)),
            None => (String::new(), String::new()),
        };
        if key.len() < 2 || !key.ends_with('=') {
            self.report_optional(&placeholder);
        }
        let is_only_key = self.is_joined && self.text.is_empty();
        self.text = before;
        self.is_joined &= !is_only_key;
        self.flush();
        self.parts.push(Part::Optional(key, placeholder.clone()));
        self.optional = Some(placeholder);
    }

    fn report_optional(&mut self, optional: &Placeholder) {
        self.problem(format!(
            "`{optional}` is not the whole value of a pair in the query; write the pair as in `page={optional}`, and \
             `&` between pairs"
        ));
    }

    /// Moves the collected text to the parts.
    fn flush(&mut self) {
        let text = mem::take(&mut self.text);
        if mem::take(&mut self.is_joined) {
            self.parts.push(Part::Joined(text));
        } else if !text.is_empty() {
            self.parts.push(Part::Text(text));
        }
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
                    "`{rest}` is not at the end of the path; end the path with it, or write `{{{}}}` for one segment",
                    rest.path()
                ));
            }
        }
        if !self.in_path || values > 0 {
            return;
        }
        if segment.is_empty() && !last {
            self.problem("empty path segment in the URL template; write one `/`, not `//`".to_owned());
        }
        if is_dot_segment(&segment) {
            self.problem(format!(
                "URL template has the path segment `{segment}`, which crawlers resolve; write the resolved path"
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
        self.flush();
        let fixed: usize = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) | Part::Joined(text) => text.len(),
                Part::Value(..) | Part::Optional(..) => 0,
            })
            .sum();
        if fixed > MAX_LEN {
            self.problem(format!(
                "URL template has {fixed} characters without its placeholders, and a URL has at most {MAX_LEN}; \
                 shorten it"
            ));
        }
        if self.problems.is_empty() { Ok(self.parts) } else { Err(self.problems) }
    }
}

/// The maximum length of a URL: sitemaps.org requires "less than 2,048 characters".
const MAX_LEN: usize = 2_047;

/// Returns true for the invisible characters that Persian and Indic words and emoji contain.
const fn is_joiner(ch: char) -> bool {
    matches!(ch, '\u{200C}' | '\u{200D}')
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
