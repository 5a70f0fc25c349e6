//! The storages and the set used in the tests.

use std::env;
use std::io::{self, Read, Write};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use sitemap_core::PublishError;
use sitemap_core::publish::{IndexLastMod, Names, SetOptions};
use sitemap_core::{Dialect, Replacement, Site, SitemapSet, Storage, Summary};
use sitemap_object_store::ObjectStorage;
use sitemap_read::SitemapReader;
use tempfile::TempDir;

/// Empty storage, with a name for use in messages.
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) storage: ObjectStorage,
    _dir: Option<TempDir>,
}

impl Place {
    pub(crate) fn of_s3(storage: ObjectStorage) -> Self {
        Self { name: "s3", storage, _dir: None }
    }
}

pub(crate) fn memory() -> Place {
    Place { name: "memory", storage: ObjectStorage::open("memory:///a/b").unwrap(), _dir: None }
}

fn directory() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("file://{}/made", dir.path().display());
    Place { name: "file", storage: ObjectStorage::open(&url).unwrap(), _dir: Some(dir) }
}

/// Reports that the current test is skipped, or panics if `CI=true`.
fn skip(reason: &str) {
    assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
    // The test harness captures `println!` and hides it if the test passes.
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

/// Returns the endpoint and bucket of the S3 server in `SITEMAP_TEST_S3`, such as `http://127.0.0.1:5000/bucket`.
pub(crate) fn s3_bucket() -> Option<(String, String)> {
    let Ok(url) = env::var("SITEMAP_TEST_S3") else {
        skip("SITEMAP_TEST_S3 names no bucket; run the test under `dev/ci/with-s3`");
        return None;
    };
    let (endpoint, bucket) =
        url.rsplit_once('/').expect("SITEMAP_TEST_S3 must be an endpoint, `/` and a bucket");
    Some((endpoint.to_owned(), bucket.to_owned()))
}

/// Opens a folder in the server's bucket.
pub(crate) fn s3_folder(folder: &str) -> Option<ObjectStorage> {
    s3_folder_with(folder, None)
}

pub(crate) fn s3_folder_with(folder: &str, more: Option<(&str, &str)>) -> Option<ObjectStorage> {
    let (endpoint, bucket) = s3_bucket()?;
    let options = [
        ("aws_endpoint", endpoint.as_str()),
        ("aws_allow_http", "true"),
        ("aws_access_key_id", "test"),
        ("aws_secret_access_key", "not a secret"),
        ("aws_region", "us-east-1"),
    ];
    let options = options.into_iter().chain(more);
    Some(ObjectStorage::open_with(&format!("s3://{bucket}/{folder}"), options).unwrap())
}

/// Returns a folder name that no other test uses.
pub(crate) fn new_folder() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);

    format!("{}/{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn all() -> Vec<Place> {
    let s3 = s3_folder(&new_folder()).map(Place::of_s3);
    [memory(), directory()].into_iter().chain(s3).collect()
}

/// Limits each file to two pages, and omits dates from the index so that it does not depend on the clock.
pub(crate) fn builder(names: Names) -> SetOptions {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 2;
    SitemapSet::builder(Site::new("https://example.com").unwrap())
        .names(names)
        .lower_limits(limits)
        .index_lastmod(IndexLastMod::Omit)
}

/// Starts a run with two files that never change and two that differ in each generation.
pub(crate) fn start(storage: &ObjectStorage, names: Names, generation: &str) -> Replacement {
    let mut run = builder(names).gzip().storage(storage.clone()).replace().unwrap();
    run.section("same").unwrap().add_all(["/1", "/2", "/3"]).unwrap();
    let page = |n: u32| format!("/{n}?g={generation}");
    run.section("posts").unwrap().add_all((1..=3).map(page)).unwrap();
    run
}

pub(crate) fn publish(
    storage: &ObjectStorage,
    names: Names,
    generation: &str,
) -> Result<Summary, PublishError> {
    start(storage, names, generation).commit()
}

pub(crate) fn read(storage: &ObjectStorage, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    storage.open(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// Reads all page URLs of the published set the way a crawler does, starting at the index.
pub(crate) fn pages(storage: &ObjectStorage) -> Vec<String> {
    let locs = |bytes: Vec<u8>| -> Vec<String> {
        let mut reader = SitemapReader::from_reader(bytes.as_slice());
        let mut locs = Vec::new();
        while let Some(item) = reader.next().unwrap() {
            locs.push(item.loc().to_string());
        }
        assert_eq!(reader.findings_total(), 0);
        locs
    };
    let children = locs(read(storage, "sitemap.xml"));
    let child = |loc: &String| locs(read(storage, loc.strip_prefix("https://example.com/").unwrap()));
    children.iter().flat_map(child).collect()
}

/// Returns the distinct generations of the published pages.
pub(crate) fn generations(storage: &ObjectStorage) -> Vec<String> {
    let pages = pages(storage);
    assert_eq!(pages.iter().filter(|page| !page.contains("?g=")).count(), 3, "{pages:?}");
    let of_page = |page: &String| page.split_once("?g=").map(|(_, generation)| generation.to_owned());
    let mut generations: Vec<_> = pages.iter().filter_map(of_page).collect();
    generations.dedup();
    generations
}

pub(crate) fn assert_published(place: &Place, generation: &str) {
    assert_eq!(generations(&place.storage), [generation], "{}", place.name);
}

/// Panics if the storage still contains a temporary file or a journal.
pub(crate) fn assert_no_leftovers(place: &Place) {
    let names = place.storage.list().unwrap();
    let is_left = |name: &&String| name.contains(".tmp") || name.contains("journal");
    assert_eq!(names.iter().filter(is_left).count(), 0, "{}: {names:?}", place.name);
}
