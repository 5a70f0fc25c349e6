//! Tests the examples of the rules. The checker must report a rule for its wrong example, but not for its right one.
//!
//! If an example is a description, `every_rule` contains a document that breaks the rule, and this file contains one
//! that follows it. The rules about pages are tested in `sitemap-pages`.

use std::collections::BTreeSet;

use sitemap_read::{CheckOptions, Engine, Example, Rule};

use super::every_rule::{
    A, B, Case, RECENT, case, check, child, engine, entry, gzip, limited, loc, news, page, pages, set,
    under_i, versions, with,
};
use super::{at, index, now, options, report, urlset};

/// Returns options with everything that the rule needs.
fn options_of(rule: Rule) -> CheckOptions {
    let today = now("2026-01-31T12:00:00Z");
    rule.engines().iter().fold(today, |options, &engine| options.engine(engine))
}

/// Returns documents that follow the rules whose right example is a description.
fn right() -> Vec<Case> {
    let whole = page("");
    let with_options = |options, case| Case { options, ..case };
    let ten = |more: &dyn Fn(usize) -> String| {
        let page = |n| format!("<url><loc>https://example.com/{n}</loc>{}</url>\n", more(n));
        urlset(&(0..10).map(page).collect::<String>())
    };
    let both = [child("a.xml"), child("b.xml")].concat();
    let (a, b) = (|| (A, under_i("1")), || (B, under_i("2")));
    let image = "<image:image><image:loc>https://example.com/i</image:loc></image:image>";
    let three = [("de", "de"), ("en", "en"), ("fr", "fr")];
    let long = |length: usize| format!("https://example.com/{}", "a".repeat(length - 20));
    vec![
        case(Rule::GzipTruncated, gzip(&whole)),
        case(Rule::GzipDamaged, gzip(&whole)),
        case(Rule::GzipTwice, gzip(&whole)),
        case(Rule::EncodingNotUtf8, &*whole),
        case(Rule::Utf8Invalid, page("<!-- é -->")),
        case(Rule::TooManyEntries, pages(50_000, "")),
        set(Rule::FileUnreadable, &child("a.xml"), [a()]),
        with(Rule::ReadLimit, limited(|limits| limits.depth = 3), &*whole),
        with(Rule::TooLarge, limited(|limits| limits.bytes = 10_000), pages(50, "")),
        with(Rule::GzipName, at("https://example.com/a.xml"), &*whole),
        with(
            Rule::TextName,
            at("https://example.com/urls.txt").engine(Engine::Google),
            "https://example.com/a\n",
        ),
        loc(Rule::LocTooLong, &long(2_047)),
        engine(
            Rule::LocTooLongYandex,
            Engine::Yandex,
            urlset(&format!("<url><loc>{}</loc></url>", long(1_024))),
        ),
        set(Rule::PageInTwoFiles, &both, [a(), b()]),
        set(
            Rule::RecentDateDiffers,
            &[RECENT, A].map(|url| format!("<sitemap><loc>{url}</loc></sitemap>")).concat(),
            [(RECENT, under_i("1")), a()],
        ),
        set(Rule::OutOfScope, &child("a.xml"), [a()]),
        with(Rule::CrossSubmission, at("https://example.com/sitemap.xml").engine(Engine::Yandex), &*whole),
        engine(Rule::ValueTooLongYandex, Engine::Yandex, page("<priority>0.5</priority>")),
        case(Rule::LastModAllEqual, ten(&|n| format!("<lastmod>2026-01-30T10:00:0{n}Z</lastmod>"))),
        case(Rule::PriorityAllEqual, ten(&|n| format!("<priority>0.{n}</priority>"))),
        entry(Rule::TooManyImages, &image.repeat(1_000)),
        case(Rule::NewsTooMany, pages(1_000, &news("2026-01-30"))),
        with(Rule::NewsTooOld, now("2026-01-31T12:00:00Z"), page(&news("2026-01-30"))),
        case(
            Rule::HreflangUnchecked,
            urlset(&["de", "en", "fr"].map(|language| versions(language, &three)).concat()),
        ),
        set(Rule::ChildMissing, &child("a.xml"), [a()]),
        with_options(options().engine(Engine::Google), set(Rule::ChildOutside, &child("a.xml"), [a()])),
        set(Rule::NestedIndex, &child("b.xml"), [b()]),
        set(Rule::IndexTooDeep, &both, [a(), b()]),
        set(Rule::IndexLoop, &child("b.xml"), [b()]),
        case(Rule::IndexOver1000, index(&(0..1_000).map(|n| child(&format!("{n}.xml"))).collect::<String>())),
        set(
            Rule::IndexLastModStale,
            &child("a.xml").replace("</sitemap>", "<lastmod>2026-01-10</lastmod></sitemap>"),
            [a()],
        ),
        with_options(options().max_children(2), set(Rule::TooManyChildren, &both, [a(), b()])),
        set(Rule::MixedDialects, &child("a.xml"), [a()]),
    ]
}

#[test]
fn documents_break_the_rule_or_not() {
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        let (Example::Document(broken), Example::Document(right)) =
            (rule.wrong_example(), rule.right_example())
        else {
            continue;
        };
        if !report(options_of(rule), &broken).counts().contains_key(&rule) {
            wrong.push(format!("`{rule}` is not reported for\n{broken}"));
        }
        if report(options_of(rule), &right).counts().contains_key(&rule) {
            wrong.push(format!("`{rule}` is reported for\n{right}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_documents_have_no_errors() {
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        if let Example::Document(right) = rule.right_example() {
            let report = report(options_of(rule), &right);
            let errors: Vec<_> = report.findings().map(|(_, finding)| finding.to_string()).collect();
            if report.worst() == Some(sitemap_read::Severity::Error) {
                wrong.push(format!("`{rule}`: {errors:?}\n{right}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn described_examples_are_checked_as_documents() {
    let mut proved = BTreeSet::new();
    for case in right() {
        let rule = case.rule;
        assert!(proved.insert(rule), "{rule} has two cases");
        let counts = check(case).counts();
        assert!(!counts.contains_key(&rule), "{rule}: {counts:?}");
    }
    let is_described =
        |rule: &&Rule| !rule.is_about_pages() && matches!(rule.right_example(), Example::Prose(_));
    let described: BTreeSet<Rule> = Rule::ALL.iter().filter(is_described).copied().collect();
    assert_eq!(proved, described);
    for rule in described {
        assert!(matches!(rule.wrong_example(), Example::Prose(_)), "{rule}");
    }
}
