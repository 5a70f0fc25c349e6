//! The findings by rule, with examples.

use std::collections::BTreeMap;

use sitemap_read::{Finding, Rule, Severity};

use super::html::Html;

/// The number of examples of each rule.
const EXAMPLES: usize = 100;

/// The page that explains all rules.
const RULES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/rules.md#");

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
    examples: Vec<Example>,
}

#[derive(Debug)]
struct Example {
    url: String,
    message: String,
    /// The place of the entry, or nothing if the finding belongs to no entry.
    place: String,
}

impl Findings {
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn add(&mut self, url: &str, file: Option<&str>, finding: &Finding) {
        self.total += 1;
        let found = self.rules.entry(finding.rule()).or_insert_with(|| Found {
            severity: finding.severity(),
            count: 0,
            examples: Vec::new(),
        });
        found.count += 1;
        found.severity = found.severity.max(finding.severity());
        if found.examples.len() < EXAMPLES {
            let line = finding.span().start.line;
            let place = match file {
                Some(file) if line > 0 => format!("{file}, line {line}"),
                file => file.unwrap_or_default().to_owned(),
            };
            let (url, message) = (url.to_owned(), finding.message().to_owned());
            found.examples.push(Example { url, message, place });
        }
    }

    pub(super) fn write(&self, html: &mut Html) {
        html.raw("<section id=findings>\n<h2>Findings</h2>\n");
        if self.rules.is_empty() {
            html.raw("<p>Nothing was found.</p>\n</section>\n");
            return;
        }
        let severities: std::collections::BTreeSet<Severity> =
            self.rules.values().map(|found| found.severity).collect();
        // Hidden without JavaScript, because only the script makes it work.
        html.raw(
            "<form class=filter hidden><label>Show only URLs and messages with <input type=search name=text ",
        );
        html.raw("autocomplete=off></label>\n<fieldset><legend>and of these kinds</legend>");
        for severity in severities.iter().rev().map(|severity| severity.as_str()) {
            html.raw("<label><input type=checkbox name=severity checked value=").raw(severity).raw("> ");
            html.raw(severity).raw("s</label> ");
        }
        html.raw("</fieldset>\n<p><output aria-live=polite></output></p></form>\n");
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(rule, found)| (std::cmp::Reverse((found.severity, found.count)), rule.id()));
        for (rule, found) in rules {
            found.write(*rule, html);
        }
        html.raw("</section>\n");
    }
}

impl Found {
    fn write(&self, rule: Rule, html: &mut Html) {
        let severity = self.severity.as_str();
        html.raw("<details class=").raw(severity).raw(" id=\"").text(rule.id());
        html.raw("\"><summary><span class=count>").number(self.count).raw("</span> <b>").raw(severity);
        html.raw("</b> <code>").text(rule.id()).raw("</code> ").text(rule.summary());
        html.raw("</summary>\n<p>Remedy: ")
            .text(rule.remedy())
            .raw(". <a rel=noreferrer href=\"")
            .text(RULES);
        html.text(rule.id()).raw("\">About this rule</a></p>\n<ul>\n");
        for Example { url, message, place } in &self.examples {
            html.raw("<li>").link(url).raw("<br>").text(message);
            if !place.is_empty() {
                html.raw(" <span class=quiet>").text(place).raw("</span>");
            }
            html.raw("</li>\n");
        }
        html.raw("</ul>\n");
        let more = self.count - self.examples.len() as u64;
        if more > 0 {
            html.raw("<p>").number(more);
            html.raw(
                " more; see them with <code>sitemap check --pages --offline --max-findings 0</code></p>\n",
            );
        }
        html.raw("</details>\n");
    }
}
