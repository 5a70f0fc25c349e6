//! Records that are written in an unusual way, but mean what they say.

#![allow(clippy::match_bool, clippy::trivially_copy_pass_by_ref, clippy::unused_self)] // the attributes need them

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime};
use sitemap_core::{ChangeFreq, SitemapEntry, StaticPages};

use crate::support::{all, error, locs, one, summary};

fn noon() -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 1, 31).unwrap().and_hms_opt(12, 0, 0).unwrap()
}

#[test]
fn types_decide_whether_a_field_is_an_option() {
    type Maybe<T> = Option<T>;
    type When = Maybe<NaiveDateTime>;

    fn tenths(number: &u8) -> f64 {
        f64::from(*number) / 10.0
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}")]
    struct Post<'a> {
        id: u8,
        #[sitemap(lastmod, with = NaiveDateTime::and_utc)]
        changed: When,
        #[sitemap(priority, with = tenths)]
        weight: &'a Maybe<Box<u8>>,
        #[sitemap(changefreq, with = str::parse::<ChangeFreq>)]
        often: Box<Option<Cow<'a, str>>>,
    }

    let weight = Some(Box::new(5));
    let post = Post { id: 1, changed: Some(noon()), weight: &weight, often: Box::new(Some("daily".into())) };
    assert_eq!(summary(&post), "https://example.com/1 2026-01-31T12:00:00Z daily 0.5");
    let post = Post { id: 1, changed: None, weight: &None, often: Box::new(None) };
    assert_eq!(summary(&post), "https://example.com/1 - - -");
}

#[test]
fn a_type_named_option_may_be_another_one() {
    mod own {
        pub(super) struct Option<T>(pub(super) T);
    }

    fn weight(own::Option(number): &own::Option<u8>) -> f64 {
        f64::from(*number) / 10.0
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(priority, with = weight)]
        weight: own::Option<u8>,
    }

    assert_eq!(summary(&Home { weight: own::Option(3) }), "https://example.com/ - - 0.3");
}

#[test]
fn closures_take_a_field_or_the_record() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug}", skip_if = |post: &Post| post.slug == "draft", list_if = |post| post.weight > 0)]
    struct Post {
        #[sitemap(param, with = |slug| slug.to_lowercase())]
        slug: String,
        #[sitemap(priority, with = |weight| f64::from(*weight) / 10.0)]
        weight: u8,
    }

    let post = |slug: &str, weight| Post { slug: slug.to_owned(), weight };
    assert_eq!(summary(&post("Tea", 4)), "https://example.com/tea - - 0.4");
    assert!(all(&post("draft", 4)).is_empty());
    assert!(all(&post("Tea", 0)).is_empty());
}

#[test]
fn list_if_skips_what_is_false() {
    #[derive(SitemapEntry)]
    #[sitemap(list_if = Self::is_public)]
    enum Page {
        #[sitemap(loc = "/{0}")]
        Post(u8, #[sitemap(list_if)] bool),
        #[sitemap(loc = "/about", skip_if = Self::never)]
        About,
    }

    impl Page {
        fn is_public(&self) -> bool {
            !matches!(self, Self::Post(7, _))
        }

        fn never(&self) -> bool {
            false
        }
    }

    assert_eq!(locs(&Page::Post(1, true)), ["https://example.com/1"]);
    assert!(locs(&Page::Post(1, false)).is_empty());
    assert!(locs(&Page::Post(7, true)).is_empty());
    assert_eq!(locs(&Page::About), ["https://example.com/about"]);
}

#[test]
fn zones_apply_through_pointers() {
    macro_rules! changed {
        ($ty:ty, $value:expr) => {{
            #[derive(SitemapEntry)]
            #[sitemap(loc = "/")]
            struct Home<'a> {
                #[sitemap(lastmod, zone = "+02:00")]
                changed: $ty,
                #[sitemap(skip)]
                _rest: &'a (),
            }
            summary(&Home { changed: $value, _rest: &() })
        }};
    }
    let all = [
        changed!(&'a NaiveDateTime, &noon()),
        changed!(Box<NaiveDateTime>, Box::new(noon())),
        changed!(Option<Rc<NaiveDateTime>>, Some(Rc::new(noon()))),
        changed!(Arc<Option<NaiveDateTime>>, Arc::new(Some(noon()))),
        changed!(Cow<'a, NaiveDateTime>, Cow::Owned(noon())),
    ];
    for found in all {
        assert_eq!(found, "https://example.com/ 2026-01-31T12:00:00+02:00 - -");
    }
}

#[test]
fn integers_are_unix_times() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Seconds<T> {
        #[sitemap(lastmod, unix)]
        changed: T,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Milliseconds {
        #[sitemap(lastmod, unix = "ms")]
        changed: Option<i64>,
    }

    let new_year = "https://example.com/ 2025-01-01T00:00:00Z - -";
    assert_eq!(summary(&Seconds { changed: 1_735_689_600_u64 }), new_year);
    assert_eq!(summary(&Seconds { changed: Some(&1_735_689_600_i32) }), new_year);
    assert_eq!(summary(&Milliseconds { changed: Some(1_735_689_600_999) }), new_year);
    assert_eq!(summary(&Milliseconds { changed: Some(-1) }), "https://example.com/ 1969-12-31T23:59:59Z - -");
    assert_eq!(summary(&Milliseconds { changed: None }), "https://example.com/ - - -");
    assert!(error(&Seconds { changed: u64::MAX }).contains("`changed` of `Seconds`"));
}

#[test]
fn constants_may_be_any_expression() {
    const WEIGHTS: [f64; 2] = [0.1, 0.2];
    const IS_BUSY: bool = true;
    const EN: &str = "en";

    #[derive(SitemapEntry)]
    #[sitemap(
        loc = concat!("/{locale}/", "page-", 1),
        priority = [WEIGHTS[0], 0.3][1],
        changefreq = if IS_BUSY { ChangeFreq::Daily } else { ChangeFreq::Yearly },
        locales = [EN, "de"]
    )]
    struct One;

    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/2",
        priority = { let weight = WEIGHTS[1]; weight * 2.0 },
        changefreq = match IS_BUSY { true => ChangeFreq::Daily, false => ChangeFreq::Yearly }
    )]
    struct Two;

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/3", priority = [0.1, 0.2][N])]
    struct Three<const N: usize>;

    assert_eq!(locs(&One), ["https://example.com/en/page-1", "https://example.com/de/page-1"]);
    assert_eq!(all(&One)[0].priority().unwrap().to_string(), "0.3");
    assert_eq!(summary(&Two), "https://example.com/2 - daily 0.4");
    assert_eq!(summary(&Three::<1>), "https://example.com/3 - - 0.2");
}

#[test]
fn a_transparent_variant_may_hold_its_own_enum() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/", images = Self::images)]
        Home,
        #[sitemap(transparent)]
        Inner(Box<Page>),
    }

    impl Page {
        fn images(&self) -> impl Iterator<Item = &'static str> {
            ["/a.jpg", "/b.jpg"].into_iter()
        }
    }

    let entry = one(&Page::Inner(Box::new(Page::Home)));
    assert_eq!(entry.images()[1].loc().unwrap(), "https://example.com/b.jpg");
}

#[test]
fn static_pages_of_an_enum_with_lifetimes() {
    #[derive(SitemapEntry)]
    enum Page<'a> {
        #[sitemap(loc = "/about")]
        About,
        #[sitemap(loc = "/{0}")]
        Post(&'a str),
    }

    assert_eq!(locs(&Page::PAGES[0]), ["https://example.com/about"]);
    assert_eq!(locs(&Page::Post("a")), ["https://example.com/a"]);
}
