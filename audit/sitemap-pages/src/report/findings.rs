//! Findings by rule, with examples.

use std::collections::BTreeMap;

use sitemap_read::{Finding, Rule, Severity};

use super::html::Html;
use super::more_urls::Further;
use super::subject::Subject;

/// The number of examples kept for each rule, whatever their sections.
const EXAMPLES: usize = 100;
/// The number of further examples kept per section, so that clicking on a section shows some of its findings.
const OF_A_SECTION: usize = 5;
/// The maximum number of examples per rule. It keeps the report small enough for browsers.
const MOST_EXAMPLES: usize = 1_000;

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
    further: Further,
}

#[derive(Debug)]
struct Example {
    url: String,
    message: String,
    /// The place of the entry, or of the page that contains a link. Empty if there is no place.
    place: String,
}

impl Findings {
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Adds a finding. `place` is called only if the finding is kept as an example.
    pub(super) fn add(&mut self, url: &str, finding: &Finding, place: impl FnOnce() -> String) {
        self.total += 1;
        let found = self.rules.entry(finding.rule()).or_insert_with(|| Found {
            severity: finding.severity(),
            count: 0,
            examples: Vec::new(),
            further: Further::default(),
        });
        found.count += 1;
        found.severity = found.severity.max(finding.severity());
        let examples = found.examples.len();
        let takes =
            |of_section| examples < EXAMPLES || (examples < MOST_EXAMPLES && of_section < OF_A_SECTION);
        if found.further.add(url, takes) {
            let (url, message) = (url.to_owned(), finding.message().to_owned());
            found.examples.push(Example { url, message, place: place() });
        }
    }

    pub(super) fn write(&self, subject: Subject, html: &mut Html) {
        html.raw("<section id=findings>\n<h2>Findings</h2>\n");
        if self.rules.is_empty() {
            html.raw("<p>Nothing was found.</p>\n</section>\n");
            return;
        }
        let severities: std::collections::BTreeSet<Severity> =
            self.rules.values().map(|found| found.severity).collect();
        // The filter is hidden without JavaScript, because it needs the script to work.
        html.raw("<form class=filter hidden><label>Show only URLs and messages with <input type=search name=text autocomplete=off></label>\n<fieldset><legend>and of these kinds</legend>");
        for severity in severities.iter().rev().map(|severity| severity.as_str()) {
            html.raw("<label><input type=checkbox name=severity checked value=").raw(severity).raw("> ");
            html.raw(severity).raw("s</label> ");
        }
        html.raw("</fieldset>\n<p><output aria-live=polite></output></p></form>\n");
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(rule, found)| (std::cmp::Reverse((found.severity, found.count)), rule.id()));
        for (rule, found) in rules {
            found.write(*rule, subject, html);
        }
        html.raw("</section>\n");
    }
}

impl Found {
    /// Returns the number of findings that aren't examples.
    fn more(&self) -> u64 {
        self.count - self.examples.len() as u64
    }

    fn write(&self, rule: Rule, subject: Subject, html: &mut Html) {
        let (summary, remedy) = subject.texts(rule);
        let severity = self.severity.as_str();
        html.raw("<details class=").raw(severity).raw(" id=\"").text(rule.id());
        html.raw("\"><summary><span class=count>").number(self.count).raw("</span> <b>").raw(severity);
        html.raw("</b> <code>").text(rule.id()).raw("</code> ").text(summary);
        html.raw("</summary>\n<p>Remedy: ").text(remedy).raw(". <a rel=noreferrer href=\"").text(&rule.url());
        html.raw("\">About this rule</a></p>\n<ul>\n");
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
            html.raw("<p>").number(more).raw(" more");
            match more - self.further.listed() {
                0 => html.raw(", whose URLs the filter finds"),
                unlisted => html.raw(", of which ").number(unlisted).raw(" are only counted by section"),
            };
            html.raw("; all are in <code>findings.csv</code> after <code>");
            html.raw("sitemap report --state FILE --out report.html --csv findings.csv</code></p>\n");
            self.further.write(html);
        }
        html.raw("</details>\n");
    }
}
