//! Tests of the rules for URL templates, one test per rule.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::text::path::Step;

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn value(inside: &str, place: Place) -> Part {
    let star = if place == Place::Rest { "*" } else { "" };
    Part::Value(placeholder(&format!("{star}{inside}")), place)
}

fn optional(key: &str, inside: &str) -> Part {
    Part::Optional(key.to_owned(), placeholder(inside))
}

fn placeholder(inside: &str) -> Placeholder {
    Placeholder::parse(inside, Fields(&[])).unwrap()
}

/// Scans the template of a record without fields.
fn scan(template: &str) -> Result<Template, Vec<String>> {
    super::scan(template, Fields(&[]))
}

fn scan_with(template: &str, fields: &[&str]) -> Result<Template, Vec<String>> {
    let fields: Vec<_> = fields.iter().map(|&field| field.to_owned()).collect();
    super::scan(template, Fields(&fields))
}

/// Returns the only problem of a template for a record with these fields.
#[track_caller]
fn problem_with(template: &str, fields: &[&str]) -> String {
    let problems = scan_with(template, fields).expect_err(template);
    assert_eq!(problems.len(), 1, "{template}: {problems:?}");
    problems.concat()
}

/// Converts a template back to a string. The result equals the original if nothing needs encoding.
fn render(template: &Template) -> String {
    let mut text = String::new();
    for part in &template.parts {
        let separator = if text.contains('?') { "&" } else { "?" };
        let part = match part {
            Part::Text(text) => text.clone(),
            Part::Joined(text) => format!("{separator}{text}"),
            Part::Value(placeholder, _) => placeholder.to_string(),
            Part::Optional(key, placeholder) => format!("{separator}{key}{placeholder}"),
        };
        text.push_str(&part);
    }
    text
}

#[track_caller]
fn problem(template: &str) -> String {
    problem_with(template, &[])
}

#[test]
fn placeholders_are_of_segments_the_rest_and_the_query() {
    let template = scan("/a/{b}-{0}.html/{*c}?d={e}&{f}").unwrap();
    assert!(!template.absolute);
    assert_eq!(
        template.parts,
        [
            text("/a/"),
            value("b", Place::Segment),
            text("-"),
            value("0", Place::Segment),
            text(".html/"),
            value("c", Place::Rest),
            text("?d="),
            value("e", Place::Query),
            text("&"),
            value("f", Place::Query),
        ]
    );
}

#[test]
fn origins_are_part_of_the_first_text() {
    let template = scan("HTTP://Example.com:80/{a}").unwrap();
    assert!(template.absolute);
    assert_eq!(template.parts, [text("http://example.com/"), value("a", Place::Segment)]);
    assert_eq!(scan("https://a.example?{q}").unwrap().parts[0], text("https://a.example?"));
}

#[test]
fn doubled_braces_are_braces() {
    assert_eq!(
        scan("/{{a}}/{{{b}}}").unwrap().parts,
        [text("/%7Ba%7D/%7B"), value("b", Place::Segment), text("%7D")]
    );
    assert!(problem("/{{a}").starts_with("unmatched `}`"));
}

#[test]
fn names_are_those_of_fields() {
    for name in [
        "a",
        "_1",
        "straße",
        "r",
        "type",
        "0",
        "10",
        "4294967295",
        "a.b",
        "0.b.1.c",
        "a()",
        "a.b().c()",
        "type.fn()",
    ] {
        assert_eq!(scan(&format!("/{{{name}}}")).unwrap().parts[1], value(name, Place::Segment));
    }
    for name in [
        "1a", "01", "a b", "r#a", "a-b", "**a", "²", "_", "self", "a.", ".a", "a..b", "a.01", "a.1b", "a()b",
        "0()",
    ] {
        assert!(
            problem(&format!("/{{{name}}}")).contains("is not a placeholder of a URL template"),
            "{name}"
        );
    }
}

#[test]
fn braces_are_told_apart_even_when_several_are_wrong() {
    let problems = scan("/{}/{a b}/x}/{c/{d}/{e").unwrap_err();
    let starts: Vec<_> =
        problems.iter().map(|problem| problem.split_inclusive('`').take(2).collect::<String>()).collect();
    assert_eq!(
        starts,
        [
            "empty placeholder `{}`",
            "`{a b}`",
            "unmatched `}`",
            "unclosed placeholder `{c`",
            "unclosed placeholder `{e`"
        ]
    );
}

#[test]
fn a_path_may_end_with_a_slash_but_not_hold_two() {
    for template in ["/", "/a/", "/{a}/", "https://a.example/", "https://a.example", "/a?b//c", "/a/?b"] {
        assert!(scan(template).is_ok(), "{template}");
    }
    for template in ["/a//b", "/a//", "/{a}//", "https://a.example//", "/a//?b"] {
        assert!(problem(template).starts_with("empty path segment"), "{template}");
    }
}

#[test]
fn dot_segments_of_text_alone_are_refused() {
    for template in ["/.", "/../a", "/a/%2e", "/%2E./b", "https://a.example/..", "/a/.?b"] {
        assert!(problem(template).starts_with("URL template has the path segment"), "{template}");
    }
    for template in ["/.{a}", "/{a}.", "/...", "/a?b=/../c"] {
        assert!(scan(template).is_ok(), "{template}");
    }
}

#[test]
fn the_rest_is_the_last_and_alone() {
    for template in ["/{*a}", "/b/{*a}?c={d}"] {
        assert!(scan(template).is_ok(), "{template}");
    }
    for template in ["/{*a}/", "/{*a}/b", "/{*a}/{b}", "/b{*a}", "/{*a}b", "/{b}{*a}", "/{*a}{*b}", "/?{*a}"]
    {
        assert!(
            problem(template).contains("a}` is not")
                || problem(template).contains("b}` is not")
                || problem(template).contains("in the query"),
            "{template}"
        );
    }
}

#[test]
fn a_base_loses_its_last_slash() {
    for (base, normal) in [
        ("https://example.com", "https://example.com"),
        ("https://example.com/", "https://example.com"),
        ("HTTP://example.com:80/Shop/", "http://example.com/Shop"),
        ("https://example.com/ü", "https://example.com/%C3%BC"),
    ] {
        assert_eq!(scan_base(base).as_deref(), Ok(normal));
    }
    for base in [
        "",
        "/",
        "//example.com",
        "example.com",
        "https://",
        "https://a.example/{b}",
        "https://a.example/?",
        "https://a.example//",
        "https://a.example/..",
    ] {
        assert!(scan_base(base).is_err(), "{base}");
    }
}

#[test]
fn a_placeholder_is_a_path_of_fields_and_methods() {
    let step = |name: &str, is_call| Step { name: name.to_owned(), is_call };
    assert_eq!(placeholder("author.slug").steps, [step("author", false), step("slug", false)]);
    assert_eq!(placeholder("0.slug()").steps, [step("0", false), step("slug", true)]);
    assert_eq!(placeholder("slug()").field(), None);
    assert_eq!(placeholder("author.slug").field(), Some("author"));
    assert_eq!(placeholder("author.slug").as_field(), None);
    assert_eq!(placeholder("*author.path()").name(), "author.path()");
    assert!(placeholder("*author.path()").rest);
}

#[test]
fn a_date_is_split_into_directives_and_text() {
    use crate::text::dates::Directive;
    use crate::text::placeholder::DateItem::{Directive as Item, Text};

    let date = placeholder("published:%Y/%-m-%d");
    assert_eq!(
        date.date,
        [
            Item(Directive::Year),
            Text("/".to_owned()),
            Item(Directive::ShortMonth),
            Text("-".to_owned()),
            Item(Directive::Day)
        ]
    );
    assert_eq!(date.name(), "published:%Y/%-m-%d");
    assert_eq!(
        scan("/{a.b():%Y/%m}/{c}?d={a:%d}").unwrap().parts,
        [
            text("/"),
            value("a.b():%Y/%m", Place::Segment),
            text("/"),
            value("c", Place::Segment),
            text("?d="),
            value("a:%d", Place::Query)
        ]
    );
    for (template, words) in [
        ("/{a:%Y/%B}", "unknown directive `%B`; write `%m`"),
        ("/{a:%Y-%-y}", "unknown directive `%-y`"),
        ("/{a:%Y%}", "unknown directive `%`"),
        ("/{a:%Y?b=%m}", "the date format of `{a:%Y?b=%m}` contains `?b=`"),
        ("/{a:%Y//%m}", "empty path segment"),
        ("/{a:%Y/../%m}", "path segment `..`"),
        ("/{a:%Y %m}", "contains a space"),
        ("/{a:%Y/%m", "unclosed placeholder `{a:%Y`"),
        ("/{*a:%Y}", "is not a placeholder"),
    ] {
        assert!(problem(template).contains(words), "{}", problem(template));
    }
}

#[test]
fn a_pair_of_the_query_is_optional() {
    assert_eq!(
        scan("/s?q={q?}&page={page()?}").unwrap().parts,
        [text("/s"), optional("q=", "q?"), optional("page=", "page()?")]
    );
    assert_eq!(
        scan("/s?a={a?}&b=1&c={c}&d[]={d:%Y?}&e").unwrap().parts,
        [
            text("/s"),
            optional("a=", "a?"),
            Part::Joined("b=1&c=".to_owned()),
            value("c", Place::Query),
            optional("d%5B%5D=", "d:%Y?"),
            Part::Joined("e".to_owned())
        ]
    );
    for template in [
        "/?{a?}",
        "/?a{a?}",
        "/?={a?}",
        "/?a=b{a?}",
        "/?a={a?}b",
        "/?a={b}{a?}",
        "/?a={a?}{b}",
        "/?a={a?}{b?}",
    ] {
        assert!(problem(template).contains("is not the whole value of a pair in the query"), "{template}");
    }
    assert!(problem("/a/{a?}").starts_with("`{a?}` is in the path of the URL template"));
}

#[test]
fn text_that_is_not_a_placeholder_has_a_remedy() {
    for (inside, remedy) in [
        ("slug..", "write `{*slug}` for the rest of the path"),
        ("slug...", "write `{*slug}` for the rest of the path"),
        ("...slug", "write `{*slug}` for the rest of the path"),
        ("slug*", "write `{*slug}` for the rest of the path"),
        ("**slug", "write `{*slug}` for the rest of the path"),
        ("slug:path", "write `{*slug}` for the rest of the path"),
        ("slug:.*", "write `{*slug}` for the rest of the path"),
        ("slug:[^/]+", "which has no patterns; write `{slug}`"),
        ("id:[0-9]+", "which has no patterns; write `{id}`"),
        ("id:[0-9]{4}", "which has no patterns; write `{id}`"),
        (r"id:\d{2,4}", "which has no patterns; write `{id}`"),
        ("id:int", "which has no patterns; write `{id}`"),
        ("id:05", "write `{id}`, and mark the field `id` with `#[sitemap(param, with = path)]`"),
        ("id:>8.2", "write `{id}`, and mark the field `id` with `#[sitemap(param, with = path)]`"),
        ("id:x", "write `{id}`, and mark the field `id` with `#[sitemap(param, with = path)]`"),
        ("slug|lower", "write `{slug}`, and mark the field `slug` with `#[sitemap(param, with = path)]`"),
        ("slug | lower", "write `{slug}`, and mark the field `slug` with `#[sitemap(param, with = path)]`"),
        ("slug:?", "write only a field or a method, as in `{slug}`"),
        ("id:yyyy/MM/dd", "write `{id:%Y/%m/%d}` for a date"),
        ("slug.cut(3)", "write a method without arguments, as in `{slug.cut()}`"),
        ("cut(3)", "write a method without arguments, as in `{cut()}`"),
        ("self.slug", "write `{slug}`"),
        ("self.slug()", "write `{slug()}`"),
        ("self.slgu", "write only a field or a method, as in `{slug}`"),
        (" slug ", "write `{slug}`"),
        ("r#slug", "write `{slug}`"),
        ("slug.r#type", "write `{slug.type}`"),
        ("&slug", "as in `{slug}`"),
        ("post-id", "as in `{post_id}`"),
        ("no-field", "use one of `{slug}`, `{id}`, `{post_id}`"),
        ("", "name a field, as in `{slug}`"),
        ("*", "name a field, as in `{*slug}`"),
    ] {
        let problem = problem_with(&format!("/{{{inside}}}"), &["slug", "id", "post_id"]);
        assert!(problem.ends_with(remedy), "{inside}: {problem}");
    }
    assert!(problem("/{a-b}").ends_with("the record has no fields, so add the field"));
}

#[test]
fn placeholders_of_other_frameworks_are_errors() {
    for (template, found, remedy) in [
        ("/p/${slug}", "the `$` in `${slug}`", "write `{slug}`, or `%24{slug}` for a dollar sign"),
        ("/p/{{slug}}", "`{{slug}}`", "write `{slug}` for the field"),
        ("/p/{{ slug }}.html", "`{{ slug }}`", "write `{slug}` for the field"),
        ("/p?a={{slug.short()}}", "`{{slug.short()}}`", "write `{slug.short()}` for the field"),
        ("/p/<slug>.html", "`<slug>`", "write `{slug}` for the field"),
        ("/p/<str:slug>", "`<str:slug>`", "write `{slug}` for the field"),
        ("/p/<slug:re:[a-z]+>", "`<slug:re:[a-z]+>`", "write `{slug}` for the field"),
        ("/p/<slug..>", "`<slug..>`", "write `{*slug}` for the field"),
        ("/p/<path:slug>", "`<path:slug>`", "write `{*slug}` for the field"),
        ("/p/<title>", "`<title>`", "write one of `{slug}`, `{id}` for a field"),
        ("/p/(?P<slug>[^/]+)", "`<slug>`", "write `{slug}` for the field"),
        ("/a>b", "contains `>`", "remove it, or write `%3E`"),
        ("/a?b=<", "contains `<`", "remove it, or write `%3C`"),
        ("/p/:slug", "`:slug`", "write `{slug}` for the field, or `%3A` for a colon"),
        ("/p/:slug.html", "`:slug`", "write `{slug}` for the field, or `%3A` for a colon"),
        ("/p/:year-:slug", "`:slug`", "write `{slug}` for the field, or `%3A` for a colon"),
        ("/p/:slug*", "`:slug`", "write `{*slug}` for the field, or `%3A` for a colon"),
        ("/p/:slug(\\d+)", "`:slug`", "write `{slug}` for the field, or `%3A` for a colon"),
        ("/p/:title", "`:title`", "write one of `{slug}`, `{id}` for a field, or `%3A` for a colon"),
        ("/p?a=:slug", "`:slug`", "write `{slug}` for the field, or `%3A` for a colon"),
        ("/p/[slug]", "`[slug]`", "write `{slug}` for the field, or `%5B` for a bracket"),
        ("/p/[slug].html", "`[slug]`", "write `{slug}` for the field, or `%5B` for a bracket"),
        ("/p/[...slug]", "`[...slug]`", "write `{*slug}` for the field, or `%5B` for a bracket"),
        ("/p/[[...slug]]", "`[[...slug]]`", "write `{*slug}` for the field, or `%5B` for a bracket"),
        ("/p/[title]", "`[title]`", "write one of `{slug}`, `{id}` for a field, or `%5B` for a bracket"),
        ("/p?a=[slug]", "`[slug]`", "write `{slug}` for the field, or `%5B` for a bracket"),
        ("/p/*slug", "`*slug`", "write `{*slug}` for the field, or `%2A` for a star"),
        ("/p/$slug", "`$slug`", "write `{slug}` for the field, or `%24` for a dollar sign"),
        ("/p/%s", "`%s`", "write one of `{slug}`, `{id}` for a field, or `%25` for a percent sign"),
        ("/p/%d.html", "`%d`", "write one of `{slug}`, `{id}` for a field, or `%25` for a percent sign"),
        ("/p/%(slug)s", "`%(slug)s`", "write `{slug}` for the field, or `%25` for a percent sign"),
        ("/p?a=b&amp;c=d", "contains `&amp;`", "write `&`, which is escaped in the sitemap"),
    ] {
        let problem = problem_with(template, &["slug", "id"]);
        assert!(problem.contains(found) && problem.ends_with(remedy), "{template}: {problem}");
    }
}

#[test]
fn similar_text_that_a_url_may_contain_is_no_placeholder() {
    for template in [
        "/wiki/Help:Contents",
        "/wiki/Help:{slug}",
        "/12:30",
        "/a/:",
        "/@user:1",
        "/{{x}}",
        "/{{{slug}}}",
        "/{{}}",
        "/%5Bslug%5D",
        "/%3Aslug",
        "/%24{slug}",
        "/a[1]",
        "/slug",
        "/slug*",
        "/a$slug",
        "/100%",
        "/100%/%de/%dé",
        "/%25s",
        "/a?filter[slug]={slug}",
        "/a?filter[slug][id]=1",
        "/a?q=author:slug",
        "/a?q=[x]",
        "/a?q=:x",
        "/a?b&ampere=1",
    ] {
        assert!(
            scan_with(template, &["slug", "id"]).is_ok(),
            "{template}: {:?}",
            scan_with(template, &["slug", "id"])
        );
    }
}

#[test]
fn characters_that_nobody_sees_are_errors() {
    for ch in ['\u{AD}', '\u{200B}', '\u{200C}', '\u{200E}', '\u{202E}', '\u{2060}', '\u{2069}', '\u{FEFF}'] {
        for template in [format!("/a{ch}b"), format!("/a?b={ch}"), format!("/{ch}{{slug}}")] {
            assert!(problem(&template).contains("contains the invisible character U+"), "{template:?}");
        }
    }
    assert!(problem("/a\u{200B}").ends_with("remove it, or write `%E2%80%8B`"));
    // Persian words and emoji contain zero-width joiners.
    for template in ["/می\u{200C}خواهم", "/👩\u{200D}💻", "/a%E2%80%8Bb"] {
        assert!(scan(template).is_ok(), "{template}");
    }
}

#[test]
fn a_query_has_one_question_mark() {
    assert!(problem("/a?b=1?c={c}").starts_with("URL template has a second `?`"));
    assert!(scan("/a?b=%3F").is_ok());
}

#[test]
fn a_template_that_is_a_field_is_not_a_path() {
    assert_eq!(
        problem_with("slug", &["slug"]),
        "URL template \"slug\" does not start with `/` or `https://`; write \"/{slug}\", or mark the field `slug` \
         with `#[sitemap(loc)]`"
    );
}

fn anything() -> impl Strategy<Value = String> {
    // Three out of four strings consist of tokens that are special in a template. The others are arbitrary.
    let special = prop::sample::select(vec![
        "/",
        "//",
        "{",
        "}",
        "{{",
        "}}",
        "{a}",
        "{*a}",
        "{0}",
        "?",
        "#",
        "%",
        "%2e",
        ".",
        "..",
        ":",
        "@",
        " ",
        "ü",
        "https://",
        "http://",
        "a",
        "é\u{301}",
        "\u{0}",
        "*",
        "-",
        "&",
        "=",
        "?a=",
        "&b=",
        "{a?}",
        "{a.b()}",
        "{a:%Y/%-m.%d}",
        "{a:%Y?}",
        "<",
        "[a]",
        ":a",
        "$",
        "\u{200B}",
    ]);
    prop_oneof![
        3 => prop::collection::vec(special, 0..12).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn nothing_makes_the_scanner_panic(template in anything()) {
        let _ = scan(&template);
        let _ = scan_base(&template);
    }

    #[test]
    fn pieces_give_back_the_template(template in anything()) {
        if let Ok(pieces) = pieces(&template, Fields(&[])) {
            prop_assert_eq!(pieces.iter().map(ToString::to_string).collect::<String>(), template);
        }
    }

    #[test]
    fn a_rendered_template_is_read_as_the_same(template in anything()) {
        if let Ok(template) = scan(&template) {
            prop_assert_eq!(scan(&render(&template)), Ok(template));
        }
    }

    // A segment that starts with a colon can look like another framework's placeholder, which is an error.
    #[test]
    fn a_template_of_plain_text_is_kept(
        template in "(/[a-z0-9_~!$&'()+,;=@-][a-z0-9_~!$&'()+,;=:@-]{0,4}|/[{][a-z]{1,5}[}])(/[a-z]{1,4}[{][a-z]{1,4}[}])?([?][a-z=/]{0,5}[{][a-z]{1,3}[}])?"
    ) {
        prop_assert_eq!(render(&scan(&template).unwrap()), template);
    }

    #[test]
    fn all_text_of_a_template_is_ascii_that_a_url_can_hold(template in anything()) {
        if let Ok(template) = scan(&template) {
            for part in &template.parts {
                if let Part::Text(text) | Part::Joined(text) | Part::Optional(text, _) = part {
                    prop_assert!(!text.is_empty() || matches!(part, Part::Joined(_)));
                    let is_allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"<>[]\\^`{|}#".contains(&byte);
                    prop_assert!(text.bytes().all(is_allowed), "{}", text);
                }
            }
        }
    }

    #[test]
    fn a_date_is_judged_without_panic(text in "[0-9T:.Z+-]{0,40}|\\PC*") {
        let _ = crate::text::date::problem(&text);
    }
}
