//! Tests for the examples and rules of RFC 9309.

use sitemap_pages::robots::{Reason, RobotsTxt};

use crate::{assert_match, assert_verdicts};

/// §2.2.2, the table of encoded paths. Each row contains a path as written, and a path that matches it.
#[test]
fn encoded_paths() {
    for (written, matched) in [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/\u{30C4}", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
    ] {
        assert_match(written, matched, true);
        assert_match(matched, written, true);
    }
}

/// The second row of the same table also escapes the `:` and `/` in the query. We don't, because RFC 3986 lets servers
/// distinguish `:` from `%3A`, and the first row leaves `?` and `=` unescaped.
#[test]
fn reserved_characters_differ_from_their_escapes() {
    assert_match("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false);
    assert_match("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2Ffoo.bar", true);
    assert_match("/a%2Fb", "/a/b", false);
    assert_match("/a%3Fb", "/a?b", false);
}

/// §2.2.3, both tables.
#[test]
fn special_characters() {
    let robots = "User-agent: *\nallow: / # comment in line\n# comment on its own line\nDisallow: /x\n";
    assert_verdicts(robots, "sitemap", &["/", "/y"], &["/x"]);
    assert_match("/this/path/exactly$", "/this/path/exactly", true);
    assert_match("/this/path/exactly$", "/this/path/exactly/not", false);
    assert_match("/this/*/exactly", "/this/or/that/exactly", true);
    assert_match("/this/*/exactly", "/this/exactly", false);
    assert_match("/path/file-with-a-%2A.html", "https://www.example.com/path/file-with-a-*.html", true);
    assert_match("/path/file-with-a-%2A.html", "https://www.example.com/path/file-with-a-b.html", false);
    assert_match("/path/foo-%24", "https://www.example.com/path/foo-$", true);
    assert_match("/path/foo-%24", "https://www.example.com/path/foo-", false);
    assert_match("/path/file-with-a-*.html", "/path/file-with-a-*.html", true);
}

/// §2.2.1: if several groups name a crawler, their rules are combined. The `*` group isn't combined with them.
#[test]
fn groups_of_one_crawler_are_combined() {
    let robots = "User-Agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-Agent: *\nDisallow: /all\n\n\
        User-Agent: exampleBOT\nDisallow: /baz\n";
    assert_verdicts(robots, "ExampleBot", &["/all", "/"], &["/foo", "/bar", "/baz"]);
    assert_verdicts(robots, "sitemap", &["/foo", "/baz"], &["/all"]);
    assert_verdicts(robots, "*", &["/foo", "/baz"], &["/all"]);
}

/// §5.1.
#[test]
fn simple_example() {
    let robots = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
        User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
        User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
        User-Agent: quxbot\n";
    assert_verdicts(
        robots,
        "sitemap",
        &["/", "/publications/", "/publications/a.gif", "/a.gif?size=1"],
        &["/a.gif", "/b/a.gif", "/example/", "/example/page.html"],
    );
    assert_verdicts(
        robots,
        "foobot",
        &["/example/page.html", "/example/allowed.gif"],
        &["/", "/example/", "/publications/"],
    );
    for agent in ["barbot", "bazbot"] {
        assert_verdicts(robots, agent, &["/", "/a.gif", "/example/"], &["/example/page.html"]);
    }
    assert_verdicts(robots, "quxbot", &["/", "/a.gif", "/example/page.html"], &[]);
}

/// §5.2. The URL in the RFC's text lacks the `ed` of `disallowed`.
#[test]
fn longest_match() {
    let robots = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    assert_verdicts(
        robots,
        "foobot",
        &["https://example.com/example/page/allowed.gif"],
        &["https://example.com/example/page/disallowed.gif"],
    );
    let robots = RobotsTxt::parse(robots.as_bytes());
    let rule = robots.agent("foobot").verdict("/example/page/disallowed.gif").rule().unwrap();
    assert_eq!((rule.line(), &*rule.pattern()), (3, "/example/page/disallowed.gif"));
}

/// §2.2.2: `/robots.txt` is implicitly allowed. Other spellings of the same path are the same path.
#[test]
fn robots_txt_itself_is_allowed() {
    let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
    let agent = robots.agent("sitemap");
    for url in ["/robots.txt", "https://example.com/robots%2Etxt", "https://example.com/robots.txt#top"] {
        assert_eq!(agent.verdict(url).reason(), Reason::RobotsTxt, "{url}");
    }
    for url in ["/robots.txt?x", "/ROBOTS.TXT", "/a/robots.txt"] {
        assert!(!agent.is_allowed(url), "{url}");
    }
}

/// A decoded escape counts as one octet, so that two spellings of a path have the same length.
#[test]
fn an_escape_makes_no_rule_longer_than_what_it_stands_for() {
    assert_verdicts("User-agent: *\nDisallow: /%7Ejoe\nAllow: /~joe\n", "sitemap", &["/~joe"], &[]);
    assert_verdicts(
        "User-agent: *\nAllow: /%7Ejoe/\nDisallow: /~joe/x\n",
        "sitemap",
        &["/~joe/"],
        &["/%7ejoe/x"],
    );
}

#[test]
fn octets_that_are_not_utf_8_are_compared_as_their_escapes() {
    let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /caf\xE9\n");
    let verdict = robots.agent("sitemap").verdict("/caf%E9");
    assert_eq!(verdict.to_string(), "disallowed by line 2 of robots.txt, `Disallow: /caf\u{FFFD}`");
}

#[test]
fn the_first_of_equal_rules_is_named() {
    let robots = RobotsTxt::parse(
        b"User-agent: *\nDisallow: /a\nDisallow: /a\n\nUser-agent: *\nAllow: /b\nDisallow: /a\nDisallow: /b\n",
    );
    let agent = robots.agent("sitemap");
    assert_eq!(agent.verdict("/a").rule().unwrap().line(), 2);
    assert_eq!(agent.verdict("/b").rule().unwrap().line(), 6);
}
