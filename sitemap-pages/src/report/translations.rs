//! The translations as a matrix of languages.

use std::collections::{BTreeMap, BTreeSet};

use super::html::Html;

/// The number of languages that the matrix shows.
const MOST: usize = 60;

/// The numbers of links between the languages of a site.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    links: BTreeMap<(String, String), Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    links: u64,
    one_way: u64,
}

impl Matrix {
    pub(super) fn add(&mut self, from: &str, to: &str, links_back: bool) {
        let cell = self.links.entry((from.to_ascii_lowercase(), to.to_ascii_lowercase())).or_default();
        cell.links += 1;
        cell.one_way += u64::from(!links_back);
    }

    pub(super) fn write(&self, html: &mut Html) {
        if self.links.is_empty() {
            return;
        }
        let all: BTreeSet<&str> = self.links.keys().flat_map(|(from, to)| [&**from, &**to]).collect();
        let shown: Vec<&str> = all.iter().copied().take(MOST).collect();
        html.raw("<section>\n<h2>Translations</h2>\n<p>Links from pages in the language of the row to pages in the ");
        html.raw("language of the column.</p>\n<div class=wide><table class=matrix><tr><td></td>");
        for language in &shown {
            html.raw("<th scope=col>").text(language).raw("</th>");
        }
        html.raw("</tr>\n");
        for from in &shown {
            html.raw("<tr><th scope=row>").text(from).raw("</th>");
            for to in &shown {
                let cell =
                    self.links.get(&((*from).to_owned(), (*to).to_owned())).copied().unwrap_or_default();
                html.raw("<td>");
                if cell.links > 0 {
                    html.number(cell.links);
                }
                if cell.one_way > 0 {
                    html.raw("<span class=bad> (").number(cell.one_way).raw(" without a link back)</span>");
                }
                html.raw("</td>");
            }
            html.raw("</tr>\n");
        }
        html.raw("</table></div>\n");
        if all.len() > shown.len() {
            html.raw("<p>").count((all.len() - shown.len()) as u64, "more language is", "more languages are");
            html.raw(" not shown.</p>\n");
        }
        html.raw("</section>\n");
    }
}
