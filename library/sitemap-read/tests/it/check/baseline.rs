//! Baselines.

use sitemap_read::{Baseline, CheckOptions, Checker, Known, Levels, Report, Rule};

use super::{options, urlset};

fn check(options: CheckOptions, files: &[(&str, &str)]) -> Report {
    let mut checker = Checker::new(options);
    for (name, entries) in files {
        checker.check_slice(name, urlset(entries).as_bytes()).unwrap();
    }
    checker.finish()
}

fn page(loc: &str) -> String {
    format!("<url><loc>https://example.com/{loc}</loc></url>\n")
}

fn record(files: &[(&str, &str)]) -> Baseline {
    check(options().record_baseline(true).max_findings_per_rule(0), files).recorded().unwrap().clone()
}

#[test]
fn findings_stay_known_on_other_lines() {
    let baseline = record(&[("a.xml", &page("#a"))]);
    let moved = [page("b"), "\n\n".to_owned(), page("#a")].concat();
    let report = check(options().baseline(baseline), &[("./a.xml", &moved)]);
    assert_eq!((report.findings().count(), report.counts().len()), (0, 0));
    assert_eq!(report.known().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 1)]);
    assert_eq!(report.files()[0].known().collect::<Vec<_>>(), [(Rule::LocFragment, 1)]);
    let lines: Vec<_> =
        report.files()[0].known_findings().iter().map(|known| known.span().start.line).collect();
    assert_eq!(lines, [5]);
    assert!(report.stale().unwrap().is_empty());
}

#[test]
fn repeated_findings_are_counted() {
    let page = "<url><loc>https://example.com/a</loc><priority>7</priority></url>\n";
    let wrong = |times: usize| page.repeat(times);
    let baseline = record(&[("a.xml", &wrong(2))]);
    assert_eq!(
        baseline.iter().map(|known| (known.rule, known.count)).collect::<Vec<_>>(),
        [(Rule::DuplicateLoc, 1), (Rule::PriorityInvalid, 2)]
    );
    let report = check(options().baseline(baseline.clone()), &[("a.xml", &wrong(3))]);
    assert_eq!(
        report.counts().into_iter().collect::<Vec<_>>(),
        [(Rule::DuplicateLoc, 1), (Rule::PriorityInvalid, 1)]
    );
    let report = check(options().baseline(baseline), &[("a.xml", &wrong(1))]);
    assert_eq!(report.counts().len(), 0);
    assert_eq!(report.stale().unwrap().findings(), 2);
}

#[test]
fn another_file_has_findings_of_its_own() {
    let baseline = record(&[("a.xml", &page("#a"))]);
    let report = check(options().baseline(baseline), &[("b.xml", &page("#a"))]);
    assert_eq!(report.counts().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 1)]);
    assert_eq!(
        report.stale().unwrap().iter().collect::<Vec<_>>(),
        [Known {
            file: "a.xml",
            rule: Rule::LocFragment,
            message: "a URL has a fragment, which crawlers ignore, found \"https://example.com/#a\"",
            count: 1
        }]
    );
}

#[test]
fn the_limit_of_findings_applies_to_new_ones_only() {
    let many: String = (0..5).map(|n| page(&format!("#{n}"))).collect();
    let baseline = record(&[("a.xml", &many)]);
    let more = [many, page("#new")].concat();
    let report = check(options().baseline(baseline).max_findings_per_rule(1), &[("a.xml", &more)]);
    let new: Vec<_> = report.findings().map(|(_, finding)| finding.message()).collect();
    assert_eq!(new, ["a URL has a fragment, which crawlers ignore, found \"https://example.com/#new\""]);
    assert!(report.omitted().is_empty());
}

#[test]
fn allowed_findings_are_not_recorded() {
    let allow = options().levels(Levels::new().allow(Rule::LocFragment)).record_baseline(true);
    let report = check(allow, &[("a.xml", &page("#a"))]);
    assert!(report.recorded().unwrap().is_empty());
    assert_eq!(report.allowed()[&Rule::LocFragment], 1);
    assert_eq!(check(options(), &[]).recorded(), None);
}

#[test]
fn values_that_every_run_changes_are_not_compared() {
    let dated = |time: &str| -> String {
        let page = |n| format!("<url><loc>https://example.com/{n}</loc><lastmod>{time}</lastmod></url>\n");
        (0..10).map(page).collect()
    };
    let baseline = record(&[("a.xml", &dated("2026-01-30T10:00:00Z"))]);
    let report = check(options().baseline(baseline), &[("a.xml", &dated("2026-01-31T10:00:00Z"))]);
    assert_eq!(report.known().into_iter().collect::<Vec<_>>(), [(Rule::LastModAllEqual, 1)]);
    assert_eq!(report.counts().len(), 0);
}
