//! The columns for extensions (`alternates`, `images`, `videos` and `news`) as Arrow types and as JSON.
//!
//! The types are generated from the tables in `sitemap-core`, which define the possible values of each element.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::plan_err;
use datafusion::error::Result;
use sitemap_core::reading::{self as read, Group as _, Kind, Table};
use sitemap_core::{Extensions, Image, News, Video};

/// Each column's name and extension.
pub(crate) const COLUMNS: [(&str, Extensions); 4] = [
    ("alternates", Extensions::ALTERNATES),
    ("images", Extensions::IMAGES),
    ("videos", Extensions::VIDEOS),
    ("news", Extensions::NEWS),
];

/// Returns the columns of a table that contains a set's entries.
pub(crate) fn fields() -> Vec<Field> {
    let list = |table| DataType::List(item(structure(table)));
    let types = [map(), list(Image::TABLE), list(Video::TABLE), structure(News::TABLE)];
    COLUMNS.iter().zip(types).map(|((name, _), kind)| Field::new(*name, kind, true)).collect()
}

fn map() -> DataType {
    let pair = Fields::from(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, true),
    ]);
    DataType::Map(Arc::new(Field::new("entries", DataType::Struct(pair), false)), false)
}

fn item(kind: DataType) -> FieldRef {
    Arc::new(Field::new("item", kind, true))
}

fn structure(table: &Table) -> DataType {
    let fields = table.fields.iter().filter_map(|field| Some(Field::new(field.json, value(field)?, true)));
    DataType::Struct(fields.collect())
}

/// Returns a value's type, or `None` if the reader skips the value.
fn value(field: &read::Field) -> Option<DataType> {
    let one = match field.kind {
        Kind::Text(_) | Kind::Form(_) | Kind::Loc | Kind::Date { .. } | Kind::Word(_) => DataType::Utf8,
        Kind::Number { .. } => DataType::UInt64,
        Kind::Rating => DataType::Float64,
        Kind::Flag => DataType::Boolean,
        Kind::List(_) => DataType::List(item(DataType::Utf8)),
        Kind::Group(table) => structure(table),
        Kind::Ignored => return None,
    };
    Some(if field.most > 1 { DataType::List(item(one)) } else { one })
}

/// Returns a planning error if an extension column has an unsuitable type. Returns `false` if the field is not an
/// extension column.
pub(crate) fn check(field: &Field) -> Result<bool> {
    let (name, found) = (field.name().as_str(), field.data_type());
    match name {
        "alternates" => match found {
            DataType::Null => {}
            DataType::Map(entries, _) if is_text_map(entries) => {}
            _ => {
                return plan_err!(
                    "`alternates` has the type {found}; use a map from the language to the URL, for example \
                     `MAP {{'de': 'https://www.example.com/de/'}}`"
                );
            }
        },
        "images" => check_list(name, found, Image::TABLE)?,
        "videos" => check_list(name, found, Video::TABLE)?,
        "news" => check_structure(name, found, News::TABLE)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn is_text_map(entries: &Field) -> bool {
    let DataType::Struct(pair) = entries.data_type() else { return false };
    pair.iter().all(|part| part.data_type().is_string())
}

fn check_list(path: &str, found: &DataType, table: &Table) -> Result<()> {
    match found {
        DataType::Null => Ok(()),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            check_structure(path, item.data_type(), table)
        }
        _ => plan_err!(
            "`{path}` has the type {found}; use a list of structs, for example `[{}]`",
            example(table)
        ),
    }
}

fn check_structure(path: &str, found: &DataType, table: &Table) -> Result<()> {
    let DataType::Struct(fields) = found else {
        if found.is_null() {
            return Ok(());
        }
        return plan_err!("`{path}` has the type {found}; use a struct, for example `{}`", example(table));
    };
    for part in fields {
        let Some((_, known)) = table.json(part.name()) else {
            let names: Vec<_> = table.fields.iter().filter(|field| value(field).is_some()).collect();
            let names: Vec<_> = names.iter().map(|field| format!("`{}`", field.json)).collect();
            return plan_err!(
                "`{}` is not a value of `{path}`; the values are {}",
                part.name(),
                names.join(", ")
            );
        };
        if let Kind::Group(table) = known.kind {
            let path = format!("{path}.{}", known.json);
            if known.most > 1 {
                check_list(&path, part.data_type(), table)?;
            } else {
                check_structure(&path, part.data_type(), table)?;
            }
        }
    }
    Ok(())
}

/// Returns an SQL expression with an element's required values.
fn example(table: &Table) -> String {
    let required: Vec<_> = table.fields.iter().filter(|field| field.is_required).collect();
    let values = required.iter().map(|field| match field.kind {
        Kind::Group(table) => format!("'{}', {}", field.json, example(table)),
        _ => format!("'{}', …", field.json),
    });
    format!("named_struct({})", values.collect::<Vec<_>>().join(", "))
}
