//! Reads images, videos and news articles. Their child elements may be in any order.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use sitemap_core::__read::{Field, Fields, Group, Kind, Place, Table, Value, check_item, split};
use sitemap_core::LastMod;

use super::date;
use super::part::Part;
use crate::rule::Rule;

/// Reads an image, video or news article. If a required value is missing, adds a note and returns `None`.
pub(super) fn group<'t, G: Group<'t>>(part: &mut Part<'_, 't>) -> Option<G> {
    let fields = fields(part, G::TABLE)?;
    part.check(G::from_fields(fields))
}

fn fields<'t>(part: &mut Part<'_, 't>, table: &'static Table) -> Option<Fields<'t>> {
    let has_text = table.fields.iter().any(|field| field.place == Place::Text);
    if has_text && part.is_cut() {
        return None;
    }
    let mut fields = Fields::new(table);
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
        add(part, &mut fields, at, value);
    }
    if has_children {
        part.for_each_child(|part| child(part, &mut fields));
    }
    match fields.missing() {
        None => Some(fields),
        Some(missing) => {
            part.lacks(&missing);
            None
        }
    }
}

fn child<'t>(part: &mut Part<'_, 't>, fields: &mut Fields<'t>) {
    let table = fields.table();
    let Some((at, field)) = table.child(part.local()) else {
        part.note(Rule::ElementUnknown);
        return;
    };
    if matches!(field.kind, Kind::Ignored) {
        return;
    }
    if field.most == 1 && fields.get(at).is_some() {
        part.note(Rule::ElementDuplicate);
        return;
    }
    let value = match field.kind {
        Kind::Group(table) => self::fields(part, table).map(Value::Group),
        _ => text(part, field),
    };
    if !add(part, fields, at, value) {
        return;
    }
    let place = Place::AttributeOf(field.name);
    for (at, field) in (0..).zip(table.fields).filter(|(_, field)| field.place == place) {
        let value = part.attribute(field.local()).and_then(|text| parse(part, field, text));
        add(part, fields, at, value);
    }
}

/// Adds a value to its field. Returns `false` if there is no value. If the field does not allow the value, adds a note
/// and returns `false`.
fn add<'t>(part: &mut Part<'_, 't>, fields: &mut Fields<'t>, at: u8, value: Option<Value<'t>>) -> bool {
    value.is_some_and(|value| part.check(fields.add(at, value)).is_some())
}

/// Reads the element's own text as a value.
fn text<'t>(part: &mut Part<'_, 't>, field: &Field) -> Option<Value<'t>> {
    if matches!(field.kind, Kind::Loc) {
        return part.url().map(Value::Loc);
    }
    // The text is optional in some elements, such as a price.
    let text =
        if field.place == Place::Text && !field.is_required { part.optional_value() } else { part.value() };
    parse(part, field, text?)
}

/// Parses a text as a value. If the text is invalid, adds a note and returns `None`.
fn parse<'t>(part: &mut Part<'_, 't>, field: &Field, text: Cow<'t, str>) -> Option<Value<'t>> {
    match field.kind {
        Kind::Text(_) | Kind::Form(_) | Kind::Word(_) => Some(Value::Text(text)),
        Kind::Loc => part.check(sitemap_core::Loc::parse(text)).map(Value::Loc),
        Kind::Number { .. } => parsed(part, &text).map(Value::Number),
        Kind::Rating => {
            let rating = parsed(part, &text)?;
            part.check(Value::rating(field, rating))
        }
        Kind::Date { .. } => read_date(part, &text).map(Value::Date),
        Kind::Flag => flag(part, &text).map(Value::Flag),
        Kind::List(list) => {
            let mut items = Vec::new();
            for item in split(list, &text) {
                // Some sitemaps write country codes in lower case. Such codes are accepted and converted to upper case.
                let checked = check_item(field, list, item).map(Cow::Borrowed).or_else(|error| {
                    let upper = item.to_ascii_uppercase();
                    check_item(field, list, &upper).map(|item| Cow::Owned(item.to_owned())).map_err(|_| error)
                });
                match part.check(checked) {
                    Some(item) => items.push(item),
                    // Without its invalid items, a list of allowed or denied countries or platforms would have another
                    // meaning. The whole list is therefore ignored.
                    None if field.is_required => return None,
                    None => {}
                }
            }
            Some(Value::Text(items.join(list.separator).into())).filter(|_| !items.is_empty())
        }
        Kind::Group(_) | Kind::Ignored => None,
    }
}

fn parsed<T: FromStr<Err: Display>>(part: &mut Part<'_, '_>, text: &str) -> Option<T> {
    part.check(text.parse::<T>().map_err(|error| format!("{error}, found {text:?}")))
}

/// Parses `yes` and `no`, and also `true`, `false`, `1` and `0`, in any letter case.
fn flag(part: &mut Part<'_, '_>, word: &str) -> Option<bool> {
    part.check(match &*word.to_ascii_lowercase() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(format!("expected `yes` or `no`, found {word:?}")),
    })
}

/// Reads a date of an extension, with the same repairs as for a `lastmod`.
fn read_date(part: &mut Part<'_, '_>, text: &str) -> Option<LastMod> {
    let Some((date, rule)) = date::parse(text) else {
        part.note(Rule::LastModInvalid);
        return None;
    };
    if let Some(rule) = rule {
        part.note(rule);
    }
    Some(date)
}
