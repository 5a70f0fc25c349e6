//! Reports in JSON.

use sitemap_core::Loc;
use sitemap_read::{Baseline, Checker, Known, Levels, OpenedSitemap, Rule};

use super::{NAMESPACE, options, report, urlset};

#[test]
fn a_report_as_json() {
    let urlset = format!(
        "<urlset {NAMESPACE}>\n<url><loc>https://example.com/1</loc></url>\n\
         <url><loc>https://example.com/#2</loc></url>\n<url><loc>https://example.com/#3</loc></url>\n</urlset>"
    );
    let mut checker = Checker::new(options().max_findings_per_rule(1));
    let served_at = Loc::parse("https://example.com/a.xml").unwrap();
    checker.check(OpenedSitemap::new("a.xml", urlset.as_bytes()).served_at(served_at)).unwrap();
    checker.check_slice("b.xml", b"Not found").unwrap();
    let json = serde_json::to_string(&checker.finish()).unwrap();
    assert_eq!(
        json,
        concat!(
            r##"{"format":1,"files":["##,
            r##"{"name":"a.xml","section":"a","served_at":"https://example.com/a.xml","kind":"urlset","dialect":"0.9","##,
            r##""gzip":false,"encoding":"UTF-8","entries":3,"bytes":204,"findings":["##,
            r##"{"rule":"loc-fragment","severity":"warning","loc":"https://example.com/#2","##,
            r##""message":"a URL has a fragment, which crawlers ignore, found \"https://example.com/#2\"","##,
            r##""help":"remove the `#` and everything after it","source":"practice","##,
            r##""line":3,"column":11,"offset":115,"length":22}]},"##,
            r##"{"name":"b.xml","section":"b","served_at":null,"kind":null,"dialect":null,"##,
            r##""gzip":null,"encoding":null,"entries":0,"bytes":0,"findings":["##,
            r##"{"rule":"file-unknown","severity":"error","loc":null,"##,
            r##""message":"the document is not a sitemap, found \"Not found\"; use XML or a list of URLs","##,
            r##""help":"serve an XML sitemap, a sitemap index, a text sitemap or a feed, plain or gzip-compressed","##,
            r##""source":"sitemaps.org","line":1,"column":1,"offset":0,"length":0}]}],"##,
            r##""summary":{"errors":1,"warnings":2,"notes":0,"pages":3,"omitted":{"loc-fragment":1},"##,
            r##""allowed":{},"known":{},"stale":0}}"##,
        )
    );
}

#[test]
fn allowed_and_known_findings_are_in_the_summary() {
    let document = urlset("<url><loc>https://example.com/#a</loc><priority>7</priority></url>");
    let recorded = report(options().record_baseline(true), &document).recorded().unwrap().clone();
    let mut baseline = Baseline::new();
    for known in recorded.iter() {
        baseline.add(Known { count: 2, ..known });
    }
    let levels = Levels::new().allow(Rule::LocFragment);
    let report = report(options().levels(levels).baseline(baseline), &document);
    let json = serde_json::to_string(&report).unwrap();
    let summary = &json[json.find("\"summary\"").unwrap()..];
    assert_eq!(
        summary,
        concat!(
            r#""summary":{"errors":0,"warnings":0,"notes":0,"pages":1,"omitted":{},"#,
            r#""allowed":{"loc-fragment":1},"known":{"priority-invalid":1},"stale":3}}"#,
        )
    );
}
