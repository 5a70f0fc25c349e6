//! Tests with files that are too long, and with files of arbitrary bytes.

use proptest::prelude::*;
use sitemap_pages::robots::RobotsTxt;

/// Returns a file of `len` bytes: a rule, a long comment of many lines, and the given text at the end.
fn file(len: usize, end: &str) -> Vec<u8> {
    let mut text = b"User-agent: *\nDisallow: /first\n".to_vec();
    while text.len() + end.len() + 80 < len {
        text.extend(format!("# {}\n", "-".repeat(60)).as_bytes());
    }
    text.push(b'#');
    text.resize(len - end.len() - 1, b'-');
    text.push(b'\n');
    text.extend(end.as_bytes());
    text
}

#[test]
fn what_follows_500_kib_is_not_read() {
    let mut text = file(RobotsTxt::MAX_LEN, "Disallow: /last\n");
    let robots = RobotsTxt::parse(&text);
    assert_eq!((robots.ignored_bytes(), robots.text().len()), (0, 512_000));
    assert!(!robots.agent("sitemap").is_allowed("/last"));

    text.extend(b"Disallow: /too-late\nSitemap: https://example.com/sitemap.xml\n");
    let robots = RobotsTxt::parse(&text);
    assert_eq!(robots.ignored_bytes(), 61);
    let agent = robots.agent("sitemap");
    assert!(!agent.is_allowed("/first"));
    assert!(!agent.is_allowed("/last"));
    assert!(agent.is_allowed("/too-late"));
    assert_eq!(robots.sitemaps().count(), 0);
}

/// Half of `Disallow: /private` would forbid all pages.
#[test]
fn a_line_that_the_limit_cuts_is_not_read() {
    let mut text = file(RobotsTxt::MAX_LEN, "Disallow: /");
    text.extend(b"private\n");
    let robots = RobotsTxt::parse(&text);
    assert_eq!(robots.ignored_bytes(), 19);
    let agent = robots.agent("sitemap");
    assert!(agent.is_allowed("/other"));
    assert!(agent.is_allowed("/private"));
    assert!(!agent.is_allowed("/first"));

    // The limit falls between the line and its line ending, so the line is complete.
    let mut text = file(RobotsTxt::MAX_LEN, "Disallow: /last");
    text.push(b'\n');
    let robots = RobotsTxt::parse(&text);
    assert_eq!(robots.ignored_bytes(), 1);
    assert!(!robots.agent("sitemap").is_allowed("/last"));
}

#[test]
fn a_file_of_one_endless_line_has_no_rules() {
    let robots = RobotsTxt::parse(&b"*".repeat(5_000_000));
    assert_eq!((robots.ignored_bytes(), robots.text().len()), (5_000_000, 0));
    assert!(robots.agent("sitemap").is_allowed("/"));
}

#[test]
fn an_empty_file_allows_everything() {
    let robots = RobotsTxt::parse(b"");
    assert!(robots.agent("sitemap").is_allowed("/"));
    assert!(!robots.agent("sitemap").is_named());
    assert_eq!((robots.agent("sitemap").crawl_delay(), robots.notes().count()), (None, 0));
}

proptest! {
    /// No file and no URL may cause a panic. A verdict names a line of the file and the pattern on that line.
    #[test]
    fn any_bytes_are_a_robots_txt(
        parts in prop::collection::vec(
            prop_oneof![
                Just(b"User-agent: *\n".to_vec()),
                Just(b"\nDisallow: /".to_vec()),
                Just(b"\nAllow: /*".to_vec()),
                Just(b"\nCrawl-delay: 1".to_vec()),
                prop::collection::vec(any::<u8>(), 0..6),
            ],
            0..20,
        ),
        url in "/?\\PC{0,8}",
        agent in "\\PC{0,4}",
    ) {
        let text = parts.concat();
        let robots = RobotsTxt::parse(&text);
        for note in robots.notes() {
            prop_assert!(!note.to_string().contains(char::is_control));
        }
        if let Some(rule) = robots.agent(&agent).verdict(&url).rule() {
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\r', "\n");
            let line = text.split('\n').nth(usize::try_from(rule.line()).unwrap() - 1).unwrap();
            prop_assert!(line.contains(&*rule.pattern()), "{line:?} {rule}");
        }
    }
}
