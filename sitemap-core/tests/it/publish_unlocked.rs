//! Two runs on a storage without locks, such as an object store: one wins, the other says so.

use std::sync::{Arc, Mutex};

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{IndexLastMod, Names, PublisherBuilder};
use sitemap_core::storage::{Hooked, Operation, OperationKind};
use sitemap_core::{Entry, LastMod, Loc, Memory, Publisher, Site, Storage};

type Action = Box<dyn FnOnce() + Send>;

/// A memory without a lock; an action can be planned to happen between two of its operations.
#[derive(Clone)]
struct Unlocked {
    memory: Memory,
    planned: Arc<Mutex<Option<(&'static str, Action)>>>,
}

impl Unlocked {
    fn new() -> Self {
        Self { memory: Memory::new(), planned: Arc::default() }
    }

    /// Plans an action before the first renaming to a name that contains a text.
    fn plan(&self, name: &'static str, action: impl FnOnce() + Send + 'static) {
        *self.planned.lock().unwrap() = Some((name, Box::new(action)));
    }

    fn storage(&self) -> impl Storage + 'static {
        let planned = Arc::clone(&self.planned);
        let hook = move |operation: &Operation<'_>| {
            if matches!(operation.kind, OperationKind::Rename | OperationKind::RenameIf) {
                let action = planned.lock().unwrap().take_if(|(name, _)| operation.name.contains(*name));
                if let Some((_, action)) = action {
                    action();
                }
            }
            Ok(())
        };
        Hooked::new(self.memory.clone(), hook).without_lock()
    }
}

fn builder(names: Names) -> PublisherBuilder {
    let site = Site::new("https://example.com").unwrap();
    Publisher::builder(site).index_lastmod(IndexLastMod::NewestPage).names(names)
}

/// Two sections of one page each, whose date is another for each text.
fn begin(storage: &Unlocked, names: Names, page: &str) -> Publisher {
    let year: LastMod = format!("{}", 2000 + usize::from(page.as_bytes()[0])).parse().unwrap();
    let entry = |path: &str| {
        let loc = Loc::parse(format!("https://example.com{path}/{page}")).unwrap();
        Entry::new(loc).with_lastmod(year)
    };
    let mut publisher = builder(names).to_storage(storage.storage()).unwrap();
    publisher.section("a").unwrap().add(&entry("")).unwrap();
    publisher.section("b").unwrap().add(&entry("/b")).unwrap();
    publisher
}

/// Every sitemap of the index has the page.
fn assert_stands(storage: &Unlocked, page: &str) {
    let index = String::from_utf8(storage.memory.get("sitemap.xml").unwrap().to_vec()).unwrap();
    let children: Vec<_> = index.split("<loc>https://example.com/").skip(1).collect();
    assert_eq!(children.len(), 2);
    for child in children {
        let name = child.split('<').next().unwrap();
        let text = String::from_utf8(storage.memory.get(name).unwrap().to_vec()).unwrap();
        assert!(text.contains(&format!("/{page}</loc>")), "{name}: {text}");
    }
}

fn assert_clean(storage: &Unlocked) {
    let names = storage.memory.list().unwrap();
    assert!(names.iter().all(|name| !name.contains(".tmp") && !name.contains("journal")), "{names:?}");
}

fn assert_overtaken(error: &PublishError) {
    assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }));
    assert_eq!(
        error.to_string(),
        "another run has replaced `sitemap.xml` since this one started, and its set stays published; run again"
    );
}

#[test]
fn a_run_that_another_one_has_overtaken_says_so_and_changes_nothing() {
    for names in [Names::Stable, Names::Digest] {
        let storage = Unlocked::new();
        begin(&storage, names, "old").finish().unwrap();
        let (slow, quick) = (begin(&storage, names, "slow"), begin(&storage, names, "quick"));
        quick.finish().unwrap();
        assert_overtaken(&slow.finish().unwrap_err());
        assert_stands(&storage, "quick");
        assert_clean(&storage);
        begin(&storage, names, "next").finish().unwrap();
        assert_stands(&storage, "next");
    }
}

#[test]
fn of_two_first_runs_one_wins() {
    let storage = Unlocked::new();
    let (slow, quick) = (begin(&storage, Names::Stable, "slow"), begin(&storage, Names::Stable, "quick"));
    quick.finish().unwrap();
    assert_overtaken(&slow.finish().unwrap_err());
    assert_stands(&storage, "quick");
}

#[test]
fn while_one_run_puts_its_set_in_place_another_cannot() {
    for names in [Names::Stable, Names::Digest] {
        for moment in ["sitemap-a", "sitemap-b", "sitemap.xml", "sitemap-manifest"] {
            let storage = Unlocked::new();
            begin(&storage, names, "old").finish().unwrap();
            let (first, second) = (begin(&storage, names, "1st"), begin(&storage, names, "2nd"));
            let result = Arc::new(Mutex::new(None));
            let slot = Arc::clone(&result);
            storage.plan(moment, move || *slot.lock().unwrap() = Some(second.finish()));
            first.finish().unwrap();
            assert_overtaken(&result.lock().unwrap().take().unwrap().unwrap_err());
            assert_stands(&storage, "1st");
            assert_clean(&storage);
        }
    }
}

/// A run that was held up finds its work done by the run that came after it, and does not undo what was
/// published since.
#[test]
fn a_run_that_wakes_up_late_does_not_replace_a_newer_set() {
    for names in [Names::Stable, Names::Digest] {
        for moment in ["sitemap-a", "sitemap-b", "sitemap.xml"] {
            let storage = Unlocked::new();
            begin(&storage, names, "old").finish().unwrap();
            let late = begin(&storage, names, "late");
            let other = storage.clone();
            storage.plan(moment, move || begin(&other, names, "newer").finish().map(drop).unwrap());
            let result = late.finish();
            assert!(result.is_err(), "{names:?} at {moment}");
            assert_stands(&storage, "newer");
            begin(&storage, names, "next").finish().unwrap();
            assert_stands(&storage, "next");
            assert_clean(&storage);
        }
    }
}

/// Children get their names several at once; whatever happens to one of them, a whole set stands after the
/// next run.
#[test]
fn many_files_get_their_names_at_the_same_time() {
    for names in [Names::Stable, Names::Digest] {
        let storage = Unlocked::new();
        let publish = |page: &str| {
            let mut publisher = builder(names).to_storage(storage.storage())?;
            for section in 0..40 {
                publisher.section(&format!("s{section}"))?.add(&format!("/{section}/{page}"))?;
            }
            publisher.finish()
        };
        publish("old").unwrap();
        let assert_stands = |page: &str| {
            let index = storage.memory.get("sitemap.xml").unwrap();
            let index = String::from_utf8(index.to_vec()).unwrap();
            let children: Vec<_> = index.split("<loc>https://example.com/").skip(1).collect();
            assert_eq!(children.len(), 40);
            for child in children {
                let text = storage.memory.get(child.split('<').next().unwrap()).unwrap();
                assert!(String::from_utf8_lossy(&text).contains(&format!("/{page}</loc>")));
            }
        };
        assert_stands("old");
        let memory = storage.memory.clone();
        storage.plan("sitemap-s7", move || {
            // What another process might remove by mistake.
            let staged = memory.list().unwrap();
            let staged = staged.iter().find(|name| name.starts_with(".sitemap-s9")).unwrap();
            memory.remove(staged).unwrap();
        });
        assert!(publish("new").is_err());
        publish("next").unwrap();
        assert_stands("next");
        assert_clean(&storage);
    }
}
