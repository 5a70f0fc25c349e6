//! Tests for `sitemap_pages::robots` through its public interface.

mod access;
mod delays;
mod limits;
mod notes;
mod search_engines;
mod standard;

use sitemap_pages::robots::RobotsTxt;

/// Checks the verdicts of one agent on several URLs.
#[track_caller]
fn assert_verdicts(robots_txt: &str, agent: &str, allowed: &[&str], disallowed: &[&str]) {
    let robots = RobotsTxt::parse(robots_txt.as_bytes());
    let agent = robots.agent(agent);
    for url in allowed {
        assert!(agent.is_allowed(url), "{url}: {}", agent.verdict(url));
    }
    for url in disallowed {
        assert!(!agent.is_allowed(url), "{url}: {}", agent.verdict(url));
    }
}

/// Checks whether one pattern matches one URL.
#[track_caller]
fn assert_match(pattern: &str, url: &str, is_match: bool) {
    let robots = RobotsTxt::parse(format!("User-agent: *\nDisallow: {pattern}\n").as_bytes());
    assert_eq!(!robots.agent("sitemap").is_allowed(url), is_match, "{pattern} {url}");
}
