//! A line of the input as a page.

use sitemap_core::Priority;

use crate::args::RowFormat;
use crate::build::ndjson::explain;
use crate::page::Page;

const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// Of a row that its error repeats, in characters.
const SHOWN: usize = 80;

/// What Hive and Spark write for `NULL`.
const NULL: &[u8] = b"\\N";

pub(super) fn parse(line: &[u8], format: RowFormat) -> Result<Page<'_>, String> {
    match format {
        RowFormat::Ndjson if !line.trim_ascii_start().starts_with(b"{") => {
            let found: String = String::from_utf8_lossy(line).chars().take(SHOWN).collect();
            Err(format!(
                "a row is an object of JSON; of tabs between columns say `--format tsv`, found {found:?}"
            ))
        }
        RowFormat::Ndjson => serde_json::from_slice(line).map_err(|error| explain(&error)),
        RowFormat::Tsv => columns(line),
    }
}

fn columns(line: &[u8]) -> Result<Page<'_>, String> {
    let mut values = [None; 4];
    let mut found = 0;
    for text in line.split(|&byte| byte == b'\t') {
        if let Some(value) = values.get_mut(found)
            && !text.is_empty()
            && text != NULL
        {
            let text = std::str::from_utf8(text);
            *value = Some(text.map_err(|_| format!("`{}` is not UTF-8", COLUMNS[found]))?);
        }
        found += 1;
    }
    if found > COLUMNS.len() {
        return Err(format!(
            "a row has the columns loc, lastmod, changefreq and priority, all but the first optional, found \
             {found} columns"
        ));
    }
    let [loc, lastmod, changefreq, priority] = values;
    let priority = priority.map(str::parse::<Priority>).transpose();
    let priority = priority.map_err(|error| in_row(loc, &error.to_string()))?;
    Ok(Page {
        loc: loc.ok_or("`loc` is missing")?.into(),
        lastmod: lastmod.map(Into::into),
        changefreq: changefreq.map(Into::into),
        priority: priority.map(Priority::get),
        ..Page::default()
    })
}

fn in_row(loc: Option<&str>, message: &str) -> String {
    loc.map_or_else(|| message.to_owned(), |loc| format!("{message}, in the row of {loc:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Values = (String, Option<String>, Option<String>, Option<f64>);

    fn parsed(line: &str) -> Result<Values, String> {
        let page = parse(line.as_bytes(), RowFormat::Tsv)?;
        let text = |value: Option<std::borrow::Cow<'_, str>>| value.map(std::borrow::Cow::into_owned);
        Ok((page.loc.into_owned(), text(page.lastmod), text(page.changefreq), page.priority))
    }

    #[test]
    fn columns_that_are_empty_null_or_not_there_are_absent() {
        let only = |loc: &str| Ok((loc.to_owned(), None, None, None));
        assert_eq!(parsed("/a"), only("/a"));
        assert_eq!(parsed("/a\t\t\t"), only("/a"));
        assert_eq!(parsed("/a\t\\N\t\\N\t\\N"), only("/a"));
        assert_eq!(
            parsed("/a\t2026-01-31\tdaily\t0.80"),
            Ok(("/a".into(), Some("2026-01-31".into()), Some("daily".into()), Some(0.8)))
        );
    }

    #[test]
    fn bad_rows() {
        assert_eq!(parsed("\t2026-01-31").unwrap_err(), "`loc` is missing");
        assert_eq!(parsed("\\N\t2026-01-31").unwrap_err(), "`loc` is missing");
        assert!(parsed("/a\t\t\t\t").unwrap_err().ends_with("found 5 columns"));
        assert_eq!(
            parsed("/a\t\t\t1.5").unwrap_err(),
            "sitemap priority must be between 0.0 and 1.0, found 1.5, in the row of \"/a\""
        );
        assert_eq!(
            parse(b"/a\tdaily", RowFormat::Ndjson).unwrap_err(),
            "a row is an object of JSON; of tabs between columns say `--format tsv`, found \"/a\\tdaily\""
        );
        let error = parse(b"/a\t\xFF", RowFormat::Tsv).unwrap_err();
        assert_eq!(error, "`lastmod` is not UTF-8");
    }
}
