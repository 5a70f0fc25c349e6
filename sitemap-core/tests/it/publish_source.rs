//! Tests of runs that reuse the published shards of hash buckets whose rows have not changed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sitemap_core::publish::files::{MANIFEST, content_digest};
use sitemap_core::publish::shards::{
    PublishedShard, PublishedShards, RecentCounts, ShardCommit, ShardError, ShardRow, SourceDigest,
    SourceDigester, bucket_of,
};
use sitemap_core::publish::{IndexLastMod, PublishErrorKind, SetOptions};
use sitemap_core::{
    Dialect, Directory, Entry, LastMod, Loc, Memory, PublishError, Site, SitemapSet, Storage, Summary,
};
use sitemap_tests::{Hooked, Operation, OperationKind};

const BUCKETS: u32 = 4;

const NONE: [u32; 0] = [];

/// The rows of a table: each page's URL and its day in January 2026.
type Table = Vec<(String, u8)>;

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn builder() -> SetOptions {
    // Makes each bucket consist of several shards.
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 5;
    SitemapSet::builder(site()).gzip().lower_limits(limits)
}

fn table(pages: u32) -> Table {
    let days = (1..=28).cycle();
    (0..pages).zip(days).map(|(n, day)| (format!("https://example.com/items/{n}"), day)).collect()
}

fn rows_of(table: &Table, bucket: u32) -> Table {
    table.iter().filter(|(loc, _)| bucket_of(loc, BUCKETS) == bucket).cloned().collect()
}

fn source(rows: &Table, settings: &str) -> SourceDigest {
    let mut digester = SourceDigester::new();
    for (loc, day) in rows {
        digester.add(format!("{} {loc} {day}", loc.len()).as_bytes());
    }
    digester.finish(settings.as_bytes())
}

fn write(storage: &Arc<dyn Storage>, section: &str, bucket: u32, mut rows: Table) -> Vec<ShardRow> {
    rows.sort();
    let mut shards = builder().write_shards(Arc::clone(storage), section, BUCKETS).unwrap();
    for (loc, day) in rows {
        let entry = Entry::new(Loc::parse(&loc).unwrap()).with_lastmod(LastMod::date(2026, 1, day).unwrap());
        shards.add(bucket, &entry).unwrap();
    }
    shards.finish().unwrap().into_rows()
}

fn commit(
    mut commit: ShardCommit,
    storage: &Arc<dyn Storage>,
    rows: impl IntoIterator<Item = ShardRow>,
) -> Result<Summary, PublishError> {
    rows.into_iter().try_for_each(|row| commit.add(row))?;
    commit.publish(Arc::clone(storage))
}

fn published(storage: &Arc<dyn Storage>) -> PublishedShards {
    PublishedShards::read(storage, &site()).unwrap()
}

/// Publishes a table as the section `items`, reusing the shards of buckets whose rows have not changed. Returns the
/// buckets that were written.
fn publish_with(storage: &Arc<dyn Storage>, builder: SetOptions, table: &Table) -> Vec<u32> {
    let published = published(storage);
    let (mut rows, mut written) = (Vec::new(), Vec::new());
    for bucket in 0..BUCKETS {
        let of_bucket = rows_of(table, bucket);
        let source = source(&of_bucket, "settings");
        if let Some(taken) = published.written_from("items", bucket, source) {
            rows.extend(taken);
        } else {
            let new = write(storage, "items", bucket, of_bucket);
            rows.extend(new.into_iter().map(|row| row.with_source(source)));
            written.push(bucket);
        }
    }
    commit(ShardCommit::new(builder), storage, rows).unwrap();
    written
}

fn publish(storage: &Arc<dyn Storage>, table: &Table) -> Vec<u32> {
    publish_with(storage, builder(), table)
}

/// Returns the names and content of `sitemap.xml` and of all files with pages.
fn set(storage: &Arc<dyn Storage>) -> Vec<(String, Vec<u8>)> {
    let read = |name: &str| {
        let mut bytes = Vec::new();
        io::copy(&mut storage.open(name).unwrap(), &mut bytes).unwrap();
        (name.to_owned(), bytes)
    };
    let published = published(storage);
    ["sitemap.xml"].into_iter().chain(published.rows().iter().map(PublishedShard::name)).map(read).collect()
}

/// Returns the buckets of `items` whose shards all record these rows as their source.
fn known(storage: &Arc<dyn Storage>, table: &Table) -> Vec<u32> {
    let published = published(storage);
    let is_known = |bucket: &u32| {
        published.written_from("items", *bucket, source(&rows_of(table, *bucket), "settings")).is_some()
    };
    (0..BUCKETS).filter(is_known).collect()
}

fn memory() -> Arc<dyn Storage> {
    Arc::new(Memory::new())
}

#[test]
fn taken_rows_are_those_of_the_writer() {
    let storage = memory();
    let rows: Vec<_> = rows_of(&table(100), 2);
    let source = source(&rows, "");
    let written = write(&storage, "items", 2, rows);
    let written: Vec<_> = written.into_iter().map(|row| row.with_source(source)).collect();
    // 100 pages in four buckets, with five pages per shard.
    assert!(written.len() > 3, "{}", written.len());
    commit(ShardCommit::new(builder()), &storage, written.iter().rev().cloned()).unwrap();
    assert_eq!(published(&storage).written_from("items", 2, source), Some(written.clone()));
    for (row, shard) in written.iter().zip(published(&storage).rows()) {
        assert_eq!((shard.source(), shard.name(), shard.is_by_url()), (Some(source), row.name(), true));
    }
}

#[test]
fn a_run_that_takes_shards_publishes_the_set_of_a_full_run() {
    let folder = tempfile::tempdir().unwrap();
    let on_disk: Arc<dyn Storage> = Arc::new(Directory::open(folder.path()).unwrap());
    let of_newest_page = || builder().index_lastmod(IndexLastMod::NewestPage);
    for storage in [memory(), on_disk] {
        let run = |table: &Table| {
            let written = publish_with(&storage, of_newest_page(), table);
            let full = memory();
            publish_with(&full, of_newest_page(), table);
            assert_eq!(set(&storage), set(&full));
            written
        };
        let mut table = table(100);
        assert_eq!(run(&table), [0, 1, 2, 3]);
        table.reverse();
        assert_eq!(run(&table), NONE);
        let changed = bucket_of(&table[50].0, BUCKETS);
        table[50].1 = 28;
        assert_eq!(run(&table), [changed]);
        table.remove(50);
        assert_eq!(run(&table), [changed]);
        assert_eq!(run(&table), NONE);
        table.retain(|(loc, _)| bucket_of(loc, BUCKETS) != 3);
        // An empty bucket has no shard to reuse, so it is always written.
        assert_eq!(run(&table), [3]);
    }
}

#[test]
fn a_run_that_takes_all_shards_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let on_disk: Arc<dyn Storage> = Arc::new(Directory::open(folder.path()).unwrap());
    for storage in [memory(), on_disk] {
        publish(&storage, &table(100));
        // If the index and the manifest were written again, their times would change.
        let names = || set(&storage).into_iter().map(|(name, _)| name).chain([MANIFEST.to_owned()]);
        let state = || -> Vec<_> { names().map(|name| storage.metadata(&name).unwrap().unwrap()).collect() };
        let before = (set(&storage), state());
        assert_eq!(publish(&storage, &table(100)), NONE);
        assert!((set(&storage), state()) == before);
    }
}

#[test]
fn a_source_is_published_even_if_no_file_changes() {
    let unlocked: Arc<dyn Storage> =
        Arc::new(Hooked::new(Memory::new(), |_: &Operation<'_>| Ok(())).without_lock());
    for storage in [memory(), unlocked] {
        let table = table(30);
        let write_all = |settings: Option<&str>| {
            let rows: Vec<_> = (0..BUCKETS)
                .flat_map(|bucket| {
                    let rows = rows_of(&table, bucket);
                    let source = settings.map(|settings| source(&rows, settings));
                    let written = write(&storage, "items", bucket, rows).into_iter();
                    written.map(move |row| source.map_or(row.clone(), |source| row.with_source(source)))
                })
                .collect();
            commit(ShardCommit::new(builder()), &storage, rows).unwrap();
        };
        write_all(None);
        let first = set(&storage);
        assert_eq!(known(&storage, &table), NONE);
        write_all(Some("settings"));
        assert_eq!(known(&storage, &table), [0, 1, 2, 3]);
        assert_eq!(publish(&storage, &table), NONE);
        write_all(Some("other settings"));
        assert_eq!(known(&storage, &table), NONE);
        write_all(Some("settings"));
        write_all(None);
        assert_eq!(known(&storage, &table), NONE);
        assert!(set(&storage) == first);
    }
}

#[test]
fn a_commit_that_keeps_sections_keeps_their_sources() {
    let storage = memory();
    let table = table(100);
    publish(&storage, &table);
    let shop = vec![("https://example.com/shop".to_owned(), 7)];
    let bucket = bucket_of(&shop[0].0, BUCKETS);
    let of_shop = source(&shop, "settings");
    let rows = write(&storage, "shop", bucket, shop);
    let rows = rows.into_iter().map(|row| row.with_source(of_shop));
    commit(ShardCommit::new(builder().keep_sections(true)), &storage, rows).unwrap();
    assert_eq!(known(&storage, &table), [0, 1, 2, 3]);
    // A run that writes no shards also keeps the sources.
    let mut run = builder().keep_sections(true).storage(Arc::clone(&storage)).replace().unwrap();
    run.section("blog").unwrap().add("/blog").unwrap();
    run.commit().unwrap();
    assert_eq!(published(&storage).sections(), ["items", "shop", "blog"]);
    assert_eq!(known(&storage, &table), [0, 1, 2, 3]);

    // Reuse all shards of one section and keep the other sections.
    assert_eq!(publish_with(&storage, builder().keep_sections(true), &table), NONE);
    let found = published(&storage);
    assert_eq!(found.sections(), ["items", "shop", "blog"]);
    assert_eq!(found.written_from("shop", bucket, of_shop).map(|rows| rows.len()), Some(1));
    // The other sections have a bucket with the same number, but not this source.
    assert_eq!(found.written_from("items", bucket, of_shop), None);
    assert_eq!(found.written_from("blog", bucket, of_shop), None);
}

#[test]
fn an_update_drops_the_sources_of_the_buckets_that_it_writes() {
    let storage = memory();
    let table = table(100);
    publish(&storage, &table);
    let mut rows = rows_of(&table, 1);
    rows[0].1 = 28;
    let changed = write(&storage, "items", 1, rows);
    let update = ShardCommit::new(builder()).update(&published(&storage), "items", [1]).unwrap();
    commit(update, &storage, changed).unwrap();
    assert_eq!(known(&storage, &table), [0, 2, 3]);
    // Only the bucket written by the update differs from the table.
    assert_eq!(publish(&storage, &table), [1]);
    assert_eq!(publish(&storage, &table), NONE);

    // Another run wrote the same pages, so no file of the bucket changes.
    let before = set(&storage);
    let same = write(&storage, "items", 1, rows_of(&table, 1));
    let update = ShardCommit::new(builder()).update(&published(&storage), "items", [1]).unwrap();
    commit(update, &storage, same).unwrap();
    assert_eq!(set(&storage), before);
    assert_eq!(known(&storage, &table), [0, 2, 3]);
}

#[test]
fn an_interrupted_commit_that_is_finished_later_has_its_sources() {
    for has_lock in [true, false] {
        let whole = Memory::new();
        let storage: Arc<dyn Storage> = Arc::new(whole.clone());
        publish(&storage, &table(100));
        let mut table = table(100);
        table[50].1 = 28;
        let changed = bucket_of(&table[50].0, BUCKETS);
        let of_change = source(&rows_of(&table, changed), "settings");
        let old = published(&storage);
        let mut rows = write(&storage, "items", changed, rows_of(&table, changed));
        rows = rows.into_iter().map(|row| row.with_source(of_change)).collect();
        for bucket in (0..BUCKETS).filter(|bucket| *bucket != changed) {
            rows.extend(
                old.written_from("items", bucket, source(&rows_of(&table, bucket), "settings")).unwrap(),
            );
        }
        let has_ended = AtomicBool::new(false);
        let failing = Hooked::new(whole, move |operation: &Operation<'_>| {
            let is_rename = matches!(operation.kind, OperationKind::Rename | OperationKind::RenameIf);
            let ends = is_rename && operation.name == "sitemap.xml";
            if has_ended.fetch_or(ends, Ordering::Relaxed) || ends {
                return Err(io::Error::other("the process has ended"));
            }
            Ok(())
        });
        let failing: Arc<dyn Storage> =
            if has_lock { Arc::new(failing) } else { Arc::new(failing.without_lock()) };
        commit(ShardCommit::new(builder()), &failing, rows).unwrap_err();
        assert_eq!(published(&storage).rows(), old.rows());
        PublishedShards::recover(Arc::clone(&storage), &site()).unwrap();
        assert_eq!(known(&storage, &table), [0, 1, 2, 3], "{has_lock}");
        assert_eq!(publish(&storage, &table), NONE);
    }
}

#[test]
fn a_bucket_is_taken_only_if_all_of_its_shards_have_the_source() {
    let storage = memory();
    let rows = rows_of(&table(100), 2);
    let (own, other) = (source(&rows, "settings"), source(&rows, "other settings"));
    let written = write(&storage, "items", 2, rows);
    let with = |sources: &dyn Fn(usize) -> Option<SourceDigest>| {
        let rows = written.iter().cloned().enumerate();
        let rows = rows.map(|(at, row)| match sources(at) {
            Some(source) => row.with_source(source),
            None => row,
        });
        commit(ShardCommit::new(builder()), &storage, rows.collect::<Vec<_>>()).unwrap();
        published(&storage).written_from("items", 2, own).is_some()
    };
    assert!(with(&|_| Some(own)));
    assert!(!with(&|at| (at != 1).then_some(own)));
    assert!(!with(&|at| Some(if at == 0 { other } else { own })));
    assert!(!with(&|_| Some(other)));
    assert!(with(&|_| Some(own)));
    let published = published(&storage);
    assert_eq!(published.written_from("items", 1, own), None);
    assert_eq!(published.written_from("shop", 2, own), None);
    assert_eq!(published.written_from("items", u32::MAX, own), None);
    assert_eq!(PublishedShards::default().written_from("items", 2, own), None);
}

#[test]
fn a_shard_whose_rows_have_different_sources_is_published_without_one() {
    let rows = rows_of(&table(10), 1);
    let (own, other) = (source(&rows, "settings"), source(&rows, "other settings"));
    for (sources, expected) in [
        (&[Some(own), Some(own)][..], Some(own)),
        (&[Some(own), None], None),
        (&[None, Some(own)], None),
        (&[Some(own), Some(other)], None),
        // Neither their number nor their order matters.
        (&[Some(own), None, Some(own)], None),
        (&[Some(own), Some(other), Some(own)], None),
    ] {
        let storage = memory();
        let row = write(&storage, "items", 1, rows.clone()).remove(0);
        let all = sources.iter().map(|source| match source {
            Some(source) => row.clone().with_source(*source),
            None => row.clone(),
        });
        let summary = commit(ShardCommit::new(builder()), &storage, all.collect::<Vec<_>>()).unwrap();
        assert_eq!(summary.files().len(), 1);
        assert_eq!(published(&storage).rows()[0].source(), expected, "{sources:?}");
    }
}

/// Returns the manifest with a part of it replaced and its digest updated.
fn forged(memory: &Memory, from: &str, to: &str) -> String {
    let text = String::from_utf8(memory.get(MANIFEST).unwrap().to_vec()).unwrap();
    assert!(text.contains(from), "{text}");
    let text = text.replace(from, to);
    let (text, _) = text.trim_end().rsplit_once('\n').unwrap();
    let text = format!("{text}\n");
    format!("{text}{{\"end\":\"{}\"}}\n", content_digest(text.as_bytes()))
}

#[test]
fn a_damaged_source_damages_the_manifest() {
    let memory = Memory::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let table = table(100);
    publish(&storage, &table);
    let own = source(&rows_of(&table, 2), "settings").to_string();
    let item = format!(",\"r{own}\"");
    let other = content_digest(b"other rows");
    for (to, readable) in [
        (item.clone(), Some(&[0, 1, 2, 3][..])),
        (String::new(), Some(&[0, 1, 3])),
        (format!(",\"r{other}\""), Some(&[0, 1, 3])),
        (format!(",\"r{}\"", &own[1..]), None),
        (format!(",\"r{own}0\""), None),
        (format!(",\"r{}\"", own.to_uppercase()), None),
        (",\"r\"".to_owned(), None),
    ] {
        let text = forged(&memory, &item, &to);
        let copy = memory.snapshot();
        copy.put(MANIFEST, text.as_bytes()).unwrap();
        let copy: Arc<dyn Storage> = Arc::new(copy);
        if let Some(buckets) = readable {
            assert_eq!(known(&copy, &table), buckets, "{to}");
            continue;
        }
        let error = PublishedShards::read(&copy, &site()).unwrap_err();
        assert!(matches!(error.kind(), PublishErrorKind::CannotKeep { .. }), "{to}: {error}");
        assert!(PublishedShards::find(&copy).unwrap().is_none());
    }
    // Unless its digest is updated, any change damages the manifest.
    let text = String::from_utf8(memory.get(MANIFEST).unwrap().to_vec()).unwrap();
    memory.put(MANIFEST, text.replace(&own, &other).as_bytes()).unwrap();
    assert!(PublishedShards::find(&storage).unwrap().is_none());
}

#[test]
fn a_forged_row_is_not_taken() {
    let memory = Memory::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let rows = rows_of(&table(10), 1);
    let own = source(&rows, "settings");
    let row = write(&storage, "items", 1, rows).remove(0).with_source(own);
    commit(ShardCommit::new(builder()), &storage, [row]).unwrap();
    let is_taken = |from: &str, to: &str| {
        let copy = memory.snapshot();
        copy.put(MANIFEST, forged(&memory, from, to).as_bytes()).unwrap();
        PublishedShards::read(&copy, &site()).unwrap().written_from("items", 1, own).is_some()
    };
    assert!(is_taken("\"items\"", "\"items\""));
    assert!(!is_taken("\"section\":\"items\"", "\"section\":\"shop\""));
    assert!(!is_taken("\"base\":\"https://example.com/\",", ""));
    // A name with a shortened digest, and one with the digest of other bytes.
    assert!(!is_taken("\"digits\":16", "\"digits\":8"));
    assert!(!is_taken("\"digits\":16,\"end\":\"", "\"end\":\"-0123456789abcdef"));
}

#[test]
fn the_recent_section_has_no_source() {
    let storage = memory();
    let table = table(10);
    let own = source(&table, "settings");
    let mut recent = builder().write_recent(Arc::clone(&storage));
    recent.add(0, "/tea").unwrap();
    let recent = recent.finish().unwrap().into_rows().remove(0).with_source(own);
    let rows = write(&storage, "items", 1, rows_of(&table, 1));
    let published_before = published(&storage);
    let next = ShardCommit::new(builder());
    let next = next.recent(&published_before, Some(recent), RecentCounts::default()).unwrap();
    commit(next, &storage, rows).unwrap();
    assert_eq!(published(&storage).recent().and_then(PublishedShard::source), None);
}

#[test]
fn the_bucket_of_a_lost_shard_is_written_again() {
    let memory = Memory::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let table = table(100);
    publish(&storage, &table);
    let before = set(&storage);
    let mut published = published(&storage);
    let lost = published.bucket("items", 1)[0].name().to_owned();
    let cut = published.bucket("items", 3)[1].name().to_owned();
    storage.remove(&lost).unwrap();
    memory.put(&cut, b"cut").unwrap();
    // A commit notices the missing shard, but can't write the bucket.
    let of_bucket = |published: &PublishedShards, bucket: u32| {
        published.written_from("items", bucket, source(&rows_of(&table, bucket), "settings"))
    };
    let rows: Vec<_> = (0..BUCKETS).flat_map(|bucket| of_bucket(&published, bucket).unwrap()).collect();
    let error = commit(ShardCommit::new(builder()), &storage, rows).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Shard(ShardError::Missing { .. })), "{error}");

    assert_eq!(published.forget_lost(Arc::clone(&storage)).unwrap(), 2);
    assert_eq!(published.forget_lost(Arc::clone(&storage)).unwrap(), 0);
    let taken: Vec<_> = (0..BUCKETS).map(|bucket| of_bucket(&published, bucket)).collect();
    assert_eq!(taken.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true, false]);
    let rows: Vec<_> = (0..BUCKETS)
        .zip(taken)
        .flat_map(|(bucket, taken)| {
            taken.unwrap_or_else(|| write(&storage, "items", bucket, rows_of(&table, bucket)))
        })
        .collect();
    commit(ShardCommit::new(builder()), &storage, rows).unwrap();
    let names = |set: &[(String, Vec<u8>)]| -> Vec<_> { set.iter().skip(1).cloned().collect() };
    assert_eq!(names(&set(&storage)), names(&before));
}
