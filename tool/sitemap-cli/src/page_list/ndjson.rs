//! Rows of NDJSON: one JSON object per line, with all extensions.

use serde::de::{DeserializeSeed as _, IgnoredAny};
use sitemap_core::extension::{Element, Namespace};
use sitemap_core::{Entry, Site};

use super::lines::Line;
use crate::error::{Outcome, Stop};

/// Returns an error if the input is cut off in this line, that is, if the line has no line break and ends within a JSON
/// value.
pub(crate) fn check_end(line: &Line<'_>, input: &str) -> Outcome<()> {
    if line.has_break || !serde_json::from_slice::<IgnoredAny>(line.text).is_err_and(|error| error.is_eof()) {
        return Ok(());
    }
    Err(Stop::new(format!(
        "{input}:{}: the input is cut off in this line; check that the program that writes the input has not failed",
        line.number
    )))
}

/// Parses a JSON object as an entry. Its `loc` may be a path on the site.
pub(crate) fn parse<'t>(text: &'t [u8], site: &Site) -> serde_json::Result<Entry<'t>> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = site.deserialize(&mut json)?;
    json.end().map(|()| value)
}

/// Returns the message of a JSON error without the line number, which would always be 1 because each line is parsed
/// separately.
pub(crate) fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => format!("column {}: {message}", error.column()),
        None => text,
    }
}

/// Returns the namespaces of an entry's elements, their attributes and their content.
pub(crate) fn namespaces_of(entry: &Entry<'_>) -> Vec<Namespace<'static>> {
    let mut found = Vec::new();
    entry.elements().iter().for_each(|element| add_namespaces(element, &mut found));
    found
}

fn add_namespaces(element: &Element<'_>, found: &mut Vec<Namespace<'static>>) {
    let others = namespaces(element).filter(|namespace| **namespace != Namespace::xml());
    found.extend(others.map(|namespace| namespace.clone().into_owned()));
    element.children().for_each(|child| add_namespaces(child, found));
}

/// Returns the namespaces of an element and its attributes, but not those of its content.
pub(crate) fn namespaces<'e, 'a>(element: &'e Element<'a>) -> impl Iterator<Item = &'e Namespace<'a>> {
    let of_attributes = element.qualified_attributes().map(|(namespace, ..)| namespace);
    std::iter::once(element.namespace()).chain(of_attributes)
}
