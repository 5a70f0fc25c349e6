//! Tests for redirects, which are followed one at a time.

use crate::server::{Act, Seen, Server, answer, page, redirect};
use crate::work::{Pages, options, visit};

async fn said(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> String {
    let server = Server::start(act).await;
    visit(options(server.address), "http://a.test/1").await
}

#[tokio::test]
async fn each_redirect_is_recorded() {
    let act = |seen: &Seen| match &*seen.path {
        "/1" => redirect(301, "http://b.test/2"),
        "/2" => redirect(302, "/3"),
        "/3" => redirect(303, "4?q=1#part"),
        "/4?q=1" => redirect(307, "?q=2"),
        "/4?q=2" => redirect(308, "//a.test/5"),
        _ => page("End"),
    };
    assert_eq!(
        said(act).await,
        "http://a.test/1: 301 http://b.test/2 > 302 http://b.test/3 > 303 http://b.test/4?q=1 > \
         307 http://b.test/4?q=2 > 308 http://a.test/5 > 200 End"
    );
}

#[tokio::test]
async fn redirects_in_a_circle_are_not_followed() {
    assert_eq!(
        said(|_| redirect(301, "/1")).await,
        "http://a.test/1: 301 http://a.test/1 > redirect-loop: the redirects lead back to `http://a.test/1`"
    );
    let circle = |seen: &Seen| redirect(302, if seen.path == "/1" { "/2" } else { "/1#again" });
    assert_eq!(
        said(circle).await,
        "http://a.test/1: 302 http://a.test/2 > 302 http://a.test/1 > redirect-loop: the redirects lead back to \
         `http://a.test/1`"
    );
}

/// Redirects from `/1` to `/2` and so on until a page is reached.
fn chain(last: u32) -> impl Fn(&Seen) -> Act {
    move |seen| {
        let number: u32 = seen.path[1..].parse().unwrap();
        if number == last { page("End") } else { redirect(301, &format!("/{}", number + 1)) }
    }
}

#[tokio::test]
async fn ten_redirects_are_followed_and_eleven_are_not() {
    let ten = said(chain(11)).await;
    assert!(ten.ends_with("> 301 http://a.test/11 > 200 End"), "{ten}");
    let eleven = said(chain(12)).await;
    assert!(
        eleven.ends_with(
            "> 301 http://a.test/12 > too-many-redirects: there are more than 10 redirects, the last one to \
             `http://a.test/12`"
        ),
        "{eleven}"
    );
    assert_eq!(eleven.matches(" 301 ").count(), 11);
}

#[tokio::test]
async fn redirects_to_nowhere_are_failures() {
    assert_eq!(
        said(|_| Act::Send(answer(301, "", ""))).await,
        "http://a.test/1: 301 nowhere > invalid-redirect: `a.test` redirects with status 301 and without a `Location`"
    );
    assert_eq!(
        said(|_| redirect(301, "http://[not")).await,
        "http://a.test/1: 301 nowhere > invalid-redirect: `a.test` redirects to \"http://[not\", which is not a URL"
    );
    for target in ["file:///etc/passwd", "ftp://b.test/", "javascript:alert(1)", "data:text/html,x"] {
        assert_eq!(
            said(move |_| redirect(302, target)).await,
            format!(
                "http://a.test/1: 302 {target} > invalid-redirect: `a.test` redirects to `{target}`, which is not an \
                 http or https URL"
            )
        );
    }
}

#[tokio::test]
async fn redirects_to_private_addresses_are_refused() {
    for (target, why) in [
        (
            "http://127.0.0.1/",
            "`127.0.0.1` is on this machine or a private network; allow private addresses to request it",
        ),
        (
            "http://[::1]/",
            "`[::1]` is on this machine or a private network; allow private addresses to request it",
        ),
        (
            "http://169.254.169.254/latest/meta-data/",
            "`169.254.169.254` is a link-local address or a metadata service; allow link-local addresses to request it",
        ),
        ("http://0.0.0.0/", "`0.0.0.0` is reserved, so no site can be there; use another address"),
    ] {
        assert_eq!(
            said(move |_| redirect(302, target)).await,
            format!("http://a.test/1: 302 {target} > forbidden-address: {why}")
        );
    }
}

#[tokio::test]
async fn the_robots_txt_of_each_host_counts() {
    let server = Server::start(|seen| match (&*seen.host, &*seen.path) {
        ("a.test", "/robots.txt") => Act::Send(answer(404, "", "")),
        ("b.test", "/robots.txt") => Act::Send(answer(200, "", "User-agent: *\nDisallow: /private\n")),
        ("a.test", _) => redirect(301, "http://b.test/private"),
        _ => page("Private"),
    })
    .await;
    let mut pages = Pages::of(["http://a.test/"]);
    pages.run(options(server.address)).await;
    assert_eq!(
        pages.said(),
        ["http://a.test/: 301 http://b.test/private > blocked: line 2 of robots.txt disallows `/private`"]
    );
    assert_eq!(server.asked(), ["a.test/robots.txt", "a.test/", "b.test/robots.txt"]);
}
