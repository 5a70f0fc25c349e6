//! Tests of commits to a storage that can look up many files with one request.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::{ShardCommit, ShardError, ShardRow};
use sitemap_core::storage::{LockGuard, Metadata, NewFile, StorageError};
use sitemap_core::{Memory, PublishError, Site, SitemapSet, Storage, Summary};

const SHARDS: u32 = 200;

/// A storage that lists some of its files.
#[derive(Clone, Debug)]
struct Listing {
    memory: Memory,
    /// Returns the listed metadata of a file.
    lists: fn(&str, Metadata) -> Option<Metadata>,
    /// The shards that were looked up one at a time.
    asked: Arc<Mutex<Vec<String>>>,
    /// The number of shards in each combined look-up.
    at_once: Arc<Mutex<Vec<usize>>>,
}

impl Storage for Listing {
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        assert!(names.is_sorted());
        self.at_once.lock().unwrap().push(names.len());
        names.iter().map(|name| (self.lists)(name, self.memory.metadata(name).unwrap()?)).collect()
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        if name.starts_with("sitemap-pages-") {
            self.asked.lock().unwrap().push(name.to_owned());
        }
        self.memory.metadata(name)
    }

    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        self.memory.lock()
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        self.memory.create(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.memory.rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        self.memory.rename_if(from, to, seen)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.memory.remove(name)
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.memory.open(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.memory.list()
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        self.memory.sync_file(name)
    }

    fn sync_names(&self) -> io::Result<()> {
        self.memory.sync_names()
    }
}

/// Writes shards in bucket order. Before the commit, passes each row and the memory to a function.
fn commit(
    lists: fn(&str, Metadata) -> Option<Metadata>,
    change: impl Fn(&ShardRow, &Memory),
) -> (Result<Summary, PublishError>, Listing) {
    let (memory, site) = (Memory::new(), Site::new("https://example.com").unwrap());
    let builder = SitemapSet::builder(site);
    let mut shards = builder.clone().write_shards(memory.clone(), "pages", SHARDS).unwrap();
    for bucket in 0..SHARDS {
        shards.add(bucket, &format!("/{bucket:03}")).unwrap();
    }
    let mut commit = ShardCommit::new(builder);
    for row in shards.finish().unwrap().into_rows() {
        change(&row, &memory);
        commit.add(row).unwrap();
    }
    let (asked, at_once) = Default::default();
    let storage = Listing { memory, lists, asked, at_once };
    (commit.publish(storage.clone()), storage)
}

#[test]
fn shards_that_are_listed_are_not_asked_for_one_by_one_with_threads() {
    let (summary, storage) = commit(|_, found| Some(found), |_, _| {});
    assert_eq!(summary.unwrap().urls(), 200);
    assert_eq!(storage.asked.lock().unwrap().len(), 0);
    let mut at_once = storage.at_once.lock().unwrap().clone();
    at_once.sort_unstable();
    assert_eq!(at_once, [8, 64, 64, 64]);
}

#[test]
fn shards_that_the_list_lacks_are_asked_for_with_threads() {
    let has_two = |name: &str| name.starts_with("sitemap-pages-00002-");
    let (summary, storage) = commit(
        |name, found| (!name.starts_with("sitemap-pages-0001")).then_some(found),
        |row, memory| {
            if row.name().starts_with("sitemap-pages-00002-") {
                memory.remove(row.name()).unwrap();
            }
        },
    );
    let error = summary.unwrap_err();
    let PublishErrorKind::Shard(ShardError::Missing { name, found: None, .. }) = error.kind() else {
        panic!("{error}")
    };
    assert!(has_two(name), "{name}");
    let mut asked = storage.asked.lock().unwrap().clone();
    asked.sort_unstable();
    let numbers: Vec<&str> = asked.iter().map(|name| &name[14..19]).collect();
    let (first, rest) = numbers.split_first().unwrap();
    let expected: Vec<String> = (10..20).map(|number| format!("{number:05}")).collect();
    assert_eq!((*first, rest), ("00002", &*expected.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn a_listed_size_that_differs_is_an_error_with_threads() {
    let (summary, storage) = commit(
        |name, mut found| {
            if name.starts_with("sitemap-pages-00042-") {
                found.len += 1;
            }
            Some(found)
        },
        |_, _| {},
    );
    let error = summary.unwrap_err();
    let PublishErrorKind::Shard(ShardError::Missing { name, expected, found: Some(found) }) = error.kind()
    else {
        panic!("{error}")
    };
    assert!(name.starts_with("sitemap-pages-00042-") && *found == expected + 1, "{error}");
    assert!(storage.memory.get("sitemap.xml").is_none());
}
