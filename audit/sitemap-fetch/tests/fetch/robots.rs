//! Tests for requesting and obeying each host's robots.txt.

use std::time::{Duration, SystemTime};

use sitemap_fetch::RobotsFile;
use sitemap_pages::robots::RobotsAnswer;

use crate::server::{Act, Seen, Server, answer, page, redirect, status};
use crate::work::{AT, Pages, options};

/// Visits a page on a host with the given robots.txt response. Returns the page's outcome and the number of requests.
async fn said(robots: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> (String, u64) {
    let act = move |seen: &Seen| if seen.path == "/page" { page("Page") } else { robots(seen) };
    let server = Server::start(act).await;
    let mut pages = Pages::of(["http://a.test/page"]);
    let summary = pages.run(options(server.address)).await;
    (pages.said().remove(0).replace("http://a.test/page: ", ""), summary.progress.requests)
}

fn file(text: &str) -> Act {
    Act::Send(answer(200, "Content-Type: text/plain\r\n", text))
}

#[tokio::test]
async fn rules_are_obeyed() {
    assert_eq!(said(|_| file("User-agent: *\nDisallow: /cart\n")).await, ("200 Page".to_owned(), 2));
    assert_eq!(
        said(|_| file("User-agent: *\nAllow: /\n\nUser-agent: sitemap\nDisallow: /p*e$\n")).await,
        ("blocked: line 5 of robots.txt disallows `/p*e$`".to_owned(), 1)
    );
}

#[tokio::test]
async fn a_missing_file_allows_everything() {
    for code in [400, 401, 403, 404, 410] {
        assert_eq!(said(move |_| status(code)).await, ("200 Page".to_owned(), 2), "{code}");
    }
}

#[tokio::test]
async fn an_unreachable_file_forbids_everything() {
    for code in [429, 500, 503] {
        assert_eq!(
            said(move |_| status(code)).await,
            (
                format!(
                    "blocked: robots.txt cannot be fetched, so no page may be fetched: it answered with status {code}"
                ),
                3
            )
        );
    }
    assert_eq!(
        said(|_| Act::Reset).await,
        (
            "blocked: robots.txt cannot be fetched, so no page may be fetched: `a.test` ended the connection before \
             the response was complete"
                .to_owned(),
            3
        )
    );
}

#[tokio::test]
async fn a_file_that_is_reachable_at_the_second_attempt_counts() {
    let act =
        |seen: &Seen| if seen.earlier == 0 { status(503) } else { file("User-agent: *\nDisallow: /page\n") };
    assert_eq!(said(act).await, ("blocked: line 2 of robots.txt disallows `/page`".to_owned(), 2));
}

#[tokio::test]
async fn the_first_500_kib_count() {
    let act = |_: &Seen| {
        let mut text = "User-agent: *\nDisallow: /private\n".to_owned();
        text.push_str(&"# nothing\n".repeat(500_000));
        text.push_str("Disallow: /page\n");
        Act::Send(answer(200, "", text))
    };
    assert_eq!(said(act).await, ("200 Page".to_owned(), 2));
    let endless = |_: &Seen| {
        let start = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /page\n";
        Act::Repeat(start.into(), "# nothing\n".into())
    };
    assert_eq!(said(endless).await, ("blocked: line 2 of robots.txt disallows `/page`".to_owned(), 1));
}

#[tokio::test]
async fn redirects_are_followed_also_to_other_hosts() {
    let act = |seen: &Seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/robots.txt") => redirect(301, "http://b.test/robots.txt"),
        ("b.test", "/robots.txt") => redirect(302, "/rules"),
        _ => file("User-agent: *\nDisallow: /page\n"),
    };
    assert_eq!(said(act).await, ("blocked: line 2 of robots.txt disallows `/page`".to_owned(), 3));
}

#[tokio::test]
async fn more_than_five_redirects_count_as_a_missing_file() {
    let chain = |last: usize| {
        move |seen: &Seen| {
            let number: usize = seen.path.trim_start_matches(['/']).parse().unwrap_or(0);
            if number == last {
                file("User-agent: *\nDisallow: /\n")
            } else {
                redirect(301, &format!("/{}", number + 1))
            }
        }
    };
    assert_eq!(said(chain(5)).await, ("blocked: line 2 of robots.txt disallows `/`".to_owned(), 6));
    assert_eq!(said(chain(6)).await, ("200 Page".to_owned(), 7));
    assert_eq!(said(|_| redirect(301, "/robots.txt")).await, ("200 Page".to_owned(), 2));
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    assert_eq!(
        said(|_| redirect(301, "http://169.254.169.254/robots.txt")).await,
        (
            "blocked: robots.txt cannot be fetched, so no page may be fetched: `169.254.169.254` is a link-local \
             address or a metadata service; allow link-local addresses to request it"
                .to_owned(),
            1
        )
    );
}

#[tokio::test]
async fn each_origin_is_asked_once_and_the_answer_is_passed_on() {
    let act = |seen: &Seen| match &*seen.path {
        "/robots.txt" => file(&format!("# {}\n", seen.host)),
        _ => page("Page"),
    };
    let server = Server::start(act).await;
    let urls =
        || (0..20).map(|number| format!("http://{}.test/{number}", if number % 2 == 0 { "a" } else { "b" }));
    let mut first = Pages::of(urls());
    let summary = first.run(options(server.address)).await;
    assert_eq!((summary.progress.requests, summary.progress.visited), (22, 20));
    first.stored.sort_by(|left, right| left.origin.cmp(&right.origin));
    let stored: Vec<_> = first.stored.iter().map(|file| (&*file.origin, file.answer, &*file.body)).collect();
    assert_eq!(
        stored,
        [
            ("http://a.test", RobotsAnswer::Status(200), &b"# a.test\n"[..]),
            ("http://b.test", RobotsAnswer::Status(200), &b"# b.test\n"[..]),
        ]
    );
    let mut second = Pages::of(urls());
    second.known = first.stored.into_iter().map(|file| (file.origin.clone(), file)).collect();
    let summary = second.run(options(server.address)).await;
    assert_eq!((summary.progress.requests, summary.progress.visited, second.stored.len()), (20, 20, 0));
}

const HOUR: Duration = Duration::from_secs(3600);

/// From the second request on, robots.txt disallows `/d`.
fn stricter(seen: &Seen) -> Act {
    match (&*seen.path, seen.earlier) {
        ("/robots.txt", 0) => file(""),
        ("/robots.txt", _) => file("User-agent: *\nDisallow: /d\n"),
        _ => page("Page"),
    }
}

fn on_a(paths: &[&str]) -> Pages {
    Pages::of(paths.iter().map(|path| format!("http://a.test{path}")))
}

#[tokio::test]
async fn a_file_is_requested_again_after_a_day() {
    let server = Server::start(stricter).await;
    let mut pages = on_a(&["/a", "/b", "/c", "/d", "/e"]);
    pages.run(options(server.address).delay(11 * HOUR)).await;
    let expected = ["/robots.txt", "/a", "/b", "/robots.txt", "/c", "/e"].map(|path| format!("a.test{path}"));
    assert_eq!(server.asked(), expected);
    assert_eq!(pages.said()[3], "http://a.test/d: blocked: line 2 of robots.txt disallows `/d`");
    // At hour 33, `/c` waits for the second robots.txt, and `/d` is refused.
    assert_eq!(pages.hours(), [11, 22, 44, 33, 55]);
    let asked: Vec<_> = pages.stored.iter().map(|file| file.at.duration_since(AT).unwrap()).collect();
    assert_eq!(asked, [Duration::ZERO, 33 * HOUR]);
}

#[tokio::test]
async fn a_file_that_cannot_be_reached_after_a_day_counts_as_before() {
    let server = Server::start(|seen| match (&*seen.path, seen.earlier) {
        ("/robots.txt", 0) => file("User-agent: *\nDisallow: /d\n"),
        ("/robots.txt", 1) => status(503),
        ("/robots.txt", _) => file("User-agent: *\nDisallow: /e\n"),
        _ => page("Page"),
    })
    .await;
    let mut pages = on_a(&["/a", "/b", "/c", "/d", "/e", "/f"]);
    pages.run(options(server.address).delay(11 * HOUR).retries(0)).await;
    let asked = ["/robots.txt", "/a", "/b", "/robots.txt", "/c", "/robots.txt", "/f"];
    assert_eq!(server.asked(), asked.map(|path| format!("a.test{path}")));
    // `/d` is refused by the rules that apply in the meantime, and `/e` by the new ones.
    assert_eq!(
        [&*pages.said()[3], &*pages.said()[4]],
        [
            "http://a.test/d: blocked: line 2 of robots.txt disallows `/d`",
            "http://a.test/e: blocked: line 2 of robots.txt disallows `/e`"
        ]
    );
    assert_eq!(pages.stored.len(), 2, "the failure is not kept for a later run");
}

#[tokio::test]
async fn a_delay_longer_than_a_day_lets_one_page_follow_each_file() {
    let server = Server::start(stricter).await;
    let mut pages = on_a(&["/a", "/b"]);
    pages.run(options(server.address).delay(25 * HOUR)).await;
    assert_eq!(
        server.asked(),
        ["/robots.txt", "/a", "/robots.txt", "/b"].map(|path| format!("a.test{path}"))
    );
    assert_eq!(pages.hours(), [25, 75]);
}

#[tokio::test]
async fn a_retry_obeys_a_file_that_came_before_it() {
    let act = |seen: &Seen| match &*seen.path {
        "/robots.txt" => file("User-agent: *\nDisallow: /d\n"),
        "/d" => status(500),
        _ => page("Page"),
    };
    let server = Server::start(act).await;
    let mut pages = on_a(&["/d", "/e", "/f"]).allow("http://a.test");
    // The pause before the retry takes 15 to 30 seconds. The file becomes a day old after 4 seconds, before the second
    // page.
    let second = Duration::from_secs(1);
    pages.known.values_mut().for_each(|file| file.at = AT - 24 * HOUR + 4 * second);
    pages.run(options(server.address).delay(8 * second).backoff(30 * second)).await;
    assert_eq!(server.asked(), ["/d", "/robots.txt", "/e", "/f"].map(|path| format!("a.test{path}")));
    assert_eq!(pages.said()[0], "http://a.test/d: blocked: line 2 of robots.txt disallows `/d`");
    assert_eq!(pages.visits["http://a.test/d"].at, AT, "the time of the last request");
}

#[tokio::test]
async fn a_known_file_is_used_until_it_is_a_day_old() {
    let server = Server::start(stricter).await;
    for (at, requests) in [
        (AT - 24 * HOUR, 2),
        (AT - 23 * HOUR, 1),
        // The answer is dated in the future, because a clock was set back.
        (AT + HOUR, 2),
    ] {
        let mut pages = on_a(&["/a"]).allow("http://a.test");
        pages.known.values_mut().for_each(|file: &mut RobotsFile| file.at = at);
        let summary = pages.run(options(server.address)).await;
        assert_eq!(summary.progress.requests, requests, "{at:?}");
    }
    let mut pages = on_a(&["/a", "/b"]).allow("http://a.test");
    pages.known.values_mut().for_each(|file| file.at = AT - 23 * HOUR);
    pages.run(options(server.address).delay(2 * HOUR)).await;
    assert_eq!(pages.stored.len(), 1, "it is a day old before the second page");
}

#[tokio::test]
async fn visits_with_a_fixed_time_have_the_time_of_the_run() {
    let server = Server::start(stricter).await;
    let mut pages = on_a(&["/a", "/b"]);
    pages.run(options(server.address).delay(13 * HOUR).fixed_time(true)).await;
    let times: Vec<SystemTime> = pages.visits.values().map(|visit| visit.at).collect();
    assert_eq!(times, [AT, AT]);
    assert!(pages.stored.iter().all(|file| file.at == AT));
}
