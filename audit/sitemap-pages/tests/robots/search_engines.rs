//! Tests with cases documented by search engines other than Google.

use sitemap_pages::robots::RobotsTxt;

use crate::{assert_match, assert_verdicts};

/// Yandex Webmaster, "Disallow and Allow directives": rules are sorted by length.
#[test]
fn yandex_sorts_rules_by_length() {
    let robots = "User-agent: Yandex\nAllow: /\nAllow: /catalog/auto\nDisallow: /catalog\n";
    assert_verdicts(
        robots,
        "Yandex",
        &["/", "/catalog/auto", "/catalog/auto/1"],
        &["/catalog", "/catalog/1"],
    );
    let robots = "User-agent: Yandex\nAllow: /cgi-bin\nDisallow: /\n";
    assert_verdicts(robots, "Yandex", &["/cgi-bin", "/cgi-bin/a"], &["/", "/a"]);
    assert_verdicts("User-agent: Yandex\nDisallow: /\nAllow: /\n", "Yandex", &["/", "/a"], &[]);
    assert_verdicts("User-agent: Yandex\nAllow: /$\nDisallow: /\n", "Yandex", &["/"], &["/a", "/?a"]);
}

/// From the same page of Yandex: rules without a value, and a group that replaces the `*` group.
#[test]
fn yandex_reads_rules_without_a_value() {
    assert_verdicts("User-agent: Yandex\nDisallow: # as Allow: /\n", "Yandex", &["/", "/a"], &[]);
    assert_verdicts("User-agent: Yandex\nAllow:\nDisallow: /\n", "Yandex", &[], &["/", "/a"]);
    let robots = "User-agent: *\nDisallow: /\nUser-agent: Yandex\nAllow: /\n";
    assert_verdicts(robots, "Yandex", &["/"], &[]);
    assert_verdicts(robots, "sitemap", &[], &["/"]);
}

/// From the same page of Yandex: special characters.
#[test]
fn yandex_reads_special_characters() {
    for (pattern, url, is_match) in [
        ("/page?", "/page?a=1", true),
        ("/page?", "/page", false),
        ("/cgi-bin/*.aspx", "/cgi-bin/example.aspx", true),
        ("/cgi-bin/*.aspx", "/cgi-bin/private/test.aspx", true),
        ("/*private", "/private", true),
        ("/*private", "/cgi-bin/private", true),
        ("/cgi-bin*", "/cgi-bin", true),
        ("/cgi-bin", "/cgi-bin/a", true),
        ("/example$", "/example", true),
        ("/example$", "/example.html", false),
        ("/example", "/example.html", true),
        ("/example*$", "/example", true),
        ("/example*$", "/example.html", true),
        ("/private*html", "/private*html", true),
        ("/private*html", "/private/test.html", true),
        ("/private*html", "/private/html/test.aspx", true),
        ("/private$", "/private", true),
        ("/private$", "/private/a", false),
    ] {
        assert_match(pattern, url, is_match);
    }
}

/// Bing: a group for `bingbot` replaces the `*` group, apart from its `Crawl-delay`.
#[test]
fn bing_takes_only_the_delay_from_the_default_group() {
    let text =
        "User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n\nUser-agent: bingbot\nDisallow: /search\n";
    assert_verdicts(text, "bingbot", &["/private/"], &["/search"]);
    let robots = RobotsTxt::parse(text.as_bytes());
    assert_eq!(robots.agent("bingbot").crawl_delay().unwrap().line(), 3);
}
