//! Opens reports about generated states in a browser. Skipped without Chromium or Python 3.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use sitemap_pages::judge::Answer;
use sitemap_pages::report::{ReportBuilder, ReportPage};
use sitemap_read::{Finding, Position, Rule, Severity, Span};

use crate::support::server::{Server, ok, ok_with, status};
use crate::support::{Sandbox, skip};

const HTML: &str = "Content-Type: text/html\r\n";

/// The exit status of `dev/ci/browser-report` if Chromium is missing.
const NO_BROWSER: i32 = 77;

/// Writes a report about a site with many kinds of findings.
fn planted(sandbox: &Sandbox) {
    let version = |own: &str, other: &str| {
        format!(
            "<link rel=alternate hreflang={own} href=/{own}/oak><link rel=alternate hreflang={other} href=/{other}/oak>\
             <title>Oak {own}</title><p>About oaks in the language {own}"
        )
    };
    let server = Server::start(vec![
        ("/robots.txt", ok("User-agent: *\nDisallow: /cart\n")),
        ("/", ok_with(HTML, "<title>Home</title><p>All about trees")),
        ("/en/oak", ok_with(HTML, version("en", "de"))),
        ("/de/oak", ok_with(HTML, version("de", "en"))),
        (
            "/de/elm",
            ok_with(
                HTML,
                "<link rel=alternate hreflang=de href=/de/elm><link rel=alternate hreflang=en href=/en/oak><title>Ulme</title>",
            ),
        ),
        ("/shop/draft", ok_with(HTML, "<meta name=robots content=noindex><title>Draft</title><p>Not yet")),
        ("/shop/late", ok_with("Content-Type: text/html\r\nX-Robots-Tag: noindex\r\n", "<p>Too late")),
        ("/shop/old", status(301, "Location: /en/oak\r\n")),
        ("/shop/now", status(302, "Location: /en/oak\r\n")),
        ("/shop/loop", status(302, "Location: /shop/loop2\r\n")),
        ("/shop/loop2", status(302, "Location: /shop/loop\r\n")),
    ]);
    let paths = [
        "/",
        "/en/oak",
        "/de/oak",
        "/de/elm",
        "/shop/draft",
        "/shop/late",
        "/shop/old",
        "/shop/now",
        "/shop/loop",
        "/shop/gone",
        "/cart",
    ];
    let long = format!("/shop/{}", "a-very-long-name-of-a-page".repeat(8));
    let urls: String = paths.iter().copied().chain([&*long]).map(|path| server.url(path) + "\n").collect();
    sandbox.write("sitemap.txt", urls);
    let ran = sandbox.run(&["check", "sitemap.txt", "--pages", "--state", "s", "--allow-private"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let ran = sandbox.run(&["report", "--state", "s", "--out", "report.html"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("12 pages in `report.html`\n", 0));
    let html = sandbox.read("report.html");
    for row in [
        "200</th><td>6</td>",
        "404</th><td>2</td>",
        "301 redirect</th><td>1</td>",
        "302 redirect</th><td>1</td>",
        "redirects without a page</th><td>1</td>",
        "blocked by robots.txt</th><td>1</td>",
        "<th scope=row>de</th><td></td><td>2<br><span class=bad>1 without a link back</span></td>",
        "<th scope=row>en</th><td>1</td><td></td>",
        "<span class=quiet>sitemap.txt, line 5</span>",
    ] {
        assert_eq!(html.matches(row).count(), 1, "{row}\n{html}");
    }
}

/// Writes a report about a million pages in 300 sections. Every 37th page is missing, and every seventh page has
/// `noindex`.
fn big(path: &Path) {
    let mut report = ReportBuilder::new("https://www.example.com/", UNIX_EPOCH);
    let place = Span::new(Position::new(0, 1, 1), 0);
    let missing = Finding::new(Rule::PageMissing, place, "the page answers with status 404");
    let noindex = Finding::new(Rule::PageNoindex, place, "the page has `noindex`");
    for number in 0..1_000_000_u32 {
        let section = number % 300;
        let url = format!("https://www.example.com/section-{section}/{number}");
        let worst = (number % 37 == 0).then_some(Severity::Error);
        let mut page = ReportPage::new(&url, Answer::Status(200));
        page.worst = worst;
        report.page(&page);
        for (every, finding) in [(37, &missing), (7, &noindex)] {
            if number.is_multiple_of(every) {
                report.finding(&url, None, finding);
            }
        }
    }
    std::fs::write(path, report.finish()).unwrap();
}

#[test]
fn a_browser_shows_and_filters_reports() {
    let script = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../dev/ci/browser-report"));
    let sandbox = Sandbox::new();
    planted(&sandbox);
    if !script.is_file() {
        return skip("the script that drives the browser is not part of the package");
    }
    big(&sandbox.path().join("big.html"));
    let screenshots = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser-report");
    let mut command = Command::new("python3");
    command.arg(script).arg(&screenshots).args(["report.html", "big.html"]).current_dir(sandbox.path());
    let output = match command.output() {
        Err(error) => return skip(&format!("`python3` does not start: {error}")),
        Ok(output) => output,
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    println!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(NO_BROWSER) {
        return skip("Chromium is not installed (Debian: chromium)");
    }
    let place = screenshots.display();
    assert!(output.status.success(), "the browser shows something else; see the screenshots in {place}");
}
