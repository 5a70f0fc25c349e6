//! Tests of `Sitemap:` lines in robots.txt. They are parsed by Google's rules, and merging keeps all other lines.

use sitemap_core::robots::{merge, sitemaps};
use sitemap_core::{Loc, Site};

fn values(robots: &[u8]) -> Vec<String> {
    sitemaps(robots).map(|sitemap| sitemap.value().to_owned()).collect()
}

#[test]
fn key_in_any_case_and_value_unchanged() {
    assert_eq!(values(b"sItEmAp: https://example.com/A.xml"), ["https://example.com/A.xml"]);
    assert_eq!(values("Sitemap: https://example.com/ü.xml".as_bytes()), ["https://example.com/ü.xml"]);
}

#[test]
fn key_is_matched_by_its_beginning() {
    for key in ["sitemap", "site-map", "Sitemaps", "sitemap-index", "Sitemap xml", "  sitemap  "] {
        assert_eq!(
            values(format!("{key}: https://example.com/").as_bytes()),
            ["https://example.com/"],
            "{key}"
        );
    }
    for key in ["site map", "xsitemap", "site_map", "Allow", ""] {
        assert!(values(format!("{key}: https://example.com/").as_bytes()).is_empty(), "{key}");
    }
}

#[test]
fn missing_colon() {
    assert_eq!(values(b"sitemap /sitemap.xml"), ["/sitemap.xml"]);
    assert_eq!(values(b"Sitemap https://example.com/x"), ["//example.com/x"]);
    assert!(values(b"sitemap a b").is_empty());
    assert!(values(b"sitemap").is_empty());
}

#[test]
fn a_hash_ends_the_line() {
    assert_eq!(values(b"Sitemap: https://example.com/x#part # note"), ["https://example.com/x"]);
    assert!(values(b"# Sitemap: https://example.com/").is_empty());
}

#[test]
fn every_line_end_and_the_line_numbers() {
    let robots = b"User-agent: *\rSitemap: a\r\nDisallow: /\n\nSitemap: b";
    let found: Vec<_> = sitemaps(robots).map(|s| (s.line(), s.value().to_owned())).collect();
    assert_eq!(found, [(2, "a".to_owned()), (5, "b".to_owned())]);
}

#[test]
fn incomplete_byte_order_marks_are_skipped_too() {
    assert_eq!(values(b"\xEF\xBB\xBFSitemap: a"), ["a"]);
    assert_eq!(values(b"\xEF\xBBSitemap: a"), ["a"]);
}

#[test]
fn long_lines_are_cut() {
    let robots = format!("Sitemap: https://example.com/{}\nSitemap: b", "x".repeat(20_000));
    let found = values(robots.as_bytes());
    assert_eq!(found[0].len(), 16_663 - "Sitemap: ".len());
    assert_eq!(found[1], "b");
}

#[test]
fn values_need_not_be_urls() {
    let robots = b"Sitemap: /relative.xml\nSitemap: https://example.com/s.xml";
    let locs: Vec<_> = sitemaps(robots).map(|sitemap| sitemap.loc().is_ok()).collect();
    assert_eq!(locs, [false, true]);
}

fn merged(robots: &str, paths: &[&str]) -> String {
    let site = Site::new("https://example.com").unwrap();
    let locs: Vec<Loc<'static>> =
        paths.iter().map(|path| Loc::parse(format!("https://example.com/{path}")).unwrap()).collect();
    merge(robots, &site, &locs)
}

#[test]
fn merging_into_nothing() {
    assert_eq!(merged("", &["a.xml"]), "Sitemap: https://example.com/a.xml\n");
    assert_eq!(merged("", &[]), "");
}

#[test]
fn merging_keeps_foreign_lines_and_bytes() {
    let robots = "\u{FEFF}# ours\r\nUser-agent: *\r\nDisallow:/x  \r\nSITEMAP:https://other.example/s.xml\r\nSitemap: https://example.com/old.xml\r\n";
    assert_eq!(
        merged(robots, &["a.xml", "b.xml"]),
        "\u{FEFF}# ours\r\nUser-agent: *\r\nDisallow:/x  \r\nSITEMAP:https://other.example/s.xml\r\n\r\nSitemap: https://example.com/a.xml\r\nSitemap: https://example.com/b.xml\r\n"
    );
}

#[test]
fn merging_again_changes_nothing() {
    let once = merged("User-agent: *\nDisallow: /x", &["a.xml"]);
    assert_eq!(once, "User-agent: *\nDisallow: /x\n\nSitemap: https://example.com/a.xml\n");
    assert_eq!(merged(&once, &["a.xml"]), once);
    assert_eq!(merged(&once, &[]), "User-agent: *\nDisallow: /x\n\n");
}
