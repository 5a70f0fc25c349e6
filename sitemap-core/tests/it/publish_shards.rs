//! Tests of shards: many writers write shards, and one commit publishes them all.

use std::collections::BTreeSet;
use std::io::Read;
use std::time::Duration;

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::{ShardCommit, ShardError, ShardRow, bucket_of};
use sitemap_core::publish::{OnInvalid, SetOptions};
use sitemap_core::{Dialect, Memory, Site, SitemapSet, Storage, Summary};

const BUCKETS: u32 = 5;

fn builder() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap()).gzip()
}

fn pages(count: u32) -> Vec<String> {
    let mut pages: Vec<_> = (0..count).map(|n| format!("https://example.com/items/{n}")).collect();
    pages.sort_by_key(|page| (bucket_of(page, BUCKETS), page.clone()));
    pages
}

fn write(builder: SetOptions, memory: &Memory, pages: &[String]) -> Result<Vec<ShardRow>, PublishError> {
    let mut shards = builder.write_shards(memory.clone(), "items", BUCKETS)?;
    for page in pages {
        shards.add(bucket_of(page, BUCKETS), page)?;
    }
    Ok(shards.finish()?.into_rows())
}

fn commit(memory: &Memory, rows: impl IntoIterator<Item = ShardRow>) -> Result<Summary, PublishError> {
    let mut commit = ShardCommit::new(builder());
    for row in rows {
        commit.add(row)?;
    }
    commit.publish(memory.clone())
}

fn text(memory: &Memory, name: &str) -> String {
    let bytes = memory.get(name).unwrap_or_else(|| panic!("{name} is missing"));
    let mut text = String::new();
    if bytes.starts_with(&[0x1F, 0x8B]) {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        (&bytes[..]).read_to_string(&mut text).unwrap();
    }
    text
}

/// Returns all URLs of the published set, after checking that there are no duplicates.
fn published(memory: &Memory) -> BTreeSet<String> {
    let locs = |xml: String| -> Vec<String> {
        let locs = xml.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap().to_owned());
        locs.collect()
    };
    let children = locs(text(memory, "sitemap.xml"));
    let names = children.iter().map(|child| child.rsplit('/').next().unwrap());
    let found: Vec<_> = names.flat_map(|name| locs(text(memory, name))).collect();
    let set: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!(found.len(), set.len(), "a page is listed twice");
    set
}

fn shards(memory: &Memory) -> Vec<String> {
    memory.list().unwrap().into_iter().filter(|name| name.starts_with("sitemap-items-")).collect()
}

#[test]
fn every_page_is_published_once_however_the_buckets_are_shared_out() {
    let pages = pages(1_000);
    let expected: BTreeSet<_> = pages.iter().cloned().collect();
    let mut names = BTreeSet::new();
    for writers in [1, 2, 5] {
        let memory = Memory::new();
        let mut rows = Vec::new();
        for writer in 0..writers {
            let own: Vec<_> =
                pages.iter().filter(|page| bucket_of(page, BUCKETS) % writers == writer).cloned().collect();
            rows.extend(write(builder(), &memory, &own).unwrap());
        }
        let summary = commit(&memory, rows).unwrap();
        assert_eq!((summary.urls(), summary.files().len()), (1_000, 5));
        assert_eq!(published(&memory), expected);
        names.insert(shards(&memory));
    }
    // The content must not depend on the number of writers. File names contain digests, so comparing names is enough.
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_shard_has_the_bytes_that_a_publisher_gives_the_same_records() {
    let (shards, files) = (Memory::new(), Memory::new());
    let page =
        |n: u32| format!("https://example.com/{n}/{}", u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let pages: Vec<_> = (0..40_000).map(page).collect();
    let mut writer = builder().write_shards(shards.clone(), "items", 1).unwrap();
    pages.iter().try_for_each(|page| writer.add(0, page)).unwrap();
    let rows = writer.finish().unwrap().into_rows();
    let mut run = builder().storage(files.clone()).replace().unwrap();
    run.section("items").unwrap().add_all(&pages).unwrap();
    run.section("others").unwrap().add("/").unwrap();
    run.commit().unwrap();
    assert_eq!(rows.len(), 1);
    assert!(shards.get(rows[0].name()) == files.get("sitemap-items-1.xml.gz"));
}

#[test]
fn a_bucket_that_is_larger_than_a_file_goes_on_in_the_next() {
    let memory = Memory::new();
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 30;
    let rows = write(builder().lower_limits(limits), &memory, &pages(200)).unwrap();
    assert!(rows.iter().all(|row| row.urls() <= 30));
    assert!(rows.len() > 7, "{}", rows.len());
    commit(&memory, rows.into_iter().rev()).unwrap();
    assert_eq!(published(&memory), pages(200).into_iter().collect());
    // The index lists the shards in order, even if the commit receives their rows in a different order.
    let index = text(&memory, "sitemap.xml");
    let listed: Vec<_> =
        index.match_indices("/sitemap-items-").map(|(at, text)| &index[at + text.len()..][..7]).collect();
    assert!(listed.is_sorted(), "{listed:?}");
}

#[test]
fn more_shards_than_one_index_lists_get_further_indexes() {
    let memory = Memory::new();
    let mut limits = Dialect::V0_9.limits();
    limits.sitemaps = 2;
    let mut commit = ShardCommit::new(builder().lower_limits(limits));
    for row in write(builder(), &memory, &pages(100)).unwrap() {
        commit.add(row).unwrap();
    }
    let summary = commit.publish(memory.clone()).unwrap();
    assert_eq!((summary.urls(), summary.files().len(), summary.indexes().len()), (100, 5, 3));
    let listed = |index| text(&memory, index).matches("<sitemap>").count();
    assert_eq!(["sitemap.xml", "sitemap-2.xml", "sitemap-3.xml"].map(listed), [2, 2, 1]);
}

#[test]
fn rows_come_at_least_once_and_count_once() {
    let memory = Memory::new();
    let rows = write(builder(), &memory, &pages(100)).unwrap();
    // Parse the rows from strings, because another program may pass them on in that form.
    let twice = rows.iter().chain(&rows).map(|row| format!(" {row}\r\n").parse().unwrap());
    assert_eq!(commit(&memory, twice).unwrap().urls(), 100);
}

#[test]
fn rows_that_conflict_are_both_named() {
    let memory = Memory::new();
    let mut rows = write(builder(), &memory, &pages(100)).unwrap();
    let other = write(builder(), &memory, &pages(99)).unwrap();
    rows.extend(other);
    let error = commit(&memory, rows.clone()).unwrap_err();
    let PublishErrorKind::Shard(ShardError::Conflict { one, other }) = error.kind() else {
        panic!("{error}")
    };
    let name = |row: &str| row.parse::<ShardRow>().unwrap().name().to_owned();
    assert_ne!(name(one), name(other));
    assert_eq!(name(one).rsplit_once('-').unwrap().0, name(other).rsplit_once('-').unwrap().0);
    assert!(memory.get("sitemap.xml").is_none());
}

#[test]
fn shards_of_another_site_or_number_of_buckets_are_refused() {
    let memory = Memory::new();
    let here = write(builder(), &memory, &pages(100)).unwrap();
    let other = SitemapSet::builder(Site::new("https://www.example.com").unwrap());
    let mut writer = other.write_shards(memory.clone(), "items", BUCKETS).unwrap();
    writer.add(0, "/").unwrap();
    let elsewhere = writer.finish().unwrap().into_rows();
    assert_eq!(
        commit(&memory, elsewhere.clone()).unwrap_err().to_string(),
        format!(
            "shard `{}` was written for the site `https://www.example.com/`, but the commit is for \
             `https://example.com/`; use the same site for writers and commit",
            elsewhere[0].name()
        )
    );
    let mut writer = builder().write_shards(memory.clone(), "items", 7).unwrap();
    writer.add(6, "/").unwrap();
    let seven = writer.finish().unwrap().into_rows();
    assert_eq!(
        commit(&memory, here.iter().chain(&seven).cloned()).unwrap_err().to_string(),
        format!(
            "shard `{}` was written with 5 buckets, but shard `{}` of the same section with 7; write all shards \
             again with the same number of buckets",
            here[0].name(),
            seven[0].name()
        )
    );
    assert!(memory.get("sitemap.xml").is_none());
    // Sections may have different numbers of buckets.
    let mut writer = builder().write_shards(memory.clone(), "others", 7).unwrap();
    writer.add(6, "/").unwrap();
    let others = writer.finish().unwrap().into_rows();
    assert_eq!(commit(&memory, here.into_iter().chain(others)).unwrap().urls(), 101);
}

#[test]
fn a_total_that_is_not_as_expected_leaves_the_old_set() {
    let memory = Memory::new();
    commit(&memory, write(builder(), &memory, &pages(10)).unwrap()).unwrap();
    let old = memory.get("sitemap.xml");
    let mut commit = ShardCommit::new(builder()).expect_urls(101);
    for row in write(builder(), &memory, &pages(100)).unwrap() {
        commit.add(row).unwrap();
    }
    let error = commit.publish(memory.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the shards have 100 URLs, but 101 are expected, so the published set stays as it is; check that the rows \
         of all shards were added"
    );
    assert_eq!(memory.get("sitemap.xml"), old);
}

#[test]
fn a_shard_that_is_missing_or_cut_is_named() {
    let memory = Memory::new();
    let rows = write(builder(), &memory, &pages(100)).unwrap();
    let name = rows[2].name().to_owned();
    let whole = memory.get(&name).unwrap();
    memory.remove(&name).unwrap();
    let error = commit(&memory, rows.clone()).unwrap_err().to_string();
    let len = whole.len();
    assert_eq!(error, format!("shard `{name}` ({len} bytes) is missing; write its bucket again"));
    memory.put(&name, &whole[1..]).unwrap();
    let error = commit(&memory, rows.clone()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "shard `{name}` has {} bytes instead of the {len} bytes in its row; write its bucket again",
            len - 1
        )
    );
    // Writing the shard again repairs it.
    write(builder(), &memory, &pages(100)).unwrap();
    assert_eq!(commit(&memory, rows).unwrap().urls(), 100);
}

#[test]
fn one_generation_and_all_uncommitted_shards_are_kept() {
    let memory = Memory::new();
    commit(&memory, write(builder(), &memory, &pages(100)).unwrap()).unwrap();
    let first = shards(&memory);
    // Write shards without committing them, like another run that is in progress or has failed.
    write(builder(), &memory, &pages(5_000)).unwrap();
    let with_orphans = shards(&memory);
    commit(&memory, write(builder(), &memory, &pages(200)).unwrap()).unwrap();
    let kept = |names: &[String]| names.iter().all(|name| memory.get(name).is_some());
    assert!(kept(&first) && kept(&with_orphans));
    commit(&memory, write(builder(), &memory, &pages(300)).unwrap()).unwrap();
    assert!(first.iter().all(|name| memory.get(name).is_none()));
    assert!(with_orphans.iter().filter(|name| !first.contains(name)).all(|name| memory.get(name).is_some()));
    assert_eq!(published(&memory), pages(300).into_iter().collect());
}

#[test]
fn uncommitted_shards_are_removed_by_their_age_where_that_is_asked_for() {
    let memory = Memory::new();
    commit(&memory, write(builder(), &memory, &pages(100)).unwrap()).unwrap();
    let first = shards(&memory);
    let orphans = write(builder(), &memory, &pages(5_000)).unwrap();
    let mut others = builder().write_shards(memory.clone(), "others", 1).unwrap();
    others.add(0, "/").unwrap();
    let of_others = others.finish().unwrap().into_rows();
    memory.put("sitemap-items-notes.xml", b"not ours").unwrap();
    let commit = |count, age| {
        let rows = write(builder(), &memory, &pages(count)).unwrap();
        let mut commit = ShardCommit::new(builder()).remove_uncommitted(age);
        rows.into_iter().try_for_each(|row| commit.add(row)).unwrap();
        commit.publish(memory.clone()).unwrap();
    };
    let has = |rows: &[ShardRow]| rows.iter().filter(|row| memory.get(row.name()).is_some()).count();
    commit(200, Duration::from_secs(3600));
    assert_eq!(has(&orphans), 5);
    commit(200, Duration::ZERO);
    // Only uncommitted shards of this section are removed. The previous set, other sections and other files stay.
    assert_eq!((has(&orphans), has(&of_others)), (0, 1));
    assert!(first.iter().all(|name| memory.get(name).is_some()));
    assert!(memory.get("sitemap-items-notes.xml").is_some());
    assert_eq!(published(&memory), pages(200).into_iter().collect());
}

#[test]
fn an_unchanged_shard_keeps_its_date_and_its_bytes() {
    let memory = Memory::new();
    let old = write(builder(), &memory, &pages(100)).unwrap();
    commit(&memory, old.clone()).unwrap();
    let metadata = |rows: &[ShardRow]| -> Vec<_> {
        rows.iter().map(|row| memory.metadata(row.name()).unwrap()).collect()
    };
    let before = metadata(&old);
    std::thread::sleep(Duration::from_millis(10));
    let new = write(builder(), &memory, &pages(100)).unwrap();
    assert_eq!((new.clone(), metadata(&new)), (old, before));
    let index = memory.get("sitemap.xml");
    commit(&memory, new).unwrap();
    assert_eq!(memory.get("sitemap.xml"), index);
}

#[test]
fn a_late_writer_changes_nothing_that_is_published() {
    let memory = Memory::new();
    let mut late = builder().write_shards(memory.clone(), "items", BUCKETS).unwrap();
    late.add(0, "/late").unwrap();
    commit(&memory, write(builder(), &memory, &pages(100)).unwrap()).unwrap();
    late.finish().unwrap();
    assert_eq!(published(&memory), pages(100).into_iter().collect());
}

#[test]
fn a_publishers_set_and_one_of_shards_replace_each_other() {
    let memory = Memory::new();
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("items").unwrap().add_all(["/1", "/2"]).unwrap();
    run.commit().unwrap();
    commit(&memory, write(builder(), &memory, &pages(100)).unwrap()).unwrap();
    assert_eq!(published(&memory).len(), 100);
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("items").unwrap().add_all(["/1", "/2"]).unwrap();
    run.commit().unwrap();
    assert_eq!(shards(&memory), [""; 0]);
}

#[test]
fn bad_buckets_and_bad_records_are_errors() {
    let memory = Memory::new();
    let mut writer = builder().write_shards(memory.clone(), "items", 5).unwrap();
    assert_eq!(
        writer.add(5, "/a").unwrap_err().to_string(),
        "bucket 5 does not exist; use a number from 0 to 4"
    );
    assert!(matches!(writer.finish().unwrap_err().kind(), PublishErrorKind::Aborted { .. }));

    let mut writer = builder().write_shards(memory.clone(), "items", 5).unwrap();
    writer.add(1, "/a").unwrap();
    writer.add(2, "/b").unwrap();
    assert_eq!(
        writer.add(1, "/c").unwrap_err().to_string(),
        "the records of bucket 1 come in two parts, with records of other buckets between them; sort the records by \
         bucket, then by URL"
    );

    let mut writer = builder().write_shards(memory.clone(), "items", 5).unwrap();
    writer.add(1, "/a").unwrap();
    let error = writer.add(1, "ftp://example.com/").unwrap_err().to_string();
    assert!(
        error.starts_with("record 2 of section `items`: `loc` must be an `http` or `https` URL"),
        "{error}"
    );

    let skip = builder().on_invalid(OnInvalid::Skip);
    let mut writer = skip.write_shards(memory.clone(), "items", 5).unwrap();
    writer.add(1, "/a").unwrap();
    writer.add(1, "ftp://example.com/").unwrap();
    writer.add(3, "ftp://example.com/").unwrap();
    let written = writer.finish().unwrap();
    assert_eq!((written.rows().len(), written.skipped(), written.skipped_records()[1].number()), (1, 2, 3));

    assert!(builder().write_shards(memory.clone(), "items", 0).is_err());
    assert!(builder().write_shards(memory.clone(), "../items", 1).is_err());
    assert!(matches!(commit(&memory, []).unwrap_err().kind(), PublishErrorKind::EmptySet { .. }));
}

#[test]
fn lines_that_are_not_rows_are_refused() {
    let row = r#"{"file":"sitemap-a-00001-1-a96faf705af16834.xml.gz","base":"https://example.com/","buckets":5,"urls":3,"bytes":400,"stored":99,"digest":"a96faf705af16834e6c632b61e964e1f"}"#;
    assert_eq!(row.parse::<ShardRow>().unwrap().to_string(), row);
    for (from, to) in [
        ("sitemap-a", "../sitemap-a"),
        ("a96faf705af16834.xml", "a96faf705af16835.xml"),
        ("\"urls\":3,", ""),
        ("\"base\":\"https://example.com/\",", ""),
        ("\"buckets\":5", "\"buckets\":5000000000"),
        ("\"stored\":99", "\"stored\":-1"),
        ("}", ",\"newest\":\"soon\"}"),
        ("{", ""),
    ] {
        let bad = row.replacen(from, to, 1);
        let error = bad.parse::<ShardRow>().unwrap_err().to_string();
        assert!(
            error.starts_with("the line \"") && error.contains(" does not describe a shard; "),
            "{bad}: {error}"
        );
    }
}
