//! Passes arbitrary bytes to the checker, both as a document and as a set. The checker must not panic, and its report
//! must be the same with the reader's fast path and with its general parser.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_core::{LastMod, Loc};
use sitemap_read::{
    CheckOptions, Checker, Engine, OpenError, OpenedSitemap, ReadLimits, ReadOptions, SitemapSource,
};

/// A source of documents for the checker. A URL's last byte decides whether it has a document, and which one.
struct Documents<'a>(Vec<&'a [u8]>);

impl<'a> SitemapSource for Documents<'a> {
    type Content = &'a [u8];

    fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<&'a [u8]>, OpenError> {
        let last = loc.as_str().bytes().next_back().unwrap_or_default();
        match usize::from(last) % (self.0.len() + 2) {
            at if at < self.0.len() => Ok(OpenedSitemap::new(loc.as_str(), self.0[at])),
            at if at == self.0.len() => Err(OpenError::unavailable("no such file")),
            _ => Err(OpenError::Skip),
        }
    }

    fn robots_lists(&mut self, _: &Loc<'_>, origin: &str) -> Option<bool> {
        (!origin.ends_with('m')).then_some(origin.ends_with('t'))
    }
}

fn report(documents: &[&[u8]], read: ReadOptions) -> String {
    let mut limits = ReadLimits::default();
    (limits.bytes, limits.findings) = (1 << 20, 200);
    let options = CheckOptions::new()
        .served_at(Loc::parse("https://example.com/shop/sitemap.xml").expect("a valid URL"))
        .now(LastMod::date(2026, 1, 31).expect("a valid date"))
        .engine(Engine::Google)
        .engine(Engine::Bing)
        .engine(Engine::Yandex)
        .max_findings_per_rule(20)
        .max_children(20)
        .max_hreflang_pairs(50)
        .read(read.limits(limits));
    let mut checker = Checker::new(options);
    let first = OpenedSitemap::new("sitemap.xml", documents[0]);
    checker.check_set(first, &mut Documents(documents.to_vec())).expect("reading from memory does not fail");
    checker.check_slice("again.xml", documents[0]).expect("reading from memory does not fail");
    let report = checker.finish();
    for (_, finding) in report.findings() {
        assert!(finding.span().start.line >= 1 && finding.span().start.column >= 1);
        assert!(!finding.message().is_empty());
    }
    format!("{report:?}")
}

fuzz_target!(|data: &[u8]| {
    // The byte 0xFF separates documents, because it never occurs in UTF-8.
    let documents: Vec<&[u8]> = data.split(|&byte| byte == 0xFF).take(4).collect();
    let fast = report(&documents, ReadOptions::new());
    let general = report(&documents, ReadOptions::new().without_fast_path());
    assert_eq!(fast, general);
});
