//! Tests that kill the publishing process at random moments, in a real directory.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_core::publish::Names;
use sitemap_core::{Dialect, Site, SitemapSet};
use tempfile::tempdir;

const DIR: &str = "SITEMAP_TEST_KILL_DIR";
const NAMES: &str = "SITEMAP_TEST_KILL_NAMES";
const GENERATION: &str = "SITEMAP_TEST_KILL_GENERATION";

const MOMENTS: u32 = 200;
const FILES: u32 = 12;
const PAGES: u64 = 20;

#[test]
fn with_stable_names_every_listed_file_is_there_and_whole() {
    kill_at_random_moments(Names::Stable, "stable");
}

#[test]
fn with_digest_names_the_set_is_the_old_one_or_the_new_one() {
    kill_at_random_moments(Names::Digest, "digest");
}

/// Publishes a set in the child processes started by the other tests in this file. Does nothing in a normal test run.
#[test]
fn publishes_as_a_child() {
    let (Some(dir), Ok(names), Ok(generation)) = (env::var_os(DIR), env::var(NAMES), env::var(GENERATION))
    else {
        return;
    };
    let names = if names == "digest" { Names::Digest } else { Names::Stable };
    publish(Path::new(&dir), names, generation.parse().unwrap());
}

/// Publishes one generation of the set. Its number is part of the pages' URLs, except in section `same`, which never
/// changes.
fn publish(dir: &Path, names: Names, generation: u32) {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = PAGES;
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site)
        .names(names)
        .gzip()
        .lower_limits(limits)
        .open(dir)
        .unwrap()
        .replace()
        .unwrap();
    run.section("same").unwrap().add_all((0..PAGES).map(|n| format!("/{n}?g=same"))).unwrap();
    // Also give each generation a different number of files.
    let pages = 0..PAGES * u64::from(FILES - generation % 3);
    run.section("posts").unwrap().add_all(pages.map(|n| format!("/{n}?g={generation}"))).unwrap();
    run.commit().unwrap();
}

fn kill_at_random_moments(names: Names, word: &str) {
    let dir = tempdir().unwrap();
    let child = |generation: u32| -> Child {
        Command::new(env::current_exe().unwrap())
            .args(["--exact", "publish_kill::publishes_as_a_child"])
            .envs([(NAMES, word), (GENERATION, &generation.to_string())])
            .env(DIR, dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    fs::write(dir.path().join("sitemap.html"), "mine").unwrap();
    let start = Instant::now();
    assert!(child(0).wait().unwrap().success());
    let usual = start.elapsed();

    let mut random = Random(0x5EED);
    let (mut killed, mut old, mut new, mut mixed) = (0, 0, 0, 0);
    let mut oldest = 0;
    for generation in 1..=MOMENTS {
        let mut child = child(generation);
        thread::sleep(random.up_to(usual * 2));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());

        let found = generations(dir.path());
        assert!(found.index_is_whole, "moment {generation}");
        // A run may first finish an earlier run that was killed, but must never restore an older generation.
        assert!(
            found.of_files.iter().all(|found| (oldest..=generation).contains(found)),
            "moment {generation}"
        );
        assert!(found.of_files.len() <= if names == Names::Stable { 2 } else { 1 }, "moment {generation}");
        oldest = found.of_files.first().copied().unwrap_or(u32::MAX);
        match found.of_files.len() {
            1 if found.of_files.contains(&generation) => new += 1,
            1 => old += 1,
            _ => mixed += 1,
        }
    }
    println!("{word} names: {killed} of {MOMENTS} killed; found {old} old, {new} new, {mixed} mixed sets");

    let last = MOMENTS + 3;
    assert!(child(last).wait().unwrap().success());
    assert!(child(last).wait().unwrap().success(), "a run without changes failed");
    assert_eq!(generations(dir.path()).of_files, BTreeSet::from([last]));
    let mut left: BTreeSet<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed = listed(&fs::read_to_string(dir.path().join("sitemap.xml")).unwrap());
    for name in
        listed.iter().map(String::as_str).chain(["sitemap.xml", "sitemap.html", ".sitemap-manifest.jsonl"])
    {
        assert!(left.remove(name), "{name} is missing");
    }
    let is_kept = |name: &String| {
        names == Names::Digest && name.starts_with("sitemap-posts-") && name.ends_with(".xml.gz")
    };
    assert!(left.iter().all(is_kept) && left.len() <= FILES as usize, "left over: {left:?}");
}

struct Found {
    index_is_whole: bool,
    of_files: BTreeSet<u32>,
}

/// Follows the index as a crawler does. Panics at the first file that is missing or incomplete.
fn generations(dir: &Path) -> Found {
    let index = fs::read_to_string(dir.join("sitemap.xml")).unwrap();
    let mut of_files = BTreeSet::new();
    for name in listed(&index) {
        let file = fs::File::open(dir.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        assert!(text.ends_with("</urlset>\n"), "{name}");
        assert_eq!(text.matches("<url>").count() as u64, PAGES, "{name}");
        let generations: BTreeSet<_> =
            text.split("?g=").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(generations.len(), 1, "{name}");
        of_files.extend(generations.iter().filter_map(|generation| generation.parse::<u32>().ok()));
    }
    Found { index_is_whole: index.ends_with("</sitemapindex>\n"), of_files }
}

fn listed(index: &str) -> Vec<String> {
    let locs = index.split("<loc>https://example.com/").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

/// The random number generator `SplitMix64`. Its fixed seed gives every test run the same delays.
struct Random(u64);

impl Random {
    fn up_to(&mut self, limit: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let limit = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX).max(1);
        Duration::from_nanos(mixed % limit)
    }
}
