//! Tests what a program without a `tracing` subscriber prints about failed refreshes. The test starts itself as this
//! program.

use std::env;
use std::process::Command;
use std::time::Duration;

use sitemap_core::{Memory, Site};
use sitemap_serve::{LiveSitemap, SitemapService};
use sitemap_tests::Hooked;

const IS_PROGRAM: &str = "SITEMAP_LOUD";

#[test]
fn a_failed_refresh_of_a_schedule_is_a_line_on_the_standard_error_stream() {
    if env::var_os(IS_PROGRAM).is_some() {
        return program();
    }
    let ran = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "a_failed_refresh_of_a_schedule_is_a_line_on_the_standard_error_stream",
            "--nocapture",
        ])
        .env(IS_PROGRAM, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{printed}");
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with("sitemap")).collect();
    assert_eq!(
        lines,
        [
            "sitemap not refreshed; there is no set yet, so requests get 503: cannot read the records: no database",
            "sitemap not refreshed; the old set stays published: cannot read the records: no database",
        ]
    );
}

/// Fails, publishes and fails again.
fn program() {
    let live =
        LiveSitemap::on(Memory::new(), LiveSitemap::options(Site::new("https://example.com").unwrap()));
    let mut calls = 0;
    let refresher = live
        .every(Duration::from_secs(3600), move |run| {
            calls += 1;
            if calls % 2 == 1 {
                return Err("no database".into());
            }
            Ok(run.section("pages")?.add("/")?)
        })
        .unwrap();
    for (failures, successes) in [(1, 0), (1, 1), (2, 1)] {
        while (live.status().failures, live.status().successes) != (failures, successes) {
            std::thread::yield_now();
        }
        if failures < 2 {
            refresher.wake();
        }
    }
    refresher.stop().wait();
}

#[test]
fn a_storage_that_goes_on_failing_is_one_line_on_the_standard_error_stream() {
    if env::var_os(IS_PROGRAM).is_some() {
        let storage = Hooked::new(Memory::new(), |_| Err(std::io::Error::other("no route to host")));
        let service = SitemapService::new(storage);
        for path in ["/sitemap.xml", "/sitemap.xml", "/sitemap-posts-1.xml"] {
            assert_eq!(service.respond_to("GET", path, [("", ""); 0]).status(), 503);
        }
        assert_eq!(service.status().failures, 3);
        return;
    }
    let ran = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "a_storage_that_goes_on_failing_is_one_line_on_the_standard_error_stream",
            "--nocapture",
        ])
        .env(IS_PROGRAM, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{printed}");
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with("cannot")).collect();
    assert_eq!(
        lines,
        [
            "cannot read `sitemap.xml` of the published sitemap; requests get what is in memory, or 503: no route to host"
        ]
    );
}
