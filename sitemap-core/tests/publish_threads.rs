//! Threads change nothing but the time a set takes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::thread;

use sitemap_core::{
    Dialect, Error, ErrorKind, Guard, IndexLastMod, Limits, Memory, NewFile, OnInvalid, Publisher,
    PublisherBuilder, Site, Stat, Storage, Summary,
};

fn limits(urls: u64) -> Limits {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = urls;
    limits
}

fn builder(threads: usize) -> PublisherBuilder {
    let site = Site::new("https://example.com").unwrap();
    Publisher::builder(site)
        .index_lastmod(IndexLastMod::Omit)
        .lower_limits(limits(4_000))
        .on_invalid(OnInvalid::Skip)
        .threads(threads)
}

/// Files of several pieces, sections and shards.
fn publish(builder: PublisherBuilder, storage: impl Storage + 'static) -> Result<Summary, Error> {
    let path = |n: u64| format!("/items/{n}/{}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut publisher = builder.to_storage(storage)?;
    let [mut items, mut users] = publisher.sections(["items", "users"])?;
    thread::scope(|scope| {
        let items = scope.spawn(move || items.add_all((0..15_000).map(path)));
        let users = scope.spawn(move || {
            users.add("no path")?;
            users.add_all((0..15_000).map(path))
        });
        items.join().unwrap().and(users.join().unwrap())
    })?;
    let mut shards = publisher.section("shards")?.shard_by(7, |path: &String| path.into())?;
    shards.add_all((0..9_000).map(path))?;
    publisher.section("empty")?;
    publisher.finish()
}

fn contents(memory: &Memory) -> BTreeMap<String, Vec<u8>> {
    let names = memory.names().unwrap().into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| (name.clone(), memory.get(&name).unwrap().to_vec())).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for gzip in [None, Some(1), Some(6)] {
        let mut expected = None;
        for threads in [1, 2, 3, 8] {
            let memory = Memory::new();
            let builder = builder(threads);
            let builder = gzip.iter().fold(builder, |builder, level| builder.gzip_level(*level));
            let summary = publish(builder, memory.clone()).unwrap();
            let found = (contents(&memory), summary.to_string());
            assert_eq!((summary.urls(), summary.skipped()), (39_000, 1));
            assert_eq!(found.0.len(), 4 + 4 + 7 + 1);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(*expected == found, "gzip {gzip:?}, {threads} threads");
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
        assert!(decoder.into_inner().is_empty(), "{name} is one gzip member");
    }
}

#[test]
fn two_sections_cannot_be_the_same_one() {
    let mut publisher = builder(1).to_storage(Memory::new()).unwrap();
    let error = publisher.sections(["a", "b", "a"]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SectionCase { .. }));
    publisher.section("posts-001").unwrap();
    let error = publisher.section("posts").unwrap().shard_by(2, |path: &String| path.into()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SectionCase { .. }));
}

/// A storage whose files can take only so many bytes.
#[derive(Clone, Debug)]
struct Small {
    memory: Memory,
    room: usize,
    panics: bool,
}

#[derive(Debug)]
struct SmallFile(Box<dyn NewFile>, usize, bool);

impl Write for SmallFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(!self.2 || self.1 >= bytes.len(), "a storage that panics");
        self.1 = self.1.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for SmallFile {
    fn finish(&mut self) -> io::Result<Stat> {
        self.0.finish()
    }
}

impl Storage for Small {
    fn lock(&self) -> Result<Option<Guard>, Error> {
        self.memory.lock()
    }
    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(SmallFile(self.memory.create(name)?, self.room, self.panics)))
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.memory.rename(from, to)
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.memory.remove(name)
    }
    fn stat(&self, name: &str) -> io::Result<Option<Stat>> {
        self.memory.stat(name)
    }
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.memory.open(name)
    }
    fn names(&self) -> io::Result<Vec<String>> {
        self.memory.names()
    }
    fn persist(&self, name: &str) -> io::Result<()> {
        self.memory.persist(name)
    }
    fn sync(&self) -> io::Result<()> {
        self.memory.sync()
    }
}

#[test]
fn an_error_on_another_thread_names_its_file_and_leaves_the_old_set() {
    for threads in [1, 3] {
        let memory = Memory::new();
        publish(builder(threads), memory.clone()).unwrap();
        let old = contents(&memory);
        let small = Small { memory: memory.clone(), room: 1_000, panics: false };
        let error = publish(builder(threads).gzip(), small).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot write `sitemap-"), "{text}");
        assert!(contents(&memory) == old);
        assert!(memory.names().unwrap().iter().all(|name| !name.contains(".tmp")));
        publish(builder(threads), memory.clone()).unwrap();
        assert!(contents(&memory) == old);
    }
}

#[test]
fn large_files_are_synced_while_others_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let site = Site::new("https://example.com").unwrap();
    let mut publisher = Publisher::builder(site).lower_limits(limits(20_000)).to_dir(dir.path()).unwrap();
    publisher
        .section("p")
        .unwrap()
        .add_all((0..60_000).map(|n| format!("/a-path-of-some-length/{n}")))
        .unwrap();
    let summary = publisher.finish().unwrap();
    assert!(summary.files().iter().all(|file| file.stored_bytes() > 1 << 20));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3 + 2);
}

/// Neither is a piece left out, nor does anybody wait for ever.
#[test]
fn a_storage_that_panics_on_another_thread_ends_the_run_and_leaves_the_old_set() {
    let memory = Memory::new();
    publish(builder(2), memory.clone()).unwrap();
    let old = contents(&memory);
    for gzip in [false, true] {
        let small = Small { memory: memory.clone(), room: 10_000, panics: true };
        let builder = if gzip { builder(2).gzip() } else { builder(2) };
        let error = publish(builder, small).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Aborted), "{error}");
        assert!(contents(&memory) == old);
    }
    publish(builder(2), memory.clone()).unwrap();
    assert!(contents(&memory) == old);
}
