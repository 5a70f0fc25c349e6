//! The months when pages last changed.

use std::collections::BTreeMap;

use sitemap_core::LastMod;

use super::html::Html;

/// The number of months that the chart shows. Older months share one row of the table.
const MONTHS: usize = 24;

/// The number of pages by the month of their last change.
#[derive(Debug, Default)]
pub(super) struct Dates {
    months: BTreeMap<String, u64>,
    unknown: u64,
}

impl Dates {
    pub(super) fn add(&mut self, changed: Option<&LastMod>) {
        match changed {
            Some(date) => {
                let text = date.to_string();
                let month = text.get(..7).unwrap_or(&text).to_owned();
                *self.months.entry(month).or_default() += 1;
            }
            None => self.unknown += 1,
        }
    }

    pub(super) fn write(&self, html: &mut Html) {
        html.raw("<section>\n<h2>Last changes</h2>\n");
        if self.months.is_empty() {
            html.raw("<p>No date of a change is known yet. A date is known when a later run finds other content.</p>\n");
            html.raw("</section>\n");
            return;
        }
        let most = self.months.values().copied().max().unwrap_or(1);
        let skipped = self.months.len().saturating_sub(MONTHS);
        let older: u64 = self.months.values().take(skipped).sum();
        html.raw("<table class=bars><tr><th scope=col>Month<th scope=col>Pages<th aria-hidden=true></tr>\n");
        if older > 0 {
            html.raw("<tr><th scope=row>earlier</th><td>")
                .number(older)
                .raw("</td><td aria-hidden=true></td></tr>\n");
        }
        for (month, &count) in self.months.iter().skip(skipped) {
            html.raw("<tr><th scope=row>").text(month).raw("</th><td>").number(count);
            html.raw("</td><td aria-hidden=true><i style=\"width:").number(count * 100 / most.max(1));
            html.raw("%\"></i></td></tr>\n");
        }
        if self.unknown > 0 {
            html.raw("<tr><th scope=row>unknown</th><td>")
                .number(self.unknown)
                .raw("</td><td aria-hidden=true></td></tr>\n");
        }
        html.raw("</table>\n</section>\n");
    }
}
