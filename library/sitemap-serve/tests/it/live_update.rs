//! Tests for changes to a live set.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::Server;
use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Loc, Memory, Replacement, Site, SitemapSet};
use sitemap_serve::{LiveSitemap, RefreshError};
use sitemap_update::{Change, Rebucket, Update, UpdateError, UpdateSet as _};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

fn builder() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap())
}

fn loc(id: u32) -> Loc<'static> {
    Loc::parse(format!("https://example.com/{id}")).unwrap()
}

/// Serves a thousand pages in 40 hash buckets.
fn start() -> LiveSitemap {
    let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
    let fill =
        |run: &mut Replacement| Ok(run.section("posts")?.add_all((0..1000).map(|id| format!("/{id}")))?);
    live.refresh(fill).unwrap();
    live.update(|set| Rebucket::new(set, 40).commit()).unwrap();
    live
}

/// Returns the entity tags of all files listed in the index, by name, and the total number of pages.
fn files(server: &Server) -> (BTreeMap<String, String>, usize) {
    let index = server.get("/sitemap.xml", &[]).text().to_owned();
    let (mut tags, mut pages) = (BTreeMap::new(), 0);
    for rest in index.split("<loc>https://example.com").skip(1) {
        let name = rest.split('<').next().unwrap();
        let file = server.get(name, &[]);
        assert_eq!(file.status, 200, "{name}");
        pages += file.text().matches("<url>").count();
        tags.insert(name.to_owned(), file.header("etag").to_owned());
    }
    (tags, pages)
}

#[test]
fn a_change_replaces_the_files_of_its_pages_and_no_others() {
    let live = start();
    let server = Server::of(live.service());
    let (before, pages) = files(&server);
    assert_eq!((before.len(), pages), (40, 1000));

    let mut update = Update::new(&builder().storage(Memory::new()));
    update.add(Change::Upsert(Entry::new(loc(5000)))).unwrap();
    update.add(Change::Remove(loc(1))).unwrap();
    update.add(Change::Remove(loc(2))).unwrap();
    let applied = live.update(|set| update.commit_to(Arc::clone(set.storage()))).unwrap();
    assert_eq!((applied.added(), applied.removed(), applied.files_read()), (1, 2, 3));

    let (after, pages) = files(&server);
    assert_eq!((after.len(), pages), (40, 999));
    assert_eq!(after.iter().filter(|(name, tag)| before.get(*name) == Some(tag)).count(), 37);
    // A client with the old index can still fetch its files.
    for (name, tag) in before {
        let file = server.get(&name, &[]);
        assert_eq!((file.status, file.header("etag")), (200, tag.as_str()), "{name}");
    }
}

#[test]
fn a_change_that_is_refused_leaves_the_set_as_it_is() {
    let live = start();
    let server = Server::of(live.service());
    let before = files(&server);
    let mut update = Update::new(&builder().storage(Memory::new()));
    for id in 0..400 {
        update.add(Change::Remove(loc(id))).unwrap();
    }
    let error = live.update(|set| update.commit_to(Arc::clone(set.storage()))).unwrap_err();
    let RefreshError::Update(source) = &error else { panic!("{error}") };
    assert!(matches!(source.downcast_ref(), Some(UpdateError::Publish(_))), "{error}");
    assert!(error.to_string().contains("section `posts` would fall from 1000 pages to 600"), "{error}");
    assert_eq!(live.status().last_error, Some(error.to_string()));
    assert_eq!(files(&server), before);

    // A successful change clears the error.
    let done: Result<u32, RefreshError> = live.update(|_| Ok::<_, UpdateError>(7));
    assert_eq!((done.unwrap(), live.status().last_error), (7, None));
    assert_eq!(files(&server), before);
}

#[test]
fn a_change_waits_for_a_refresh_without_blocking_a_runtime_with_one_thread() {
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let live = start();
        let server = Server::of(live.service());
        let (begun, has_begun) = oneshot::channel();
        let (release, released) = oneshot::channel::<()>();
        let refresh = tokio::spawn({
            let live = live.clone();
            async move {
                let fill = async |run: &mut Replacement| {
                    begun.send(()).unwrap();
                    released.await.unwrap();
                    Ok(run.section("posts")?.add_all((0..900).map(|id| format!("/{id}")))?)
                };
                live.refresh_async(fill).await.map(|summary| summary.urls())
            }
        });
        has_begun.await.unwrap();
        // The change does not block the runtime, so the refresh can end, and the change sees the new pages.
        let change = live.update_async(|set| Rebucket::new(set, 40).commit());
        let (moved, ()) = tokio::join!(change, async { release.send(()).unwrap() });
        assert_eq!(refresh.await.unwrap().unwrap(), 900);
        assert_eq!(moved.unwrap().summary().unwrap().urls(), 900);
        let mut update = Update::new(&builder().storage(Memory::new()));
        update.add(Change::Remove(loc(1))).unwrap();
        let applied =
            live.update_async(move |set| update.commit_to(Arc::clone(set.storage()))).await.unwrap();
        assert_eq!((applied.removed(), files(&server).1), (1, 899));
        // After an error or a panic, the set is unchanged, and the next change can run.
        let error = live.update_async(|_| Err::<(), _>(UpdateError::NoSet)).await.unwrap_err();
        assert!(matches!(error, RefreshError::Update(_)), "{error}");
        let live_too = live.clone();
        let panicked = tokio::spawn(async move {
            live_too.update_async(|_| -> Result<(), UpdateError> { panic!("a panic of a test") }).await
        });
        assert!(panicked.await.unwrap_err().is_panic());
        let done = live.update_async(|_| Ok::<_, UpdateError>(7)).await.unwrap();
        assert_eq!((done, files(&server).1), (7, 899));
    });
}

#[test]
fn a_change_needs_a_set() {
    let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
    let error = live.update(|set| set.update().commit()).unwrap_err();
    assert_eq!(error.to_string(), "no set is published that could be updated; publish one first");
    assert_eq!(Server::of(live.service()).get("/sitemap.xml", &[]).status, 503);
}
