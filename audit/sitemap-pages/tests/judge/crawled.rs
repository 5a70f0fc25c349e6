//! Tests for what a complete crawl shows, and what an incomplete one shows.

use sitemap_pages::judge::JudgeOptions;

use crate::site::Site;

fn site(incomplete: Option<&str>) -> Site {
    let mut site = Site::default();
    site.page("/", "");
    site.page("/linked", "");
    site.page("/alone", "");
    site.unlisted("/extra", &[], "");
    site.unlisted("/more", &[], "");
    site.crawl(&["/alone"], incomplete);
    site.link("/linked", "/extra");
    site.link("/extra", "/more");
    site
}

#[test]
fn a_complete_crawl_gives_findings() {
    let (found, judgement) = site(None).judge(&JudgeOptions::new());
    assert_eq!(
        found,
        [
            "/alone page-orphan: no crawled page links to the page",
            "/extra page-unlisted: the page \"https://e.com/extra\" is linked and can be indexed, but is not listed",
            "/more page-unlisted: the page \"https://e.com/more\" is linked and can be indexed, but is not listed",
        ]
    );
    assert_eq!((judgement.orphans, judgement.unlisted, judgement.incomplete), (Some(1), Some(2), None));
}

#[test]
fn an_incomplete_crawl_gives_numbers_only() {
    for why in ["the limit of 100 pages was reached", "2 pages failed\u{1b}[2J"] {
        let (found, judgement) = site(Some(why)).judge(&JudgeOptions::new());
        let escaped = why.replace('\u{1b}', "\\u{1b}");
        assert_eq!(
            found,
            [format!(
                "/ page-crawl-incomplete: the crawl is not complete ({escaped}), so these numbers are inconclusive: pages \
                 listed but not linked 1, pages linked but not listed 2"
            )]
        );
        assert_eq!(
            (judgement.orphans, judgement.unlisted, judgement.incomplete.as_deref()),
            (Some(1), Some(2), Some(why))
        );
    }
}

#[test]
fn without_a_crawl_nothing_is_said_about_links() {
    let mut site = site(None);
    site.evidence.crawl = None;
    let (found, judgement) = site.judge(&JudgeOptions::new());
    assert_eq!(found, [""; 0]);
    assert_eq!((judgement.orphans, judgement.unlisted), (None, None));
}

#[test]
fn too_many_pending_links_are_reported() {
    let mut site = Site::default();
    for number in 0..4 {
        site.page(
            &format!("/{number}"),
            &format!(
                "<link rel=alternate hreflang=en href=/{number}><link rel=alternate hreflang=de href=/{}>",
                (number + 1) % 4
            ),
        );
    }
    let count = |most| site.judge(&JudgeOptions::new().max_pending_links(most)).0;
    assert_eq!(count(4).len(), 4, "{:?}", count(4));
    assert!(count(4)[0].starts_with("/0 page-hreflang-no-return: "));
    assert_eq!(
        count(3),
        [
            " hreflang-unchecked: more than 3 links to language versions of pages are pending, because the versions have \
             not linked back yet, so the language versions that pages name were not checked"
        ]
    );
}
