//! Formats the table of pages.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sitemap_read::Rule;

use crate::number::grouped;

/// The number of pages by section and status.
#[derive(Debug)]
pub(crate) struct PageTable {
    pub(crate) text: String,
    /// The names of the columns, such as `indexable`.
    pub(crate) columns: Vec<&'static str>,
    /// The sections, with one number for each column.
    pub(crate) rows: Vec<(String, Vec<u64>)>,
    /// The number of pages that nothing is known about.
    pub(crate) unchecked: u64,
    /// The number of pages that were too long to be read completely.
    pub(crate) cut: u64,
    /// For rules whose findings follow from other pages, the number of these pages.
    pub(crate) causes: BTreeMap<Rule, u64>,
}

impl PageTable {
    /// Returns the table as an object. The object of a section contains only statuses that some of its pages have.
    pub(crate) fn json(&self) -> Value {
        let section = |(name, counts): &(String, Vec<u64>)| {
            let standings = self.columns.iter().zip(counts).filter(|(_, count)| **count > 0);
            let standings: Map<String, Value> =
                standings.map(|(column, count)| ((*column).to_owned(), json!(count))).collect();
            json!({ "section": name, "pages": counts.iter().sum::<u64>(), "standings": standings })
        };
        let sections: Vec<Value> = self.rows.iter().map(section).collect();
        json!({ "unchecked": self.unchecked, "cut": self.cut, "causes": self.causes, "sections": sections })
    }

    /// Returns the lines of a Markdown table. `escaped` escapes the names of sections.
    pub(crate) fn markdown(&self, escaped: fn(&str) -> String) -> Vec<String> {
        let mut lines = vec![
            format!("\n| section | pages | {} |", self.columns.join(" | ")),
            format!("|---|--:|{}", "--:|".repeat(self.columns.len())),
        ];
        for (name, counts) in &self.rows {
            let pages = grouped(counts.iter().sum());
            let counts: Vec<String> = counts.iter().copied().map(grouped).collect();
            lines.push(format!("| {} | {pages} | {} |", escaped(name), counts.join(" | ")));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_an_object_and_markdown() {
        let table = PageTable {
            text: String::new(),
            columns: vec!["indexable", "missing"],
            rows: vec![("/a|b/".to_owned(), vec![1_200, 1]), ("/".to_owned(), vec![1, 0])],
            unchecked: 0,
            cut: 2,
            causes: BTreeMap::from([(Rule::PageHreflangBroken, 3)]),
        };
        assert_eq!(
            table.json(),
            json!({
                "unchecked": 0,
                "cut": 2,
                "causes": { "page-hreflang-broken": 3 },
                "sections": [
                    { "section": "/a|b/", "pages": 1_201, "standings": { "indexable": 1_200, "missing": 1 } },
                    { "section": "/", "pages": 1, "standings": { "indexable": 1 } },
                ],
            })
        );
        assert_eq!(
            table.markdown(|text| text.replace('|', "\\|")),
            [
                "\n| section | pages | indexable | missing |",
                "|---|--:|--:|--:|",
                "| /a\\|b/ | 1,201 | 1,200 | 1 |",
                "| / | 1 | 1 | 0 |",
            ]
        );
    }
}
