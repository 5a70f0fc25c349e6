use super::*;
use crate::{Entry, Site, entries_of, value::LocErrorKind};

/// A record with a closure that builds its URL the way derived code does.
struct Record<F>(F);

impl<F: Fn(&mut EntryWriter<'_>) -> Result<TemplateUrl, LocError>> crate::SitemapEntry for Record<F> {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), crate::Error> {
        let url = self.0(out)?;
        out.add(Entry::new(url.loc()?))?;
        url.give_back(out);
        Ok(())
    }
}

fn build(
    record: impl Fn(&mut EntryWriter<'_>) -> Result<TemplateUrl, LocError>,
) -> Result<String, LocErrorKind> {
    let site = Site::new("https://example.com/shop").unwrap();
    match entries_of(&Record(record), &site) {
        Ok(found) => Ok(found[0].loc().to_string()),
        Err(error) => match error.into_kind() {
            crate::ErrorKind::Loc(error) => Err(error.kind().clone()),
            other => panic!("{other:?}"),
        },
    }
}

fn append<T: UrlParam + ?Sized>(
    url: &mut TemplateUrl,
    name: &'static str,
    value: &T,
) -> Result<(), LocError> {
    let start = url.position();
    value.write_param(&mut url.segment());
    url.end_segment(start, name)
}

fn segment(value: impl UrlParam) -> Result<String, LocErrorKind> {
    build(|out| {
        let mut url = TemplateUrl::rooted(out);
        url.literal(Literal::new("/items/"));
        append(&mut url, "x", &value)?;
        Ok(url)
    })
}

fn rest(value: &str) -> Result<String, LocErrorKind> {
    build(|out| {
        let mut url = TemplateUrl::rooted(out);
        url.literal(Literal::new("/"));
        let start = url.position();
        value.write_param(&mut url.rest());
        url.end_rest(start, "x")?;
        Ok(url)
    })
}

fn query(value: &str) -> Result<String, LocErrorKind> {
    build(|out| {
        let mut url = TemplateUrl::absolute(out);
        url.literal(Literal::new("https://example.com/shop/?q="));
        value.write_param(&mut url.query());
        Ok(url)
    })
}

#[test]
fn a_segment_is_encoded_as_one() {
    for (value, encoded) in [
        ("plain-._~", "plain-._~"),
        ("a/b", "a%2Fb"),
        ("a b", "a%20b"),
        ("ü", "%C3%BC"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("50%", "50%25"),
        ("%FC", "%25FC"),
        ("a?b#c", "a%3Fb%23c"),
        ("it's&co", "it%27s%26co"),
        ("<\"'>", "%3C%22%27%3E"),
        ("\u{0}\u{7F}", "%00%7F"),
        ("...", "..."),
    ] {
        assert_eq!(segment(value).unwrap(), format!("https://example.com/shop/items/{encoded}"));
    }
}

#[test]
fn the_rest_of_a_path_keeps_its_slashes() {
    assert_eq!(rest("a/b c/d").unwrap(), "https://example.com/shop/a/b%20c/d");
    assert_eq!(rest("a/").unwrap(), "https://example.com/shop/a/");
}

#[test]
fn a_query_value_may_be_empty_and_holds_anything() {
    assert_eq!(query("").unwrap(), "https://example.com/shop/?q=");
    assert_eq!(query("a&b=c d/../").unwrap(), "https://example.com/shop/?q=a%26b%3Dc%20d%2F..%2F");
}

#[test]
fn integers_characters_and_booleans() {
    assert_eq!(segment(0_u8).unwrap(), "https://example.com/shop/items/0");
    assert_eq!(segment(i64::MIN).unwrap(), "https://example.com/shop/items/-9223372036854775808");
    assert_eq!(segment(u128::MAX).unwrap().len(), "https://example.com/shop/items/".len() + 39);
    assert_eq!(segment(std::num::NonZeroU32::MAX).unwrap(), "https://example.com/shop/items/4294967295");
    for number in [9, 10, 99, 100, 999, 1_000, 10_203, 999_999, 1_000_000, 1_000_001_000, u64::MAX] {
        assert_eq!(segment(number).unwrap(), format!("https://example.com/shop/items/{number}"));
    }
    assert_eq!(segment('ß').unwrap(), "https://example.com/shop/items/%C3%9F");
    assert_eq!(segment(true).unwrap(), "https://example.com/shop/items/true");
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    let id = uuid::Uuid::from_u128(0x1234_5678_9ABC_DEF0_1234_5678_9ABC_DEF0);
    assert_eq!(segment(id).unwrap(), "https://example.com/shop/items/12345678-9abc-def0-1234-56789abcdef0");
}

#[test]
fn a_type_of_ones_own_is_encoded_like_text() {
    struct Sku(&'static str, u8);
    impl UrlParam for Sku {
        fn write_param(&self, out: &mut ParamWriter<'_>) {
            out.write_str(self.0);
            out.write_fmt(format_args!("/{:03}", self.1));
        }
    }
    assert_eq!(segment(Sku("ä", 7)).unwrap(), "https://example.com/shop/items/%C3%A4%2F007");
}

#[test]
fn empty_values_are_refused_in_a_path() {
    assert_eq!(segment(""), Err(LocErrorKind::EmptyParam("x")));
    assert_eq!(rest(""), Err(LocErrorKind::EmptyParam("x")));
}

#[test]
fn values_that_would_step_out_of_their_segment_are_refused() {
    for value in [".", ".."] {
        assert_eq!(segment(value), Err(LocErrorKind::ParamSegment("x")));
    }
    for value in ["a/../b", "..", "a//b", "/a", "a/./b", "/", "a/.."] {
        assert_eq!(rest(value), Err(LocErrorKind::ParamSegment("x")), "{value}");
    }
    // Values are plain text, so a `%` in a value is encoded even if it looks like an escape.
    assert_eq!(segment("%2e%2e").unwrap(), "https://example.com/shop/items/%252e%252e");
}

#[test]
fn dots_of_two_parts_may_not_add_up_to_a_step() {
    let pair = |a: &'static str, b: &'static str, end: &'static str| {
        build(move |out| {
            let mut url = TemplateUrl::rooted(out);
            url.literal(Literal::new("/a/"));
            append(&mut url, "a", a)?;
            append(&mut url, "b", b)?;
            url.literal(Literal::new(end));
            Ok(url)
        })
    };
    assert_eq!(pair(".", ".", "/c"), Err(LocErrorKind::ParamSegment("b")));
    assert_eq!(pair(".", ".", "?c"), Err(LocErrorKind::ParamSegment("b")));
    assert_eq!(pair(".", ".", "x/c").unwrap(), "https://example.com/shop/a/..x/c");
    assert_eq!(pair("x", ".", "").unwrap(), "https://example.com/shop/a/x.");
}

#[test]
fn a_url_that_grows_too_long_is_refused() {
    assert_eq!(segment("x".repeat(2_047 - 31).as_str()).unwrap().len(), 2_047);
    assert_eq!(segment("x".repeat(2_048 - 31).as_str()), Err(LocErrorKind::TooLong(2_048)));
}

#[test]
fn a_field_holds_a_url_or_a_path() {
    let field = |text: &'static str| build(move |out| TemplateUrl::field(out, text));
    assert_eq!(field("/a ü").unwrap(), "https://example.com/shop/a%20%C3%BC");
    assert_eq!(field("https://EXAMPLE.com/shop/x").unwrap(), "https://example.com/shop/x");
    assert_eq!(field(""), Err(LocErrorKind::Empty));
    assert_eq!(field("x"), Err(LocErrorKind::NotUrlOrPath));
    assert_eq!(field("/../x"), Err(LocErrorKind::DotSegment));
}

#[test]
fn special_characters_are_escaped_wherever_they_stand() {
    // XML escapes `&` and `'`. A `Loc` stores the positions of up to three of them. If a URL has more, the writer
    // searches for them.
    for (end, escaped) in [("?e=1", "?e=1"), ("?e='&f", "?e=&apos;&amp;f")] {
        let record = Record(move |out: &mut EntryWriter<'_>| {
            let mut url = TemplateUrl::rooted(out);
            url.literal(Literal::new("/a&b/"));
            append(&mut url, "x", "c&d'")?;
            url.literal(Literal::new(end));
            "&".write_param(&mut url.query());
            Ok(url)
        });
        let site = Site::new("https://example.com/it's").unwrap();
        let mut sitemap = crate::SitemapWriter::new(site, Vec::new());
        sitemap.add(&record).unwrap();
        let xml = String::from_utf8(sitemap.finish().unwrap().0).unwrap();
        let loc = format!("<loc>https://example.com/it&apos;s/a&amp;b/c%26d%27{escaped}%26</loc>");
        assert!(xml.contains(&loc), "{xml}");
    }
}
