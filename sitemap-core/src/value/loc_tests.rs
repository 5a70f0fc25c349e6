use url::Url;

use super::*;

fn ok(text: &str) -> String {
    Loc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn kind(text: &str) -> LocErrorKind {
    Loc::parse(text).map(|loc| loc.to_string()).expect_err(text).kind
}

fn message(text: &str) -> String {
    Loc::parse(text).expect_err(text).to_string()
}

#[test]
fn a_valid_url_is_borrowed_as_it_is() {
    for url in [
        "http://www.example.com/",
        "https://example.com",
        "https://example.com/a/b.html?x=1&y=2#top",
        "https://example.com:8443/~user/%7Euser/a;b=c,d!$'()*+@:",
        "https://sub.under_score.example/",
        "https://example.com/trailing/",
    ] {
        assert!(matches!(Loc::parse(url).unwrap().text, Cow::Borrowed(same) if same == url), "{url}");
    }
}

#[test]
fn the_protocols_own_umlaut_example() {
    assert_eq!(
        ok("http://www.example.com/ümlat.html&q=name"),
        "http://www.example.com/%C3%BCmlat.html&q=name"
    );
}

#[test]
fn existing_escapes_are_never_touched() {
    for url in [
        "http://www.example.com/%FCmlat.html&q=name",
        "http://www.example.com/%c3%bcmlat",
        "http://www.example.com/%2F%00%25%41",
    ] {
        assert_eq!(ok(url), url);
    }
}

#[test]
fn characters_that_rfc_3986_does_not_allow_are_encoded_as_utf8() {
    for (from, to) in [
        ("https://example.com/a b", "https://example.com/a%20b"),
        ("https://example.com/\"<>\\^`{|}", "https://example.com/%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("https://example.com/日本?q=語#部", "https://example.com/%E6%97%A5%E6%9C%AC?q=%E8%AA%9E#%E9%83%A8"),
        ("https://example.com/a[1]?b[]=2", "https://example.com/a%5B1%5D?b%5B%5D=2"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/50%-off", "https://example.com/50%25-off"),
        ("https://example.com/%4", "https://example.com/%254"),
        ("https://example.com/a#b#c", "https://example.com/a#b%23c"),
        ("https://example.com/\u{85}\u{FEFF}x", "https://example.com/%C2%85%EF%BB%BFx"),
    ] {
        assert_eq!(ok(from), to);
    }
}

#[test]
fn encoding_twice_changes_nothing() {
    for url in ["https://xn--bcher-kva.example/ü b?%#", "HTTP://EXAMPLE.com:80/ä%FC"] {
        let once = ok(url);
        assert_eq!(ok(&once), once);
    }
}

#[test]
fn the_host_is_lower_case_idna_and_without_its_default_port() {
    for (from, to) in [
        ("HTTPS://WWW.Example.COM/Path", "https://www.example.com/Path"),
        #[cfg(feature = "url")]
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://XN--Bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:80", "http://example.com"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:/x", "https://example.com/x"),
        ("https://example.com:08443/x", "https://example.com:8443/x"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ("https://example.com./", "https://example.com./"),
    ] {
        assert_eq!(ok(from), to);
    }
}

#[test]
fn never_adds_or_drops_a_slash() {
    for url in
        ["https://example.com", "https://example.com/", "https://example.com/a", "https://example.com/a/"]
    {
        assert_eq!(ok(url), url);
    }
}

#[test]
fn bad_locs_say_what_is_wrong() {
    for (text, expected) in [
        ("", LocErrorKind::Empty),
        ("/about", LocErrorKind::Relative),
        ("about.html", LocErrorKind::Relative),
        ("//example.com/", LocErrorKind::Relative),
        ("www.example.com/", LocErrorKind::Relative),
        ("localhost:8080/x", LocErrorKind::Relative),
        ("https:/example.com/", LocErrorKind::Scheme),
        ("ftp://example.com/", LocErrorKind::Scheme),
        ("javascript:alert(1)", LocErrorKind::Scheme),
        ("mailto:info@example.com", LocErrorKind::Scheme),
        ("data:text/html,x", LocErrorKind::Scheme),
        (" https://example.com/", LocErrorKind::Whitespace),
        ("https://example.com/\n", LocErrorKind::Whitespace),
        ("https://example.com/\u{A0}", LocErrorKind::Whitespace),
        ("https://", LocErrorKind::Host),
        ("https:///path", LocErrorKind::Host),
        ("https://exa mple.com/", LocErrorKind::Host),
        ("https://a..b/", LocErrorKind::Host),
        ("https://a\"b/", LocErrorKind::Host),
        ("https://a'b&c.example/", LocErrorKind::Host),
        #[cfg(feature = "url")]
        ("https://ü\"b.example/", LocErrorKind::Host),
        ("https://xn--bcher-kv.example/", LocErrorKind::Host),
        ("https://example.com../", LocErrorKind::Host),
        ("https://.example.com/", LocErrorKind::Host),
        ("https://[::1/", LocErrorKind::Host),
        ("https://256.256.256.256/", LocErrorKind::Host),
        ("https://user@example.com/", LocErrorKind::Credentials),
        ("https://user:secret@example.com/", LocErrorKind::Credentials),
        ("https://example.com:http/", LocErrorKind::Port),
        ("https://example.com:65536/", LocErrorKind::Port),
        ("https://example.com:+80/", LocErrorKind::Port),
        ("https://example.com/a\nb", LocErrorKind::Character('\n')),
        ("https://example.com/\0", LocErrorKind::Character('\0')),
        ("https://example.com/\u{1}x", LocErrorKind::Character('\u{1}')),
        ("https://example.com/\u{7F}x", LocErrorKind::Character('\u{7F}')),
        ("https://example.com/\u{FFFE}", LocErrorKind::Character('\u{FFFE}')),
        ("https://example.com/\u{FFFF}", LocErrorKind::Character('\u{FFFF}')),
        ("https://example.com/a/../b", LocErrorKind::DotSegment),
        ("https://example.com/./b", LocErrorKind::DotSegment),
        ("https://example.com/b/..", LocErrorKind::DotSegment),
        ("https://example.com/a/%2e%2E/b", LocErrorKind::DotSegment),
        ("https://example.com/.%2e", LocErrorKind::DotSegment),
    ] {
        assert_eq!(kind(text), expected, "{text:?}");
    }
}

#[test]
fn dots_that_are_not_segments_stay() {
    for url in [
        "https://example.com/.well-known/x",
        "https://example.com/a../..b/...",
        "https://example.com/?q=/../",
    ] {
        assert_eq!(ok(url), url);
    }
}

#[test]
fn longer_than_2047_characters_is_an_error() {
    let url = |len: usize| format!("https://example.com/{}", "x".repeat(len - 20));
    assert_eq!(ok(&url(2_047)).len(), 2_047);
    assert_eq!(kind(&url(2_048)), LocErrorKind::TooLong(2_048));
    // The limit counts encoded characters: `ü` is two bytes in UTF-8, which become six characters.
    assert_eq!(kind(&format!("https://example.com/{}", "ü".repeat(338))), LocErrorKind::TooLong(2_048));
}

#[test]
fn messages_name_the_value_and_the_remedy() {
    assert_eq!(message(""), "`loc` is empty; every page needs an absolute URL");
    assert_eq!(
        message("ftp://example.com/x"),
        "`loc` must be an `http` or `https` URL, found \"ftp://example.com/x\""
    );
    assert_eq!(
        message("https://example.com/a\u{1}b"),
        "`loc` holds the character U+0001, which is not allowed in a URL, found \"https://example.com/a\\u{1}b\""
    );
    assert_eq!(
        message("https://example.com/a/../b"),
        "`loc` has a `.` or `..` path segment, found \"https://example.com/a/../b\"; write the path without it, \
         because crawlers resolve such segments"
    );
    let long = message(&format!("https://example.com/{}", "é".repeat(5_000)));
    assert!(
        long.starts_with("`loc` must have at most 2047 characters after encoding, found 30020 in \"https://"),
        "{long}"
    );
    assert!(long.len() < 400 && long.ends_with("\"…"), "{long}");
}

#[test]
#[cfg(not(feature = "url"))]
fn a_host_that_is_not_ascii_names_the_feature() {
    assert_eq!(
        message("https://bücher.example/"),
        "`loc` has a host name that is not ASCII, found \"https://bücher.example/\"; write its `xn--` form, or \
         turn on the feature `url` of `sitemap-core`"
    );
}

#[test]
#[cfg(feature = "url")]
fn converts_from_and_to_texts_and_urls() {
    let url = Url::parse("https://example.com/ü").unwrap();
    assert_eq!(Loc::try_from(&url).unwrap().as_str(), "https://example.com/%C3%BC");
    assert_eq!(String::from("https://example.com/".parse::<Loc<'static>>().unwrap()), "https://example.com/");
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_refused_or_becomes_a_plain_ascii_url(text in ".{0,80}") {
            if let Ok(loc) = Loc::parse(text.as_str()) {
                let url = loc.as_str();
                prop_assert!(url.starts_with("http://") || url.starts_with("https://"));
                let stray = url.bytes().find(|b| !b.is_ascii_graphic() || b"<>\"{}|\\^`".contains(b));
                prop_assert_eq!(stray, None);
            }
        }

        #[test]
        fn constants_are_normal(rest in "[a-z0-9./:%?#A-F_-]{0,24}") {
            let url = format!("https://{rest}");
            if constant::is_normal(&url) {
                prop_assert_eq!(Loc::normalised(&url), Ok(None));
            }
        }

        #[test]
        fn any_path_is_encoded_once_and_read_alike_by_a_url_parser(path in "[^\\p{Cc}\\s]{0,40}") {
            let text = format!("https://example.com/{path}");
            if let Ok(loc) = Loc::parse(text.as_str()) {
                prop_assert_eq!(Loc::parse(loc.as_str()).unwrap(), loc.clone());
                // A browser's URL parser must not change the normal form. The only exception is an apostrophe
                // in a query: browsers encode it, although RFC 3986 allows it.
                let parsed = Url::parse(loc.as_str()).unwrap();
                prop_assert_eq!(parsed.as_str().replace("%27", "'"), loc.as_str().replace("%27", "'"));
            }
        }
    }
}

#[test]
fn constants_are_urls_that_stay_as_they_are() {
    for url in [
        "https://example.com",
        "http://example.com:8080/a-b_c/d.html?x=1&y=/../#top",
        "https://localhost/a%C3%BC",
        "https://example.com/~a;b=c,d!$'()*+@:",
    ] {
        assert_eq!(Loc::from_static(url), Loc::parse(url).unwrap());
        assert_eq!(Loc::normalised(url), Ok(None));
    }
    for url in [
        "",
        "/about",
        "https://",
        "https://.example.com/",
        "https://example..com/",
        "https://Example.com/",
        "https://example.com:443/",
        "https://example.com:080/",
        "https://example.com:65536/",
        "https://example.com:/",
        "https://127.0.0.1/",
        "https://xn--bcher-kv.example/",
        "https://example.com/a b",
        "https://example.com/a%4",
        "https://example.com/%C3%BC",
        "https://example.com/a/../b",
        "https://example.com/#a#b",
        "https://user@example.com/",
        "ftp://example.com/",
    ] {
        assert!(!constant::is_normal(url), "{url}");
    }
    assert!(!constant::is_normal(&format!("https://example.com/{}", "x".repeat(2_028))));
}

#[test]
fn the_quick_check_agrees_with_the_full_check() {
    let mut known = KnownOrigin::default();
    assert!(
        !Loc::is_normal_like(b"https://example.com/a", &known),
        "a URL of an unknown origin passed the quick check"
    );
    assert_eq!(Loc::normalised_like("https://example.com/a", &mut known), Ok(None));
    assert!(Loc::is_normal_like(b"https://example.com/b", &known));
    let mut plain = 0;
    for byte in 0..=0x7F_u8 {
        let ch = char::from(byte);
        // Test the character in the first sixteen bytes, in the last sixteen bytes, and in a path shorter than
        // sixteen bytes.
        for rest in [
            format!("/{ch}bcdefghijklmnopqrstuvwxyz"),
            format!("/abcdefghijklmnopqrstuvw{ch}"),
            format!("/{ch}"),
        ] {
            let url = format!("https://example.com{rest}");
            if Loc::is_normal_like(url.as_bytes(), &known) {
                assert_eq!(Loc::normalised(&url), Ok(None), "{url:?}");
                plain += 1;
            }
        }
    }
    // The 62 letters and digits and 18 other characters pass at all three positions. A dot passes only at the second
    // one. At the other two, it starts a path segment, so it needs the full check.
    assert_eq!(plain, (62 + 18) * 3 + 1);
    for rest in ["", "/a/./b", "/a/..", "/é", "//a", "?a=/.b", "#a", "x", ":80/"] {
        let url = format!("https://example.com{rest}");
        if Loc::is_normal_like(url.as_bytes(), &known) {
            assert_eq!(Loc::normalised(&url), Ok(None), "{url:?}");
        }
    }
    let long = format!("https://example.com/{}", "a".repeat(2_027));
    assert!(Loc::is_normal_like(long.as_bytes(), &known));
    assert!(!Loc::is_normal_like(format!("{long}a").as_bytes(), &known));
}

#[test]
fn an_error_does_not_show_a_password() {
    for (url, shown) in [
        ("https://user:secret@example.com/a@b", "found \"https://…@example.com/a@b\""),
        ("ftp://user:se@cret@example.com", "found \"ftp://…@example.com\""),
        ("https:user:secret@example.com/", "found \"https:…@example.com/\""),
        ("https:/\\user:secret@example.com/", "found \"https:/\\\\…@example.com/\""),
        ("//user:secret@example.com/", "found \"//…@example.com/\""),
        ("user:secret@example.com", "found \"user:…@example.com\""),
        ("https://example.com/../a@b", "found \"https://example.com/../a@b\""),
        ("/@a/b", "found \"/@a/b\""),
    ] {
        let error = Loc::parse(url).unwrap_err().to_string();
        assert!(error.contains(shown) && !error.contains("cret"), "{error}");
    }
}
