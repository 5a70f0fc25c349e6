//! Text input: one URL or path per line.

use sitemap_core::{Entry, Site};

use super::sink::Pages;
use crate::error::Outcome;
use crate::page_list::input::Input;
use crate::page_list::lines::Lines;

pub(super) fn fill(section: &mut Pages<'_>, site: &Site, input: Input) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut lines = Lines::new(from);
    while let Some(line) = lines.next()? {
        let page = page(line.text, site);
        section.add(&format_args!("{name}:{}", line.number), page.as_ref().map_err(Clone::clone))?;
        progress.add(line.taken);
    }
    Ok(())
}

/// Creates an entry from a line.
fn page<'l>(line: &'l [u8], site: &Site) -> Result<Entry<'l>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned());
    text.and_then(|loc| site.resolve(loc).map(Entry::new).map_err(|error| error.to_string()))
}
