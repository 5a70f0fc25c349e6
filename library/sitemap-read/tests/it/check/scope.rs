//! Tests the rules about a sitemap's scope: which pages it may list.

use super::{NOTHING, at, found, found_with, message, options, report, urlset};

fn pages(locs: &[&str]) -> String {
    let page = |loc: &&str| format!("<url><loc>{loc}</loc></url>\n");
    urlset(&locs.iter().map(page).collect::<String>())
}

#[test]
fn pages_outside_the_scope() {
    let catalog = "http://example.com/catalog/sitemap.gz";
    let inside = pages(&["http://example.com/catalog/show?item=23", "http://example.com/catalog/"]);
    let at = |document: &str| {
        found_with(
            at(catalog).levels(sitemap_read::Levels::new().allow(sitemap_read::Rule::GzipName)),
            document,
        )
    };
    assert_eq!(at(&inside), NOTHING);
    for outside in [
        "http://example.com/image/show?item=23",
        "http://example.com/catalogue",
        "https://example.com/catalog/page1.html",
        "http://www.example.com/catalog/page1.html",
        "http://example.com:8080/catalog/page1.html",
    ] {
        assert_eq!(
            at(&pages(&["http://example.com/catalog/a", outside])),
            ["scope-unknown 3:11"],
            "{outside}"
        );
    }
    // Slashes in the query of the sitemap's URL aren't part of its directory.
    let query = super::at("http://example.com/catalog/sitemap.xml?of=/a/b/");
    assert_eq!(found_with(query, inside), NOTHING);
}

#[test]
fn a_page_outside_the_scope_names_the_directory() {
    let report = report(at("https://example.com/a/sitemap.xml"), pages(&["https://example.com/b"]));
    assert_eq!(
        message(&report),
        "the page is not under https://example.com/a/, and https://example.com/robots.txt is not known, found \
         \"https://example.com/b\""
    );
}

#[test]
fn mixed_hosts() {
    let two = pages(&["https://example.com/a", "https://www.example.com/a", "http://example.com/b"]);
    assert_eq!(found(&two), ["mixed-hosts 3:11", "mixed-hosts 4:11"]);
    assert_eq!(found_with(options().scope(false), &two), NOTHING);
    assert_eq!(found(pages(&["https://example.com/a/b", "https://example.com/"])), NOTHING);
    // A line in the other host's robots.txt may allow these.
    for other in ["https://example.community/a", "https://example.org/", "https://shop.example.com/"] {
        assert_eq!(found(pages(&["https://example.com/a", other])), ["scope-unknown 3:11"], "{other}");
    }
}

#[test]
fn cross_submission_is_allowed_by_declaration() {
    let other = pages(&["https://b.example/x", "https://c.example/x"]);
    let declared = || at("https://a.example/sitemap-b.xml").also_lists("https://b.example").unwrap();
    assert_eq!(found_with(declared(), &other), ["scope-unknown 3:11"]);
    let yandex = declared().engine(sitemap_read::Engine::Yandex);
    assert_eq!(found_with(yandex, &other), ["cross-submission 2:11", "scope-unknown 3:11"]);
}

#[test]
fn urls_of_extensions_have_no_scope() {
    let document = urlset(
        "<url><loc>https://example.com/</loc><image:image><image:loc>https://cdn.example.net/a.jpg</image:loc></image:image>\
         <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.de/\"/></url>",
    );
    assert_eq!(found_with(at("https://example.com/sitemap.xml"), document), NOTHING);
}
