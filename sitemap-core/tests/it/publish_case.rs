//! Tests of names that differ only in case, on case-insensitive storages and on others.

use std::io::{self, Read};

use sitemap_core::publish::Names;
use sitemap_core::storage::{LockGuard, Metadata, NewFile, StorageError};
use sitemap_core::{Memory, Site, SitemapSet, Storage, Summary};

/// A case-insensitive storage, like the file systems of Windows and macOS.
#[derive(Clone, Debug)]
struct Folding {
    memory: Memory,
    /// True if a file keeps its old name when it is replaced.
    keeps_old_name: bool,
}

impl Folding {
    /// Returns the existing file name that matches, or else the name itself.
    fn find(&self, name: &str) -> String {
        let names = self.memory.list().unwrap();
        names.into_iter().find(|found| found.eq_ignore_ascii_case(name)).unwrap_or_else(|| name.to_owned())
    }
}

impl Storage for Folding {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        self.memory.lock()
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        self.memory.create(&self.find(name))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let old = self.find(to);
        if self.keeps_old_name || old == to {
            return self.memory.rename(from, &old);
        }
        let _ = self.memory.remove(&old);
        self.memory.rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        if self.metadata(to)?.as_ref() != seen {
            return Ok(false);
        }
        self.rename(from, to).map(|()| true)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.memory.remove(&self.find(name))
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        self.memory.metadata(&self.find(name))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.memory.open(&self.find(name))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.memory.list()
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        self.memory.sync_file(&self.find(name))
    }

    fn sync_names(&self) -> io::Result<()> {
        self.memory.sync_names()
    }
}

fn publish(storage: &(impl Storage + Clone + 'static), names: Names, section: &str, page: &str) -> Summary {
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).names(names).storage(storage.clone()).replace().unwrap();
    run.section(section).unwrap().add(page).unwrap();
    run.section("other").unwrap().add("/other").unwrap();
    run.commit().unwrap()
}

/// Checks that the index and its children can be opened, and that exactly one child contains the page.
fn assert_is_complete(storage: &impl Storage, page: &str) {
    let read = |name: &str| {
        let mut text = String::new();
        storage.open(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let index = read("sitemap.xml");
    let children: Vec<_> = index
        .split("<loc>https://example.com/")
        .skip(1)
        .map(|rest| read(rest.split('<').next().unwrap()))
        .collect();
    assert_eq!(children.len(), 2, "{index}");
    let pages =
        children.iter().filter(|child| child.contains(&format!("<loc>https://example.com{page}</loc>")));
    assert_eq!(pages.count(), 1, "{children:?}");
}

#[test]
fn a_section_in_another_case_does_not_remove_the_new_files() {
    for keeps_old_name in [true, false] {
        for names in [Names::Stable, Names::Digest] {
            let storage = Folding { memory: Memory::new(), keeps_old_name };
            publish(&storage, names, "Blog", "/1");
            for (section, page) in
                [("blog", "/1"), ("BLOG", "/2"), ("blog", "/2"), ("Blog", "/3"), ("Blog", "/4")]
            {
                publish(&storage, names, section, page);
                assert_is_complete(&storage, page);
            }
        }
    }
}

#[test]
fn a_storage_with_both_names_loses_the_old_one() {
    let memory = Memory::new();
    publish(&memory, Names::Stable, "Blog", "/1");
    let summary = publish(&memory, Names::Stable, "blog", "/2");
    assert_is_complete(&memory, "/2");
    let mut files = memory.list().unwrap();
    files.retain(|name| !name.starts_with('.'));
    files.sort();
    assert_eq!(files, ["sitemap-blog-1.xml", "sitemap-other-1.xml", "sitemap.xml"]);
    assert_eq!((summary.removed_files(), summary.removed_sections()), (1, &["Blog".to_owned()][..]));
}
