//! Text input: one URL or path per line.

use sitemap_core::{Entry, Site};
use sitemap_rows::Scanner;

use super::input::Input;
use super::lines::Lines;
use super::sink::Pages;
use crate::error::Outcome;

pub(super) fn fill(section: &mut Pages<'_>, site: &Site, input: Input) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut lines = Lines::new(from);
    let mut scanner = Scanner::new(site);
    loop {
        while let Some((number, row)) = lines.scan(|text| scanner.line(text).map(|row| (row.len, row)))? {
            section.add(format_args!("{name}:{number}"), Ok(&row.entry))?;
            progress.add(row.len as u64);
        }
        let Some(line) = lines.next()? else { return Ok(()) };
        let page = page(line.text, site);
        let page = page.as_ref().map_err(Clone::clone);
        let place = format_args!("{name}:{}", line.number);
        section.add(place, page)?;
        progress.add(line.taken);
    }
}

/// Creates an entry from a line.
pub(super) fn page<'l>(line: &'l [u8], site: &Site) -> Result<Entry<'l>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned());
    text.and_then(|loc| site.resolve(loc).map(Entry::new).map_err(|error| error.to_string()))
}
