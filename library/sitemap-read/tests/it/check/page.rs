//! Tests the rules about a page's URL, date, change frequency and priority, and about its markup.

use super::{NOTHING, found, found_with, index, message, now, options, report, urlset};

#[test]
fn xsd_order() {
    let wrong = urlset(
        "<url>\n  <loc>https://example.com/</loc>\n  <priority>0.5</priority>\n  <lastmod>2024-03-09</lastmod>\n</url>",
    );
    assert_eq!(found(&wrong), ["xsd-order 5:3"]);
    assert_eq!(
        message(&report(options(), &wrong)),
        "the elements of an entry are not in the schema's order, found \"lastmod\""
    );
    let right = urlset(
        "<url>\n  <loc>https://example.com/</loc>\n  <!-- fine --><lastmod>2024-03-09</lastmod>\n  <priority>0.5</priority>\n</url>",
    );
    assert_eq!(found(right), NOTHING);
    // The protocol's own elements must come before extensions.
    let image = "<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>";
    let before =
        urlset(&format!("<url><loc>https://example.com/</loc>{image}<priority>0.5</priority></url>"));
    assert_eq!(found(before), ["xsd-order 2:112"]);
    let after = urlset(&format!("<url><loc>https://example.com/</loc><priority>0.5</priority>{image}</url>"));
    assert_eq!(found(after), NOTHING);
    // The 0.84 dialect doesn't define an order of elements.
    let old = "<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\">\n\
               <url><priority>0.5</priority><loc>https://example.com/</loc></url>\n</urlset>";
    assert_eq!(found(old), NOTHING);
    let in_index =
        index("<sitemap><lastmod>2024-03-09</lastmod><loc>https://example.com/a.xml</loc></sitemap>");
    assert_eq!(found(in_index), ["xsd-order 2:39"]);
}

#[test]
fn attribute_unknown() {
    let with =
        |url: &str, loc: &str| urlset(&format!("<url{url}><loc{loc}>https://example.com/</loc></url>"));
    assert_eq!(found(with(" id=\"7\"", "")), ["attribute-unknown 2:6"]);
    assert_eq!(found(with("", " xml:lang=\"en\"")), ["attribute-unknown 2:11"]);
    assert_eq!(
        found(with("", " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"tLoc\"")),
        NOTHING
    );
    let root = "<urlset version=\"1\" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                <url><loc>https://example.com/</loc></url>\n</urlset>";
    assert_eq!(found(root), ["attribute-unknown 1:9"]);
    // The rule doesn't apply to the attributes of extensions.
    let link = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/>";
    assert_eq!(found(urlset(&format!("<url><loc>https://example.com/</loc>{link}</url>"))), NOTHING);
}

#[test]
fn element_misplaced_in_an_index() {
    let with = |more: &str| index(&format!("<sitemap><loc>https://example.com/a.xml</loc>{more}</sitemap>"));
    assert_eq!(found(with("<priority>0.5</priority>")), ["element-misplaced 2:46"]);
    assert_eq!(found(with("<lastmod>2024-03-09</lastmod>")), NOTHING);
}

#[test]
fn loc_too_short() {
    assert_eq!(found(urlset("<url><loc>http://a.io</loc></url>")), ["loc-too-short 2:11"]);
    assert_eq!(found(urlset("<url><loc>http://a.io/</loc></url>")), NOTHING);
}

#[test]
fn loc_not_encoded() {
    let with = |path: &str| found(urlset(&format!("<url>\n<loc> https://example.com/{path} </loc></url>")));
    assert_eq!(with("a b"), ["loc-not-encoded 3:7"]);
    assert_eq!(with("100%"), ["loc-not-encoded 3:7"]);
    assert_eq!(with("{id}"), ["loc-not-encoded 3:7"]);
    assert_eq!(with("a%20b"), NOTHING);
    assert_eq!(with("%FC"), NOTHING);
    // The protocol also allows IRIs, which contain non-ASCII letters.
    assert_eq!(with("ümlat"), NOTHING);
}

#[test]
fn loc_double_escaped() {
    let with = |query: &str| found(urlset(&format!("<url><loc>https://example.com/?{query}</loc></url>")));
    assert_eq!(with("a=1&amp;amp;b=2"), ["loc-double-escaped 2:11"]);
    assert_eq!(with("a=1&amp;b=2"), NOTHING);
    assert_eq!(with("a=1&amp;amp=2"), NOTHING);
    // URLs in text sitemaps aren't escaped at all, so even a single `&amp;` is wrong.
    assert_eq!(found("https://example.com/?a=1&amp;b=2\n"), ["loc-double-escaped 1:1"]);
    assert_eq!(found("https://example.com/?a=1&b=2\n"), NOTHING);
}

#[test]
fn loc_fragment() {
    assert_eq!(found(urlset("<url><loc>https://example.com/#top</loc></url>")), ["loc-fragment 2:11"]);
    assert_eq!(found(urlset("<url><loc>https://example.com/%23top</loc></url>")), NOTHING);
}

#[test]
fn duplicate_loc() {
    let twice = urlset(
        "<url><loc>https://example.com/a</loc></url>\n<url><loc>HTTPS://example.com:443/a</loc></url>",
    );
    assert_eq!(found(&twice), ["duplicate-loc 3:11"]);
    assert_eq!(found_with(options().duplicates(false), &twice), NOTHING);
    let other =
        urlset("<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/A</loc></url>");
    assert_eq!(found(other), NOTHING);
}

fn lastmod(text: &str) -> String {
    urlset(&format!("<url>\n<loc>https://example.com/</loc>\n<lastmod>{text}</lastmod>\n</url>"))
}

#[test]
fn lastmod_partial() {
    assert_eq!(found(lastmod("2024")), ["lastmod-partial 4:10"]);
    assert_eq!(found(lastmod("2024-03")), ["lastmod-partial 4:10"]);
    assert_eq!(found(lastmod("2024-03-09")), NOTHING);
}

#[test]
fn lastmod_minutes() {
    assert_eq!(found(lastmod("2005-06-03T04:20-08:00")), ["lastmod-minutes 4:10"]);
    assert_eq!(found(lastmod("2005-06-03T04:20:36-08:00")), NOTHING);
}

#[test]
fn lastmod_future() {
    let at = |text: &str| found_with(now("2026-01-31T12:00:00Z"), lastmod(text));
    assert_eq!(at("2026-01-31T12:00:01Z"), ["lastmod-future 4:10"]);
    assert_eq!(at("2026-01-31T13:00:00+01:00"), NOTHING);
    assert_eq!(at("2026-02-02"), ["lastmod-future 4:10"]);
    // It is already 1 February in the time zones ahead of UTC.
    assert_eq!(at("2026-02-01"), NOTHING);
    assert_eq!(found(lastmod("2999-01-01")), NOTHING, "the rule ran without a current time");
    let child = index("<sitemap><loc>https://example.com/a.xml</loc><lastmod>2027-01-01</lastmod></sitemap>");
    assert_eq!(found_with(now("2026-01-31T12:00:00Z"), child), ["lastmod-future 2:55"]);
}

#[test]
fn lastmod_ancient() {
    assert_eq!(found(lastmod("1970-01-01")), ["lastmod-ancient 4:10"]);
    assert_eq!(found(lastmod("1991-08-06")), NOTHING);
}

/// Returns a urlset with `count` pages, each with `rest` after its URL.
fn pages(count: usize, rest: impl Fn(usize) -> String) -> String {
    let page = |number| format!("<url><loc>https://example.com/{number:02}</loc>{}</url>\n", rest(number));
    urlset(&(0..count).map(page).collect::<String>())
}

#[test]
fn lastmod_all_equal() {
    let same = |_| "<lastmod>2024-03-09T16:05:30Z</lastmod>".to_owned();
    assert_eq!(found(pages(10, same)), ["lastmod-all-equal 2:48"]);
    assert_eq!(found(pages(9, same)), NOTHING);
    let one_differs = |number| format!("<lastmod>2024-03-09T16:05:3{}Z</lastmod>", number / 9);
    assert_eq!(found(pages(10, one_differs)), NOTHING);
    let one_without = |number| if number == 4 { String::new() } else { same(number) };
    assert_eq!(found(pages(11, one_without)), NOTHING);
    // Equal dates without a time are plausible, because a whole site may change on the same day.
    assert_eq!(found(pages(10, |_| "<lastmod>2024-03-09</lastmod>".to_owned())), NOTHING);
}

#[test]
fn priority_all_equal() {
    assert_eq!(found(pages(10, |_| "<priority>1.0</priority>".to_owned())), ["priority-all-equal 2:49"]);
    assert_eq!(found(pages(10, |number| format!("<priority>0.{}</priority>", 5 + number / 9))), NOTHING);
}

#[test]
fn changefreq_blank() {
    let with = |word: &str| {
        found(urlset(&format!("<url><loc>https://example.com/</loc><changefreq>{word}</changefreq></url>")))
    };
    assert_eq!(with(" daily "), ["changefreq-blank 2:49"]);
    assert_eq!(with("daily\n"), ["changefreq-blank 2:49"]);
    assert_eq!(with("daily"), NOTHING);
    // The schema allows white space around all values except `changefreq`.
    let others = "<url><loc> https://example.com/ </loc><lastmod> 2024-03-09 </lastmod><priority> 0.5 </priority></url>";
    assert_eq!(found(urlset(others)), NOTHING);
}

#[test]
fn duplicates_name_the_first_entry_and_its_date() {
    let entry = |loc: &str, date: &str| format!("<url><loc>{loc}</loc>{date}</url>\n");
    let check = |loc: &str, date: &str| {
        let first = entry("https://example.com/~a?b=%2F", "<lastmod>2026-01-01</lastmod>");
        let pages = [entry("https://example.com/", ""), first, entry(loc, date)].concat();
        message(&report(options(), urlset(&pages)))
    };
    let same = "https://example.com/%7Ea?b=%2f";
    let found = format!("found \"{same}\"");
    let summary = "a page is listed twice in one file, first in line 3";
    assert_eq!(check(same, "<lastmod>2026-01-01</lastmod>"), format!("{summary}, {found}"));
    assert_eq!(
        check(same, "<lastmod>2026-01-02</lastmod>"),
        format!("{summary} with 2026-01-01, here with 2026-01-02, {found}")
    );
    assert_eq!(check(same, ""), format!("{summary} with 2026-01-01, here with no date, {found}"));
    assert!(
        check("https://EXAMPLE.com:443", "")
            .starts_with("a page is listed twice in one file, first in line 2,")
    );
    for other in
        ["https://example.com/~a/?b=%2F", "https://example.com/~A?b=%2F", "https://example.com/~a?b=/"]
    {
        assert_eq!(check(other, ""), "", "{other}");
    }
}

#[test]
fn the_first_entry_is_found_across_parts_of_a_file() {
    let page = |n: &u32| format!("<url><loc>https://example.com/{n}</loc></url>\n");
    let numbers: Vec<u32> = (0..3_000).chain([10, 2_500]).collect();
    let report = report(options(), urlset(&numbers.iter().map(page).collect::<String>()));
    let messages: Vec<_> = report.findings().map(|(_, finding)| finding.message().to_owned()).collect();
    assert!(
        messages[0].contains("first in line 12,") && messages[1].contains("first in line 2502,"),
        "{messages:?}"
    );
}

#[test]
fn hosts_of_private_networks() {
    let one = |loc: &str| urlset(&format!("<url><loc>{loc}</loc></url>"));
    for loc in ["http://localhost:3000/", "http://10.0.0.7/a", "https://shop.local/", "http://intranet/"] {
        assert_eq!(found(one(loc)), ["loc-private-host 2:11"], "{loc}");
        let public = super::at("https://example.com/sitemap.xml");
        assert_eq!(found_with(public, one(loc)), ["loc-private-host 2:11", "out-of-scope 2:11"], "{loc}");
        // Whoever checks a sitemap on a private network knows that its pages are there, too.
        let private = super::at("http://localhost:3000/sitemap.xml").scope(false);
        assert_eq!(found_with(private, one(loc)), NOTHING, "{loc}");
    }
    let children = index("<sitemap><loc>http://localhost/a.xml</loc></sitemap>");
    assert_eq!(found(children), ["loc-private-host 2:15"]);
}
