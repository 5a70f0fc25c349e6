//! The findings by rule, with examples.

use std::collections::BTreeMap;

use sitemap_read::{Finding, Rule, Severity};

use super::html::Html;

/// The number of examples of each rule.
const EXAMPLES: usize = 100;

/// The findings of a report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    rules: BTreeMap<Rule, Found>,
    total: u64,
}

#[derive(Debug)]
struct Found {
    severity: Severity,
    count: u64,
    examples: Vec<(String, String)>,
}

impl Findings {
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn add(&mut self, url: &str, finding: &Finding) {
        self.total += 1;
        let found = self.rules.entry(finding.rule()).or_insert_with(|| Found {
            severity: finding.severity(),
            count: 0,
            examples: Vec::new(),
        });
        found.count += 1;
        found.severity = found.severity.max(finding.severity());
        if found.examples.len() < EXAMPLES {
            found.examples.push((url.to_owned(), finding.message().to_owned()));
        }
    }

    pub(super) fn write(&self, html: &mut Html) {
        html.raw("<section id=findings>\n<h2>Findings</h2>\n");
        if self.rules.is_empty() {
            html.raw("<p>Nothing was found.</p>\n</section>\n");
            return;
        }
        // Hidden without JavaScript, because only the script makes them work.
        html.raw("<p class=filter hidden><label>Show only URLs and messages with <input type=search></label></p>\n");
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(rule, found)| (std::cmp::Reverse((found.severity, found.count)), rule.id()));
        for (rule, found) in rules {
            html.raw("<details class=").raw(found.severity.as_str()).raw(" id=\"").text(rule.id());
            html.raw("\"><summary><b>").raw(found.severity.as_str()).raw("</b> <code>").text(rule.id());
            html.raw("</code> ").text(rule.summary()).raw(" <span class=count>").number(found.count);
            html.raw("</span></summary>\n<p>Remedy: ").text(rule.remedy()).raw(".</p>\n<ul>\n");
            for (url, message) in &found.examples {
                html.raw("<li>").link(url).raw("<br>").text(message).raw("</li>\n");
            }
            html.raw("</ul>\n");
            let more = found.count - found.examples.len() as u64;
            if more > 0 {
                html.raw("<p>")
                    .number(more)
                    .raw(" more; see them with <code>sitemap check --pages</code></p>\n");
            }
            html.raw("</details>\n");
        }
        html.raw("</section>\n");
    }
}
