//! Tests of repeated runs: which files a run keeps or removes, and runs without a manifest.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use sitemap_core::publish::{Names, SetOptions};
use sitemap_core::{Dialect, LastMod, Site, SitemapSet, Summary};
use tempfile::{TempDir, tempdir};

const MANIFEST: &str = ".sitemap-manifest.jsonl";

/// Publishes a set whose files have at most two pages each.
fn publish(dir: &TempDir, names: Names, sections: &[(&str, &[&str])]) -> Summary {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 2;
    let builder = SitemapSet::builder(Site::new("https://example.com").unwrap());
    let mut run = builder.names(names).lower_limits(limits).open(dir.path()).unwrap().replace().unwrap();
    for (name, pages) in sections {
        run.section(name).unwrap().add_all(*pages).unwrap();
    }
    run.commit().unwrap()
}

/// Returns the name, content and date of each file except the manifest.
fn files(dir: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let modified = entry.metadata().unwrap().modified().unwrap();
        files.insert(entry.file_name().into_string().unwrap(), (fs::read(entry.path()).unwrap(), modified));
    }
    files.remove(MANIFEST);
    files
}

fn names(dir: &Path) -> Vec<String> {
    files(dir).into_keys().collect()
}

fn changed(summary: &Summary) -> Vec<&str> {
    let files = summary.files().iter().chain(summary.indexes());
    files.filter(|file| file.changed()).map(sitemap_core::publish::PublishedFile::name).collect()
}

/// Sets the dates of all files back, so that files from a later run have different dates.
fn make_older(dir: &Path) {
    let manifest = fs::read_to_string(dir.join(MANIFEST)).unwrap();
    for name in names(dir) {
        let file = File::options().write(true).open(dir.join(name)).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        file.set_modified(modified - Duration::from_secs(100)).unwrap();
    }
    assert_eq!(fs::read_to_string(dir.join(MANIFEST)).unwrap(), manifest);
}

const MANY: &[(&str, &[&str])] = &[("a", &["/1", "/2", "/3", "/4", "/5"]), ("b", &["/6"])];

#[test]
fn the_same_pages_change_nothing() {
    for by in [Names::Stable, Names::Digest] {
        let dir = tempdir().unwrap();
        publish(&dir, by, MANY);
        let before = (files(dir.path()), fs::read(dir.path().join(MANIFEST)).unwrap());
        let summary = publish(&dir, by, MANY);
        assert_eq!(changed(&summary), [""; 0]);
        assert_eq!((files(dir.path()), fs::read(dir.path().join(MANIFEST)).unwrap()), before);
    }
}

#[test]
fn one_changed_page_changes_its_file_and_the_index() {
    let dir = tempdir().unwrap();
    publish(&dir, Names::Stable, MANY);
    make_older(dir.path());
    let before = files(dir.path());
    let summary = publish(&dir, Names::Stable, &[("a", &["/1", "/2", "/3", "/4x", "/5"]), ("b", &["/6"])]);
    assert_eq!(changed(&summary), ["sitemap-a-2.xml", "sitemap.xml"]);
    let after = files(dir.path());
    for name in ["sitemap-a-1.xml", "sitemap-a-3.xml", "sitemap-b-1.xml"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    assert!(after["sitemap-a-2.xml"].1 > before["sitemap-a-2.xml"].1);
}

#[test]
fn an_unchanged_file_is_known_by_the_manifest_without_being_read() {
    let dir = tempdir().unwrap();
    publish(&dir, Names::Stable, MANY);
    // Change the content of a file, but not its length and date. Only a run that reads the file could notice.
    let path = dir.path().join("sitemap-b-1.xml");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let damaged = fs::read_to_string(&path).unwrap().replace("/6", "/7");
    fs::write(&path, &damaged).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(changed(&publish(&dir, Names::Stable, MANY)), [""; 0]);
    assert_eq!(fs::read_to_string(&path).unwrap(), damaged);

    // Writing the file again changes its date, so the next run replaces it.
    fs::write(&path, &damaged).unwrap();
    assert_eq!(changed(&publish(&dir, Names::Stable, MANY))[0], "sitemap-b-1.xml");
}

#[test]
fn files_that_are_no_longer_listed_are_removed() {
    let dir = tempdir().unwrap();
    publish(&dir, Names::Stable, MANY);
    publish(&dir, Names::Stable, &[("a", &["/1", "/2", "/3"]), ("c", &["/7"])]);
    assert_eq!(names(dir.path()), ["sitemap-a-1.xml", "sitemap-a-2.xml", "sitemap-c-1.xml", "sitemap.xml"]);
    publish(&dir, Names::Stable, &[("a", &["/1"])]);
    assert_eq!(names(dir.path()), ["sitemap.xml"]);
}

#[test]
fn files_of_others_stay_whatever_their_names() {
    let dir = tempdir().unwrap();
    let others =
        ["sitemap-a-9.xml", "sitemap-news.xml", ".sitemap-a-1.xml.tmp", ".sitemap-a-1.xml.7-7.tmp.swp"];
    for name in others {
        fs::write(dir.path().join(name), name).unwrap();
    }
    publish(&dir, Names::Stable, MANY);
    publish(&dir, Names::Stable, &[("a", &["/1"])]);
    for name in others {
        assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), name);
    }
}

#[test]
fn leftovers_of_an_interrupted_run_are_removed() {
    let dir = tempdir().unwrap();
    for name in [".sitemap-a-1.xml.99-0.tmp", ".sitemap.xml.99-1.tmp", "..sitemap-manifest.jsonl.99-2.tmp"] {
        fs::write(dir.path().join(name), "half").unwrap();
    }
    publish(&dir, Names::Stable, &[("a", &["/1"])]);
    assert_eq!(names(dir.path()), ["sitemap.xml"]);
}

#[test]
fn the_note_of_an_instance_that_is_just_taking_its_turn_is_not_removed() {
    let dir = tempdir().unwrap();
    let (new, old) = ("..sitemap-refresh.txt.99-0.tmp", "..sitemap-refresh.txt.99-1.tmp");
    for name in [new, old] {
        fs::write(dir.path().join(name), "begun").unwrap();
    }
    let day_before_yesterday = SystemTime::now() - Duration::from_secs(2 * 24 * 3600);
    File::options()
        .write(true)
        .open(dir.path().join(old))
        .unwrap()
        .set_modified(day_before_yesterday)
        .unwrap();
    publish(&dir, Names::Stable, &[("a", &["/1"])]);
    assert!(dir.path().join(new).exists());
    assert!(!dir.path().join(old).exists());
}

#[test]
fn without_its_manifest_a_run_reads_the_files_and_comes_to_the_same_set() {
    for damage in [None, Some(""), Some("{}"), Some("{\"sitemap-manifest\":1}\n"), Some("\u{0}")] {
        let dir = tempdir().unwrap();
        publish(&dir, Names::Stable, MANY);
        let manifest = fs::read(dir.path().join(MANIFEST)).unwrap();
        let before = files(dir.path());
        match damage {
            None => fs::remove_file(dir.path().join(MANIFEST)).unwrap(),
            Some(text) => fs::write(dir.path().join(MANIFEST), text).unwrap(),
        }
        assert_eq!(changed(&publish(&dir, Names::Stable, MANY)), [""; 0], "{damage:?}");
        let mut after = files(dir.path());
        let kept = after.remove(".sitemap-manifest.unreadable.jsonl").map(|(bytes, _)| bytes);
        assert_eq!(kept.as_deref(), damage.map(str::as_bytes));
        assert_eq!(after, before, "{damage:?}");
        let rewritten = fs::read(dir.path().join(MANIFEST)).unwrap();
        assert_eq!(without_start(&rewritten), without_start(&manifest), "{damage:?}");
    }
}

/// Returns the lines of a manifest without the start time of its history and without its digest.
fn without_start(manifest: &[u8]) -> String {
    let text = std::str::from_utf8(manifest).unwrap();
    let (before, rest) = text.split_once("\"since\":").unwrap();
    let rest = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let (lines, end) = rest.split_once("{\"end\":").unwrap();
    assert_eq!(end.len(), "\"0123456789abcdef0123456789abcdef\"}\n".len());
    format!("{before}{lines}")
}

#[test]
fn a_manifest_of_other_files_does_no_harm() {
    let (dir, other) = (tempdir().unwrap(), tempdir().unwrap());
    publish(&dir, Names::Stable, MANY);
    publish(&other, Names::Stable, &[("a", &["/1", "/2", "/x", "/y", "/z"]), ("b", &["/q"])]);
    fs::copy(other.path().join(MANIFEST), dir.path().join(MANIFEST)).unwrap();
    let before = files(dir.path());
    assert_eq!(changed(&publish(&dir, Names::Stable, MANY)), [""; 0]);
    assert_eq!(files(dir.path()), before);
}

#[test]
fn digest_names_change_with_the_content_and_one_generation_is_kept() {
    let dir = tempdir().unwrap();
    let children = |summary: &Summary| -> Vec<String> {
        summary.files().iter().map(|file| file.name().to_owned()).collect()
    };
    let first = children(&publish(&dir, Names::Digest, MANY));
    assert!(first[0].starts_with("sitemap-a-1-") && first[0].len() == "sitemap-a-1-01234567.xml".len());
    let second = children(&publish(&dir, Names::Digest, &[("a", &["/1", "/2", "/3"])]));
    assert_eq!(second[0], first[0]);
    assert_ne!(second[1], first[1]);

    let mut expected: Vec<String> = first.iter().chain(&second[1..]).cloned().collect();
    expected.push("sitemap.xml".to_owned());
    expected.sort();
    assert_eq!(names(dir.path()), expected);
    publish(&dir, Names::Digest, &[("a", &["/1", "/2", "/3"])]);
    assert_eq!(names(dir.path()), expected, "files removed by a run without changes");

    let third = children(&publish(&dir, Names::Digest, &[("a", &["/1", "/2", "/4"])]));
    let mut expected: Vec<String> = second.iter().chain(&third[1..]).cloned().collect();
    expected.push("sitemap.xml".to_owned());
    expected.sort();
    assert_eq!(names(dir.path()), expected);

    publish(&dir, Names::Stable, &[("a", &["/1", "/2", "/4"])]);
    assert_eq!(names(dir.path()), ["sitemap-a-1.xml", "sitemap-a-2.xml", "sitemap.xml"]);
}

/// Publishes a page in section `a` and one that never changes in section `b`. Returns the name of the first file, and
/// how many old files were removed and kept.
fn publish_page(
    dir: &TempDir,
    page: &str,
    builder: impl FnOnce(SetOptions) -> SetOptions,
) -> (String, u64, u64) {
    let site = Site::new("https://example.com").unwrap();
    let mut run =
        builder(SitemapSet::builder(site).names(Names::Digest)).open(dir.path()).unwrap().replace().unwrap();
    run.section("a").unwrap().add(page).unwrap();
    run.section("b").unwrap().add("/same").unwrap();
    let summary = run.commit().unwrap();
    (summary.files()[0].name().to_owned(), summary.removed_files(), summary.kept_files())
}

#[test]
fn files_stay_for_as_many_generations_as_wanted() {
    for generations in 0..4 {
        let dir = tempdir().unwrap();
        let mut made = Vec::new();
        for n in 0..6_u32 {
            let (name, removed, kept) =
                publish_page(&dir, &format!("/{n}"), |builder| builder.keep_generations(generations));
            made.push(name);
            assert_eq!(kept, u64::from(n.min(generations)), "{n} of {generations}");
            assert_eq!(removed, u64::from(n > generations), "{n} of {generations}");
            let left: Vec<_> = made.iter().filter(|name| dir.path().join(name).exists()).collect();
            let first = made.len().saturating_sub(generations as usize + 1);
            assert_eq!(left, made[first..].iter().collect::<Vec<_>>());
            // A run that changes nothing does not count as a generation.
            publish_page(&dir, &format!("/{n}"), |builder| builder.keep_generations(generations));
            assert_eq!(made.iter().filter(|name| dir.path().join(name).exists()).count(), left.len());
        }
        // A later run that keeps fewer generations removes the rest.
        let (_, removed, kept) = publish_page(&dir, "/5", |builder| builder.keep_generations(0));
        assert_eq!((removed, kept), (u64::from(generations), 0));
    }
}

#[test]
fn a_file_of_an_older_generation_that_is_listed_again_stays() {
    let dir = tempdir().unwrap();
    let keep = |builder: SetOptions| builder.keep_generations(2);
    let first = publish_page(&dir, "/1", keep).0;
    publish_page(&dir, "/2", keep);
    publish_page(&dir, "/3", keep);
    assert_eq!(publish_page(&dir, "/1", keep).0, first);
    for page in ["/2", "/3", "/2"] {
        publish_page(&dir, page, keep);
        assert!(dir.path().join(&first).exists(), "{page}");
        publish_page(&dir, "/1", keep);
    }
    // Counting starts again when the set stops listing the file.
    publish_page(&dir, "/4", keep);
    publish_page(&dir, "/5", keep);
    assert!(dir.path().join(&first).exists());
    publish_page(&dir, "/6", keep);
    assert!(!dir.path().join(&first).exists());
}

/// Edits the manifest, and updates its last line to match.
fn edit_manifest(dir: &TempDir, edit: impl Fn(&str) -> String) {
    let path = dir.path().join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    let (body, _) = text.split_at(text.trim_end().rfind('\n').unwrap() + 1);
    let body = edit(body);
    let digest = sitemap_core::publish::files::content_digest(body.as_bytes());
    fs::write(&path, format!("{body}{{\"end\":\"{digest}\"}}\n")).unwrap();
}

#[test]
fn files_stay_for_a_time_however_often_the_set_changes() {
    let dir = tempdir().unwrap();
    let day = |builder: SetOptions| builder.keep_generations(0).keep_for(Duration::from_secs(86_400));
    let first = publish_page(&dir, "/0", day).0;
    for n in 1..=5 {
        assert_eq!(publish_page(&dir, &format!("/{n}"), day).1, 0);
    }
    // Pretend that the set stopped listing the first file two days ago.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    edit_manifest(&dir, |text| {
        let lines =
            text.lines().map(|line| match line.strip_prefix(&format!("{{\"kept\":\"{first}\",\"since\":")) {
                Some(_) => format!(
                    "{{\"kept\":\"{first}\",\"since\":{},\"changes\":5,\"stored\":9}}\n",
                    now - 2 * 86_400
                ),
                None => format!("{line}\n"),
            });
        lines.collect()
    });
    // Even a run that changes nothing removes files.
    let (_, removed, kept) = publish_page(&dir, "/5", day);
    assert_eq!((removed, kept), (1, 4));
    assert!(!dir.path().join(&first).exists());
}

#[test]
fn files_with_stable_names_stay_if_wanted_when_the_set_shrinks() {
    let dir = tempdir().unwrap();
    let publish = |pages: u32, keep: u32| {
        let mut limits = Dialect::V0_9.limits();
        limits.urls = 1;
        let builder = SitemapSet::builder(Site::new("https://example.com").unwrap()).lower_limits(limits);
        let mut run = builder.keep_generations(keep).open(dir.path()).unwrap().replace().unwrap();
        run.section("a").unwrap().add_all((0..pages).map(|n| format!("/{n}"))).unwrap();
        run.commit().unwrap()
    };
    publish(4, 1);
    let summary = publish(2, 1);
    assert_eq!((summary.removed_files(), summary.kept_files()), (0, 2));
    assert!(summary.to_string().ends_with("\n2 old files kept"), "{summary}");
    // The set grows again and lists one of the files again.
    let summary = publish(3, 1);
    assert_eq!((summary.removed_files(), summary.kept_files()), (1, 0));
    assert_eq!(names(dir.path()), ["sitemap-a-1.xml", "sitemap-a-2.xml", "sitemap-a-3.xml", "sitemap.xml"]);
}

#[test]
fn a_directory_in_the_place_of_a_file_stops_the_run_before_the_commit() {
    let dir = tempdir().unwrap();
    let publish = |page: &str| {
        let site = Site::new("https://example.com").unwrap();
        let mut run = SitemapSet::builder(site).open(dir.path()).unwrap().replace().unwrap();
        for section in ["a", "b", "c"] {
            run.section(section).unwrap().add(&format!("/{section}/{page}")).unwrap();
        }
        run.commit()
    };
    publish("1").unwrap();
    let place = dir.path().join("sitemap-c-1.xml");
    fs::remove_file(&place).unwrap();
    fs::create_dir(&place).unwrap();
    let error = publish("2").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot replace `{}`: it is a directory; remove it", place.display())
    );
    for section in ["a", "b"] {
        let text = fs::read_to_string(dir.path().join(format!("sitemap-{section}-1.xml"))).unwrap();
        assert!(text.contains(&format!("/{section}/1<")), "{text}");
    }
    fs::remove_dir(&place).unwrap();
    publish("2").unwrap();
    assert!(fs::read_to_string(place).unwrap().contains("/c/2<"));
}

#[test]
fn an_unreadable_manifest_is_reported_and_kept() {
    let newer = "{\"sitemap-manifest\":999}\n";
    for content in [&b"damaged"[..], newer.as_bytes(), &[0xFF, 0xFE]] {
        let dir = tempdir().unwrap();
        let publish = |pages: u32| {
            let site = Site::new("https://example.com").unwrap();
            let mut run = SitemapSet::builder(site).open(dir.path()).unwrap().replace().unwrap();
            run.section("a").unwrap().add_all((0..pages).map(|n| format!("/{n}"))).unwrap();
            run.commit().unwrap()
        };
        publish(1);
        fs::write(dir.path().join(".sitemap-manifest.jsonl"), content).unwrap();
        let summary = publish(2);
        let kept = ".sitemap-manifest.unreadable.jsonl";
        assert_eq!(summary.unreadable_manifest(), Some(kept));
        assert!(
            summary.to_string().ends_with(
                "\nthe old manifest was damaged or of another version, and is kept as \
                 `.sitemap-manifest.unreadable.jsonl`; remove files that `sitemap.xml` no longer lists by hand"
            ),
            "{summary}"
        );
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), content);
        let summary = publish(3);
        assert_eq!(summary.unreadable_manifest(), None);
        assert_eq!(summary.removed_files(), 0);
    }
}

#[test]
fn a_date_in_the_future_is_not_that_of_the_file_in_the_index() {
    let dir = tempdir().unwrap();
    let publish = || {
        let site = Site::new("https://example.com").unwrap();
        let mut run = SitemapSet::builder(site).open(dir.path()).unwrap().replace().unwrap();
        run.section("a").unwrap().add("/a").unwrap();
        run.section("b").unwrap().add("/b").unwrap();
        run.commit().unwrap()
    };
    publish();
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    let child = File::options().write(true).open(dir.path().join("sitemap-a-1.xml")).unwrap();
    child.set_modified(tomorrow).unwrap();
    let lastmod = publish().files()[0].lastmod().unwrap();
    assert!(lastmod.timestamp() <= LastMod::try_from(SystemTime::now()).unwrap().timestamp(), "{lastmod}");
}
