//! The pages by their status.

use std::collections::BTreeMap;

use super::html::Html;
use super::page::ReportPage;

/// The numbers of pages by the status of their last response.
#[derive(Debug, Default)]
pub(super) struct Statuses {
    answered: BTreeMap<u16, u64>,
    failed: u64,
    unvisited: u64,
}

impl Statuses {
    pub(super) fn add(&mut self, page: &ReportPage<'_>) {
        match page.status {
            Some(status) => *self.answered.entry(status).or_default() += 1,
            None if page.is_unvisited => self.unvisited += 1,
            None => self.failed += 1,
        }
    }

    pub(super) fn write(&self, html: &mut Html) {
        html.raw("<section>\n<h2>Answers</h2>\n<table><tr><th>Answer<th>Pages</tr>\n");
        for (status, &count) in &self.answered {
            html.raw("<tr><td>").number((*status).into()).raw("</td><td>").number(count).raw("</td></tr>\n");
        }
        for (label, count) in [("no answer", self.failed), ("not requested", self.unvisited)] {
            if count > 0 {
                html.raw("<tr><td>").text(label).raw("</td><td>").number(count).raw("</td></tr>\n");
            }
        }
        html.raw("</table>\n</section>\n");
    }
}
