//! Tests the rules about a set's scope: which sitemaps its index may list, and which pages these may list.

use super::{Files, NOTHING, at, found, found_with, index, lines, options, urlset};

const INDEX: &str = "https://a.example/sitemap.xml";
const OTHER: &str = "https://b.example/sitemap.xml";

fn listing(loc: &str) -> String {
    index(&format!("<sitemap><loc>{loc}</loc></sitemap>"))
}

fn page(loc: &str) -> String {
    urlset(&format!("<url><loc>{loc}</loc></url>"))
}

#[test]
fn child_other_host() {
    for loc in
        [OTHER, "http://a.example/a.xml", "https://www.a.example/a.xml", "https://a.example:8443/a.xml"]
    {
        assert_eq!(found_with(at(INDEX), listing(loc)), ["child-other-host 2:15"], "{loc}");
    }
    assert_eq!(found_with(at(INDEX), listing("https://A.example:443/deep/a.xml")), NOTHING);
    assert_eq!(found_with(at(INDEX).same_site(false), listing(OTHER)), NOTHING);
    assert_eq!(found_with(at(INDEX).also_lists("https://b.example").unwrap(), listing(OTHER)), NOTHING);
    // The index's URL is unknown, so all child sitemaps must be on the same host as the first one.
    let two = index(&format!(
        "<sitemap><loc>https://a.example/1.xml</loc></sitemap>\n<sitemap><loc>{OTHER}</loc></sitemap>"
    ));
    assert_eq!(found(two), ["child-other-host 3:15"]);
}

#[test]
fn pages_are_in_the_scope_of_their_own_sitemap() {
    let child = "https://a.example/shop/sitemap.xml";
    let check = |loc: &str| {
        let mut files = Files::new([(INDEX, listing(child)), (child, page(loc))]);
        lines(&files.check(options(), INDEX), true)
    };
    assert_eq!(check("https://a.example/shop/1"), NOTHING);
    assert_eq!(check("https://a.example/blog/1"), ["https://a.example/shop/sitemap.xml:out-of-scope 2:11"]);
}

#[test]
fn robots_txt_can_allow_cross_submission() {
    let child = "https://a.example/sitemap-b.xml";
    let mut files = Files::new([(INDEX, listing(child)), (child, page("https://b.example/1"))]);
    let refused = ["https://a.example/sitemap-b.xml:out-of-scope 2:11"];
    assert_eq!(lines(&files.check(options(), INDEX), true), refused);
    // The robots.txt must name the child sitemap that lists the pages. Naming only the index isn't enough.
    files.in_robots = vec![(INDEX.to_owned(), "https://b.example".to_owned())];
    assert_eq!(lines(&files.check(options(), INDEX), true), refused);
    files.in_robots = vec![(child.to_owned(), "https://b.example".to_owned())];
    assert_eq!(lines(&files.check(options(), INDEX), true), NOTHING);
    // A host's robots.txt also allows pages outside the directory of a sitemap on the same host.
    let own = "https://a.example/shop/sitemap.xml";
    let mut files = Files::new([(INDEX, listing(own)), (own, page("https://a.example/blog"))]);
    let yandex = options().engine(sitemap_read::Engine::Yandex);
    assert_eq!(
        lines(&files.check(yandex.clone(), INDEX), true),
        ["https://a.example/shop/sitemap.xml:out-of-scope 2:11"]
    );
    files.in_robots = vec![(own.to_owned(), "https://a.example".to_owned())];
    assert_eq!(lines(&files.check(yandex, INDEX), true), NOTHING);
}

#[test]
fn a_robots_txt_that_is_not_known_is_a_note() {
    let child = "https://a.example/sitemap-b.xml";
    let mut files = Files::new([(INDEX, listing(child)), (child, page("https://unknown.example/1"))]);
    let report = files.check(options(), INDEX);
    assert_eq!(lines(&report, true), ["https://a.example/sitemap-b.xml:scope-unknown 2:11"]);
    assert_eq!(
        super::message(&report),
        "the page is not under https://a.example/, and https://unknown.example/robots.txt is not known, found \
         \"https://unknown.example/1\""
    );
}

#[test]
fn a_redirect_moves_the_scope() {
    use sitemap_core::Loc;
    use sitemap_read::{Checker, OpenError, OpenedSitemap, SitemapSource};

    struct Redirects;
    impl SitemapSource for Redirects {
        type Content = std::io::Cursor<String>;

        fn open(&mut self, _: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
            let end = Loc::parse("https://a.example/deep/sitemap.xml").unwrap();
            Ok(OpenedSitemap::new("deep", std::io::Cursor::new(page("https://a.example/1"))).served_at(end))
        }
    }
    let text = listing("https://a.example/moved.xml");
    let mut checker = Checker::new(at(INDEX));
    checker.check_set(OpenedSitemap::new("sitemap.xml", text.as_bytes()), &mut Redirects).unwrap();
    assert_eq!(lines(&checker.finish(), true), ["deep:scope-unknown 2:11"]);
}
