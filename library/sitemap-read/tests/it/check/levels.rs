//! Levels of rules.

use sitemap_read::{CheckOptions, Checker, Level, Levels, Report, Rule, RuleGroup, RuleSelector, Severity};

use super::{options, report, urlset};

const TWO: &str = "<url><loc>https://example.com/#a</loc><priority>7</priority></url>";

fn severities(report: &Report) -> Vec<(Rule, Severity)> {
    report.findings().map(|(_, finding)| (finding.rule(), finding.severity())).collect()
}

#[test]
fn the_smallest_set_of_rules_decides() {
    let levels = Levels::new()
        .deny(Rule::LocFragment)
        .allow(RuleGroup::Loc)
        .warn(Severity::Error)
        .deny(RuleSelector::All);
    assert_eq!(levels.of(Rule::LocFragment), Some(Level::Deny));
    assert_eq!(levels.of(Rule::LocEmpty), Some(Level::Allow));
    assert_eq!(levels.of(Rule::PriorityInvalid), Some(Level::Warn));
    assert_eq!(levels.of(Rule::GzipName), Some(Level::Deny));
    assert_eq!(Levels::new().of(Rule::GzipName), None);
    assert!(Levels::new().is_empty() && !levels.is_empty());
}

#[test]
fn later_levels_take_precedence() {
    let options = || options().levels(Levels::new().deny(Rule::LocFragment).allow(Rule::PriorityInvalid));
    let first = report(options(), urlset(TWO));
    assert_eq!(severities(&first), [(Rule::LocFragment, Severity::Error)]);
    let second = report(options().levels(Levels::new().warn(RuleSelector::All)), urlset(TWO));
    assert_eq!(
        severities(&second),
        [(Rule::LocFragment, Severity::Warning), (Rule::PriorityInvalid, Severity::Warning)]
    );
}

#[test]
fn allowed_findings_are_only_counted() {
    let report = report(options().levels(Levels::new().allow(RuleSelector::All)), urlset(TWO));
    assert_eq!((report.findings().count(), report.counts().len(), report.worst()), (0, 0, None));
    let allowed: Vec<_> = report.allowed().into_iter().collect();
    assert_eq!(allowed, [(Rule::LocFragment, 1), (Rule::PriorityInvalid, 1)]);
    assert_eq!(report.files()[0].allowed().collect::<Vec<_>>(), allowed);
    assert!(report.omitted().is_empty());
}

#[test]
fn allowed_violations_of_xml_are_counted() {
    let options = || options().max_findings_per_rule(2);
    let document = urlset(&"<url><loc>https://example.com/?a&b</loc></url>".repeat(5));
    assert_eq!(report(options(), &document).counts()[&Rule::AmpersandRaw], 5);
    let allowing = options().levels(Levels::new().allow(Rule::AmpersandRaw));
    let allowed = report(allowing, &document);
    assert_eq!(allowed.allowed()[&Rule::AmpersandRaw], 5);
    assert_eq!(allowed.counts().get(&Rule::AmpersandRaw), None);
}

#[test]
fn a_strict_check_turns_the_level_warn_into_errors() {
    let levels = Levels::new().warn(Rule::PriorityInvalid).allow(Rule::LocFragment);
    let report = report(options().levels(levels).strict(true), urlset(TWO));
    assert_eq!(severities(&report), [(Rule::PriorityInvalid, Severity::Error)]);
    assert_eq!(report.count(Severity::Error), 1);
}

#[test]
fn levels_of_some_files() {
    let deny = Levels::new().deny(Rule::LocFragment);
    let options =
        options().levels(deny).levels_for(|file| file == "b.xml", Levels::new().allow(RuleGroup::Loc));
    let mut checker = Checker::new(options);
    for name in ["a.xml", "b.xml", "c.xml"] {
        checker.check_slice(name, urlset("<url><loc>https://example.com/#a</loc></url>").as_bytes()).unwrap();
    }
    let report = checker.finish();
    let counts: Vec<_> = report
        .files()
        .iter()
        .map(|file| (file.count(Severity::Error), file.allowed().map(|(_, count)| count).sum::<u64>()))
        .collect();
    // All three files list the page, so the second and third are reported.
    assert_eq!(counts, [(1, 0), (0, 2), (1, 0)]);
}

#[test]
fn options_with_levels_can_be_printed() {
    let options = CheckOptions::new().levels_for(|_| true, Levels::new().deny(Rule::LocFragment));
    let text = format!("{options:?}");
    assert!(text.contains("Layer { filtered: true, levels: Levels({Rule(LocFragment): Deny}) }"), "{text}");
}
