//! Text input: one URL or path per line.

use sitemap_core::{Entry, Site};

use super::input::Input;
use super::lines::Lines;
use super::sink::Pages;
use crate::error::Outcome;

pub(super) fn fill(section: &mut Pages<'_>, site: &Site, input: Input) -> Outcome<()> {
    let Input { name, from, progress, .. } = input;
    let mut lines = Lines::new(from);
    while let Some(line) = lines.next()? {
        let text = std::str::from_utf8(line.text).map_err(|_| "the line is not UTF-8".to_owned());
        let page = text.and_then(|loc| site.resolve(loc).map(Entry::new).map_err(|error| error.to_string()));
        let page = page.as_ref().map_err(Clone::clone);
        let place = format_args!("{name}:{}", line.number);
        section.add(place, page)?;
        progress.add(line.taken);
    }
    Ok(())
}
