//! Moves to a different number of buckets, with and without temporary files.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sitemap_core::extension::{Alternate, Element, Image, Namespace};
use sitemap_core::publish::SetOptions;
use sitemap_core::{Entry, Extensions, Format, LastMod, Loc, Memory, Priority, Storage as _};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::Rebucket;

use crate::support::{builder, loc, published};

/// Publishes this number of pages without buckets, plus another section. The pages in `repeated` are listed twice.
fn plain(builder: &SetOptions, pages: u64, repeated: &[u64]) -> Memory {
    let memory = Memory::new();
    let mut run = builder.clone().storage(memory.clone()).replace().unwrap();
    let mut section = run.section("posts").unwrap();
    for id in (0..pages).chain(repeated.iter().copied()) {
        section.add(&page(id)).unwrap();
    }
    run.section("shop").unwrap().add("/shop").unwrap();
    run.commit().unwrap();
    memory
}

/// Returns a page with one of several extensions. For a text file, it is only a URL.
fn page(id: u64) -> Entry<'static> {
    let page =
        Entry::new(Loc::parse(loc(id)).unwrap()).with_lastmod("2026-01-31".parse::<LastMod>().unwrap());
    let other = Loc::parse(format!("https://example.com/other/{id}")).unwrap();
    match id % 4 {
        0 => page.with_alternates(vec![Alternate::new("de".parse().unwrap(), other)]),
        1 => page.with_images(vec![Image::new(other)]),
        2 => {
            page.with_elements(vec![Element::new(namespace(), "place").unwrap().with_text("A & B").unwrap()])
        }
        _ => page.with_priority(Priority::new(0.5).unwrap()),
    }
}

fn namespace() -> Namespace<'static> {
    Namespace::new("geo", "https://example.com/geo").unwrap()
}

/// Returns the settings of files that can contain the pages from [`page`].
fn declared() -> SetOptions {
    builder().extensions(Extensions::ALTERNATES | Extensions::IMAGES).namespace(namespace())
}

#[test]
fn temporary_files_change_no_byte() {
    for builder in [declared(), declared().gzip(), declared().format(Format::Text).gzip()] {
        for buckets in [1, 5, 80] {
            let files = |pages_in_memory, has_temporary| {
                let (memory, temporary) = (plain(&builder, 100, &[5, 5, 8]), Memory::new());
                let mut rebucket =
                    Rebucket::new(&builder.clone().storage(Memory::new()), buckets).section("posts");
                if has_temporary {
                    rebucket = rebucket.temporary(temporary.clone());
                }
                let done = rebucket.pages_in_memory(pages_in_memory).commit_to(memory.clone()).unwrap();
                assert_eq!((done.duplicates(), done.summary().unwrap().urls()), (3, 101));
                assert_eq!(temporary.list().unwrap(), [""; 0]);
                let mut names = memory.list().unwrap();
                names.retain(|name| name.starts_with("sitemap-"));
                names.sort();
                let files: Vec<_> = names.into_iter().map(|name| (memory.get(&name), name)).collect();
                (files, done.files_read())
            };
            let (expected, read) = files(1_000, false);
            for pages_in_memory in [4, 33, 1_000] {
                let context = format!("{buckets} {pages_in_memory}");
                assert!(files(pages_in_memory, true) == (expected.clone(), read), "{context}");
                let (in_passes, read_in_passes) = files(pages_in_memory, false);
                assert!(in_passes == expected && read_in_passes >= read, "{context}");
            }
        }
    }
}

/// Makes each operation on one of the storages fail in turn.
#[test]
fn after_an_error_no_temporary_file_is_left() {
    for is_temporary in [true, false] {
        for at in 0.. {
            let (memory, temporary) = (plain(&declared(), 20, &[]), Memory::new());
            let before = published(&memory);
            let count = Arc::new(AtomicU32::new(0));
            let seen = Arc::clone(&count);
            let fail = move |operation: &Operation<'_>| {
                // Whatever an error leaves behind must be found and deleted.
                let is_counted =
                    !is_temporary || !matches!(operation.kind, OperationKind::List | OperationKind::Remove);
                let fails = is_counted && seen.fetch_add(1, Ordering::SeqCst) == at;
                if fails { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
            };
            let never = |_: &Operation<'_>| Ok(());
            let rebucket =
                Rebucket::new(&builder().storage(Memory::new()), 3).section("posts").pages_in_memory(8);
            let rebucket = rebucket.attempts(1).pause(Duration::ZERO);
            let is_ok = if is_temporary {
                rebucket.temporary(Hooked::new(temporary.clone(), fail)).commit_to(memory.clone()).is_ok()
            } else {
                let rebucket = rebucket.temporary(Hooked::new(temporary.clone(), never));
                rebucket.commit_to(Hooked::new(memory.clone(), fail)).is_ok()
            };
            assert_eq!(temporary.list().unwrap(), [""; 0], "at {at}");
            assert_eq!(published(&memory), before, "at {at}");
            if count.load(Ordering::SeqCst) <= at {
                assert!(is_ok && at > 10);
                break;
            }
            // The next run succeeds.
            Rebucket::new(&builder().storage(memory.clone()), 3)
                .section("posts")
                .temporary(temporary)
                .commit()
                .unwrap();
            assert_eq!(published(&memory), before, "at {at}");
        }
    }
}
