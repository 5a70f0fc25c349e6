//! Tests of the rules of URL templates, one for each rule.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn value(name: &str, place: Place) -> Part {
    Part::Value(Placeholder { name: name.to_owned(), rest: place == Place::Rest }, place)
}

/// Converts a template back to text. The text equals the original if no character needs encoding.
fn render(template: &Template) -> String {
    template
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Value(placeholder, _) => placeholder.to_string(),
        })
        .collect()
}

#[track_caller]
fn problem(template: &str) -> String {
    let problems = scan(template).expect_err(template);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.concat()
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
    for name in ["a", "_", "_1", "straße", "r", "0", "10"] {
        assert_eq!(scan(&format!("/{{{name}}}")).unwrap().parts[1], value(name, Place::Segment));
    }
    for name in ["1a", "01", "a b", "a.b", "r#a", "a-b", "**a", "²"] {
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
    for template in ["/", "/a/", "/{a}/", "https://a.example/", "https://a.example", "/a?b//c", "/?", "/a/?b"]
    {
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

fn anything() -> impl Strategy<Value = String> {
    // Three of four strings consist of tokens that are special in a template. The others are arbitrary.
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
        if let Ok(pieces) = pieces(&template) {
            prop_assert_eq!(pieces.iter().map(ToString::to_string).collect::<String>(), template);
        }
    }

    #[test]
    fn a_rendered_template_is_read_as_the_same(template in anything()) {
        if let Ok(template) = scan(&template) {
            prop_assert_eq!(scan(&render(&template)), Ok(template));
        }
    }

    #[test]
    fn a_template_of_plain_text_is_kept(
        template in "(/[a-z0-9_~!$&'()+,;=:@-]{1,5}|/[{][a-z]{1,5}[}])(/[a-z]{1,4}[{][a-z]{1,4}[}])?([?][a-z=/]{0,5}[{][a-z]{1,3}[}])?"
    ) {
        prop_assert_eq!(render(&scan(&template).unwrap()), template);
    }

    #[test]
    fn all_text_of_a_template_is_ascii_that_a_url_can_hold(template in anything()) {
        if let Ok(template) = scan(&template) {
            for part in &template.parts {
                if let Part::Text(text) = part {
                    prop_assert!(!text.is_empty());
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
