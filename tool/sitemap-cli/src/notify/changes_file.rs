//! The changed pages that `notify --changes` reads: NDJSON, as `apply --changes` writes it.

use std::path::Path;

use serde::Deserialize;
use sitemap_core::Loc;

use crate::error::{Outcome, Stop};
use crate::page_list::input::{Content, Input};
use crate::page_list::lines::Lines;
use crate::page_list::ndjson::{check_end, explain};

const CHANGES: Content = Content {
    lines: "changes",
    work: "reading changes",
    instead_of_folder: "name the file that `sitemap apply --changes` writes",
};

/// The fields of a line that are used here. A removed page is sent like any other page.
#[derive(Deserialize)]
struct Change {
    loc: String,
}

/// Reads the URLs of changed pages, in the order of their first occurrence.
pub(super) fn read(path: &Path) -> Outcome<Vec<Loc<'static>>> {
    let is_stdin = path.as_os_str() == "-";
    let Input { name, from, progress, .. } = Input::open((!is_stdin).then_some(path), CHANGES)?;
    let mut lines = Lines::new(from);
    let mut pages = indexmap::IndexSet::new();
    while let Some(line) = lines.next()? {
        check_end(&line, &name)?;
        let failed = |message: String| Stop::new(format!("{name}:{}: {message}", line.number));
        let change: Change = serde_json::from_slice(line.text).map_err(|error| failed(explain(&error)))?;
        let loc = Loc::parse(change.loc).map_err(|error| failed(error.to_string()))?;
        progress.add(line.taken);
        pages.insert(loc);
    }
    Ok(pages.into_iter().collect())
}
