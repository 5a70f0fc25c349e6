//! Dates without an offset, and conversions of `Option`s.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use sitemap_core::{LastMod, SitemapEntry, entries_of};

use crate::support::site;

fn dates<T: SitemapEntry>(record: &T) -> Vec<String> {
    let entries = entries_of(record, &site()).unwrap();
    entries
        .iter()
        .map(|entry| entry.lastmod().map_or_else(|| "none".into(), |date| date.to_string()))
        .collect()
}

fn noon() -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 1, 31).unwrap().and_hms_milli_opt(12, 5, 30, 900).unwrap()
}

#[test]
fn a_zone_makes_a_time_without_an_offset_a_lastmod() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/utc")]
        Utc {
            #[sitemap(lastmod, zone = "UTC")]
            time: NaiveDateTime,
        },
        #[sitemap(loc = "/east")]
        East {
            #[sitemap(zone = "+02:00")]
            lastmod: Option<NaiveDateTime>,
        },
        #[sitemap(loc = "/jiff")]
        Jiff(#[sitemap(lastmod, zone = "-09:30")] jiff::civil::DateTime),
        #[sitemap(loc = "/time")]
        Time(#[sitemap(lastmod, zone = "+00:00")] Option<time::PrimitiveDateTime>),
    }

    assert_eq!(dates(&Page::Utc { time: noon() }), ["2026-01-31T12:05:30Z"]);
    assert_eq!(dates(&Page::East { lastmod: Some(noon()) }), ["2026-01-31T12:05:30+02:00"]);
    assert_eq!(dates(&Page::East { lastmod: None }), ["none"]);
    assert_eq!(
        dates(&Page::Jiff(jiff::civil::date(2026, 1, 31).at(23, 59, 59, 0))),
        ["2026-01-31T23:59:59-09:30"]
    );
    let date = time::Date::from_calendar_date(2026, time::Month::January, 31).unwrap();
    assert_eq!(dates(&Page::Time(Some(date.with_hms(1, 2, 3).unwrap()))), ["2026-01-31T01:02:03Z"]);
    assert_eq!(dates(&Page::Time(None)), ["none"]);
}

#[test]
fn the_zone_of_a_part() {
    #[derive(sitemap_core::SitemapPart)]
    struct Timestamps {
        #[sitemap(lastmod, zone = "UTC")]
        updated_at: NaiveDateTime,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(flatten)]
        timestamps: Timestamps,
    }

    let home = Home { timestamps: Timestamps { updated_at: noon() } };
    assert_eq!(dates(&home), ["2026-01-31T12:05:30Z"]);
}

#[test]
fn a_zone_of_a_generic_field() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home<T> {
        #[sitemap(lastmod, zone = "UTC")]
        updated_at: T,
    }

    assert_eq!(dates(&Home { updated_at: Some(noon()) }), ["2026-01-31T12:05:30Z"]);
}

#[test]
fn a_year_that_a_sitemap_cannot_hold_is_an_error() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(lastmod, zone = "UTC")]
        updated_at: NaiveDateTime,
    }

    let error = entries_of(&Home { updated_at: NaiveDateTime::MAX }, &site()).unwrap_err();
    assert!(error.to_string().contains("year"), "{error}");
}

#[test]
fn a_function_of_the_value_applies_to_an_option() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(lastmod, with = NaiveDateTime::and_utc)]
        updated_at: Option<NaiveDateTime>,
        #[sitemap(priority, with = percent)]
        weight: Option<u8>,
    }

    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn percent(weight: &u8) -> f64 {
        f64::from(*weight) / 100.0
    }

    let home = Home { updated_at: Some(noon()), weight: Some(30) };
    assert_eq!(dates(&home), ["2026-01-31T12:05:30Z"]);
    assert_eq!(entries_of(&home, &site()).unwrap()[0].priority().unwrap().to_string(), "0.3");
    let home = Home { updated_at: None, weight: None };
    assert_eq!(dates(&home), ["none"]);
    assert!(entries_of(&home, &site()).unwrap()[0].priority().is_none());
}

#[test]
fn a_function_of_a_text_applies_to_an_optional_string_and_can_fail() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(lastmod, with = str::parse::<LastMod>)]
        updated: Option<String>,
    }

    assert_eq!(dates(&Home { updated: Some("2026-01".into()) }), ["2026-01"]);
    assert_eq!(dates(&Home { updated: None }), ["none"]);
    let error = entries_of(&Home { updated: Some("January".into()) }, &site()).unwrap_err();
    assert!(error.to_string().contains("January"), "{error}");
}

#[test]
fn a_function_of_the_option_still_gets_the_option() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Home {
        #[sitemap(lastmod, with = or_beginning)]
        updated_at: Option<NaiveDateTime>,
        #[sitemap(priority, with = Option::is_some_and_half)]
        weight: Option<u8>,
    }

    trait Half {
        fn is_some_and_half(&self) -> Option<f64>;
    }

    impl Half for Option<u8> {
        fn is_some_and_half(&self) -> Option<f64> {
            self.is_some().then_some(0.5)
        }
    }

    #[allow(clippy::ref_option)]
    fn or_beginning(time: &Option<NaiveDateTime>) -> DateTime<Utc> {
        time.map_or(DateTime::UNIX_EPOCH, |time| time.and_utc())
    }

    let home = Home { updated_at: None, weight: Some(1) };
    assert_eq!(dates(&home), ["1970-01-01T00:00:00Z"]);
    assert_eq!(entries_of(&home, &site()).unwrap()[0].priority().unwrap().to_string(), "0.5");
}
