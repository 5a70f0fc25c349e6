//! Tests of two runs on a storage without locks, such as an object store: one run publishes its set, and the other
//! returns an error.

use std::sync::{Arc, Mutex};

use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{IndexLastMod, Names, SetOptions};
use sitemap_core::{Entry, LastMod, Loc, Memory, Replacement, Site, SitemapSet, Storage};
use sitemap_tests::{Hooked, Operation, OperationKind};

type Action = Box<dyn FnOnce() + Send>;

/// An in-memory storage without a lock. It can run an action between two of its operations.
#[derive(Clone)]
struct Unlocked {
    memory: Memory,
    planned: Arc<Mutex<Option<(&'static str, Action)>>>,
}

impl Unlocked {
    fn new() -> Self {
        Self { memory: Memory::new(), planned: Arc::default() }
    }

    /// Schedules an action before the first rename to a name that contains `name`.
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

fn builder(names: Names) -> SetOptions {
    let site = Site::new("https://example.com").unwrap();
    SitemapSet::builder(site).index_lastmod(IndexLastMod::NewestPage).names(names)
}

/// Starts a run with two sections of one page each. The pages' URLs and date depend on `page`.
fn start(storage: &Unlocked, names: Names, page: &str) -> Replacement {
    let year: LastMod = format!("{}", 2000 + usize::from(page.as_bytes()[0])).parse().unwrap();
    let entry = |path: &str| {
        let loc = Loc::parse(format!("https://example.com{path}/{page}")).unwrap();
        Entry::new(loc).with_lastmod(year)
    };
    let mut run = builder(names).storage(storage.storage()).replace().unwrap();
    run.section("a").unwrap().add(&entry("")).unwrap();
    run.section("b").unwrap().add(&entry("/b")).unwrap();
    run
}

/// Checks that the index has two child sitemaps and that each contains a page named `page`.
fn assert_published(storage: &Unlocked, page: &str) {
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
        "another run has replaced `sitemap.xml` since this run started, and the set of the other run stays \
         published; run again"
    );
}

#[test]
fn a_run_that_another_one_has_overtaken_says_so_and_changes_nothing() {
    for names in [Names::Stable, Names::Digest] {
        let storage = Unlocked::new();
        start(&storage, names, "old").commit().unwrap();
        let (slow, quick) = (start(&storage, names, "slow"), start(&storage, names, "quick"));
        quick.commit().unwrap();
        assert_overtaken(&slow.commit().unwrap_err());
        assert_published(&storage, "quick");
        assert_clean(&storage);
        start(&storage, names, "next").commit().unwrap();
        assert_published(&storage, "next");
    }
}

#[test]
fn of_two_first_runs_one_wins() {
    let storage = Unlocked::new();
    let (slow, quick) = (start(&storage, Names::Stable, "slow"), start(&storage, Names::Stable, "quick"));
    quick.commit().unwrap();
    assert_overtaken(&slow.commit().unwrap_err());
    assert_published(&storage, "quick");
}

#[test]
fn while_one_run_puts_its_set_in_place_another_cannot() {
    for names in [Names::Stable, Names::Digest] {
        for moment in ["sitemap-a", "sitemap-b", "sitemap.xml", "sitemap-manifest"] {
            let storage = Unlocked::new();
            start(&storage, names, "old").commit().unwrap();
            let (first, second) = (start(&storage, names, "1st"), start(&storage, names, "2nd"));
            let result = Arc::new(Mutex::new(None));
            let slot = Arc::clone(&result);
            storage.plan(moment, move || *slot.lock().unwrap() = Some(second.commit()));
            first.commit().unwrap();
            assert_overtaken(&result.lock().unwrap().take().unwrap().unwrap_err());
            assert_published(&storage, "1st");
            assert_clean(&storage);
        }
    }
}

/// While one run is delayed, a later run commits a newer set. When the delayed run continues, it must not replace that
/// set.
#[test]
fn a_run_that_wakes_up_late_does_not_replace_a_newer_set() {
    for names in [Names::Stable, Names::Digest] {
        for moment in ["sitemap-a", "sitemap-b", "sitemap.xml"] {
            let storage = Unlocked::new();
            start(&storage, names, "old").commit().unwrap();
            let late = start(&storage, names, "late");
            let other = storage.clone();
            storage.plan(moment, move || start(&other, names, "newer").commit().map(drop).unwrap());
            late.commit().unwrap_or_else(|error| panic!("{names:?} at {moment}: {error}"));
            assert_published(&storage, "newer");
            start(&storage, names, "next").commit().unwrap();
            assert_published(&storage, "next");
            assert_clean(&storage);
        }
    }
}

/// A run renames several child sitemaps at the same time. If one rename fails, the next run still publishes
/// a whole set.
#[test]
fn many_files_get_their_names_at_the_same_time() {
    for names in [Names::Stable, Names::Digest] {
        let storage = Unlocked::new();
        let publish = |page: &str| {
            let mut run = builder(names).storage(storage.storage()).replace()?;
            for section in 0..40 {
                run.section(&format!("s{section}"))?.add(&format!("/{section}/{page}"))?;
            }
            run.commit()
        };
        publish("old").unwrap();
        let assert_published = |page: &str| {
            let index = storage.memory.get("sitemap.xml").unwrap();
            let index = String::from_utf8(index.to_vec()).unwrap();
            let children: Vec<_> = index.split("<loc>https://example.com/").skip(1).collect();
            assert_eq!(children.len(), 40);
            for child in children {
                let text = storage.memory.get(child.split('<').next().unwrap()).unwrap();
                assert!(String::from_utf8_lossy(&text).contains(&format!("/{page}</loc>")));
            }
        };
        assert_published("old");
        let memory = storage.memory.clone();
        storage.plan("sitemap-s7", move || {
            // Simulate another process that removes a temporary file by mistake.
            let staged = memory.list().unwrap();
            let staged = staged.iter().find(|name| name.starts_with(".sitemap-s9")).unwrap();
            memory.remove(staged).unwrap();
        });
        assert!(publish("new").is_err());
        publish("next").unwrap();
        assert_published("next");
        assert_clean(&storage);
    }
}
