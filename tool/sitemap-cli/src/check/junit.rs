//! Findings as `JUnit` XML, which most build servers show as test results: a suite for each file, and a case for each
//! finding. Only errors are failures, so the test run fails exactly if the check fails.

use std::collections::BTreeMap;

use sitemap_read::{FileReport, Finding, Report, Rule, Severity};

use crate::error::Outcome;
use crate::number::grouped;
use crate::output::Output;
use crate::xml::escaped;

pub(super) fn print(output: &mut Output, report: &Report) -> Outcome<()> {
    let suites: Vec<Suite> = report.files().iter().map(Suite::new).collect();
    let (tests, failures) =
        suites.iter().fold((0, 0), |sum, suite| (sum.0 + suite.cases.len(), sum.1 + suite.failures));
    output.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    output.line(&format!(
        "<testsuites name=\"sitemap check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    ))?;
    for suite in &suites {
        output.line(&format!(
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">",
            suite.name,
            suite.cases.len(),
            suite.failures
        ))?;
        output.line(&format!(
            "<properties><property name=\"section\" value=\"{}\"/></properties>",
            suite.section
        ))?;
        for case in &suite.cases {
            output.line(case)?;
        }
        output.line("</testsuite>")?;
    }
    output.line("</testsuites>")?;
    output.flush()
}

/// The elements of one file.
struct Suite {
    name: String,
    section: String,
    cases: Vec<String>,
    failures: usize,
}

impl Suite {
    fn new(file: &FileReport) -> Self {
        let (name, section) = (escaped(file.name()), escaped(file.section()));
        let mut suite = Self { name, section, cases: Vec::new(), failures: 0 };
        for finding in file.findings() {
            suite.add_finding(finding);
        }
        let mut omitted: BTreeMap<Rule, u64> = file.counts().collect();
        for finding in file.findings() {
            if let Some(count) = omitted.get_mut(&finding.rule()) {
                *count = count.saturating_sub(1);
            }
        }
        for (rule, count) in omitted.into_iter().filter(|(_, count)| *count > 0) {
            let text = format!("{} more of `{rule}`; see them with `--max-findings 0`", grouped(count));
            suite.add(
                &format!("{rule} omitted"),
                rule,
                file.severity(rule).unwrap_or(rule.severity()),
                &text,
            );
        }
        if suite.cases.is_empty() {
            suite.cases.push(format!("<testcase classname=\"{}\" name=\"no findings\"/>", suite.name));
        }
        suite
    }

    fn add_finding(&mut self, finding: &Finding) {
        let rule = finding.rule();
        let text = format!("{}; {}", finding.full_message(), rule.remedy());
        let page = finding.entry().map(|loc| format!(" {}", escaped(loc))).unwrap_or_default();
        self.add(&format!("{rule} {}{page}", finding.span().start), rule, finding.severity(), &text);
    }

    fn add(&mut self, name: &str, rule: Rule, severity: Severity, text: &str) {
        let text = escaped(text);
        let content = if severity == Severity::Error {
            self.failures += 1;
            format!("<failure type=\"{rule}\" message=\"{text}\"/>")
        } else {
            format!("<system-out>{severity}: {text}</system-out>")
        };
        self.cases
            .push(format!("<testcase classname=\"{}\" name=\"{name}\">{content}</testcase>", self.name));
    }
}
