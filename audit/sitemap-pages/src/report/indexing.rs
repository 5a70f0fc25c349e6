//! Whether the pages can be indexed.

use super::html::Html;
use crate::judge::{Standing, Table};

/// Writes the number of pages by what prevents them from being indexed.
pub(super) fn write(table: &Table, html: &mut Html) {
    html.raw("<section>\n<h2>Indexing</h2>\n<p>A sitemap should list the indexable pages.</p>\n");
    html.raw("<table><tr><th scope=col>Page<th scope=col>Pages</tr>\n");
    for &standing in Standing::ALL.iter().filter(|standing| table.count(**standing) > 0) {
        html.raw("<tr><th scope=row>").raw(standing.as_str()).raw("</th><td>").number(table.count(standing));
        html.raw("</td></tr>\n");
    }
    html.raw("</table>\n</section>\n");
}
