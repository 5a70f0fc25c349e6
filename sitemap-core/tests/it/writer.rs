//! Tests of single documents: their exact bytes and their limits.

use std::io;

use sitemap_core::{
    Alternate, ChangeFreq, Dialect, Entry, EntryWriter, Error, ErrorKind, Extensions, Format, IndexWriter,
    LastMod, Limits, Loc, Priority, Site, SitemapEntry, SitemapWriter, WriteOptions,
};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const TAIL: &str = "</urlset>\n";

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn entry(url: &str) -> Entry<'static> {
    Entry::new(url.parse().unwrap())
}

fn lastmod(text: &str) -> LastMod {
    text.parse().unwrap()
}

fn limits(urls: u64, bytes: u64) -> Limits {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = urls;
    limits.bytes = bytes;
    limits
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn written(options: WriteOptions, records: &[Entry<'_>]) -> String {
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add_all(records).unwrap();
    let (bytes, size) = sitemap.finish().unwrap();
    assert_eq!((size.entries, size.bytes), (records.len() as u64, bytes.len() as u64));
    text(bytes)
}

#[test]
fn only_set_values_are_written_in_schema_order() {
    let full = entry("https://example.com/a?x=1&y='2'")
        .with_priority(Priority::new(0.8).unwrap())
        .with_changefreq(ChangeFreq::Weekly)
        .with_lastmod(lastmod("2026-01-31T08:15:30Z"));
    let records = [
        full,
        entry("https://example.com/b").with_priority(Priority::MIN),
        entry("https://example.com/c").with_changefreq(ChangeFreq::Never),
        entry("https://example.com/d").with_lastmod(lastmod("2026-01")),
        entry("https://example.com/e"),
    ];
    assert_eq!(
        written(WriteOptions::new(), &records),
        format!(
            "{HEAD}\
             <url><loc>https://example.com/a?x=1&amp;y=&apos;2&apos;</loc><lastmod>2026-01-31T08:15:30Z</lastmod>\
             <changefreq>weekly</changefreq><priority>0.8</priority></url>\n\
             <url><loc>https://example.com/b</loc><priority>0.0</priority></url>\n\
             <url><loc>https://example.com/c</loc><changefreq>never</changefreq></url>\n\
             <url><loc>https://example.com/d</loc><lastmod>2026-01</lastmod></url>\n\
             <url><loc>https://example.com/e</loc></url>\n\
             {TAIL}"
        )
    );
}

#[test]
fn every_change_frequency_and_every_form_of_lastmod_is_written() {
    for freq in ChangeFreq::ALL {
        let xml = written(WriteOptions::new(), &[entry("https://example.com/").with_changefreq(freq)]);
        assert!(xml.contains(&format!("<changefreq>{freq}</changefreq></url>")), "{xml}");
    }
    for form in [
        "2005",
        "2005-06",
        "2005-06-04",
        "2005-06-03T04:20-08:00",
        "2005-06-03T04:20:36Z",
        "2005-06-03T04:20:36.50+01:00",
    ] {
        let xml = written(WriteOptions::new(), &[entry("https://example.com/").with_lastmod(lastmod(form))]);
        assert!(xml.contains(&format!("<lastmod>{form}</lastmod></url>")), "{xml}");
    }
}

#[test]
fn the_older_dialect_has_its_own_namespace_and_limits() {
    let xml = written(WriteOptions::new().dialect(Dialect::V0_84), &[entry("https://example.com/")]);
    assert!(xml.contains("<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\">"), "{xml}");
    let limits = Dialect::V0_84.limits();
    assert_eq!((limits.urls, limits.bytes, limits.sitemaps), (50_000, 10_485_760, 1_000));
    let limits = Dialect::V0_9.limits();
    assert_eq!((limits.urls, limits.bytes, limits.sitemaps), (50_000, 52_428_800, 50_000));
}

#[test]
fn limits_can_be_lowered_but_not_raised() {
    let options = WriteOptions::new().dialect(Dialect::V0_84).lower_limits(Dialect::V0_9.limits());
    assert_eq!(options.limits(), Dialect::V0_84.limits());
    assert_eq!(WriteOptions::new().lower_limits(limits(10, 1_000)).limits(), limits(10, 1_000));
}

#[test]
fn full_before_the_50_001st_url() {
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    for n in 0..50_000 {
        sitemap.add(&format!("/{n}")).unwrap();
    }
    assert!(crate::is_full(sitemap.add("/one-too-many")));
    assert!(crate::is_full(sitemap.add("/still")));
    let (bytes, size) = sitemap.finish().unwrap();
    let xml = text(bytes);
    assert_eq!(size.entries, 50_000);
    assert_eq!(xml.matches("<url>").count(), 50_000);
    assert!(xml.ends_with("<url><loc>https://example.com/49999</loc></url>\n</urlset>\n"));
}

/// Fills a file to the last byte and checks that one more byte is too much.
fn fill_by_bytes(dialect: Dialect) {
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), WriteOptions::new().dialect(dialect));
    let path = |len: usize| format!("/{}", "x".repeat(len));
    let longest = path(Loc::MAX_LEN - 20);
    while sitemap.add(&longest).is_ok() {}
    // Fill the remaining bytes exactly, with an entry whose path has the right length.
    let gap = dialect.limits().bytes - sitemap.size().bytes;
    let fixed = "<url><loc>https://example.com/</loc></url>\n".len() as u64;
    let fits = usize::try_from(gap - fixed).unwrap();
    assert!(crate::is_full(sitemap.add(&path(fits + 1))));
    sitemap.add(&path(fits)).unwrap();
    let (bytes, size) = sitemap.finish().unwrap();
    assert_eq!(bytes.len() as u64, dialect.limits().bytes);
    assert_eq!(size.bytes, dialect.limits().bytes);
    assert!(size.entries < 50_000);
    assert!(bytes.ends_with(b"</loc></url>\n</urlset>\n"));
}

#[test]
fn full_to_the_byte_at_52_428_800_with_the_closing_tag() {
    fill_by_bytes(Dialect::V0_9);
}

#[test]
fn full_to_the_byte_at_10_485_760_in_the_older_dialect() {
    fill_by_bytes(Dialect::V0_84);
}

/// A record with two pages.
struct Pair(&'static str, &'static str);

impl SitemapEntry for Pair {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.0.write_entries(out)?;
        self.1.write_entries(out)
    }
}

#[test]
fn a_record_is_written_whole_or_not_at_all() {
    let options = WriteOptions::new().lower_limits(limits(3, 10_000));
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add(&Pair("/a", "/b")).unwrap();
    assert!(crate::is_full(sitemap.add(&Pair("/c", "/d"))));
    sitemap.add(&Pair("/e", "https://elsewhere.example/")).unwrap_err();
    sitemap.add("/f").unwrap();
    let (bytes, _) = sitemap.finish().unwrap();
    assert_eq!(
        text(bytes),
        format!(
            "{HEAD}<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>\n\
             <url><loc>https://example.com/f</loc></url>\n{TAIL}"
        )
    );
}

#[test]
fn a_record_larger_than_a_file_is_an_error_and_the_file_goes_on() {
    let options = WriteOptions::new().lower_limits(limits(1, 200));
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    let error = sitemap.add(&Pair("/a", "/b")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLarge { urls: 2, max_urls: 1, .. }), "{error}");
    let error = sitemap.add(&format!("/{}", "x".repeat(100))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the record is larger than a sitemap file, found 1 URL in 253 bytes; a file holds at \
         most 1 URLs and 200 bytes"
    );
    assert!(error.is_invalid_record());
    sitemap.add("/ok").unwrap();
    let (bytes, _) = sitemap.finish().unwrap();
    assert_eq!(text(bytes), format!("{HEAD}<url><loc>https://example.com/ok</loc></url>\n{TAIL}"));
}

#[test]
fn pages_outside_the_site_are_refused() {
    let site = Site::new("https://example.com/shop").unwrap();
    let mut sitemap = SitemapWriter::new(site, Vec::new());
    for url in ["https://www.example.com/shop/", "http://example.com/shop/", "https://example.com/blog/"] {
        let error = sitemap.add(url).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::OutOfScope { .. }));
        assert_eq!(
            error.to_string(),
            format!(
                "`loc` is not under `https://example.com/shop/`, the base URL of the sitemap's site, found {url:?}; \
                 publish the page with a site of its own, or allow its base URL with `Site::also_list`"
            )
        );
    }
    assert_eq!(sitemap.size().entries, 0);
}

#[test]
fn an_empty_file_is_a_whole_document() {
    assert_eq!(written(WriteOptions::new(), &[]), format!("{HEAD}{TAIL}"));
}

#[test]
fn add_all_returns_an_error_if_the_file_is_full() {
    let options = WriteOptions::new().lower_limits(limits(2, 1_000));
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    let error = sitemap.add_all(["/a", "/b", "/c"]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Full { entries: 2 }), "{error}");
    assert_eq!(sitemap.finish().unwrap().1.entries, 2);
}

#[test]
fn a_text_sitemap_is_one_url_a_line_and_nothing_else() {
    let records = [
        entry("https://example.com/a?x=1&y=2").with_priority(Priority::MAX),
        entry("https://example.com/ü b").with_lastmod(lastmod("2026")),
    ];
    assert_eq!(
        written(WriteOptions::new().format(Format::Text), &records),
        "https://example.com/a?x=1&y=2\nhttps://example.com/%C3%BC%20b\n"
    );
    assert_eq!(written(WriteOptions::new().format(Format::Text), &[]), "");
}

#[test]
fn a_text_sitemap_keeps_the_same_limits() {
    let options = WriteOptions::new().format(Format::Text).lower_limits(limits(9, 50));
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add("/1234").unwrap();
    assert!(crate::is_full(sitemap.add("/12345")));
    sitemap.add("/1234").unwrap();
    assert_eq!(sitemap.finish().unwrap().0.len(), 50);
}

#[test]
fn an_index_lists_files_of_its_own_site() {
    let options = WriteOptions::new().dialect(Dialect::V0_84);
    let mut index = IndexWriter::with_options(site(), Vec::new(), options);
    index.add("/a.xml?x=1&y=2", None).unwrap();
    index.add("https://example.com/b.xml", lastmod("2026-01-31")).unwrap();
    assert!(matches!(
        index.add("https://other.example/c.xml", None).unwrap_err().kind(),
        ErrorKind::OutOfScope { .. }
    ));
    let (bytes, size) = index.finish().unwrap();
    assert_eq!(size.entries, 2);
    assert_eq!(
        text(bytes),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.google.com/schemas/sitemap/0.84\">\n\
         <sitemap><loc>https://example.com/a.xml?x=1&amp;y=2</loc></sitemap>\n\
         <sitemap><loc>https://example.com/b.xml</loc><lastmod>2026-01-31</lastmod></sitemap>\n\
         </sitemapindex>\n"
    );
}

#[test]
fn an_index_is_full_before_the_50_001st_sitemap_or_the_1_001st_in_the_older_dialect() {
    for (dialect, most) in [(Dialect::V0_9, 50_000), (Dialect::V0_84, 1_000)] {
        let mut index = IndexWriter::with_options(site(), Vec::new(), WriteOptions::new().dialect(dialect));
        for n in 0..most {
            index.add(&format!("/{n}.xml"), None).unwrap();
        }
        assert!(crate::is_full(index.add("/more.xml", None)));
        assert_eq!(index.finish().unwrap().1.entries, most);
    }
}

/// A writer that accepts a fixed number of bytes and then fails like a full disk.
struct FullDisk(usize);

impl io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn after_a_failed_write_nothing_more_is_written() {
    let mut sitemap = SitemapWriter::new(site(), FullDisk(100_000));
    let error = loop {
        if let Err(error) = sitemap.add("/page") {
            break error;
        }
    };
    assert!(matches!(error.kind(), ErrorKind::Io(_)));
    assert!(error.to_string().starts_with("cannot write the sitemap: "), "{error}");
    assert!(!error.is_invalid_record());
    for _ in 0..3 {
        assert!(matches!(sitemap.add("/page").unwrap_err().kind(), ErrorKind::Aborted));
        assert!(matches!(sitemap.add("").unwrap_err().kind(), ErrorKind::Loc(_)));
    }
    let error = sitemap.finish().map(|_| ()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Aborted), "{error}");

    let mut index = IndexWriter::new(site(), FullDisk(100_000));
    let error = loop {
        if let Err(error) = index.add("/sitemap-1.xml", None) {
            break error;
        }
    };
    assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
    assert!(matches!(index.add("/sitemap-1.xml", None).unwrap_err().kind(), ErrorKind::Aborted));
    assert!(matches!(index.finish().map(|_| ()).unwrap_err().kind(), ErrorKind::Aborted));
}

const XHTML: &str = " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";

fn alternate(hreflang: &str, href: &str) -> Alternate<'static> {
    Alternate::new(hreflang.parse().unwrap(), href.parse().unwrap())
}

#[test]
fn alternates_come_last_under_their_own_namespace() {
    let record = entry("https://example.com/en/").with_priority(Priority::MAX).with_alternates(vec![
        alternate("en", "https://example.com/en/?a&b"),
        alternate("x-default", "https://example.org/it's"),
    ]);
    let declared = WriteOptions::new().extensions(Extensions::ALTERNATES);
    assert_eq!(
        written(declared, &[record, entry("https://example.com/plain")]),
        format!(
            "{}<url><loc>https://example.com/en/</loc><priority>1.0</priority>\
             <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en/?a&amp;b\"/>\
             <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.org/it&apos;s\"/></url>\n\
             <url><loc>https://example.com/plain</loc></url>\n{TAIL}",
            HEAD.replace("0.9\">", &format!("0.9\"{XHTML}>"))
        )
    );
}

/// A record type that declares the extension that its entries use.
struct Translated(Entry<'static>);

impl SitemapEntry for Translated {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        out.add(self.0.clone())
    }

    const EXTENSIONS: Extensions = Extensions::ALTERNATES;
}

#[test]
fn the_type_of_the_first_record_decides_what_is_declared() {
    let declares = |sitemap: SitemapWriter<Vec<u8>>| text(sitemap.finish().unwrap().0).contains(XHTML);
    let plain = || entry("https://example.com/");
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    sitemap.add(&plain()).unwrap();
    assert!(!declares(sitemap));
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    sitemap.add(&Box::new(&Translated(plain()))).unwrap();
    assert!(declares(sitemap));
}

#[test]
fn an_extension_that_is_not_declared_is_an_error_that_names_the_remedy() {
    let mut sitemap = SitemapWriter::new(site(), Vec::new());
    sitemap.add("/first").unwrap();
    let late = entry("https://example.com/b").with_alternates(vec![alternate("en", "https://example.com/b")]);
    let error = sitemap.add(&late).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the entry uses an extension that its sitemap does not declare, found {\"xhtml\"} in \
         \"https://example.com/b\"; declare it with `SetOptions::extensions`, or give such records a section of \
         their own"
    );
    assert_eq!(sitemap.finish().unwrap().1.entries, 1);
}

#[test]
fn the_older_dialect_has_no_extensions() {
    let options = WriteOptions::new().dialect(Dialect::V0_84);
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    let error = sitemap.add(&Translated(entry("https://example.com/"))).unwrap_err();
    assert_eq!(error.to_string(), "dialect 0.84 has no extensions, found {\"xhtml\"}; use dialect 0.9");
}
