//! Tests of news.

use super::*;

#[test]
fn news_are_written_in_the_order_of_the_schema() {
    assert_eq!(
        written(&entry().with_news(news())),
        "<news:news><news:publication><news:name>The Example Times</news:name>\
         <news:language>en</news:language></news:publication>\
         <news:publication_date>2026-01-31</news:publication_date><news:title>Title</news:title></news:news>"
    );
    let full = news()
        .with_stock_tickers(["NASDAQ:A", "TYO:7203"])
        .unwrap()
        .with_keywords("a, b & c")
        .unwrap()
        .with_genres([Genre::PressRelease, Genre::Blog])
        .with_access(Access::Registration);
    assert_eq!(
        written(&entry().with_news(full)),
        "<news:news><news:publication><news:name>The Example Times</news:name>\
         <news:language>en</news:language></news:publication>\
         <news:access>Registration</news:access><news:genres>PressRelease, Blog</news:genres>\
         <news:publication_date>2026-01-31</news:publication_date><news:title>Title</news:title>\
         <news:keywords>a, b &amp; c</news:keywords>\
         <news:stock_tickers>NASDAQ:A, TYO:7203</news:stock_tickers></news:news>"
    );
}

#[test]
fn a_news_language_is_lower_case_iso_639_or_one_of_two_for_chinese() {
    for language in ["en", "de", "fil", "zh-cn", "zh-tw"] {
        assert_eq!(Publication::new("N", language).unwrap().language(), language);
    }
    for language in ["EN", "zh-CN", "pt-br", "e", "engl", "", "e1", "日本"] {
        assert!(Publication::new("N", language).is_err(), "{language:?}");
    }
    assert_eq!(
        refused(Publication::new("N", "zh-CN")),
        "`news:language` is \"zh-CN\"; write two or three lower-case letters, `zh-cn` or `zh-tw`"
    );
}

#[test]
fn a_news_name_has_no_parentheses() {
    assert_eq!(
        refused(Publication::new("The Times (subscription)", "en")),
        "`news:name` is \"The Times (subscription)\"; write the name as on Google News, without anything in \
         parentheses"
    );
}

#[test]
fn a_news_date_is_a_day_or_a_time_with_an_offset() {
    let paper = || Publication::new("N", "en").unwrap();
    for form in ["2026-01-31", "2026-01-31T08:15Z", "2026-01-31T08:15:30+01:00", "2026-01-31T08:15:30.25Z"] {
        let news = News::new(paper(), date(form), "T").unwrap();
        assert_eq!(news.publication_date().unwrap().to_string(), form);
    }
    for form in ["2026", "2026-01"] {
        assert!(News::new(paper(), date(form), "T").is_err(), "{form}");
    }
    assert_eq!(
        refused(News::new(paper(), date("2026-01"), "T")),
        "`news:publication_date` is \"2026-01\"; write a day like `2026-01-31`, or a day and time like `2026-01-31T16:05Z`"
    );
}

#[test]
fn news_have_at_most_five_stock_tickers_of_an_exchange_and_a_symbol() {
    let five = ["A:1", "A:2", "A:3", "A:4", "A:5"];
    assert_eq!(news().with_stock_tickers(five).unwrap().stock_tickers().collect::<Vec<_>>(), five);
    assert_eq!(
        refused(news().with_stock_tickers(["A:1", "A:2", "A:3", "A:4", "A:5", "A:6"])),
        "`news:stock_tickers` has 6 items; use at most 5"
    );
    for ticker in ["GOOG", "A:", ":A", "A:B:C", "A B:C", ""] {
        assert!(news().with_stock_tickers([ticker]).is_err(), "{ticker:?}");
    }
    assert_eq!(
        refused(news().with_stock_tickers(["GOOG"])),
        "`news:stock_tickers` has the item \"GOOG\"; write the exchange and the symbol, like `NASDAQ:GOOG`"
    );
}

#[test]
fn a_file_is_full_after_1000_news() {
    let options = WriteOptions::new().extensions(Extensions::NEWS);
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    let article = entry().with_news(news());
    for _ in 0..1_000 {
        sitemap.add(&article).unwrap();
    }
    assert!(crate::is_full(sitemap.add(&article)));
    sitemap.add("/about").unwrap();
    assert!(crate::is_full(sitemap.add(&article)));
    let (xml, written) = sitemap.finish().unwrap();
    assert_eq!(written.entries, 1_001);
    assert_eq!(String::from_utf8(xml).unwrap().matches("<news:news>").count(), 1_000);
}

#[test]
fn one_record_with_more_news_than_a_file_holds_is_an_error() {
    struct Archive;

    impl sitemap_core::SitemapEntry for Archive {
        fn write_entries(&self, out: &mut sitemap_core::EntryWriter<'_>) -> Result<(), Error> {
            (0..1_001).try_for_each(|_| out.add(entry().with_news(news())))
        }

        const EXTENSIONS: Extensions = Extensions::NEWS;
    }

    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    let error = sitemap.add(&Archive).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`news:news` occurs 1001 times in one record; use at most 1000, the limit of a file"
    );
    assert_eq!(sitemap.size().entries, 0);
}

#[test]
fn news_older_than_the_callers_two_days_lose_their_metadata() {
    let options = || WriteOptions::new().news_since(date("2026-01-30T12:00:00Z"));
    let at = |form: &str| News::new(Publication::new("N", "en").unwrap(), date(form), "T").unwrap();
    for form in ["2026-01-30T12:00:00Z", "2026-01-30", "2026-01-31", "2026-01-30T13:00:00+01:00"] {
        assert!(written_with(options(), &entry().with_news(at(form))).contains("<news:news>"), "{form}");
    }
    for form in ["2026-01-30T11:59:59Z", "2026-01-29", "2026-01-30T12:59:00+01:00"] {
        assert_eq!(written_with(options(), &entry().with_news(at(form))), "", "{form}");
    }
}
