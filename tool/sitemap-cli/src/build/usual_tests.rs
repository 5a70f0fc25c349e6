//! Lists of all formats, read with the scanner of usual rows and without it. Both must find the same rows.

use std::io::BufReader;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sitemap_core::{Entry, Site};
use sitemap_rows::{Columns, Row, Scanner};

use super::csv::{self, COLUMNS, Table};
use super::lines::Lines;
use super::{ndjson, text};

/// The line and the page of each row, then the message of the error that ends the list.
type Found = (Vec<(u64, Result<Entry<'static>, String>)>, Option<String>);

/// A list, the size of the buffer through which it is read, and whether the scanner reads usual rows.
struct List<'t> {
    text: &'t [u8],
    buffer: usize,
    is_scanned: bool,
}

impl List<'_> {
    fn lines(
        &self,
        scan: for<'t> fn(&'t mut Scanner, &'t [u8]) -> Option<Row<'t>>,
        parse: for<'t> fn(&'t [u8], &Site) -> Result<Entry<'t>, String>,
    ) -> Found {
        let (site, mut scanner) = (site(), Scanner::new(&site()));
        let mut lines = Lines::new(BufReader::with_capacity(self.buffer, self.text));
        let mut found = Vec::new();
        loop {
            while self.is_scanned
                && let Some((number, row)) =
                    lines.scan(|text| scan(&mut scanner, text).map(|row| (row.len, row))).unwrap()
            {
                found.push((number, Ok(row.entry.into_owned())));
            }
            let Some(line) = lines.next().unwrap() else { return (found, None) };
            found.push((line.number, parse(line.text, &site).map(Entry::into_owned)));
        }
    }

    fn table(&self, delimiter: u8) -> Found {
        let (site, mut scanner) = (site(), Scanner::new(&site()));
        let from = BufReader::with_capacity(self.buffer, self.text);
        let mut table = match Table::open("list", from, delimiter, COLUMNS) {
            Ok(table) => table,
            Err(stop) => return (Vec::new(), Some(format!("{stop:?}"))),
        };
        let columns: Columns = table.usual_columns(delimiter).unwrap();
        let mut found = Vec::new();
        loop {
            while self.is_scanned
                && let Some((line, row)) = table.scan(&mut scanner, &columns).unwrap()
            {
                found.push((line, Ok(row.entry.into_owned())));
            }
            match table.next() {
                Ok(Some(row)) => {
                    let page = row.values.and_then(|values| csv::page(values, &site).map(Entry::into_owned));
                    found.push((row.line, page));
                }
                Ok(None) => return (found, None),
                Err(stop) => return (found, Some(format!("{stop:?}"))),
            }
        }
    }
}

fn site() -> Site {
    Site::new("https://example.com/shop").unwrap()
}

fn json<'l>(line: &'l [u8], site: &Site) -> Result<Entry<'l>, String> {
    ndjson::parse(line, site).map_err(|error| ndjson::explain(&error))
}

/// Returns texts that consist of these parts, most of them usual.
fn rows(parts: &'static [&'static [&'static str]]) -> impl Strategy<Value = Vec<u8>> {
    const BREAKS: &[&str] = &["\n", "\n", "\n", "\n", "\r\n", "\r\n", "\n\n", "\r", "", " \n"];
    const NOISE: &[&str] =
        &["", "", "", "", "", "", "", "", " ", "\t", "\"", ",", "\\", "\u{FEFF}", "ü", "x", "\0"];
    let row = parts
        .iter()
        .map(|choices| (select(*choices), select(NOISE)).prop_map(|(part, noise)| part.to_owned() + noise));
    let row = row.collect::<Vec<_>>().prop_map(|parts| parts.concat());
    let with_break = (row, select(BREAKS)).prop_map(|(row, end)| row + end);
    (vec(with_break, 0..8), vec(any::<(u16, u8)>(), 0..2)).prop_map(|(rows, changes)| {
        let mut text = rows.concat().into_bytes();
        // Some bytes are replaced by any others, so that the text need not be UTF-8.
        for (at, byte) in changes.into_iter().filter(|(at, _)| at % 4 == 0) {
            let len = text.len().max(1);
            if let Some(place) = text.get_mut(usize::from(at) % len) {
                *place = byte;
            }
        }
        text
    })
}

const LOCS: &[&str] = &[
    "https://example.com/shop/1",
    "https://example.com/shop/1?a=b&c='d'#e",
    "https://example.com/shop/a%20b/%zz",
    "https://example.com/other",
    "HTTPS://EXAMPLE.com/shop/./a",
    "https://example.com",
    "http://other.example/",
    "/",
    "/a/very/long/path/which/has/several/segments-and-words.html",
    "/ü/\u{FFFF}",
    "/../a",
    "//a",
    "/a, b",
    "\"/quoted,\"",
    "\"/quoted\"\"twice\"",
    "a",
    "",
];

const DATES: &[&str] = &[
    "2026-01-31",
    "2026-01-31T10:00:00Z",
    "2026-01-31T10:00:00+01:00",
    "2026-01-31T10:00:00.125Z",
    "2026-01",
    "2026-02-30",
    "\"2026-01-31\"",
    "\"2026-01-31\n\"",
    "today",
    "",
];

const WORDS: &[&str] =
    &["weekly", "daily", "never", "always", "hourly", "monthly", "yearly", "Weekly", "\"daily\"", ""];
const NUMBERS: &[&str] =
    &["0.5", "0.25", "0.0001", "0.00005", "1", "1.0", "0", "1.1", "-0", "+0.5", ".5", "5e-1", "\"0.5\"", ""];

/// The values of `{"loc": …}` and of the other keys, with the key and its quotes.
const JSON_LOCS: &[&str] = &[
    "{\"loc\":\"https://example.com/shop/1\"",
    "{\"loc\":\"https://example.com/shop/a%20b?ü=<&>\"",
    "{\"loc\":\"https://example.com/shop/caf\\u00e9\"",
    "{\"loc\":\"/a\\/b\"",
    "{ \"loc\" : \"/tea\"",
    "{\"loc\":\"https://example.com/other\"",
    "{\"loc\":null",
    "{\"loc\":\"/../a\"",
    "{\"loc\":\"/a",
    "{\"priority\":0.5,\"loc\":\"/a\"",
    "{\"lo\\u0063\":\"/a\"",
    "{",
    "",
];
const JSON_DATES: &[&str] = &[
    ",\"lastmod\":\"2026-01-31\"",
    ", \"lastmod\": \"2026-01-31T10:00:00Z\"",
    ",\"lastmod\":\"2026-01-31T10:00:00.5-01:00\"",
    ",\"lastmod\":null",
    ",\"lastmod\":\"2026-02-30\"",
    ",\"lastmod\":2026",
    ",\"lastmod\":\"2026\\u002d01-31\"",
    ",\"loc\":\"/b\"",
    ",\"images\":[{\"loc\":\"/a.jpg\"}]",
    ",\"titel\":1",
    ",",
    "",
];
const JSON_WORDS: &[&str] = &[
    ",\"changefreq\":\"weekly\"",
    ",\t\"changefreq\":\"never\"",
    ",\"changefreq\":null",
    ",\"changefreq\":\"often\"",
    ",\"changefreq\":1",
    "",
];
const JSON_NUMBERS: &[&str] = &[
    ",\"priority\":0.5}",
    ",\"priority\":0.1234}",
    ",\"priority\":0.12345}",
    ",\"priority\":1}",
    ",\"priority\":0}",
    ",\"priority\":1.0 }",
    ",\"priority\":5e-1}",
    ",\"priority\":null}",
    ",\"priority\":00}",
    ",\"priority\":0.}",
    ",\"priority\":-0.0}",
    ",\"priority\":1.5}",
    ",\"priority\":\"0.5\"}",
    ",\"priority\":0.5,}",
    "}",
    "}}",
    "",
];

fn buffers() -> impl Strategy<Value = usize> {
    prop_oneof![1..300_usize, Just(65_536)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn text(text in rows(&[LOCS]), buffer in buffers()) {
        let found = |is_scanned| List { text: &text, buffer, is_scanned }.lines(Scanner::line, text::page);
        prop_assert_eq!(found(true), found(false));
    }

    #[test]
    fn objects(text in rows(&[JSON_LOCS, JSON_DATES, JSON_WORDS, JSON_NUMBERS]), buffer in buffers()) {
        let found = |is_scanned| List { text: &text, buffer, is_scanned }.lines(Scanner::object, json);
        prop_assert_eq!(found(true), found(false));
    }

    #[test]
    fn csv(rows in rows(&[LOCS, &[","], DATES, &[","], WORDS, &[","], NUMBERS]), buffer in buffers()) {
        let text = [&b"loc,lastmod,changefreq,priority\n"[..], &rows].concat();
        let found = |is_scanned| List { text: &text, buffer, is_scanned }.table(b',');
        prop_assert_eq!(found(true), found(false));
    }

    #[test]
    fn tsv_in_another_order(rows in rows(&[NUMBERS, &["\t"], LOCS]), buffer in buffers()) {
        let text = [&b"priority\tloc\r\n"[..], &rows].concat();
        let found = |is_scanned| List { text: &text, buffer, is_scanned }.table(b'\t');
        prop_assert_eq!(found(true), found(false));
    }
}

/// The rows above must not all be unusual.
#[test]
fn usual_rows_are_scanned() {
    let mut scanner = Scanner::new(&site());
    let row = scanner
        .object(b"{\"loc\":\"https://example.com/shop/1\",\"lastmod\":\"2026-01-31\",\"priority\":0.5}\n");
    assert_eq!(row.map(|row| row.len), Some(75));
}
