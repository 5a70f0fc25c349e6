//! A row of the input.

use std::borrow::Cow;

use memchr::memmem;
use serde::Deserialize;
use serde::de::DeserializeSeed as _;
use serde_json::{Map, Value};
use sitemap_core::{Entry, Site};

use crate::args::RowFormat;
use crate::page_list::csv;
use crate::page_list::ndjson::{self, explain};

/// The entry of a row, and its section if the row has one.
pub(super) struct Row<'l> {
    pub(super) section: Option<String>,
    pub(super) page: Entry<'l>,
}

/// A row in JSON, of which only the key `loc` is read.
#[derive(Deserialize)]
struct JsonLoc<'l> {
    #[serde(borrow)]
    loc: Cow<'l, str>,
}

/// The tab-separated columns. All but the first may be missing.
const NAMES: [&str; 5] = ["loc", "lastmod", "changefreq", "priority", "section"];

/// The maximum number of characters of a row to show in an error message.
const MAX_SHOWN: usize = 80;

/// How Hive and Spark write `NULL`.
const NULL: &[u8] = b"\\N";

pub(super) fn parse<'l>(line: &'l [u8], format: RowFormat, site: &Site) -> Result<Row<'l>, String> {
    match format {
        RowFormat::Ndjson if !line.trim_ascii_start().starts_with(b"{") => {
            let found: String = String::from_utf8_lossy(line).chars().take(MAX_SHOWN).collect();
            Err(format!("the row {found:?} is not a JSON object; for tab-separated rows use `--format tsv`"))
        }
        RowFormat::Ndjson if memmem::find(line, b"\"section\"").is_some() => with_section(line, site),
        RowFormat::Ndjson => {
            let page = ndjson::parse(line, site).map_err(|error| explain(&error))?;
            Ok(Row { section: None, page })
        }
        RowFormat::Tsv => columns(line, site),
    }
}

/// Parses a JSON row with the key `section`.
fn with_section<'l>(line: &[u8], site: &Site) -> Result<Row<'l>, String> {
    let mut row: Map<String, Value> = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    let section = match row.remove("section") {
        Some(Value::String(section)) => Some(section),
        Some(other) => return Err(format!("`section` is {other}; write the name of a section")),
        // The text is part of a value.
        None => None,
    };
    let page = site.deserialize(Value::Object(row)).map_err(|error| error.to_string())?;
    Ok(Row { section, page: page.into_owned() })
}

/// Returns the loc of a JSON row.
pub(super) fn json_loc(line: &[u8]) -> Result<Cow<'_, str>, String> {
    serde_json::from_slice::<JsonLoc<'_>>(line).map(|row| row.loc).map_err(|error| explain(&error))
}

fn columns<'l>(line: &'l [u8], site: &Site) -> Result<Row<'l>, String> {
    let mut values = [None; NAMES.len()];
    let mut found = 0;
    for text in line.split(|&byte| byte == b'\t') {
        if let Some(value) = values.get_mut(found)
            && !text.is_empty()
            && text != NULL
        {
            let text = std::str::from_utf8(text);
            *value = Some(text.map_err(|_| format!("`{}` is not UTF-8", NAMES[found]))?);
        }
        found += 1;
    }
    if found > NAMES.len() {
        return Err(format!("the row has {found} columns; write only {}", NAMES.join(", ")));
    }
    let [loc, lastmod, changefreq, priority, section] = values;
    let loc = loc.ok_or("`loc` is missing")?;
    let page = csv::entry(loc, lastmod, changefreq, priority, site);
    let page = page.map_err(|error| in_row(loc, &error.to_string()))?;
    Ok(Row { section: section.map(ToOwned::to_owned), page })
}

fn in_row(loc: &str, message: &str) -> String {
    format!("row {loc:?}: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site::new("https://example.com").unwrap()
    }

    fn parsed(line: &str) -> Result<String, String> {
        let row = parse(line.as_bytes(), RowFormat::Tsv, &site())?;
        let page = serde_json::to_string(&row.page).unwrap();
        Ok(format!("{:?} {page}", row.section))
    }

    #[test]
    fn empty_null_and_missing_columns_are_absent() {
        let only = |loc: &str| Ok(format!("None {{\"loc\":\"https://example.com{loc}\"}}"));
        assert_eq!(parsed("/a"), only("/a"));
        assert_eq!(parsed("/a\t\t\t"), only("/a"));
        assert_eq!(parsed("/a\t\\N\t\\N\t\\N"), only("/a"));
        assert_eq!(
            parsed("/a\t2026-01-31\tdaily\t0.80\tshop"),
            Ok("Some(\"shop\") {\"loc\":\"https://example.com/a\",\"lastmod\":\"2026-01-31\",\"changefreq\":\"daily\",\
                \"priority\":0.8}"
                .into())
        );
    }

    #[test]
    fn bad_rows() {
        assert_eq!(parsed("\t2026-01-31").unwrap_err(), "`loc` is missing");
        assert_eq!(parsed("\\N\t2026-01-31").unwrap_err(), "`loc` is missing");
        assert!(parsed("/a\t\t\t\t\t").unwrap_err().starts_with("the row has 6 columns; "));
        assert_eq!(
            parsed("/a\t\t\t1.5").unwrap_err(),
            "row \"/a\": sitemap priority must be between 0.0 and 1.0, found 1.5"
        );
        assert_eq!(
            parse(b"/a\tdaily", RowFormat::Ndjson, &site()).err().unwrap(),
            "the row \"/a\\tdaily\" is not a JSON object; for tab-separated rows use `--format tsv`"
        );
        let error = parse(b"/a\t\xFF", RowFormat::Tsv, &site()).err().unwrap();
        assert_eq!(error, "`lastmod` is not UTF-8");
    }
}
