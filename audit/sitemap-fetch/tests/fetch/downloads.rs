//! Downloads to files.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sitemap_fetch::{
    Download, DownloadError, DownloadNumbers, Downloaded, Downloader, FetchOptions, Fetcher,
};
use tempfile::TempDir;
use tokio::sync::{Barrier, watch};

use crate::server::{Act, Server, answer, redirect, status};
use crate::work::options;

/// A folder, and a downloader that writes to it.
struct Files {
    folder: TempDir,
    downloader: Downloader,
}

impl Files {
    fn new(options: FetchOptions) -> Self {
        let (downloader, driver) = Fetcher::new(options).unwrap().downloader();
        tokio::spawn(driver);
        Self { folder: tempfile::tempdir().unwrap(), downloader }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn get(&self, url: &str) -> Downloaded {
        self.downloader.start(Download::new(url, self.path("file"))).wait().await
    }

    /// Downloads URLs in parallel, and returns the outcome of each.
    async fn get_all(&self, urls: &[String]) -> Vec<String> {
        let start = |(number, url): (usize, &String)| {
            self.downloader.start(Download::new(url, self.path(&number.to_string())))
        };
        let started: Vec<_> = urls.iter().enumerate().map(start).collect();
        let mut said = Vec::new();
        for mut one in started {
            said.push(outcome(&one.wait().await));
        }
        said
    }

    fn numbers(&self) -> (u64, u64) {
        let DownloadNumbers { requests, retries, .. } = self.downloader.numbers();
        (requests, retries)
    }
}

fn outcome(downloaded: &Downloaded) -> String {
    match &downloaded.outcome {
        Ok(response) => response.status.to_string(),
        Err(error) => error.to_string(),
    }
}

fn ok(body: &str) -> Act {
    Act::Send(answer(200, "", body))
}

#[tokio::test]
async fn a_body_goes_to_the_file_without_robots_txt() {
    let server = Server::start(|_| ok("an oak")).await;
    let files = Files::new(options(server.address));
    let done = files.get("http://a.test/oak#leaf").await;
    assert_eq!((done.url.as_str(), done.requests), ("http://a.test/oak", 1));
    assert_eq!(done.outcome.unwrap().len, 6);
    assert_eq!(fs::read(files.path("file")).unwrap(), b"an oak");
    assert_eq!(server.asked(), ["a.test/oak"]);
}

#[tokio::test]
async fn other_statuses_and_failures_leave_no_file() {
    let server = Server::start(|seen| match seen.path.as_str() {
        "/cut" => Act::Close(b"HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nan".to_vec()),
        "/long" => ok("an oak and an elm"),
        _ => status(404),
    })
    .await;
    let files = Files::new(options(server.address).max_body_bytes(10).retries(0));
    assert_eq!(outcome(&files.get("http://a.test/none").await), "404");
    let cut = files.get("http://a.test/cut").await;
    assert_eq!(outcome(&cut), "`a.test` ended the connection before the response was complete");
    let long = files.get("http://a.test/long").await;
    assert!(matches!(long.outcome, Err(DownloadError::TooLong { limit: 10 })));
    assert_eq!(
        outcome(&files.get("file:///etc/passwd").await),
        "`file:///etc/passwd` is not an http or https URL"
    );
    assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_that_changes_between_two_attempts_has_the_bytes_of_the_second() {
    let server = Server::start(|seen| match (seen.path.as_str(), seen.earlier) {
        ("/changing", 0) => {
            Act::Close(b"HTTP/1.1 200 X\r\nContent-Length: 90\r\n\r\nan old and long text".to_vec())
        }
        _ => ok("new"),
    })
    .await;
    let files = Files::new(options(server.address));
    // Requests are retried only if the host has answered before.
    files.get("http://a.test/other").await;
    let done = files.get("http://a.test/changing").await;
    assert_eq!((done.requests, done.outcome.unwrap().len), (2, 3));
    assert_eq!(fs::read(files.path("file")).unwrap(), b"new");
    assert_eq!(files.numbers(), (3, 1));
}

#[tokio::test]
async fn a_host_that_never_answered_is_asked_once() {
    let server = Server::start(|_| Act::Reset).await;
    let files = Files::new(options(server.address));
    assert_eq!(files.get("http://a.test/oak").await.requests, 1);
    assert_eq!(files.numbers(), (1, 0));
}

#[tokio::test]
async fn pauses_count_towards_the_time_of_a_file() {
    let server = Server::start(|_| Act::Send(answer(503, "Retry-After: 40\r\n", ""))).await;
    let files = Files::new(options(server.address).timeout(Duration::from_secs(100)).retries(9));
    let done = files.get("http://a.test/oak").await;
    // The file was requested at 0, 40 and 80 seconds. The next request would be at 120 seconds.
    assert_eq!((outcome(&done).as_str(), done.requests), ("503", 3));
}

#[tokio::test]
async fn a_host_that_answers_429_without_end_is_given_up() {
    let server = Server::start(|_| status(429)).await;
    let files = Files::new(options(server.address).give_up_after(5).per_host(1).retries(1));
    let urls: Vec<_> = (0..40).map(|number| format!("http://a.test/{number}")).collect();
    let said = files.get_all(&urls).await;
    assert_eq!(files.numbers().0, 5);
    let given_up = "`a.test` answered 5 requests in a row with status 429, too many requests; try again later, with \
                    fewer requests at the same time";
    assert!(said.iter().all(|one| one == "429" || one == given_up), "{said:?}");
    assert!(said.iter().filter(|one| *one == given_up).count() >= 35, "{said:?}");
}

#[tokio::test]
async fn a_pause_longer_than_the_limit_gives_up_the_host() {
    let server = Server::start(|_| Act::Send(answer(429, "Retry-After: 3600\r\n", ""))).await;
    let files = Files::new(options(server.address).max_retry_after(Duration::from_secs(60)).per_host(1));
    let said = files.get_all(&["http://a.test/1".to_owned(), "http://a.test/2".to_owned()]).await;
    assert_eq!(said, ["429", "`a.test` asks to wait 3600 s, more than the limit of 60 s; try again later"]);
    assert_eq!(files.numbers(), (1, 0));
}

#[tokio::test]
async fn as_many_requests_run_at_once_as_the_limit_allows() {
    let barrier = Arc::new(Barrier::new(8));
    // No request is answered until eight are under way.
    let server = Server::start(move |_| Act::Meet(Arc::clone(&barrier), answer(200, "", "x"))).await;
    let files = Files::new(options(server.address).per_host(8));
    let urls: Vec<_> = (0..64).map(|number| format!("http://a.test/{number}")).collect();
    assert!(files.get_all(&urls).await.iter().all(|one| one == "200"));
    assert_eq!(server.most_open(), 8);
}

#[tokio::test]
async fn a_slow_host_does_not_hold_up_others() {
    let (release, held) = watch::channel(false);
    let server = Server::start(move |seen| {
        if seen.host == "a.test" { Act::Wait(held.clone(), answer(200, "", "slow")) } else { ok("fast") }
    })
    .await;
    let files = Files::new(options(server.address));
    let slow: Vec<_> = (0..20).map(|number| format!("http://a.test/{number}")).collect();
    let mut waiting: Vec<_> = slow
        .iter()
        .map(|url| files.downloader.start(Download::new(url, files.path(url.rsplit('/').next().unwrap()))))
        .collect();
    let fast = files.downloader.start(Download::new("http://b.test/", files.path("fast"))).wait().await;
    assert_eq!(outcome(&fast), "200");
    release.send(true).unwrap();
    for one in &mut waiting {
        assert_eq!(outcome(&one.wait().await), "200");
    }
}

#[tokio::test]
async fn headers_stay_with_their_host_and_private_addresses_are_refused_after_a_redirect() {
    let server = Server::start(|seen| match seen.host.as_str() {
        "a.test" => redirect(302, "http://b.test/x"),
        _ => redirect(302, "http://127.0.0.2:1/secret"),
    })
    .await;
    let files =
        Files::new(options(server.address).header("X-Stage", "secret").headers_only_for("http://a.test"));
    let done = files.get("http://a.test/oak").await;
    assert_eq!(
        outcome(&done),
        "`127.0.0.2` is on this machine or a private network; allow private addresses to request it"
    );
    assert_eq!(done.hops.len(), 2);
    let sent: Vec<_> = server.seen().iter().map(|seen| seen.header("x-stage").map(str::to_owned)).collect();
    assert_eq!(sent, [Some("secret".to_owned()), None]);
}

#[tokio::test]
async fn a_cancelled_download_is_not_requested() {
    let (release, held) = watch::channel(false);
    let server = Server::start(move |_| Act::Wait(held.clone(), answer(200, "", "x"))).await;
    let files = Files::new(options(server.address).per_host(1));
    let mut first = files.downloader.start(Download::new("http://a.test/1", files.path("1")));
    drop(files.downloader.start(Download::new("http://a.test/2", files.path("2"))));
    let mut third = files.downloader.start(Download::new("http://a.test/3", files.path("3")));
    release.send(true).unwrap();
    assert_eq!(
        (outcome(&first.wait().await), outcome(&third.wait().await)),
        ("200".to_owned(), "200".to_owned())
    );
    assert_eq!(server.asked(), ["a.test/1", "a.test/3"]);
}

#[tokio::test]
async fn a_document_is_posted_without_the_extra_headers() {
    let server = Server::start(|_| Act::Close(answer(429, "Retry-After: 7\r\n", ""))).await;
    let fetcher = Fetcher::new(options(server.address).header("X-Stage", "secret")).unwrap();
    let posted = fetcher.post("http://a.test/indexnow", "application/json", "{}").await.unwrap();
    assert_eq!((posted.status, posted.retry_after.as_deref()), (429, Some("7")));
    let seen = &server.seen()[0];
    assert_eq!((seen.header("content-type"), seen.header("x-stage")), (Some("application/json"), None));
    let refused = fetcher.post("http://127.0.0.1:1/", "application/json", "{}").await.unwrap_err();
    assert!(refused.message.starts_with("`127.0.0.1` is on this machine"), "{refused}");
}
