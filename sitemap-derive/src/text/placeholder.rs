//! Parses a placeholder of a URL template, such as `{slug}`, `{author.slug()}`, `{*path}`, `{published:%Y/%m}` or
//! `{page?}`.

use std::fmt;

use crate::text::dates::{self, Directive};
use crate::text::fields::Fields;
use crate::text::path::{Step, steps};
use crate::text::remedy;

/// A placeholder: the path from the record to a value, and how to write the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// Contains at least one step.
    pub(crate) steps: Vec<Step>,
    /// True for `{*name}`, which matches the rest of the path.
    pub(crate) rest: bool,
    /// The date format. Empty if the value is not formatted as a date.
    pub(crate) date: Vec<DateItem>,
    /// True for `{name?}`. If the value is `None`, the pair is omitted from the query.
    pub(crate) optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DateItem {
    Directive(Directive),
    Text(String),
}

impl Placeholder {
    /// Parses the text between the braces. `fields` are the record's fields, for the remedies in error messages.
    pub(crate) fn parse(inside: &str, fields: Fields<'_>) -> Result<Self, String> {
        let (rest, body) = match inside.strip_prefix('*') {
            Some(body) => (true, body),
            None => (false, inside),
        };
        if body.is_empty() {
            return Err(remedy::empty_placeholder(inside, fields));
        }
        let (body, optional) = match body.strip_suffix('?') {
            Some(body) => (body, true),
            None => (body, false),
        };
        let (path, format) = body.split_once(':').map_or((body, None), |(path, format)| (path, Some(format)));
        let steps = steps(path).filter(|_| !rest || (format.is_none() && !optional));
        let is_date = format.is_none_or(|format| format.contains('%'));
        let Some(steps) = steps.filter(|_| is_date) else {
            return Err(remedy::not_a_placeholder(inside, fields));
        };
        let date = format.map_or(Ok(Vec::new()), |format| date_format(inside, format))?;
        Ok(Self { steps, rest, date, optional })
    }

    /// Returns the name in a placeholder that consists of a single field name. The record may not have this field.
    pub(crate) fn as_field(&self) -> Option<&str> {
        match self.steps.as_slice() {
            [Step { name, is_call: false }] => Some(name),
            _ => None,
        }
    }

    /// Returns the name of the record's field that the placeholder reads. Returns `None` if the placeholder starts with
    /// a method.
    pub(crate) fn field(&self) -> Option<&str> {
        self.steps.first().filter(|step| !step.is_call).map(|step| step.name.as_str())
    }

    /// Returns the placeholder without its braces and `*`, for runtime errors.
    pub(crate) fn name(&self) -> String {
        let text = self.to_string();
        text.trim_start_matches(['{', '*']).trim_end_matches('}').to_owned()
    }

    /// Returns only the path of fields and methods.
    pub(crate) fn path(&self) -> String {
        let steps: Vec<_> = self.steps.iter().map(ToString::to_string).collect();
        steps.join(".")
    }
}

fn date_format(inside: &str, format: &str) -> Result<Vec<DateItem>, String> {
    let problem = |problem: &str| format!("the date format of `{{{inside}}}` {problem}");
    let mut items = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        if !rest.starts_with('%') {
            let (text, after) = rest.split_at(rest.find('%').unwrap_or(rest.len()));
            if let Some(found) = dates::problem(text) {
                return Err(problem(&found));
            }
            items.push(DateItem::Text(text.to_owned()));
            rest = after;
            continue;
        }
        let Some((directive, written)) = Directive::at_start(rest) else {
            let found: String = rest.chars().take(if rest.starts_with("%-") { 3 } else { 2 }).collect();
            let known = || dates::PARTS.iter().map(|(_, known, _)| format!("`{known}`")).collect::<Vec<_>>();
            let remedy = dates::meant(&found).map_or_else(
                || format!("use {}", known().join(", ")),
                |directive| format!("write `{directive}`"),
            );
            return Err(problem(&format!("has the unknown directive `{found}`; {remedy}")));
        };
        items.push(DateItem::Directive(directive));
        rest = &rest[written.len()..];
    }
    Ok(items)
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}{}", if self.rest { "*" } else { "" }, self.path())?;
        if !self.date.is_empty() {
            f.write_str(":")?;
        }
        for item in &self.date {
            match item {
                DateItem::Text(text) => f.write_str(text)?,
                DateItem::Directive(directive) => f.write_str(directive.written())?,
            }
        }
        f.write_str(if self.optional { "?}" } else { "}" })
    }
}
