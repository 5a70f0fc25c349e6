//! Tests of the strings and keywords in extensions.

use super::*;

#[test]
fn words_are_read_as_the_schema_spells_them() {
    assert_eq!("OpEd".parse(), Ok(Genre::OpEd));
    assert_eq!("tv".parse(), Ok(Platform::Tv));
    assert_eq!(
        refused("oped".parse::<Genre>()),
        "`news:genres` is \"oped\"; use one of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated`"
    );
    for genre in Genre::ALL {
        assert_eq!(genre.as_str().parse(), Ok(*genre));
    }
}

#[test]
fn characters_that_xml_forbids_are_refused_and_all_others_survive() {
    for c in ['\0', '\u{8}', '\u{B}', '\u{C}', '\u{1F}', '\u{FFFE}', '\u{FFFF}'] {
        let error = Image::new(loc("https://example.com/a.jpg")).with_title(format!("a{c}")).unwrap_err();
        assert_eq!((error.kind(), error.element()), (ExtensionErrorKind::Character, "image:title"));
    }
    assert_eq!(
        refused(video().with_tag("a\u{1}b")),
        "`video:tag` has U+0001, a character that XML forbids, in \"a\\u{1}b\"; remove the character"
    );
    let title = "a\t\n\ra\u{7F}\u{85}\u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}]]>";
    let paper = Publication::new("N", "en").unwrap();
    let news = News::new(paper, date("2026-01-31"), title).unwrap();
    assert!(written(&entry().with_news(news)).contains(
        "<news:title>a\t\n&#13;a\u{7F}\u{85}\u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}]]&gt;</news:title>"
    ));
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    /// Resolves XML escapes in a string, as an XML parser does.
    fn unescaped(text: &str) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#9;", "\t"), ("&#10;", "\n")]
            .iter()
            .chain(&[("&#13;", "\r"), ("&amp;", "&")])
            .fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_can_be_read_back(text in any::<String>(), value in "\\PC*|.*") {
            let paper = Publication::new("N", "en").unwrap();
            let element = Element::new(Namespace::new("x", "urn:x").unwrap(), "e").unwrap();
            let element = element.with_attribute("a", value.as_str());
            if let (Ok(news), Ok(element)) = (News::new(paper, date("2026-01-31"), text.as_str()), element) {
                let entry = entry().with_news(news).with_elements(vec![element]);
                let xml = written_with(WriteOptions::new().namespace(Namespace::new("x", "urn:x").unwrap()), &entry);
                let (_, rest) = xml.split_once("<news:title>").unwrap();
                let (title, rest) = rest.split_once("</news:title>").unwrap();
                let (_, attribute) = rest.split_once("<x:e a=\"").unwrap();
                prop_assert_eq!(unescaped(title), text.trim());
                prop_assert!(!title.contains(['<', '>', '\r']));
                let attribute = attribute.strip_suffix("\"/>").unwrap();
                prop_assert_eq!(unescaped(attribute), value);
                prop_assert!(!attribute.contains(['<', '"', '\t', '\n', '\r']));
            }
        }

        #[test]
        fn no_name_or_number_makes_a_constructor_panic(name in any::<String>(), seconds in any::<u32>(), rating in any::<f64>()) {
            let _ = Namespace::new(name.as_str(), name.as_str());
            let _ = Publication::new("N", name.as_str());
            let _ = Restriction::new(Relationship::Allow, [name.as_str()]);
            let _ = Price::new(name.as_str(), name.as_str());
            let _ = news().with_stock_tickers([name.as_str()]);
            let _ = video().with_duration(seconds);
            let _ = video().with_rating(rating);
        }
    }
}

#[test]
fn white_space_around_a_text_is_removed() {
    let image = Image::new(loc("https://example.com/a.jpg")).with_title(" \u{A0}a  b\n".to_owned()).unwrap();
    assert_eq!(image.title(), Some("a  b"));
}
