//! Tests the rules about language versions.

use sitemap_read::{Checker, Rule};

use super::{NOTHING, found, found_with, lines, message, options, report, urlset};

/// Returns a page's entry with its URL on the first line and one language version on each following line.
fn page(loc: &str, versions: &[(&str, &str)]) -> String {
    let mut page = format!("<url><loc>https://example.com/{loc}</loc>\n");
    for (hreflang, href) in versions {
        let href =
            if href.contains("://") { (*href).to_owned() } else { format!("https://example.com/{href}") };
        page.extend([format!("<xhtml:link rel=\"alternate\" hreflang=\"{hreflang}\" href=\"{href}\"/>\n")]);
    }
    page + "</url>\n"
}

const BOTH: &[(&str, &str)] = &[("en", "en"), ("de", "de")];

#[test]
fn versions_that_point_to_each_other() {
    assert_eq!(found(urlset(&format!("{}{}", page("en", BOTH), page("de", BOTH)))), NOTHING);
    let with_default: &[_] = &[("x-default", "en"), ("en", "en"), ("de", "de")];
    let pages = format!("{}{}", page("en", with_default), page("de", with_default));
    assert_eq!(found(urlset(&pages)), NOTHING);
}

#[test]
fn hreflang_no_self() {
    let pages = format!("{}{}", page("en", &[("de", "de")]), page("de", BOTH));
    assert_eq!(
        found_with(
            options().levels(sitemap_read::Levels::new().allow(Rule::HreflangSetsDiffer)),
            urlset(&pages)
        ),
        ["hreflang-no-self 2:11"]
    );
}

#[test]
fn hreflang_not_reciprocal() {
    let pages = urlset(&format!("{}{}", page("en", BOTH), page("de", &[("de", "de")])));
    assert_eq!(found(&pages), ["hreflang-not-reciprocal 4:1"]);
    assert_eq!(
        message(&report(options(), &pages)),
        "the version for `de` does not link back to https://example.com/en, found \"https://example.com/de\""
    );
    assert_eq!(found_with(options().max_hreflang_pairs(0), &pages), NOTHING);
    // A page without language versions is also reported, because it doesn't link back.
    assert_eq!(
        found(urlset(&format!("{}{}", page("de", &[]), page("en", BOTH)))),
        ["hreflang-not-reciprocal 6:1"]
    );
}

#[test]
fn hreflang_not_listed() {
    assert_eq!(found(urlset(&page("en", BOTH))), ["hreflang-not-listed 4:1"]);
    // A version on another host isn't reported, because that host's sitemap may list it.
    assert_eq!(found(urlset(&page("en", &[("en", "en"), ("de", "https://example.de/")]))), NOTHING);
}

#[test]
fn versions_may_be_in_another_file() {
    let mut checker = Checker::new(options());
    checker.check_slice("en.xml", urlset(&page("en", BOTH)).as_bytes()).unwrap();
    checker.check_slice("de.xml", urlset(&page("de", BOTH)).as_bytes()).unwrap();
    assert_eq!(lines(&checker.finish(), true), NOTHING);
}

#[test]
fn hreflang_sets_differ() {
    let three: &[_] = &[("en", "en"), ("de", "de"), ("fr", "fr")];
    let pages = format!(
        "{}{}{}",
        page("en", three),
        page("de", &[("de", "de"), ("en", "en"), ("fr", "fr"), ("x-default", "en")]),
        page("fr", three)
    );
    assert_eq!(found(urlset(&pages)), ["hreflang-sets-differ 9:1", "hreflang-sets-differ 15:1"]);
    let same = format!("{}{}{}", page("en", three), page("de", three), page("fr", three));
    assert_eq!(found(urlset(&same)), NOTHING);
}

#[test]
fn hreflang_twice() {
    let twice: &[_] = &[("en", "en"), ("de", "de"), ("EN", "en2")];
    let only = options().max_hreflang_pairs(0);
    assert_eq!(found_with(only.clone(), urlset(&page("en", twice))), ["hreflang-twice 5:1"]);
    let regions: &[_] = &[("en", "en"), ("de", "de"), ("en-GB", "en2")];
    assert_eq!(found_with(only, urlset(&page("en", regions))), NOTHING);
}

#[test]
fn hreflang_region() {
    for (tag, rules) in
        [("es-419", &["hreflang-region 4:1"][..]), ("en-UK", &["hreflang-region 4:1"]), ("en-GB", &[])]
    {
        let found =
            found_with(options().max_hreflang_pairs(0), urlset(&page("en", &[("en", "en"), (tag, "x")])));
        assert_eq!(found, rules, "{tag}");
    }
}

#[test]
fn hreflang_unchecked() {
    let far: String =
        ["a", "b", "c"].iter().map(|loc| page(loc, &[("en", loc), ("de", &format!("{loc}-de"))])).collect();
    let near: String = far.clone()
        + &["a", "b", "c"]
            .iter()
            .map(|loc| page(&format!("{loc}-de"), &[("en", loc), ("de", &format!("{loc}-de"))]))
            .collect::<String>();
    assert_eq!(found_with(options().max_hreflang_pairs(3), urlset(&near)), NOTHING);
    assert_eq!(found_with(options().max_hreflang_pairs(2), urlset(&near)), ["hreflang-unchecked 1:1"]);
}

/// A link that the reader ignored has one finding and doesn't cause any others.
#[test]
fn an_ignored_link_has_no_follow_up_findings() {
    let of = |en: &[(&str, &str)], de: &[(&str, &str)]| found(urlset(&(page("en", en) + &page("de", de))));
    for bad in ["en-UK", "es-419", "en_US", "", "english"] {
        let rule = if bad == "en-UK" || bad == "es-419" { "hreflang-region" } else { "extension-invalid" };
        // The ignored link is the page's link to itself, the link back, or the link that expects a link back.
        assert_eq!(of(&[(bad, "en"), ("de", "de")], BOTH), [format!("{rule} 3:1")], "{bad}");
        assert_eq!(of(BOTH, &[(bad, "en"), ("de", "de")]), [format!("{rule} 7:1")], "{bad}");
        assert_eq!(of(&[("en", "en"), (bad, "de")], BOTH), [format!("{rule} 4:1")], "{bad}");
        // Both pages have the same mistake.
        let both: &[_] = &[(bad, "en"), ("de", "de")];
        assert_eq!(of(both, both), [format!("{rule} 3:1"), format!("{rule} 7:1")], "{bad}");
        // All links on one page are ignored.
        assert_eq!(of(BOTH, &[(bad, "en"), (bad, "de")]).len(), 2, "{bad}");
        // The target is a page that the set doesn't list, or a page that already has a link with another language.
        assert_eq!(
            found(urlset(&page("en", &[("en", "en"), (bad, "fr")]))),
            [format!("{rule} 4:1")],
            "{bad}"
        );
        assert_eq!(
            found(urlset(&page("en", &[("en", "en"), (bad, "en")]))),
            [format!("{rule} 4:1")],
            "{bad}"
        );
    }
    // A link with an invalid URL may have been meant as the self-reference or as the return link.
    let broken: &[_] = &[("en", "ftp://a"), ("de", "de")];
    assert_eq!(of(broken, BOTH), ["extension-invalid 3:1"]);
    assert_eq!(of(BOTH, broken), ["extension-invalid 7:1"]);
    // Other mistakes on the same pages are still found.
    assert_eq!(
        of(&[("en-UK", "en"), ("de", "de")], &[("de", "de")]),
        ["hreflang-region 3:1", "hreflang-not-reciprocal 4:1"]
    );
}

#[test]
fn one_url_for_several_languages() {
    let check = |versions: &[(&str, &str)]| {
        found_with(options().max_hreflang_pairs(0), urlset(&page("en", versions)))
    };
    assert_eq!(check(&[("en", "en"), ("es", "en"), ("de", "en")]), ["hreflang-same-url 4:1"]);
    assert_eq!(check(&[("en", "en"), ("x-default", "en"), ("EN-gb", "en"), ("de", "de")]), NOTHING);
    assert_eq!(check(&[("en", "en"), ("no", "no"), ("nb", "no")]), NOTHING);
    assert_eq!(
        check(&[("en", "en"), ("x-default", "x"), ("de", "x"), ("fr", "x")]),
        ["hreflang-same-url 6:1"]
    );
}
