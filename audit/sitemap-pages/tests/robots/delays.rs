//! `Crawl-delay` lines.

use std::time::Duration;

use sitemap_pages::robots::{NoteKind, RobotsTxt};

fn delay(robots_txt: &str, agent: &str) -> Option<(u64, Duration, Duration)> {
    let robots = RobotsTxt::parse(robots_txt.as_bytes());
    robots.agent(agent).crawl_delay().map(|delay| (delay.line(), delay.asked(), delay.wait()))
}

#[test]
fn numbers_of_seconds() {
    for (value, millis) in
        [("1", 1_000), ("0.5", 500), ("2.", 2_000), (".25", 250), ("0", 0), ("10 # slow", 10_000)]
    {
        let wait = Duration::from_millis(millis);
        assert_eq!(
            delay(&format!("User-agent: *\nCrawl-delay: {value}\n"), "a"),
            Some((2, wait, wait)),
            "{value}"
        );
    }
}

#[test]
fn other_values_are_reported_and_ignored() {
    for value in ["", "-1", "soon", "5s", "1,5", "inf", "NaN", "1e3", "+2", ".", "1.2.3", "\u{0663}"] {
        let text = format!("User-agent: *\nCrawl-delay: {value}\n");
        assert_eq!(delay(&text, "a"), None, "{value}");
        let robots = RobotsTxt::parse(text.as_bytes());
        assert_eq!(
            robots.notes().map(|note| note.kind()).collect::<Vec<_>>(),
            [NoteKind::BadDelay],
            "{value}"
        );
    }
}

#[test]
fn long_delays_are_capped() {
    let max = Duration::from_secs(30);
    assert_eq!(delay("User-agent: *\nCrawl-delay: 30\n", "a"), Some((2, max, max)));
    assert_eq!(
        delay("User-agent: *\nCrawl-delay: 86400\n", "a"),
        Some((2, Duration::from_secs(86_400), max))
    );
    let endless = "9".repeat(400);
    assert_eq!(
        delay(&format!("User-agent: *\nCrawl-delay: {endless}\n"), "a"),
        Some((2, Duration::MAX, max))
    );
}

#[test]
fn the_longest_delay_for_a_name_counts() {
    let text = "User-agent: a\nCrawl-delay: 1\nCrawl-delay: 3\nDisallow: /x\nUser-agent: *\nCrawl-delay: 9\n\
        User-agent: A\nCrawl-delay: 2\nDisallow: /y\n";
    assert_eq!(delay(text, "a").unwrap().0, 3);
    assert_eq!(delay(text, "b").unwrap().0, 6);
    let text = "User-agent: a\nCrawl-delay: 2\nCrawl-delay: 2\nUser-agent: a\nCrawl-delay: 1\nDisallow: /x\n";
    assert_eq!(delay(text, "a").unwrap().0, 2);
}

/// A delay is not a rule of the protocol, so it doesn't end a group's list of names (RFC 9309 §2.2.4). But it applies
/// only to the names before it.
#[test]
fn a_delay_does_not_split_a_group_and_is_for_the_names_before_it() {
    let text = "User-agent: a\nUser-agent: b\nCrawl-delay: 5\n\nUser-agent: c\nDisallow: /\n";
    assert_eq!((delay(text, "a").unwrap().0, delay(text, "b").unwrap().0, delay(text, "c")), (3, 3, None));
    for agent in ["a", "b", "c"] {
        crate::assert_verdicts(text, agent, &[], &["/"]);
    }
}

#[test]
fn a_delay_after_rules_is_for_their_group() {
    let text = "User-agent: a\nDisallow: /x\nCrawl-delay: 5\nDisallow: /y\nCrawl-delay: 6\nUser-agent: b\nDisallow: /\n";
    assert_eq!((delay(text, "a").unwrap().0, delay(text, "b")), (5, None));
    crate::assert_verdicts(text, "a", &["/"], &["/x", "/y"]);
    crate::assert_verdicts(text, "b", &[], &["/"]);
}

#[test]
fn a_delay_before_all_groups_is_reported_and_ignored() {
    let robots = RobotsTxt::parse(b"Crawl-delay: 5\nUser-agent: *\nDisallow: /x\n");
    assert_eq!(robots.agent("a").crawl_delay(), None);
    assert_eq!(robots.notes().map(|note| note.kind()).collect::<Vec<_>>(), [NoteKind::NoGroup]);
}
