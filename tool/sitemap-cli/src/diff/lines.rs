//! The output lines of the comparison.

use serde::Serialize;
use sitemap_core::Entry;

use super::values::{Changes, EXTENSIONS};
use crate::args::DiffFormat;
use crate::error::{Outcome, Stop};
use crate::terminal::{Ink, Paint};

/// The output format.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) format: DiffFormat,
    pub(super) paint: Paint,
}

#[derive(Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
enum Line<'a> {
    Added { page: &'a Entry<'a> },
    Removed { loc: &'a str },
    Changed { loc: &'a str, values: Changes, page: &'a Entry<'a> },
}

impl Lines {
    /// Appends the line of an added page to a buffer.
    pub(super) fn added(self, text: &mut Vec<u8>, entry: &Entry<'_>) -> Outcome<()> {
        match self.format {
            DiffFormat::Text => {
                self.line(text, Ink::Added, &format!("+ {}", entry.loc()));
                Ok(())
            }
            DiffFormat::Ndjson => json_line(text, &Line::Added { page: entry }),
        }
    }

    /// Appends the line of a removed page to a buffer.
    pub(super) fn removed(self, text: &mut Vec<u8>, loc: &str) -> Outcome<()> {
        match self.format {
            DiffFormat::Text => {
                self.line(text, Ink::Error, &format!("- {loc}"));
                Ok(())
            }
            DiffFormat::Ndjson => json_line(text, &Line::Removed { loc }),
        }
    }

    /// Appends the lines of a changed page to a buffer.
    pub(super) fn changed(self, text: &mut Vec<u8>, entry: &Entry<'_>, values: Changes) -> Outcome<()> {
        if self.format == DiffFormat::Ndjson {
            let loc = entry.loc().as_str();
            return json_line(text, &Line::Changed { loc, values, page: entry });
        }
        self.line(text, Ink::Warning, &format!("~ {}", entry.loc()));
        for (name, change) in values {
            let side = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
            let change = if EXTENSIONS.contains(&name) {
                "changed".to_owned()
            } else {
                format!("{} -> {}", side(change.old), side(change.new))
            };
            text.extend_from_slice(format!("    {name}: {change}\n").as_bytes());
        }
        Ok(())
    }

    fn line(self, text: &mut Vec<u8>, ink: Ink, line: &str) {
        text.extend_from_slice(self.paint.ink(ink, line).as_bytes());
        text.push(b'\n');
    }
}

fn json_line(text: &mut Vec<u8>, value: &impl Serialize) -> Outcome<()> {
    serde_json::to_writer(&mut *text, value).map_err(|error| Stop::print(&error.into()))?;
    text.push(b'\n');
    Ok(())
}
