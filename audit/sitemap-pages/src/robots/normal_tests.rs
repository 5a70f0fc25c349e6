use super::*;

fn pattern(written: &str) -> (String, u32) {
    let mut normal = Vec::new();
    let len = push_pattern(written.as_bytes(), &mut normal);
    (String::from_utf8(normal).unwrap(), len)
}

fn path(url: &str) -> String {
    String::from_utf8(path_of(url).into_owned()).unwrap()
}

#[test]
fn patterns_keep_their_special_characters() {
    for (written, normal, len) in [
        ("/a*b$", "/a*b$", 5),
        ("/a$b", "/a%24b", 4),
        ("/a$*", "/a%24*", 4),
        ("/***a**$", "/*a*$", 8),
        ("/%2a%24", "/%2A%24", 7),
        ("$", "$", 1),
    ] {
        assert_eq!(pattern(written), (normal.to_owned(), len), "{written}");
    }
}

#[test]
fn escapes_have_one_spelling() {
    for (written, normal, len) in [
        ("/%7ejoe", "/~joe", 5),
        ("/%41%5f%2D%2e", "/A_-.", 5),
        ("/%2f%3a%20", "/%2F%3A%20", 10),
        ("/caf\u{e9}", "/caf%C3%A9", 10),
        ("/caf%c3%A9", "/caf%C3%A9", 10),
        // A `%` that doesn't start an escape stands for itself, and no escape is decoded twice.
        ("/100%", "/100%", 5),
        ("/%zz%4", "/%zz%4", 6),
        ("/%2541", "/%2541", 6),
        ("/%%41", "/%A", 3),
    ] {
        assert_eq!(pattern(written), (normal.to_owned(), len), "{written}");
        assert_eq!(path(written), normal, "{written}");
    }
}

#[test]
fn special_characters_of_a_url_stand_for_themselves() {
    assert_eq!(path("https://example.com/a*b$c$"), "/a%2Ab%24c%24");
    assert_eq!(path("/a%2ab%24"), "/a%2Ab%24");
}

#[test]
fn a_url_in_normal_form_is_not_copied() {
    for url in ["https://example.com/a/b?c=d", "/%E3%83%84/%2F?q=%20", "//example.com/a#b"] {
        assert!(matches!(path_of(url), Cow::Borrowed(_)), "{url}");
    }
    for url in ["https://example.com", "/%e3", "/%41", "/\u{e9}", "/*", "/$"] {
        assert!(matches!(path_of(url), Cow::Owned(_)), "{url}");
    }
}
