//! Tests the rules that are limited to some search engines.

use sitemap_read::{Engine, Rule};

use super::{NOTHING, at, found, found_with, index, message, options, report, urlset};

fn for_engine(engine: Engine, document: &str) -> Vec<String> {
    found_with(options().engine(engine), document)
}

#[test]
fn hints_ignored_once_a_document() {
    let page =
        "<url><loc>https://example.com/a</loc><changefreq>daily</changefreq><priority>0.5</priority></url>";
    let document = urlset(&format!(
        "<url><loc>https://example.com/</loc></url>\n{page}\n{}",
        page.replace("/a<", "/b<")
    ));
    for engine in [Engine::Google, Engine::Bing] {
        assert_eq!(for_engine(engine, &document), ["hints-ignored 3:50"], "{engine}");
    }
    assert_eq!(for_engine(Engine::Yandex, &document), NOTHING);
    assert_eq!(found(&document), NOTHING);
    let both = report(options().engine(Engine::Google).engine(Engine::Bing), &document);
    assert_eq!(message(&both), "search engines ignore `changefreq` and `priority` (Google and Bing)");
    let plain = urlset("<url><loc>https://example.com/</loc><lastmod>2024-03-09</lastmod></url>");
    assert_eq!(for_engine(Engine::Google, &plain), NOTHING);
}

#[test]
fn loc_too_long_yandex() {
    let of_length = |length: usize| {
        let loc = format!("{:a<length$}", "https://example.com/");
        urlset(&format!("<url><loc>{loc}</loc></url>"))
    };
    assert_eq!(for_engine(Engine::Yandex, &of_length(1_025)), ["loc-too-long-yandex 2:11"]);
    assert_eq!(for_engine(Engine::Yandex, &of_length(1_024)), NOTHING);
    assert_eq!(for_engine(Engine::Google, &of_length(1_025)), NOTHING);
    assert_eq!(found(of_length(2_047)), NOTHING);
    assert_eq!(found(of_length(2_048)), ["loc-too-long 2:11"]);
}

#[test]
fn feeds() {
    let rss =
        "<rss version=\"2.0\"><channel>\n<item><link>https://example.com/</link></item>\n</channel></rss>";
    assert_eq!(for_engine(Engine::Yandex, rss), ["feed-unsupported 1:1"]);
    assert_eq!(for_engine(Engine::Google, rss), NOTHING);
    let atom = |namespace: &str| {
        format!("<feed xmlns=\"{namespace}\">\n<entry><link href=\"https://example.com/\"/></entry>\n</feed>")
    };
    assert_eq!(for_engine(Engine::Google, &atom("http://purl.org/atom/ns#")), ["feed-atom-03 1:1"]);
    assert_eq!(for_engine(Engine::Google, &atom("http://www.w3.org/2005/Atom")), NOTHING);
    assert_eq!(found(atom("http://purl.org/atom/ns#")), NOTHING);
}

#[test]
fn text_name() {
    let google = |loc: &str| found_with(at(loc).engine(Engine::Google), "https://example.com/\n");
    assert_eq!(google("https://example.com/sitemap"), ["text-name 1:1"]);
    assert_eq!(google("https://example.com/sitemap.txt"), NOTHING);
    assert_eq!(found_with(at("https://example.com/sitemap"), "https://example.com/\n"), NOTHING);
}

#[test]
fn child_outside() {
    let document = index("<sitemap><loc>https://example.com/b/a.xml</loc></sitemap>");
    let google = |loc: &str| found_with(at(loc).engine(Engine::Google), &document);
    assert_eq!(google("https://example.com/a/index.xml"), ["child-outside 2:15"]);
    assert_eq!(google("https://example.com/index.xml"), NOTHING);
    assert_eq!(google("https://example.com/b/index.xml"), NOTHING);
    assert_eq!(found_with(at("https://example.com/a/index.xml"), &document), NOTHING);
}

#[test]
fn hreflang_ignored() {
    let document = urlset(
        "<url><loc>https://example.com/</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/></url>",
    );
    assert_eq!(for_engine(Engine::Yandex, &document), ["hreflang-ignored 3:1"]);
    assert_eq!(for_engine(Engine::Google, &document), NOTHING);
}

#[test]
fn index_over_1000() {
    let of = |count: usize| {
        let sitemap = |number| format!("<sitemap><loc>https://example.com/{number}.xml</loc></sitemap>\n");
        index(&(0..count).map(sitemap).collect::<String>())
    };
    assert_eq!(found(of(1_000)), NOTHING);
    assert_eq!(found(of(1_001)), ["index-over-1000 1002:1"]);
    // The 0.84 dialect allows at most 1,000 sitemaps in an index.
    let old = of(1_001)
        .replace("http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84");
    assert_eq!(found(old), ["too-many-entries 1002:1"]);
}

#[test]
fn engine_names_are_parsed_in_any_case() {
    assert_eq!("Bing".parse(), Ok(Engine::Bing));
    assert_eq!(
        "altavista".parse::<Engine>().unwrap_err().to_string(),
        "unknown search engine \"altavista\"; use `google`, `bing` or `yandex`"
    );
    assert_eq!(Rule::HintsIgnored.engines(), [Engine::Google, Engine::Bing]);
    assert!(Rule::LocTooLong.engines().is_empty());
}
