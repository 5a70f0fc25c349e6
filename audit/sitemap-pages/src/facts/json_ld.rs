//! Dates in structured data.

use memchr::memmem;
use serde_json::Value;

use super::page_date::{PageDate, PageDateKind};

/// Reads the dates of the top-level items that an `application/ld+json` script describes. Dates of nested items, such
/// as comments, are ignored. Returns `false` if the script contains dates but is not JSON.
pub(super) fn read(script: &[u8], into: &mut Vec<PageDate>) -> bool {
    if memmem::find(script, b"\"dateModified\"").is_none()
        && memmem::find(script, b"\"datePublished\"").is_none()
    {
        return true;
    }
    let Ok(value) = serde_json::from_slice(script) else { return false };
    things(&value, 0, into);
    true
}

fn things(value: &Value, depth: u32, into: &mut Vec<PageDate>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| things(value, depth, into)),
        Value::Object(thing) => {
            for (name, kind) in [
                ("dateModified", PageDateKind::StructuredModified),
                ("datePublished", PageDateKind::StructuredPublished),
            ] {
                if let Some(Value::String(text)) = thing.get(name) {
                    into.push(PageDate::new(kind, text));
                }
            }
            let inner = ["@graph", "mainEntity"].into_iter().filter_map(|name| thing.get(name));
            if depth < 3 {
                inner.for_each(|value| things(value, depth + 1, into));
            }
        }
        _ => {}
    }
}
