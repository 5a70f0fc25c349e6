//! Tests for several instances of an application, and for crawlers that take longer than a refresh interval.

use std::thread;
use std::time::Duration;

use sitemap_core::{Entry, LastMod, Loc, Replacement, Site};
use sitemap_serve::{BoxError, LiveSitemap, SitemapService};

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

/// The records, which all instances read from the same database.
fn fill(run: &mut Replacement, generation: u32) -> Result<(), BoxError> {
    run.section("pages")?.add("/")?;
    let mut posts = run.section("posts")?;
    for id in 0..20 {
        let loc = Loc::parse(format!("https://example.com/posts/{generation}/{id}"))?.into_owned();
        let date = LastMod::parse(&format!("2026-01-{:02}", id + 1))?;
        posts.add(&Entry::new(loc).with_lastmod(date))?;
    }
    Ok(())
}

/// Returns a file's status, entity tag and text.
fn get(service: &SitemapService, path: &str) -> (u16, String, String) {
    let answer = service.respond_to("GET", path, [("accept", "*/*")]);
    let tag = answer.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned()).unwrap_or_default();
    (answer.status().as_u16(), tag, String::from_utf8(answer.body().to_vec()).unwrap())
}

fn children(index: &str) -> Vec<String> {
    let locs = index.split("<loc>https://example.com").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

#[test]
fn instances_that_publish_at_different_times_serve_the_same_bytes() {
    let instances = [(); 3].map(|()| LiveSitemap::new(site()));
    let mut indexes = Vec::new();
    for live in &instances {
        live.refresh(|run| fill(run, 1)).unwrap();
        indexes.push(get(&live.service(), "/sitemap.xml"));
        // Publication dates are whole seconds.
        thread::sleep(Duration::from_millis(1_050));
    }
    assert_eq!(indexes[0].0, 200);
    assert!(indexes[0].2.contains("<lastmod>2026-01-20</lastmod>"), "{}", indexes[0].2);
    assert!(indexes.iter().all(|index| *index == indexes[0]), "{indexes:?}");
    // A crawler finds every file, even if each request reaches a different instance.
    for (at, child) in children(&indexes[0].2).iter().enumerate() {
        assert_eq!(get(&instances[at % 3].service(), child).0, 200, "{child}");
    }
}

#[test]
fn a_crawler_that_is_slower_than_the_refreshes_finds_all_files_of_its_index() {
    let live = LiveSitemap::new(site());
    let service = live.service();
    let mut fetched = Vec::new();
    for generation in 1..=20 {
        live.refresh(|run| fill(run, generation)).unwrap();
        fetched.extend(children(&get(&service, "/sitemap.xml").2));
    }
    assert_eq!(fetched.len(), 40);
    for child in &fetched {
        assert_eq!(get(&service, child).0, 200, "{child}");
    }
    // One file for the unchanged section, one per generation of the other section, and the index.
    assert_eq!(live.status().files, 22);
}
