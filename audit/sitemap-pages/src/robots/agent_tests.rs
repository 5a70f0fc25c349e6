use super::*;

/// Returns the cost of a check: the number of bytes that the searches look at, plus the length of all literals.
fn work(robots: &RobotsTxt, url: &str) -> usize {
    let mut work = 0;
    let verdict = robots.agent("sitemap").verdict_with(url, &mut |text, literal| {
        let found = memmem::find(text, literal);
        // A search stops at the end of the first occurrence, or at the end of the text.
        work += literal.len() + found.map_or(text.len(), |at| at + literal.len());
        found
    });
    assert_eq!(verdict, robots.agent("sitemap").verdict(url));
    work
}

/// Returns a file of the maximum length that repeats one line.
fn full_of(line: &str) -> Vec<u8> {
    let mut text = b"User-agent: *\n".to_vec();
    while text.len() + line.len() <= RobotsTxt::MAX_LEN {
        text.extend(line.as_bytes());
    }
    text
}

fn rules(robots: &RobotsTxt) -> usize {
    robots.rules.groups_of("*").iter().map(|group| robots.rules.rules_of(group).len()).sum()
}

#[test]
fn the_work_of_a_check_is_bounded() {
    let url = format!("https://example.com/{}", "a".repeat(2_000));
    let path_len = 2_001;
    let hostile = [
        "*".repeat(RobotsTxt::MAX_LEN),
        "allow:*b\n".to_owned(),
        format!("Disallow: /{}b\n", "*a".repeat(8_000)),
        format!("Disallow: /{}\n", "*a*".repeat(5_000)),
        format!("Disallow: *{}b\n", "a".repeat(1_000)),
        format!("Disallow: /{}$\n", "*".repeat(16_000)),
        format!("Disallow: *{}b$\n", "aaaaaaa*".repeat(2_000)),
    ];
    for line in hostile {
        let robots = RobotsTxt::parse(&full_of(&line));
        let bound = rules(&robots) * path_len + 2 * RobotsTxt::MAX_LEN;
        let work = work(&robots, &url);
        assert!(work <= bound, "{work} of {bound}: {}", &line[..line.len().min(30)]);
    }
}

#[test]
fn the_work_of_a_pattern_does_not_multiply_with_its_stars() {
    let path = "a".repeat(10_000);
    for stars in [1, 10, 100, 1_000] {
        let robots =
            RobotsTxt::parse(format!("User-agent: *\nDisallow: /{}b\n", "*aaaaaaa".repeat(stars)).as_bytes());
        assert!(work(&robots, &format!("/{path}")) <= 10_001 + 2 * 8 * 1_001, "{stars} stars");
    }
}

#[test]
fn a_rule_that_cannot_win_is_not_matched() {
    let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /a*b\nAllow: /*x\nDisallow: *x\n");
    // Only the first rule is searched: its literal `b` is one byte long, and one byte of the path is looked at.
    assert_eq!(work(&robots, "/ab"), 2);
}

#[test]
fn names_are_stored_once_for_each_group() {
    let mut text = b"User-agent: sitemap\nCrawl-delay: 1\n".repeat(10_000);
    text.extend(b"User-agent: *\nDisallow: /\n");
    let robots = RobotsTxt::parse(&text);
    let groups = robots.rules.groups_of("Sitemap");
    assert_eq!((groups.len(), rules(&robots)), (1, 1));
}
