//! The translations as a matrix of languages.

use std::collections::{BTreeMap, BTreeSet};

use super::html::Html;
use crate::judge::{Translations, VersionLinks};

/// The number of languages that the matrix shows.
const MOST: usize = 60;

/// Writes the matrix. Its rows and columns are languages.
pub(super) fn write(translations: &Translations, html: &mut Html) {
    let links: BTreeMap<(&str, &str), VersionLinks> = translations.pairs().collect();
    if links.is_empty() {
        return;
    }
    let all: BTreeSet<&str> = links.keys().flat_map(|(from, to)| [*from, *to]).collect();
    let shown: Vec<&str> = all.iter().copied().take(MOST).collect();
    html.raw("<section>\n<h2 id=translations>Translations</h2>\n<p>Links from pages in the language of the row to pages ");
    html.raw("in the language of the column.</p>\n");
    html.raw("<div class=wide role=region aria-labelledby=translations tabindex=0><table class=matrix><tr><td></td>");
    for language in &shown {
        html.raw("<th scope=col>").text(language).raw("</th>");
    }
    html.raw("</tr>\n");
    for from in &shown {
        html.raw("<tr><th scope=row>").text(from).raw("</th>");
        for to in &shown {
            html.raw("<td>");
            if let Some(links) = links.get(&(*from, *to)) {
                cell(*links, html);
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
    if translations.omitted() > 0 {
        html.raw("<p>").count(
            translations.omitted(),
            "link between further languages is",
            "links between further languages are",
        );
        html.raw(" not counted.</p>\n");
    }
    html.raw("</section>\n");
}

fn cell(links: VersionLinks, html: &mut Html) {
    html.number(links.links);
    if links.one_way > 0 {
        html.raw("<br><span class=bad>").number(links.one_way).raw(" without a link back</span>");
    }
    if links.unchecked > 0 {
        html.raw("<br><span class=quiet>").number(links.unchecked).raw(" not checked</span>");
    }
}
