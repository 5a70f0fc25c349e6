//! Tests of placeholders that are more than a field name: paths, methods, dates and optional query pairs.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, FixedOffset, NaiveDate};
use sitemap_core::record::UrlDate;
use sitemap_core::value::{LastModError, LocErrorKind, ToLastMod};
use sitemap_core::{ErrorKind, LastMod, SitemapEntry, SitemapWriter, StaticPages as _, entries_of};

use crate::support::{error, locs, site};

struct Author {
    slug: String,
    names: (&'static str, u8),
    r#type: char,
}

impl Author {
    fn initial(&self) -> Option<char> {
        self.slug.chars().next()
    }

    fn path(&self) -> String {
        format!("{}/{}", self.slug, self.names.1)
    }
}

fn author() -> Author {
    Author { slug: "ann b".to_owned(), names: ("x/y", 7), r#type: 't' }
}

#[test]
fn a_path_leads_to_a_field_of_a_field() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{author.slug}/{author.names.0}-{author.names.1}/{author.type}/{*author.path()}")]
    struct Post {
        author: Author,
    }
    assert_eq!(locs(&Post { author: author() }), ["https://example.com/ann%20b/x%2Fy-7/t/ann%20b/7"]);

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0.slug}/{1}?a={0.names.1}")]
    struct Tuple<'a>(&'a Author, u8);
    assert_eq!(locs(&Tuple(&author(), 1)), ["https://example.com/ann%20b/1?a=7"]);
}

#[test]
fn a_method_returns_an_owned_or_a_borrowed_value() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug()}/{number()}/{title.trim()}/{author().slug}/{title()}")]
    struct Post {
        title: &'static str,
        author: Author,
    }
    impl Post {
        fn slug(&self) -> String {
            self.title.trim().to_lowercase()
        }
        fn number(&self) -> usize {
            self.title.len()
        }
        fn author(&self) -> &Author {
            &self.author
        }
        fn title(&self) -> Cow<'_, str> {
            self.title.into()
        }
    }
    assert_eq!(locs(&Post { title: " Hi", author: author() }), ["https://example.com/hi/3/Hi/ann%20b/%20Hi"]);
}

#[test]
fn variants_have_paths_and_methods_of_the_enum() {
    #[derive(SitemapEntry)]
    enum Route {
        #[sitemap(loc = "/a/{author.slug}/{kind()}")]
        Post { author: Author },
        #[sitemap(loc = "/b/{0.path()}?c={0.initial()?}&d={0.names.1}")]
        Author(Author),
        #[sitemap(loc = "/{kind()}")]
        Unit,
    }
    impl Route {
        const fn kind(&self) -> &'static str {
            match self {
                Self::Post { .. } => "post",
                Self::Author(_) => "author",
                Self::Unit => "unit",
            }
        }
    }
    assert_eq!(locs(&Route::Post { author: author() }), ["https://example.com/a/ann%20b/post"]);
    assert_eq!(locs(&Route::Author(author())), ["https://example.com/b/ann%20b%2F7?c=a&d=7"]);
    assert_eq!(locs(&Route::PAGES[0]), ["https://example.com/unit"]);
}

#[test]
fn generic_fields_need_only_the_users_own_bounds() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{pair.0}/{id.as_ref()}/{since:%Y}?a={a?}&b={b:%m?}")]
    struct Post<'a, T: AsRef<str>, D, A, B> {
        pair: (&'a str, T),
        id: T,
        since: D,
        a: Option<A>,
        b: Option<B>,
    }
    let date = LastMod::date(2026, 2, 3).unwrap();
    let post = Post { pair: ("a", "b"), id: "c", since: date, a: Some(1), b: Some(date) };
    assert_eq!(locs(&post), ["https://example.com/a/c/2026?a=1&b=02"]);
    assert_eq!(post.pair.1, "b");
}

/// Writes a value's year, month and day as the path of a URL.
fn dated<T: UrlDate>(date: T) -> String {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0:%Y/%m/%d}")]
    struct Post<T>(T);
    locs(&Post(date)).remove(0)
}

#[test]
fn dates_of_every_library_fill_a_path() {
    let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(1_770_076_799);
    assert_eq!(dated(moment), "https://example.com/2026/02/02");
    let reference = &moment;
    assert_eq!(dated(reference), "https://example.com/2026/02/02");
    assert_eq!(dated(LastMod::date(987, 1, 31).unwrap()), "https://example.com/0987/01/31");
    assert_eq!(dated(NaiveDate::from_ymd_opt(2026, 12, 1).unwrap()), "https://example.com/2026/12/01");
    // The date is the one in the value's own time zone, as in `lastmod`.
    let late = "2026-01-31T23:30:00-05:00";
    assert_eq!(dated(DateTime::parse_from_rfc3339(late).unwrap()), "https://example.com/2026/01/31");
    assert_eq!(dated(LastMod::parse(late).unwrap()), "https://example.com/2026/01/31");
    assert_eq!(dated(late.parse::<jiff::Timestamp>().unwrap()), "https://example.com/2026/02/01");
    let zoned: jiff::Zoned = "2026-01-31T23:30:00-05:00[-05:00]".parse().unwrap();
    assert_eq!(dated(zoned), "https://example.com/2026/01/31");
    assert_eq!(dated(jiff::civil::date(2026, 3, 4)), "https://example.com/2026/03/04");
    let time = time::Date::from_calendar_date(2026, time::Month::May, 6).unwrap();
    assert_eq!(dated(time), "https://example.com/2026/05/06");
    let offset = time::UtcOffset::from_hms(-5, 0, 0).unwrap();
    assert_eq!(
        dated(time.with_hms(23, 0, 0).unwrap().assume_offset(offset)),
        "https://example.com/2026/05/06"
    );
    assert_eq!(dated(time.with_hms(23, 0, 0).unwrap().as_utc()), "https://example.com/2026/05/06");
}

#[test]
fn date_formats_in_segments_and_in_the_query() {
    struct Meta {
        published: DateTime<FixedOffset>,
    }
    impl Meta {
        fn day(&self) -> NaiveDate {
            self.published.date_naive()
        }
    }
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{meta.published:%Y}/{meta.day():%-m-%-d}/{first():tag~%d.html}?m={meta.published:%Y-%m}"
    )]
    struct Post {
        meta: Meta,
    }
    impl Post {
        fn first(&self) -> LastMod {
            LastMod::date(2026, 1, u8::from(self.meta.published.timestamp() > 0)).unwrap()
        }
    }
    let published = DateTime::parse_from_rfc3339("2026-03-09T16:05:30+01:00").unwrap();
    assert_eq!(
        locs(&Post { meta: Meta { published } }),
        ["https://example.com/2026/3-9/tag~01.html?m=2026-03"]
    );

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{day:%Y/%-m}")]
    struct Converted {
        #[sitemap(param, with = parse)]
        day: &'static str,
    }
    fn parse(text: &str) -> LastMod {
        text.parse().unwrap()
    }
    assert_eq!(locs(&Converted { day: "2026-10" }), ["https://example.com/2026/10"]);
}

#[test]
fn a_date_may_be_both_the_path_and_the_lastmod() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{updated:%Y/%m/%d}/{slug}")]
    struct Post {
        slug: &'static str,
        #[sitemap(lastmod)]
        updated: LastMod,
    }
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    sitemap.add(&Post { slug: "a", updated: "2026-01-31T10:00:00+01:00".parse().unwrap() }).unwrap();
    let written = String::from_utf8(sitemap.finish().unwrap().0).unwrap();
    assert!(written.contains(
        "<url><loc>https://example.com/2026/01/31/a</loc><lastmod>2026-01-31T10:00:00+01:00</lastmod></url>"
    ));
}

#[test]
fn a_date_without_a_needed_part_is_an_error_that_names_it() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{published:%Y/%m/%d}/a")]
    struct Post {
        published: LastMod,
    }
    let post = |date: &str| Post { published: date.parse().unwrap() };
    assert_eq!(
        error(&post("2026-03")),
        "the date for `{published:%Y/%m/%d}` in the URL template has no day, found \"2026-03\"; use a full date, or \
         leave the record out with `skip_if`"
    );
    assert!(error(&post("2026")).contains("has no month, found \"2026\""));
    match entries_of(&post("2026-03"), &site()).unwrap_err().into_kind() {
        ErrorKind::Loc(error) => {
            assert_eq!(error.kind(), &LocErrorKind::DateWithout { param: "published:%Y/%m/%d", part: "day" });
        }
        other => panic!("{other:?}"),
    }

    /// A type that breaks the promise its `UrlDate` implementation makes.
    struct Never;
    impl ToLastMod for Never {
        fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
            Ok(None)
        }
    }
    impl UrlDate for Never {}
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0:%Y}")]
    struct Dated(Never);
    assert!(error(&Dated(Never)).starts_with("the date for `{0:%Y}` in the URL template has no year"));
    // If a year does not fit into a `lastmod`, the error is about the date.
    let date = NaiveDate::from_ymd_opt(-1, 1, 1).unwrap();
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0:%Y}")]
    struct Old(NaiveDate);
    assert_eq!(error(&Old(date)), "`lastmod` must have a year from 0001 to 9999, found -001-01-01");
}

#[test]
fn optional_pairs_vanish_with_their_separator() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/search?q={q?}&page={page?}")]
    struct Search {
        q: Option<&'static str>,
        page: Option<u32>,
    }
    let url = |q, page| locs(&Search { q, page }).remove(0);
    assert_eq!(url(None, None), "https://example.com/search");
    assert_eq!(url(Some("a"), None), "https://example.com/search?q=a");
    assert_eq!(url(None, Some(2)), "https://example.com/search?page=2");
    assert_eq!(url(Some("a&b"), Some(2)), "https://example.com/search?q=a%26b&page=2");
    assert_eq!(url(Some(""), None), "https://example.com/search?q=");

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/s?a={a?}&sort=new&b={b}&c={c?}&x=it's&d={day():%Y-%m?}")]
    struct Mixed {
        a: Option<String>,
        b: u8,
        c: Option<char>,
        d: Option<LastMod>,
    }
    impl Mixed {
        const fn day(&self) -> Option<LastMod> {
            self.d
        }
    }
    let mixed = |a: Option<&str>, c, d: Option<&str>| {
        locs(&Mixed { a: a.map(str::to_owned), b: 1, c, d: d.map(|date| date.parse().unwrap()) }).remove(0)
    };
    assert_eq!(mixed(None, None, None), "https://example.com/s?sort=new&b=1&x=it's");
    assert_eq!(mixed(Some("?"), None, None), "https://example.com/s?a=%3F&sort=new&b=1&x=it's");
    assert_eq!(
        mixed(None, Some('c'), Some("2026-05-01")),
        "https://example.com/s?sort=new&b=1&c=c&x=it's&d=2026-05"
    );
}

#[test]
fn separators_of_optional_pairs_are_escaped_in_xml() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com?a={a?}&b={b?}&c'=1")]
    struct Page {
        a: Option<u8>,
        b: Option<u8>,
    }
    let written = |a, b| {
        let mut sitemap = SitemapWriter::new(site(), Vec::new());
        sitemap.add(&Page { a, b }).unwrap();
        let text = String::from_utf8(sitemap.finish().unwrap().0).unwrap();
        let (_, loc) = text.split_once("<loc>").unwrap();
        loc.split_once("</loc>").unwrap().0.to_owned()
    };
    assert_eq!(written(None, None), "https://example.com?c&apos;=1");
    assert_eq!(written(Some(1), None), "https://example.com?a=1&amp;c&apos;=1");
    assert_eq!(written(Some(1), Some(2)), "https://example.com?a=1&amp;b=2&amp;c&apos;=1");
}

#[test]
fn locales_and_paths_share_a_template() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/{author.slug}/{day:%Y}?p={p?}", locales = ["en", "de"])]
    struct Post {
        author: Author,
        day: LastMod,
        p: Option<u8>,
    }
    let post = Post { author: author(), day: LastMod::date(2026, 1, 1).unwrap(), p: Some(1) };
    assert_eq!(
        locs(&post),
        ["https://example.com/en/ann%20b/2026?p=1", "https://example.com/de/ann%20b/2026?p=1"]
    );
}
