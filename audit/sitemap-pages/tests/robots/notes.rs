//! Remarks about lines.

use sitemap_pages::robots::RobotsTxt;

#[test]
fn each_kind_has_a_message() {
    let text = "Allow: /x\n\
        crawl-delay: 1\n\
        User-agent: *\n\
        User-agent: Foo/2.1\n\
        User-agent: 360Spider\n\
        Disallow /a\n\
        disallaw: /b\n\
        useragent bar\n\
        Disallow: private/\n\
        Disallow:\n\
        Noindex: /c\n\
        Crawl-delay: fast\n\
        <html lang=en dir=ltr>\n\
        sitemap: /relative.xml\n";
    let notes: Vec<_> = RobotsTxt::parse(text.as_bytes()).notes().map(|note| note.to_string()).collect();
    assert_eq!(
        notes,
        [
            "line 1: `Allow` precedes all `User-agent` lines and has no effect; move it below one",
            "line 2: `Crawl-delay` precedes all `User-agent` lines and has no effect; move it below one",
            "line 4: `Foo/2.1` is read as `Foo`; remove the rest",
            "line 5: `360Spider` names no crawler; write `*` or a name of letters, `-` and `_`",
            "line 6: the colon after `Disallow` is missing; add it",
            "line 7: `disallaw` is read as `Disallow`; correct the spelling",
            "line 8: `useragent` is read as `User-agent`; correct the spelling",
            "line 8: the colon after `useragent` is missing; add it",
            "line 9: the pattern `private/` matches no path; start it with `/` or `*`",
            "line 11: `Noindex` is not known; remove the line unless other crawlers use it",
            "line 12: `fast` is not a number of seconds; write one, such as `5`",
            "line 13: `<html lang=en dir=ltr>` is not a key and a value; write `KEY: VALUE`",
        ]
    );
}

#[test]
fn long_lines_are_reported_and_messages_are_short() {
    let text = format!("User-agent: *\nDisallow: {}\u{1B}[31m\n", "x".repeat(20_000));
    let robots = RobotsTxt::parse(text.as_bytes());
    let notes: Vec<_> = robots.notes().map(|note| note.to_string()).collect();
    assert_eq!(
        notes,
        [
            "line 2: the line is too long, and its end was not read; shorten it".to_owned(),
            format!("line 2: the pattern `{}…` matches no path; start it with `/` or `*`", "x".repeat(60)),
        ]
    );
    let robots = RobotsTxt::parse(b"\x1B[31m\xFF: x\n");
    assert_eq!(
        robots.notes().next().unwrap().to_string(),
        "line 1: `\u{FFFD}[31m\u{FFFD}` is not known; remove the line unless other crawlers use it"
    );
}

#[test]
fn a_clean_file_has_no_remarks() {
    let text = "\u{FEFF}# ours\nUser-agent: *\r\nDisallow: # nothing\nAllow: *.css$\nCrawl-delay: 1.5\n\n\
        User-agent: * # all\nSitemap: https://example.com/sitemap.xml\n";
    assert_eq!(RobotsTxt::parse(text.as_bytes()).notes().count(), 0);
}
