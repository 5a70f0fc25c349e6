//! The cases of Google's `robots_test.cc` and `reporting_robots_test.cc`, as of April 2026.
//!
//! `robots_test.cc` contains 180 lines with an `EXPECT`. All are covered:
//!
//! | lines | covered by |
//! |---|---|
//! | 145 | [`VERDICTS`] (140) and [`long_lines`] (5) |
//! | 11 | [`product_tokens`] |
//! | 22 | [`line_numbers`] (10), [`byte_order_marks`] (10) and [`sitemap_lines`] (2) |
//! | 2, in helpers that are called 19 and 4 times | [`paths_of_urls`] and [`escapes`] |
//!
//! Three of the 180 give a different result here: [`DIFFERENT`].
//!
//! `reporting_robots_test.cc` contains 11 lines with an `EXPECT`, one of them in a helper that is called 19 times. All
//! are covered by [`reported_lines`] and [`reported_long_lines`]. Two calls of the helper distinguish `noarchive`,
//! which Google knows and ignores, from unknown keys. Here, both are [`Key::Other`], because neither has an effect.

use sitemap_core::robots::{Line, lines};

use super::key::{Key, key_of};
use super::normal_form::{path_of, push_pattern};
use super::{RobotsTxt, is_product_token};

/// The URLs that a robots.txt allows and forbids for one agent. Paths without a host are on `foo.bar`.
struct Verdicts {
    test: &'static str,
    robots: &'static str,
    agent: &'static str,
    allowed: &'static [&'static str],
    disallowed: &'static [&'static str],
}

const fn verdicts(
    test: &'static str,
    robots: &'static str,
    agent: &'static str,
    allowed: &'static [&'static str],
    disallowed: &'static [&'static str],
) -> Verdicts {
    Verdicts { test, robots, agent, allowed, disallowed }
}

const SYSTEM: &str = "user-agent: FooBot\ndisallow: /\n";
const GROUPS: &str = "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\ndisallow: /\n\
    allow: /y/\n\n\nallow: /w/\nuser-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n";
const SITEMAP_IN_GROUP: &str =
    "User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n";
const UNKNOWN_IN_GROUP: &str =
    "User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n";
const KEYS_UPPER: &str = "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n";
const KEYS_LOWER: &str = "user-agent: FooBot\nallow: /x/\ndisallow: /\n";
const KEYS_CAMEL: &str = "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n";
const NAME_UPPER: &str = "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n";
const NAME_LOWER: &str = "User-Agent: foo bar\nAllow: /x/\nDisallow: /\n";
const NAME_CAMEL: &str = "User-Agent: FoO bAr\nAllow: /x/\nDisallow: /\n";
const NAME_WITH_SPACE: &str = "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n";
const GLOBAL: &str = "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n";
const ONLY_NAMED: &str =
    "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n";
const ESCAPES_ONLY: &str = "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n";
const KATAKANA: &str = "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/\u{30C4}\n";
const UNRESERVED: &str = "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n";

const VERDICTS: &[Verdicts] = &[
    verdicts("GoogleOnly_SystemTest", "", "FooBot", &[""], &[]),
    verdicts("GoogleOnly_SystemTest", SYSTEM, "", &[""], &[]),
    verdicts("GoogleOnly_SystemTest", SYSTEM, "FooBot", &[], &[""]),
    verdicts("GoogleOnly_SystemTest", "", "", &[""], &[]),
    verdicts("ID_LineSyntax_Line", SYSTEM, "FooBot", &[], &["/x/y"]),
    verdicts("ID_LineSyntax_Line", "foo: FooBot\nbar: /\n", "FooBot", &["/x/y"], &[]),
    verdicts("ID_LineSyntax_Line", "user-agent FooBot\ndisallow /\n", "FooBot", &[], &["/x/y"]),
    verdicts("ID_LineSyntax_Groups", GROUPS, "FooBot", &["/x/b", "/z/d"], &["/y/c", "/foo/bar/"]),
    verdicts("ID_LineSyntax_Groups", GROUPS, "BarBot", &["/y/c", "/w/a"], &["/z/d", "/foo/bar/"]),
    verdicts("ID_LineSyntax_Groups", GROUPS, "BazBot", &["/z/d"], &["/foo/bar/"]),
    verdicts("ID_LineSyntax_Groups_OtherRules", SITEMAP_IN_GROUP, "FooBot", &[], &["/"]),
    verdicts("ID_LineSyntax_Groups_OtherRules", SITEMAP_IN_GROUP, "BarBot", &[], &["/"]),
    verdicts("ID_LineSyntax_Groups_OtherRules", UNKNOWN_IN_GROUP, "FooBot", &[], &["/"]),
    verdicts("ID_LineSyntax_Groups_OtherRules", UNKNOWN_IN_GROUP, "BarBot", &[], &["/"]),
    verdicts("ID_REPLineNamesCaseInsensitive", KEYS_UPPER, "FooBot", &["/x/y"], &["/a/b"]),
    verdicts("ID_REPLineNamesCaseInsensitive", KEYS_LOWER, "FooBot", &["/x/y"], &["/a/b"]),
    verdicts("ID_REPLineNamesCaseInsensitive", KEYS_CAMEL, "FooBot", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_UPPER, "Foo", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_LOWER, "Foo", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_CAMEL, "Foo", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_UPPER, "foo", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_LOWER, "foo", &["/x/y"], &["/a/b"]),
    verdicts("ID_UserAgentValueCaseInsensitive", NAME_CAMEL, "foo", &["/x/y"], &["/a/b"]),
    verdicts("GoogleOnly_AcceptUserAgentUpToFirstSpace", NAME_WITH_SPACE, "Foo", &["/x/y"], &[]),
    verdicts("GoogleOnly_AcceptUserAgentUpToFirstSpace", NAME_WITH_SPACE, "Foo Bar", &[], &["/x/y"]),
    verdicts("ID_GlobalGroups_Secondary", "", "FooBot", &["/x/y"], &[]),
    verdicts("ID_GlobalGroups_Secondary", GLOBAL, "FooBot", &[], &["/x/y"]),
    verdicts("ID_GlobalGroups_Secondary", GLOBAL, "BarBot", &["/x/y"], &[]),
    verdicts("ID_GlobalGroups_Secondary", ONLY_NAMED, "QuxBot", &["/x/y"], &[]),
    verdicts(
        "ID_AllowDisallow_Value_CaseSensitive",
        "user-agent: FooBot\ndisallow: /x/\n",
        "FooBot",
        &[],
        &["/x/y"],
    ),
    verdicts(
        "ID_AllowDisallow_Value_CaseSensitive",
        "user-agent: FooBot\ndisallow: /X/\n",
        "FooBot",
        &["/x/y"],
        &[],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n",
        "FooBot",
        &[],
        &["/x/page.html"],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n",
        "FooBot",
        &["/x/page.html"],
        &["/x/"],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\ndisallow: \nallow: \n",
        "FooBot",
        &["/x/page.html"],
        &[],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\ndisallow: /\nallow: /\n",
        "FooBot",
        &["/x/page.html"],
        &[],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\ndisallow: /x\nallow: /x/\n",
        "FooBot",
        &["/x/"],
        &["/x"],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n",
        "FooBot",
        &["/x/page.html"],
        &[],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\nallow: /page\ndisallow: /*.html\n",
        "FooBot",
        &["/page"],
        &["/page.html"],
    ),
    verdicts(
        "ID_LongestMatch",
        "user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n",
        "FooBot",
        &["/x/page.html"],
        &["/x/y.html"],
    ),
    verdicts(
        "ID_LongestMatch",
        "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n",
        "FooBot",
        &["/x/page"],
        &["/y/page"],
    ),
    verdicts(
        "ID_Encoding",
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n",
        "FooBot",
        &["/foo/bar?qux=taz&baz=http://foo.bar?tar&par"],
        &[],
    ),
    verdicts("ID_Encoding", KATAKANA, "FooBot", &["/foo/bar/%E3%83%84"], &[]),
    verdicts("ID_Encoding", ESCAPES_ONLY, "FooBot", &["/foo/bar/%E3%83%84"], &[]),
    verdicts("ID_Encoding", UNRESERVED, "FooBot", &["/foo/bar/%62%61%7A"], &[]),
    verdicts(
        "ID_SpecialCharacters",
        "User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n",
        "FooBot",
        &["/foo/quz", "/foo//quz", "/foo/bax/quz"],
        &["/foo/bar/quz"],
    ),
    verdicts(
        "ID_SpecialCharacters",
        "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n",
        "FooBot",
        &["/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"],
        &["/foo/bar"],
    ),
    verdicts(
        "ID_SpecialCharacters",
        "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n",
        "FooBot",
        &["/foo/bar"],
        &["/foo/quz"],
    ),
    verdicts(
        "GoogleOnly_IndexHTMLisDirectory",
        "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n",
        "foobot",
        &["http://foo.com/allowed-slash/", "http://foo.com/allowed-slash/index.html"],
        &["http://foo.com/allowed-slash/index.htm", "http://foo.com/anyother-url"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /fish\n",
        "FooBot",
        &[
            "/fish",
            "/fish.html",
            "/fish/salmon.html",
            "/fishheads",
            "/fishheads/yummy.html",
            "/fish.html?id=anything",
        ],
        &["/bar", "/Fish.asp", "/catfish", "/?id=fish"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /fish*\n",
        "FooBot",
        &[
            "/fish",
            "/fish.html",
            "/fish/salmon.html",
            "/fishheads",
            "/fishheads/yummy.html",
            "/fish.html?id=anything",
        ],
        &["/bar", "/Fish.bar", "/catfish", "/?id=fish"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /fish/\n",
        "FooBot",
        &["/fish/", "/fish/salmon", "/fish/?salmon", "/fish/salmon.html", "/fish/?id=anything"],
        &["/bar", "/fish", "/fish.html", "/Fish/Salmon.html"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /*.php\n",
        "FooBot",
        &[
            "/filename.php",
            "/folder/filename.php",
            "/folder/filename.php?parameters",
            "http://foo.bar//folder/any.php.file.html",
            "/filename.php/",
            "/index?f=filename.php/",
        ],
        &["/bar", "/php/", "/index?php", "/windows.PHP"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /*.php$\n",
        "FooBot",
        &["/filename.php", "/folder/filename.php"],
        &[
            "/bar",
            "/filename.php?parameters",
            "/filename.php/",
            "/filename.php5",
            "/php/",
            "/filename?php",
            "/aaaphpaaa",
            "http://foo.bar//windows.PHP",
        ],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\ndisallow: /\nallow: /fish*.php\n",
        "FooBot",
        &["/fish.php", "/fishheads/catfish.php?parameters"],
        &["/bar", "/Fish.PHP"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\nallow: /p\ndisallow: /\n",
        "FooBot",
        &["http://example.com/page"],
        &[],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\nallow: /folder\ndisallow: /folder\n",
        "FooBot",
        &["http://example.com/folder/page"],
        &[],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\nallow: /page\ndisallow: /*.htm\n",
        "FooBot",
        &[],
        &["http://example.com/page.htm"],
    ),
    verdicts(
        "GoogleOnly_DocumentationChecks",
        "user-agent: FooBot\nallow: /$\ndisallow: /\n",
        "FooBot",
        &["http://example.com/"],
        &["http://example.com/page.html"],
    ),
];

/// Three lines of `ID_Encoding` that Google disallows and we allow:
///
/// - Two expect that a non-ASCII octet in a URL matches no pattern, because Google's callers must escape URLs first. We
///   escape them ourselves, as RFC 9309 §2.2.2 requires, because clients escape them when they send a request.
/// - One expects that `%62%61%7A` in a pattern doesn't match `baz`. According to the table in RFC 9309 §2.2.2, it does.
const DIFFERENT: &[Verdicts] = &[
    verdicts("ID_Encoding", KATAKANA, "FooBot", &["/foo/bar/\u{30C4}"], &[]),
    verdicts("ID_Encoding", ESCAPES_ONLY, "FooBot", &["/foo/bar/\u{30C4}"], &[]),
    verdicts("ID_Encoding", UNRESERVED, "FooBot", &["/foo/bar/baz"], &[]),
];

fn assert_verdicts(cases: &[Verdicts]) -> usize {
    let mut checked = 0;
    for case in cases {
        let robots = RobotsTxt::parse(case.robots.as_bytes());
        let agent = robots.agent(case.agent);
        let urls =
            case.allowed.iter().map(|url| (url, true)).chain(case.disallowed.iter().map(|url| (url, false)));
        for (url, is_allowed) in urls {
            let url = if url.starts_with('/') { &format!("http://foo.bar{url}") } else { *url };
            assert_eq!(agent.is_allowed(url), is_allowed, "{}: {:?} {url}", case.test, case.robots);
            checked += 1;
        }
    }
    checked
}

#[test]
fn verdicts_on_urls() {
    assert_eq!(assert_verdicts(VERDICTS), 137);
    assert_eq!(assert_verdicts(DIFFERENT), 3);
}

/// `GoogleOnly_LineTooLong`.
#[test]
fn long_lines() {
    let pattern_of = |key: &str, filler: &str| {
        let len = 2_083 * 8 - key.len() + 1;
        format!("/x/{}", filler.repeat(len - "/x/".len()))
    };
    let disallowed = pattern_of("disallow: ", "a");
    let robots = RobotsTxt::parse(format!("user-agent: FooBot\ndisallow: {disallowed}/qux\n").as_bytes());
    let agent = robots.agent("FooBot");
    assert!(agent.is_allowed("http://foo.bar/fux"));
    assert!(!agent.is_allowed(&format!("http://foo.bar{disallowed}/fux")));

    let (one, other) = (pattern_of("allow: ", "a"), pattern_of("allow: ", "b"));
    let text = format!("user-agent: FooBot\ndisallow: /\nallow: {one}/qux\nallow: {other}/qux\n");
    let robots = RobotsTxt::parse(text.as_bytes());
    let agent = robots.agent("FooBot");
    assert!(!agent.is_allowed("http://foo.bar/"));
    assert!(agent.is_allowed(&format!("http://foo.bar{one}/qux")));
    assert!(agent.is_allowed(&format!("http://foo.bar{other}/fux")));
}

/// `ID_VerifyValidUserAgentsToObey` and one line of `GoogleOnly_AcceptUserAgentUpToFirstSpace`. Of the eleven lines,
/// two test `Foobot Bar`, and two test an empty name: as a null pointer and as an empty string, which are the same
/// here.
#[test]
fn product_tokens() {
    for name in ["Foobot", "Foobot-Bar", "Foo_Bar"] {
        assert!(is_product_token(name), "{name}");
    }
    for name in ["", "\u{30C4}", "Foobot*", " Foobot ", "Foobot/2.1", "Foobot Bar"] {
        assert!(!is_product_token(name), "{name}");
    }
}

/// Returns the number of lines with a key that Google reads, the number of the last such line, and the number of lines
/// with any other key.
fn count(text: &[u8]) -> (usize, u64, usize) {
    let fields: Vec<(u64, Key)> =
        lines(text).filter_map(|line| Some((line.number, key_of(&line.field?).0))).collect();
    let is_read = |key: Key| matches!(key, Key::UserAgent | Key::Allow | Key::Disallow | Key::Sitemap);
    let read: Vec<u64> = fields.iter().filter(|(_, key)| is_read(*key)).map(|(line, _)| *line).collect();
    (read.len(), read.last().copied().unwrap_or_default(), fields.len() - read.len())
}

/// `ID_LinesNumbersAreCountedCorrectly`.
#[test]
fn line_numbers() {
    let unix = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n";
    let mixed = "User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /";
    for text in [unix, &unix.replace('\n', "\r\n"), &unix.replace('\n', "\r"), unix.trim_end(), mixed] {
        assert_eq!(count(text.as_bytes()), (4, 6, 0), "{text:?}");
    }
}

/// `ID_UTF8ByteOrderMarkIsSkipped`.
#[test]
fn byte_order_marks() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF"] {
        let text = [mark, b"User-Agent: foo\nAllow: /AnyValue\n"].concat();
        assert_eq!(count(&text), (2, 2, 0), "{mark:?}");
    }
    assert_eq!(count(b"\xEF\x11\xBFUser-Agent: foo\nAllow: /AnyValue\n"), (1, 2, 1));
    assert_eq!(count(b"User-Agent: foo\n\xEF\xBB\xBFAllow: /AnyValue\n"), (1, 1, 1));
}

/// `ID_NonStandardLineExample_Sitemap`.
#[test]
fn sitemap_lines() {
    let groups = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\n";
    let sitemap = "Sitemap: http://foo.bar/sitemap.xml\n";
    for text in [format!("{groups}{sitemap}"), format!("{sitemap}{groups}")] {
        let robots = RobotsTxt::parse(text.as_bytes());
        let sitemaps: Vec<_> = robots.sitemaps().map(|sitemap| sitemap.value().to_owned()).collect();
        assert_eq!(sitemaps, ["http://foo.bar/sitemap.xml"]);
    }
}

/// `TestGetPathParamsQuery`.
#[test]
fn paths_of_urls() {
    let paths = [
        ("", "/"),
        ("http://www.example.com", "/"),
        ("http://www.example.com/", "/"),
        ("http://www.example.com/a", "/a"),
        ("http://www.example.com/a/", "/a/"),
        ("http://www.example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
        ("http://www.example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("example.com", "/"),
        ("example.com/", "/"),
        ("example.com/a", "/a"),
        ("example.com/a/", "/a/"),
        ("example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("a", "/"),
        ("a/", "/"),
        ("/a", "/a"),
        ("a/b", "/b"),
        ("example.com?a", "/?a"),
        ("example.com/a;b#c", "/a;b"),
        ("//a/b/c", "/b/c"),
    ];
    for (url, path) in paths {
        assert_eq!(str::from_utf8(&path_of(url)).unwrap(), path, "{url}");
    }
}

/// `TestMaybeEscapePattern`.
#[test]
fn escapes() {
    let patterns = [
        ("http://www.example.com", "http://www.example.com"),
        ("/a/b/c", "/a/b/c"),
        ("\u{E1}", "%C3%A1"),
        ("%aa", "%AA"),
    ];
    for (pattern, escaped) in patterns {
        let mut normal = Vec::new();
        push_pattern(pattern.as_bytes(), &mut normal);
        assert_eq!(str::from_utf8(&normal).unwrap(), escaped);
    }
}

/// What the reporting tests compare for each line: the key, whether it's misspelt, whether the colon is missing,
/// whether the line contains a comment, and whether it was truncated.
type Facts = (Option<Key>, bool, bool, bool, bool);

fn facts(line: &Line<'_>) -> Facts {
    let (key, is_misspelled) = line.field.as_ref().map(key_of).unzip();
    let is_without_colon = line.field.is_some_and(|field| field.is_without_colon);
    (key, is_misspelled == Some(true), is_without_colon, line.has_comment, line.is_cut)
}

/// `LinesNumbersAreCountedCorrectly` of `reporting_robots_test.cc`.
#[test]
fn reported_lines() {
    let known = |key| (Some(key), false, false, false, false);
    let none = (None, false, false, false, false);
    let expected: [(&str, Facts, bool); 15] = [
        ("User-Agent: foo", known(Key::UserAgent), false),
        ("Allow: /some/path", known(Key::Allow), false),
        ("User-Agent bar # no", (Some(Key::UserAgent), false, true, true, false), false),
        ("absolutely random line", none, false),
        ("#so comment, much wow", (None, false, false, true, false), true),
        ("", none, true),
        ("unicorns: /extinct", known(Key::Other), false),
        ("noarchive: /some", known(Key::Other), false),
        ("Disallow: /", known(Key::Disallow), false),
        ("Error #and comment", (None, false, false, true, false), false),
        ("useragent: baz", (Some(Key::UserAgent), true, false, false, false), false),
        ("disallaw: /some", (Some(Key::Disallow), true, false, false, false), false),
        ("site-map: https://e/s.xml #comment", (Some(Key::Sitemap), true, false, true, false), false),
        ("sitemap: https://e/t.xml", known(Key::Sitemap), false),
        ("Noarchive: /someCapital", known(Key::Other), false),
    ];
    let text = expected.map(|(line, ..)| line).join("\n");
    let found: Vec<_> = lines(text.as_bytes()).collect();
    assert_eq!(found.len(), 15);
    for (line, (written, facts_of_line, is_blank)) in found.iter().zip(expected) {
        assert_eq!(facts(line), facts_of_line, "{written}");
        assert_eq!(line.text.is_empty(), is_blank, "{written}");
    }
    assert_eq!(count(text.as_bytes()).0, 8);

    let unix = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n";
    for text in [unix.replace('\n', "\r\n"), unix.replace('\n', "\r")] {
        assert_eq!(count(text.as_bytes()).0, 4);
        assert_eq!(lines(text.as_bytes()).count(), 6);
    }
}

/// `LinesTooLongReportedCorrectly`.
#[test]
fn reported_long_lines() {
    let pattern = format!("/x/{}", "a".repeat(2_084 * 8 - 3));
    let text = format!("user-agent: foo\ndisallow: {pattern}\nallow: /\n");
    let found: Vec<_> = lines(text.as_bytes()).map(|line| facts(&line)).collect();
    let expected = [
        (Some(Key::UserAgent), false, false, false, false),
        (Some(Key::Disallow), false, false, false, true),
        (Some(Key::Allow), false, false, false, false),
    ];
    assert_eq!(found, expected);
    assert_eq!(count(text.as_bytes()).0, 3);
}
