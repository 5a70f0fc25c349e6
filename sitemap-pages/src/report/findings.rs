//! The findings by rule, with examples.

use std::collections::{BTreeMap, HashMap};

use sitemap_read::{Finding, Rule, Severity};

use super::html::Html;
use super::section::section_of;

/// The number of examples of each rule that are kept whatever their sections are.
const EXAMPLES: usize = 100;
/// The number of further examples for each section, so that a click on a section shows some of its findings.
const OF_A_SECTION: usize = 5;
/// The number of examples of each rule at most. It keeps the report small for a browser.
const MOST_EXAMPLES: usize = 1_000;

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
    /// The number of examples of each section.
    sections: HashMap<String, usize>,
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
            sections: HashMap::new(),
        });
        found.count += 1;
        found.severity = found.severity.max(finding.severity());
        if found.takes(url) {
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
        html.raw("<form class=filter hidden");
        let more: u64 = self.rules.values().map(Found::more).sum();
        if more > 0 {
            html.raw(" data-more=\"").number(more).raw("\"");
        }
        html.raw("><label>Show only URLs and messages with <input type=search name=text autocomplete=off></label>\n<fieldset><legend>and of these kinds</legend>");
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
    /// Returns whether a finding about this URL becomes an example.
    fn takes(&mut self, url: &str) -> bool {
        if self.examples.len() >= MOST_EXAMPLES {
            return false;
        }
        let section = section_of(url);
        let count = self.sections.entry(section.to_owned()).or_default();
        let is_taken = self.examples.len() < EXAMPLES || *count < OF_A_SECTION;
        *count += usize::from(is_taken);
        is_taken
    }

    /// Returns the number of findings that are not examples.
    fn more(&self) -> u64 {
        self.count - self.examples.len() as u64
    }

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
        let more = self.more();
        if more > 0 {
            html.raw("<p>")
                .number(more)
                .raw(" more; see them with <code>sitemap check SITEMAP --pages --offline ");
            html.raw("--state FILE --max-findings 0</code></p>\n");
        }
        html.raw("</details>\n");
    }
}
