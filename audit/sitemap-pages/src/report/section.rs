//! A site's sections. Each contains the pages of one host in one top-level folder.

use std::collections::BTreeMap;

use super::health::Health;
use super::html::Html;
use super::page::ReportPage;
use super::row::Row;
use super::tree_map;

/// The maximum number of sections that are counted separately. Pages in further sections are counted together.
const MOST: usize = 10_000;
/// The number of sections that the chart shows.
const SHOWN: usize = 200;
/// The maximum number of rows in the table.
const ROWS: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Sections {
    known: BTreeMap<String, Health>,
    /// Pages in sections above the limit.
    other: Health,
    total: Health,
}

impl Sections {
    pub(super) fn pages(&self) -> u64 {
        self.total.pages
    }

    pub(super) fn add(&mut self, page: &ReportPage<'_>) {
        self.total.add(page);
        let name = section_of(page.url);
        if let Some(health) = self.known.get_mut(name) {
            health.add(page);
        } else if self.known.len() < MOST {
            self.known.entry(name.to_owned()).or_default().add(page);
        } else {
            self.other.add(page);
        }
    }

    pub(super) fn write(&self, html: &mut Html) {
        let hosts: std::collections::BTreeSet<_> = self.known.keys().map(|name| host_of(name)).collect();
        let single = (hosts.len() == 1).then(|| hosts.first().copied().unwrap_or_default());
        let label = |name: &str| match single {
            Some(host) => name.strip_prefix(host).filter(|rest| !rest.is_empty()).unwrap_or(name).to_owned(),
            None => name.to_owned(),
        };
        let row = |(url, health): (&String, &Health)| Row {
            name: label(url),
            url: Some(url.clone()),
            health: *health,
        };
        let mut sections: Vec<Row> = self.known.iter().map(row).collect();
        sections.sort_by_key(|row| std::cmp::Reverse(row.health.pages));
        let mut rest = self.other;
        let cut = sections.len().min(SHOWN);
        for row in sections.drain(cut..) {
            rest.join(row.health);
        }
        if rest.pages > 0 {
            sections.push(Row { name: "other sections".to_owned(), url: None, health: rest });
            sections.sort_by_key(|row| std::cmp::Reverse(row.health.pages));
        }
        html.raw("<section>\n<h2 id=sections>Sections</h2>\n");
        tree_map::write(&sections, html);
        html.raw("<ul class=legend>");
        for (class, meaning) in [
            ("h0", "no errors or warnings"),
            ("h1", "warnings, or errors on less than 1 %"),
            ("h2", "errors on 1 to 10 %"),
            ("h3", "errors on 10 % or more"),
            ("hu", "mostly not requested"),
        ] {
            html.raw("<li><span class=").raw(class).raw("></span> ").raw(meaning).raw("</li>");
        }
        html.raw("</ul>\n");
        let len = sections.len();
        html.raw("<details").raw(if len <= 20 { " open" } else { "" }).raw("><summary>Numbers</summary>\n");
        html.raw("<div class=wide role=region aria-labelledby=sections tabindex=0><table><tr><th scope=col>Section");
        for heading in ["Pages", "With errors", "With warnings", "Not requested"] {
            html.raw("<th scope=col>").raw(heading);
        }
        html.raw("</tr>\n");
        for row in sections.iter().take(ROWS) {
            row.write(html);
        }
        html.raw("</table></div>\n");
        if len > ROWS {
            html.raw("<p>").count((len - ROWS) as u64, "more section is", "more sections are");
            html.raw(" not in this table.</p>\n");
        }
        html.raw("</details>\n</section>\n");
    }
}

/// Returns the URL up to the end of its first folder: `https://example.com/blog/` for
/// `https://example.com/blog/2026/oak`.
pub(super) fn section_of(url: &str) -> &str {
    let path = host_of(url).len();
    let end = url[path..].find(['?', '#']).map_or(url.len(), |at| path + at);
    match url[path..end].match_indices('/').nth(1) {
        Some((slash, _)) => &url[..=path + slash],
        None => &url[..url[path..end].find('/').map_or(end, |slash| path + slash + 1)],
    }
}

/// Returns the URL up to the end of its host and port.
fn host_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    &url[..url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at)]
}

#[cfg(test)]
mod tests {
    use super::section_of;

    #[test]
    fn sections_are_first_folders() {
        for (url, section) in [
            ("https://e.com/blog/2026/oak", "https://e.com/blog/"),
            ("https://e.com/blog/", "https://e.com/blog/"),
            ("https://e.com/blog", "https://e.com/"),
            ("https://e.com/", "https://e.com/"),
            ("https://e.com", "https://e.com"),
            ("https://e.com/a?b=/c/d", "https://e.com/"),
            ("https://e.com/a/b#/c/d", "https://e.com/a/"),
            ("x", "x"),
            ("", ""),
        ] {
            assert_eq!(section_of(url), section, "{url}");
        }
    }
}
