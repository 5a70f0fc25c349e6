//! Tests of threads: their number affects how long a run takes, but not its result.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{IndexLastMod, OnInvalid, SetOptions};
use sitemap_core::{Dialect, Limits, Memory, Site, SitemapSet, Storage, Summary};
use sitemap_tests::{Hooked, OperationKind};

fn limits(urls: u64) -> Limits {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = urls;
    limits
}

fn builder(threads: usize) -> SetOptions {
    let site = Site::new("https://example.com").unwrap();
    SitemapSet::builder(site)
        .index_lastmod(IndexLastMod::Omit)
        .lower_limits(limits(4_000))
        .on_invalid(OnInvalid::Skip)
        .threads(threads)
}

/// Publishes two sections with several files each, a smaller section and an empty section.
fn publish(builder: SetOptions, storage: impl Storage + 'static) -> Result<Summary, PublishError> {
    let path = |n: u64| format!("/items/{n}/{}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut run = builder.storage(storage).replace()?;
    let [mut items, mut users] = run.sections(["items", "users"])?;
    thread::scope(|scope| {
        let items = scope.spawn(move || items.add_all((0..15_000).map(path)));
        let users = scope.spawn(move || {
            users.add("no path")?;
            users.add_all((0..15_000).map(path))
        });
        items.join().unwrap().and(users.join().unwrap())
    })?;
    run.section("others")?.add_all((0..9_000).map(path))?;
    run.section("empty")?;
    run.commit()
}

fn contents(memory: &Memory) -> BTreeMap<String, Vec<u8>> {
    let names = memory.list().unwrap().into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| (name.clone(), memory.get(&name).unwrap().to_vec())).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let encoders: [fn(SetOptions) -> SetOptions; 4] =
        [|plain| plain, SetOptions::gzip, |builder| builder.gzip_level(1), |builder| builder.gzip_level(6)];
    for (number, encoder) in encoders.iter().enumerate() {
        let mut expected = None;
        for threads in [1, 2, 3, 8] {
            let memory = Memory::new();
            let summary = publish(encoder(builder(threads)), memory.clone()).unwrap();
            let found = (contents(&memory), summary.to_string());
            assert_eq!((summary.urls(), summary.skipped()), (39_000, 1));
            assert_eq!(found.0.len(), 4 + 4 + 3 + 1);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(*expected == found, "encoder {number}, {threads} threads");
        }
    }
}

#[test]
fn compressed_files_inflate_to_the_plain_ones() {
    let (plain, gzip) = (Memory::new(), Memory::new());
    publish(builder(1), plain.clone()).unwrap();
    publish(builder(2).gzip(), gzip.clone()).unwrap();
    for (name, bytes) in contents(&plain) {
        let Some(stored) = gzip.get(&format!("{name}.gz")) else {
            assert_eq!(name, "sitemap.xml");
            continue;
        };
        let mut text = Vec::new();
        let mut decoder = flate2::bufread::GzDecoder::new(&stored[..]);
        decoder.read_to_end(&mut text).unwrap();
        assert!(text == bytes, "{name}");
        assert!(decoder.into_inner().is_empty(), "{name} has more than one gzip member");
    }
}

#[test]
fn two_sections_cannot_be_the_same_one() {
    let mut run = builder(1).storage(Memory::new()).replace().unwrap();
    let error = run.sections(["a", "b", "a"]).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::NameInUse { .. }));
    run.section("posts").unwrap();
    let error = run.section("Posts").unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::NameInUse { .. }));
}

/// Creates a storage that fails or panics once a file is larger than `room` bytes.
fn small(memory: &Memory, room: usize, panics: bool) -> impl Storage + 'static {
    let written = Mutex::new(BTreeMap::new());
    Hooked::new(memory.clone(), move |operation| {
        if operation.kind == OperationKind::Write {
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            let written = written.entry(operation.name.to_owned()).or_insert(0);
            *written += operation.len;
            assert!(!panics || *written <= room, "planned panic of the storage");
            if *written > room {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        Ok(())
    })
}

#[test]
fn an_error_on_another_thread_names_its_file_and_leaves_the_old_set() {
    for threads in [1, 3] {
        let memory = Memory::new();
        publish(builder(threads), memory.clone()).unwrap();
        let old = contents(&memory);
        let small = small(&memory, 1_000, false);
        let error = publish(builder(threads).gzip(), small).unwrap_err();
        let text = error.to_string();
        // The thread that is joined first may have stopped because of the other one's error.
        let cause = text.strip_prefix("an earlier error ended this run: ").unwrap_or(&text);
        assert!(cause.starts_with("cannot write `sitemap-"), "{text}");
        assert!(contents(&memory) == old);
        assert!(memory.list().unwrap().iter().all(|name| !name.contains(".tmp")));
        publish(builder(threads), memory.clone()).unwrap();
        assert!(contents(&memory) == old);
    }
}

#[test]
fn large_files_are_synced_while_others_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let site = Site::new("https://example.com").unwrap();
    let mut run =
        SitemapSet::builder(site).lower_limits(limits(20_000)).open(dir.path()).unwrap().replace().unwrap();
    run.section("p").unwrap().add_all((0..60_000).map(|n| format!("/a-path-of-some-length/{n}"))).unwrap();
    let summary = run.commit().unwrap();
    assert!(summary.files().iter().all(|file| file.stored_bytes() > 1 << 20));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3 + 2);
}

/// Checks that the run neither publishes an incomplete file nor hangs.
#[test]
fn a_storage_that_panics_on_another_thread_ends_the_run_and_leaves_the_old_set() {
    let memory = Memory::new();
    publish(builder(2), memory.clone()).unwrap();
    let old = contents(&memory);
    for gzip in [false, true] {
        let small = small(&memory, 10_000, true);
        let builder = if gzip { builder(2).gzip() } else { builder(2) };
        let error = publish(builder, small).unwrap_err();
        assert!(matches!(error.kind(), PublishErrorKind::Aborted { .. }), "{error}");
        assert!(contents(&memory) == old);
    }
    publish(builder(2), memory.clone()).unwrap();
    assert!(contents(&memory) == old);
}
