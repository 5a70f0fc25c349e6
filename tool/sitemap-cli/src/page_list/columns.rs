//! Which columns of a table have which values.

use crate::args::Column;
use crate::error::{Outcome, Stop};
use crate::suggest;
use crate::terminal::say;

/// The names of the column with the URLs, in the exports of crawlers, search consoles and advertools.
const URL_NAMES: [&str; 5] = ["loc", "url", "address", "page", "top pages"];

/// The names of values that say where `sitemap list` found an entry.
pub(super) const PLACES: [&str; 2] = ["sitemap", "section"];

/// The maximum number of ignored columns to name.
const MAX_SHOWN: usize = 5;

/// Returns `true` if the cells are the header of a table with URLs.
pub(super) fn is_header<'c>(cells: impl Iterator<Item = &'c [u8]>, given: &[Column]) -> bool {
    // Semicolons are an error that names them.
    let cells = cells.flat_map(|cell| cell.split(|byte| *byte == b';'));
    cells.map(|cell| Column::plain(&String::from_utf8_lossy(cell))).any(|name| {
        URL_NAMES.contains(&&*name) || given.iter().any(|column| column.value == "loc" && column.name == name)
    })
}

/// Returns the position of each known value in the header, and says which columns are ignored. `loc` is required.
pub(super) fn find<'h, const N: usize>(
    header: impl Iterator<Item = &'h [u8]>,
    input: &str,
    delimiter: &str,
    values: [&'static str; N],
    given: &[Column],
) -> Outcome<[Option<usize>; N]> {
    let header: Vec<String> = header.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let names: Vec<String> = header.iter().map(|name| Column::plain(name)).collect();
    let stop = |message: String| Err(Stop::new(format!("{input}:1: {message}")));
    let mut columns = [None; N];
    for (column, value) in columns.iter_mut().zip(values) {
        let wanted = given.iter().find(|column| column.value == value).map(|column| &*column.name);
        let found = |name: &str| names.iter().position(|known| known == name);
        *column = match wanted {
            Some(name) => match found(name) {
                Some(at) => Some(at),
                None => {
                    return stop(format!(
                        "no column `{name}` for `{value}`; the columns are {}",
                        shown(&header)
                    ));
                }
            },
            None if value == "loc" => URL_NAMES.iter().find_map(|name| found(name)),
            None => found(value),
        };
        if let Some(at) = *column
            && names.iter().filter(|name| **name == names[at]).count() > 1
        {
            return stop(format!("duplicate column `{}`; remove one of them", names[at]));
        }
    }
    let of_url = values.iter().position(|value| *value == "loc").and_then(|at| columns[at]);
    if of_url.is_none() {
        return match &*header {
            [one] if one.contains([';', '\t', ',']) => {
                stop(format!("unknown column {one:?}; separate columns by {delimiter}"))
            }
            _ => stop(format!(
                "no column has a known name for URLs among {}; name it, as in `--column loc=Address`",
                shown(&header)
            )),
        };
    }
    let mut ignored = Vec::new();
    for (at, name) in names.iter().enumerate().filter(|(at, _)| !columns.contains(&Some(*at))) {
        // A misspelt name would silently drop its values.
        let missing = values.iter().zip(columns).filter(|(_, at)| at.is_none()).map(|(value, _)| *value);
        if let Some(known) = suggest::most_similar(name, missing) {
            return stop(format!("unknown column `{name}`; did you mean `{known}`?"));
        }
        if !PLACES.contains(&name.as_str()) {
            ignored.push(header[at].clone());
        }
    }
    if !ignored.is_empty() {
        let noun = if ignored.len() == 1 { "column" } else { "columns" };
        say(&format!("`{input}`: ignored the {noun} {}", shown(&ignored)));
    }
    Ok(columns)
}

fn shown(names: &[String]) -> String {
    let shown = names.iter().take(MAX_SHOWN).map(|name| format!("`{}`", name.trim_start_matches('\u{FEFF}')));
    let more = match names.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.collect::<Vec<_>>().join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(header: &[&str], given: &[&str]) -> Result<[Option<usize>; 2], String> {
        let given: Vec<Column> = given.iter().map(|text| Column::parse(text).unwrap()).collect();
        let cells = header.iter().map(|name| name.as_bytes());
        find(cells, "a.csv", "commas", ["loc", "lastmod"], &given).map_err(|stop| match stop {
            Stop::Error(message) => message,
            stop => format!("{stop:?}"),
        })
    }

    #[test]
    fn the_exports_of_common_tools_name_their_urls() {
        for (header, at) in [
            (&["loc", "lastmod"][..], [Some(0), Some(1)]),
            (&["URL", "Last crawled"], [Some(0), None]),
            (&["\u{FEFF}Address", "Content Type", "Status Code"], [Some(0), None]),
            (&["Top pages", "Clicks", "Impressions"], [Some(0), None]),
            (&["clicks", " Page "], [Some(1), None]),
            (&["sitemap", "url", "loc"], [Some(2), None]),
        ] {
            assert_eq!(found(header, &[]), Ok(at), "{header:?}");
        }
        assert_eq!(found(&["a", "Ziel", "Datum"], &["loc=ziel", "lastmod=Datum"]), Ok([Some(1), Some(2)]));
    }

    #[test]
    fn a_header_that_cannot_be_understood_is_an_error() {
        for (header, given, why) in [
            (
                &["a", "b"][..],
                &[][..],
                "no column has a known name for URLs among `a`, `b`; name it, as in `--column loc=Address`",
            ),
            (&["loc;lastmod"], &[], "unknown column \"loc;lastmod\"; separate columns by commas"),
            (&["loc", "lastmd"], &[], "unknown column `lastmd`; did you mean `lastmod`?"),
            (&["url", "URL"], &[], "duplicate column `url`; remove one of them"),
            (&["url"], &["loc=Ziel"], "no column `ziel` for `loc`; the columns are `url`"),
        ] {
            assert_eq!(found(header, given), Err(format!("a.csv:1: {why}")), "{header:?}");
        }
        assert!(Column::parse("url=x").is_err() && Column::parse("loc=").is_err());
    }
}
