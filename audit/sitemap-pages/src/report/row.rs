//! A section and its numbers, as a row of the report's table.

use super::health::Health;
use super::html::Html;

/// A section, as shown in the report.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    /// The common prefix of its pages' URLs, or `None` for the row of all remaining sections.
    pub(super) url: Option<String>,
    pub(super) health: Health,
}

impl Row {
    /// Returns the URL prefix if there are findings to show.
    pub(super) fn with_findings(&self) -> Option<&str> {
        self.url.as_deref().filter(|_| self.health.errors + self.health.warnings > 0)
    }

    /// Writes the table row.
    pub(super) fn write(&self, html: &mut Html) {
        html.raw("<tr><th scope=row>");
        match self.with_findings() {
            Some(url) => {
                html.raw("<a href=\"#findings\" data-section=\"")
                    .text(url)
                    .raw("\">")
                    .text(&self.name)
                    .raw("</a>");
            }
            None => _ = html.text(&self.name),
        }
        html.raw("</th>");
        let Health { pages, errors, warnings, unvisited } = self.health;
        for number in [pages, errors, warnings, unvisited] {
            html.raw("<td>").number(number).raw("</td>");
        }
        html.raw("</tr>\n");
    }
}
