//! Tests for what the response to a robots.txt request means.

use sitemap_pages::robots::{Access, Reason, RobotsAnswer};

const FORBIDS_ALL: &[u8] = b"User-agent: *\nDisallow: /\n";

/// The rules forbid everything, so `true` means that the response allows everything.
fn is_allowed(answer: RobotsAnswer) -> bool {
    let access = Access::new(answer, FORBIDS_ALL);
    assert!(access.rules().is_none(), "{answer:?}");
    let agent = access.agent("sitemap");
    let verdict = agent.verdict("https://example.com/page");
    assert_eq!(verdict.reason(), Reason::Answer(answer));
    assert_eq!((agent.crawl_delay(), agent.is_named()), (None, false));
    assert!(agent.is_allowed("https://example.com/robots.txt"));
    verdict.is_allowed()
}

#[test]
fn every_status_has_a_meaning() {
    for status in 0..=1_000 {
        let answer = RobotsAnswer::Status(status);
        match status {
            200..=299 => {
                let access = Access::new(answer, FORBIDS_ALL);
                assert!(matches!(access, Access::Rules(_)), "{status}");
                assert_eq!(access.agent("sitemap").verdict("/").rule().unwrap().line(), 2);
            }
            304 | 429 => assert!(!is_allowed(answer), "{status}"),
            300..=499 => assert!(is_allowed(answer), "{status}"),
            _ => assert!(!is_allowed(answer), "{status}"),
        }
    }
    assert!(is_allowed(RobotsAnswer::TooManyRedirects));
    assert!(!is_allowed(RobotsAnswer::Failed));
}

#[test]
fn a_success_without_a_text_allows_everything() {
    assert!(Access::new(RobotsAnswer::Status(204), b"").agent("sitemap").is_allowed("/"));
    // An HTML page in place of the file contains no rules, but gets many notes.
    let access =
        Access::new(RobotsAnswer::Status(200), b"<!doctype html>\n<title>Not found</title>\n<p>a: b\n");
    assert!(access.agent("sitemap").is_allowed("/"));
    assert_eq!(access.rules().unwrap().notes().count(), 3);
}

#[test]
fn verdicts_name_the_answer() {
    for (answer, verdict) in [
        (RobotsAnswer::Status(404), "allowed, because robots.txt answered with status 404"),
        (RobotsAnswer::Status(429), "disallowed, because robots.txt answered with status 429"),
        (RobotsAnswer::TooManyRedirects, "allowed, because robots.txt answered with too many redirects"),
        (RobotsAnswer::Failed, "disallowed, because robots.txt did not answer"),
    ] {
        assert_eq!(Access::new(answer, b"").agent("sitemap").verdict("/").to_string(), verdict);
    }
    assert_eq!(
        Access::new(RobotsAnswer::Failed, b"").agent("sitemap").verdict("/robots.txt").to_string(),
        "allowed, because crawlers may always fetch robots.txt"
    );
}
