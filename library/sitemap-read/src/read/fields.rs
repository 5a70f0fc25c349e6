//! Reads images, videos and news articles. Child elements may come in any order. Invalid values are reported and kept
//! as written.

use std::borrow::Cow;

use sitemap_core::extension::ExtensionError;
use sitemap_core::reading::{
    Field, Fields, Group, Kind, Place, Table, Value, check_item, check_value, refusal, split,
};

use super::date;
use super::element::Part;
use super::finding::{message, quoted};
use super::value::needs_encoding;
use crate::rule::Rule;

/// Reads an image, video or news article with all its values. If a required value is missing, adds a note. Returns
/// `None` only if the document ends within a required value.
pub(super) fn group<'t, G: Group<'t>>(part: &mut Part<'_, 't>) -> Option<G> {
    fields(part, G::TABLE).map(G::from_document)
}

fn fields<'t>(part: &mut Part<'_, 't>, table: &'static Table) -> Option<Fields<'t>> {
    let has_text = table.fields.iter().any(|field| field.place == Place::Text);
    if has_text && part.is_cut() {
        return None;
    }
    let mut fields = Fields::unchecked(table);
    let mut has_children = false;
    for (at, field) in (0..).zip(table.fields) {
        let value = match field.place {
            Place::Attribute => part.attribute(field.local()).and_then(|text| parse(part, field, text)),
            Place::Text => text(part, field),
            Place::Child => {
                has_children = true;
                None
            }
            Place::AttributeOf(_) => None,
        };
        if let Some(value) = value {
            fields.put(at, value);
        }
    }
    if has_children {
        let mut last = 0;
        part.for_each_child(|part| last = child(part, last, &mut fields));
    }
    if let Some(missing) = fields.missing() {
        if part.is_cut() {
            return None;
        }
        part.note_incomplete(&missing, "is kept without it");
    }
    Some(fields)
}

/// Reads a child element and returns its field number. `last` is the previous child's field number.
fn child<'t>(part: &mut Part<'_, 't>, last: u8, fields: &mut Fields<'t>) -> u8 {
    let table = fields.table();
    let Some((at, field)) = table.child_from(last, part.local()) else {
        part.note(Rule::ElementUnknown);
        return last;
    };
    if matches!(field.kind, Kind::Ignored) {
        return at;
    }
    if field.most == 1 && fields.has(at) {
        part.note(Rule::ElementDuplicate);
        return at;
    }
    let value = match field.kind {
        Kind::Group(table) => self::fields(part, table).map(Value::Group),
        _ => text(part, field),
    };
    let Some(value) = value else { return at };
    if field.most > 1 && fields.count(at) == field.most {
        part.note_kept(&fields.too_many(at));
    }
    fields.put(at, value);
    let (number, place) = (at, Place::AttributeOf(field.name));
    for (at, field) in (0..).zip(table.fields).filter(|(_, field)| field.place == place) {
        if let Some(value) = part.attribute(field.local()).and_then(|text| parse(part, field, text)) {
            fields.put(at, value);
        }
    }
    number
}

/// Reads the text directly inside the element as a value.
fn text<'t>(part: &mut Part<'_, 't>, field: &'static Field) -> Option<Value<'t>> {
    if part.is_cut() {
        return None;
    }
    let text = if matches!(field.kind, Kind::Loc) { part.url_text() } else { part.text() };
    if !text.is_empty() {
        return parse(part, field, text);
    }
    // Some elements, such as a price, may be empty. A missing required text is reported separately.
    if !field.is_required && field.place != Place::Text {
        part.note(Rule::ValueEmpty);
    }
    None
}

/// Parses a string as a value. If it is invalid, adds a note and returns the string unchanged.
fn parse<'t>(part: &mut Part<'_, 't>, field: &'static Field, text: Cow<'t, str>) -> Option<Value<'t>> {
    if matches!(field.kind, Kind::Group(_) | Kind::Ignored) {
        return None;
    }
    match valid(field, &text) {
        Ok((value, repair)) => {
            if let Some(rule) = repair {
                let (found, normal) = (message(rule, &text), value.text(field));
                part.note_with(rule, format!("{found}; write {}", quoted(&normal)));
            }
            Some(value)
        }
        Err(error) => {
            part.note_kept(&error);
            Some(Value::Invalid(text))
        }
    }
}

/// Parses a string as a value. If the value is readable but breaks a rule, also returns the rule.
pub(super) fn valid<'t>(
    field: &'static Field,
    text: &Cow<'t, str>,
) -> Result<(Value<'t>, Option<Rule>), ExtensionError> {
    let refused = || refusal(field, text);
    let value = match field.kind {
        Kind::Loc => {
            let loc = sitemap_core::Loc::parse(text.clone()).map_err(|_| refused())?;
            return Ok((Value::Loc(loc), needs_encoding(text).then_some(Rule::LocNotEncoded)));
        }
        Kind::Number { .. } => Value::Number(text.parse().map_err(|_| refused())?),
        Kind::Rating => {
            let rating = text.parse().map_err(|_| refused())?;
            Value::rating(field, rating).map_err(|_| refused())?
        }
        Kind::Date { .. } => {
            let (date, repair) = date::parse(text).ok_or_else(refused)?;
            return Ok((check_value(field, Value::Date(date))?, repair));
        }
        Kind::Flag => {
            let value = Value::Flag(flag(text).ok_or_else(refused)?);
            return Ok((value, (!matches!(&**text, "yes" | "no")).then_some(Rule::ExtensionFlag)));
        }
        Kind::List(list) => {
            let mut items = Vec::new();
            for item in split(list, text) {
                // Some sitemaps write country codes in lower case. Accept them and convert them to upper case.
                let item = check_item(field, list, item).map(Cow::Borrowed).or_else(|error| {
                    let upper = item.to_ascii_uppercase();
                    check_item(field, list, &upper).map(|item| Cow::Owned(item.to_owned())).map_err(|_| error)
                })?;
                items.push(item);
            }
            return Ok((check_value(field, Value::Text(items.join(list.separator).into()))?, None));
        }
        _ => Value::Text(text.clone()),
    };
    // The message shows the number as written, even if it is only too large.
    Ok((check_value(field, value).map_err(|_| refused())?, None))
}

/// Parses `yes` and `no` and also `true`, `false`, `1` and `0`, ignoring case.
fn flag(word: &str) -> Option<bool> {
    match &*word.to_ascii_lowercase() {
        "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}
