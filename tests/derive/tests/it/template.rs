//! Tests of the URLs that templates produce.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, clippy::ref_option_ref)] // `with` passes references to fields

use crate::support::{error, locs};
use sitemap_core::SitemapEntry;

macro_rules! url {
    ($template:literal $(, $field:ident: $ty:ty = $value:expr)*) => {{
        #[derive(SitemapEntry)]
        #[sitemap(loc = $template)]
        struct Page {
            $($field: $ty,)*
        }
        locs(&Page { $($field: $value,)* }).remove(0)
    }};
}

#[test]
fn literal_text_is_encoded_once() {
    assert_eq!(url!("/"), "https://example.com/");
    assert_eq!(url!("/über/%C3%BC/%fc/100%"), "https://example.com/%C3%BCber/%C3%BC/%fc/100%25");
    assert_eq!(url!("/a'b\"c[e]|"), "https://example.com/a'b%22c%5Be%5D%7C");
    assert_eq!(url!("/a;b=c,d:@!$&'()*+/"), "https://example.com/a;b=c,d:@!$&'()*+/");
    assert_eq!(url!("/{{x}}/{{{id}}}", id: u8 = 1), "https://example.com/%7Bx%7D/%7B1%7D");
    assert_eq!(url!("/.../.a/%2e%2e%2e/"), "https://example.com/.../.a/%2e%2e%2e/");
}

#[test]
fn a_segment_encodes_all_that_is_not_unreserved() {
    let text = "a/b?c#d%e f&g=h+i~j-k_l.m ü";
    assert_eq!(
        url!("/{slug}", slug: &'static str = text),
        "https://example.com/a%2Fb%3Fc%23d%25e%20f%26g%3Dh%2Bi~j-k_l.m%20%C3%BC"
    );
}

#[test]
fn the_rest_of_the_path_keeps_its_slashes() {
    assert_eq!(url!("/f/{*path}", path: &'static str = "a b/c/"), "https://example.com/f/a%20b/c/");
    assert_eq!(url!("/{*path}?v={v}", path: &'static str = "a/b", v: u8 = 1), "https://example.com/a/b?v=1");
}

#[test]
fn the_query_may_hold_placeholders_and_be_empty() {
    assert_eq!(
        url!("/s?q={q}&p={p}&again={q}", q: &'static str = "a&b=c/d", p: u8 = 2),
        "https://example.com/s?q=a%26b%3Dc%2Fd&p=2&again=a%26b%3Dc%2Fd"
    );
    assert_eq!(url!("/s?q={q}", q: String = String::new()), "https://example.com/s?q=");
    assert_eq!(url!("https://example.com?q={q}", q: &'static str = ".."), "https://example.com?q=..");
    assert_eq!(url!("/a?b=//../{{c}}/:d"), "https://example.com/a?b=//../%7Bc%7D/:d");
}

#[test]
fn several_placeholders_and_texts_may_share_a_segment() {
    assert_eq!(url!("/item-{id}.html", id: u32 = 7), "https://example.com/item-7.html");
    assert_eq!(url!("/{a}{b}-{a}", a: char = 'x', b: i64 = -1), "https://example.com/x-1-x");
    assert_eq!(url!("/%25{a}/%4{a}", a: u8 = 41), "https://example.com/%2541/%25441");
}

#[test]
fn absolute_templates_have_their_origin_normalised() {
    assert_eq!(url!("HTTPS://EXAMPLE.com:443/A"), "https://example.com/A");
    assert_eq!(url!("https://example.com"), "https://example.com");
    assert_eq!(url!("https://example.com/"), "https://example.com/");
}

#[test]
fn dots_made_by_values_are_errors() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a/.{tail}")]
    struct Hidden {
        tail: &'static str,
    }
    assert_eq!(locs(&Hidden { tail: "well-known" }), ["https://example.com/a/.well-known"]);
    assert!(error(&Hidden { tail: "." }).starts_with("the value for `{tail}` creates a `.`, `..`"));

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{*path}")]
    struct Rest {
        path: &'static str,
    }
    for path in ["a//b", "a/../b", "./a", "/a", "..", "a/.."] {
        assert!(error(&Rest { path }).contains("the value for `{path}` creates a `.`, `..`"), "{path}");
    }
    assert!(error(&Rest { path: "" }).contains("the value for `{path}` in the URL template is empty"));
}

#[test]
fn types_that_can_fill_a_placeholder() {
    let uuid = uuid::Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8);
    assert_eq!(
        url!("/{id}", id: uuid::Uuid = uuid),
        "https://example.com/67e55044-10b1-426f-9247-bb680e5fe0c8"
    );
    assert_eq!(
        url!("/{id}", id: i128 = i128::MIN),
        "https://example.com/-170141183460469231731687303715884105728"
    );
    assert_eq!(url!("/{a}/{b}", a: bool = true, b: Box<str> = "x".into()), "https://example.com/true/x");
    let id = std::num::NonZeroU16::MIN;
    assert_eq!(url!("/{id}", id: std::num::NonZeroU16 = id), "https://example.com/1");
}
