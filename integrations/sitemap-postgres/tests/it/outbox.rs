//! Keeps sets in sync with a table through an outbox.

use std::cell::Cell;
use std::sync::Mutex;

use postgres::Client;
use sitemap_core::publish::files::MANIFEST;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::publish::{AllowShrink, OnInvalid, PublishErrorKind};
use sitemap_core::{Entry, Loc, Memory, Storage as _};
use sitemap_postgres::{Outbox, PostgresError, Table};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Batch, Change, ChangeSource, Mirror, MirrorError, UpdateError};

use crate::support::{Database, Model, build, builder, posts, published, rows, site};

/// Publishes all batches, and returns how many there were.
fn follow(outbox: &mut Outbox, memory: &Memory) -> usize {
    let mirror = Mirror::new(builder().storage(memory.clone()));
    let mut batches = 0;
    while mirror.step(outbox).unwrap().is_some() {
        batches += 1;
    }
    batches
}

#[test]
fn every_kind_of_change_reaches_the_set() {
    let Some(database) = Database::create().map(|database| database.with_posts(100)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap().batch_size(7);
    let built = outbox.publish(build(), "posts", memory.clone()).unwrap();
    assert_eq!(built.summary().unwrap().urls(), 100);
    assert_eq!(published(&memory), rows(&mut client));
    assert_eq!(follow(&mut outbox, &memory), 0);
    for (sql, batches) in [
        ("INSERT INTO posts VALUES (200, 'new', now())", 1),
        ("UPDATE posts SET updated_at = now() + interval '1 day' WHERE id <= 5", 1),
        ("UPDATE posts SET slug = 'other/' || id WHERE id BETWEEN 10 AND 12", 1),
        ("UPDATE posts SET is_public = false WHERE id = 20", 1),
        ("UPDATE posts SET is_public = true, updated_at = NULL WHERE id = 20", 1),
        ("DELETE FROM posts WHERE id BETWEEN 30 AND 43", 2),
        // Two rows swap their URLs.
        (
            "BEGIN; UPDATE posts SET slug = 'x' WHERE id = 1; UPDATE posts SET slug = 'post 1' WHERE id = 2;
             UPDATE posts SET slug = 'post 2' WHERE id = 1; COMMIT",
            1,
        ),
        ("BEGIN; DELETE FROM posts WHERE id = 50; ROLLBACK", 0),
    ] {
        client.batch_execute(sql).unwrap();
        if !sql.contains("other/") {
            assert_eq!(follow(&mut outbox, &memory), batches, "{sql}");
            assert_eq!(published(&memory), rows(&mut client), "{sql}");
            continue;
        }
        // A slash in a slug is encoded in the URL.
        assert_eq!(follow(&mut outbox, &memory), batches, "{sql}");
        let expected: Model = rows(&mut client)
            .into_iter()
            .map(|(url, date)| (url.replace("other/", "other%2F"), date))
            .collect();
        assert_eq!(published(&memory), expected, "{sql}");
        client.batch_execute("UPDATE posts SET slug = replace(slug, '/', '-')").unwrap();
        follow(&mut outbox, &memory);
    }
    let left: i64 = client.query_one("SELECT count(*) FROM changes", &[]).unwrap().get(0);
    assert_eq!(left, 0);
}

/// A source that is interrupted after the set is committed, but before the acknowledgement.
struct Killed<'o>(&'o mut Outbox, Cell<bool>);

impl ChangeSource for Killed<'_> {
    type Token = Vec<i64>;
    type Error = PostgresError;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<Vec<i64>>>, PostgresError> {
        self.0.peek(position)
    }

    fn acknowledge(&mut self, _: Vec<i64>) -> Result<(), PostgresError> {
        self.1.set(true);
        Err(PostgresError::Setup("killed".to_owned()))
    }
}

#[test]
fn a_batch_that_was_not_acknowledged_comes_again() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    client.batch_execute("DELETE FROM posts WHERE id = 3").unwrap();
    let mut killed = Killed(&mut outbox, Cell::new(false));
    let error = Mirror::new(builder().storage(memory.clone())).step(&mut killed).unwrap_err();
    assert!(matches!(error, MirrorError::Source(_)) && killed.1.get(), "{error}");
    assert_eq!(published(&memory), rows(&mut client));
    // The page is added again before the batch is repeated.
    client.batch_execute("INSERT INTO posts VALUES (3, 'post 3', '2026-02-02')").unwrap();
    assert_eq!(follow(&mut outbox, &memory), 1);
    assert_eq!(published(&memory), rows(&mut client));
}

/// A source that lets another process publish right after its own batch was read.
struct Slow<'o>(&'o mut Outbox, Option<Box<dyn FnOnce() + 'o>>);

impl ChangeSource for Slow<'_> {
    type Token = Vec<i64>;
    type Error = PostgresError;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<Vec<i64>>>, PostgresError> {
        let batch = self.0.peek(position)?;
        if let Some(other) = self.1.take() {
            other();
        }
        Ok(batch)
    }

    fn acknowledge(&mut self, ids: Vec<i64>) -> Result<(), PostgresError> {
        self.0.acknowledge(ids)
    }
}

#[test]
fn a_slow_process_does_not_undo_the_changes_of_another_one() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    let mut other = Outbox::open(database.connect(), site(), posts(), "changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    client.batch_execute("UPDATE posts SET updated_at = '2026-03-03' WHERE id = 3").unwrap();
    let (of_other, to) = (memory.clone(), &mut client);
    let mut slow = Slow(
        &mut outbox,
        Some(Box::new(move || {
            to.batch_execute("DELETE FROM posts WHERE id = 3").unwrap();
            assert_eq!(follow(&mut other, &of_other), 1);
        })),
    );
    // The slow process read the row before it was deleted. It notices that the other process published, and finds
    // nothing left to do.
    assert!(Mirror::new(builder().storage(memory.clone())).step(&mut slow).unwrap().is_none());
    drop(slow);
    assert_eq!(published(&memory), rows(&mut client));
    assert!(!published(&memory).contains_key("https://example.com/posts/post%203"));
}

/// A mirror that checked for a full publication just before one started, and has not read any key yet.
struct Begun(Client);

impl ChangeSource for Begun {
    type Token = Vec<i64>;
    type Error = PostgresError;

    fn name(&self) -> &'static str {
        "changes"
    }

    fn peek(&mut self, _: Option<&str>) -> Result<Option<Batch<Vec<i64>>>, PostgresError> {
        let rows = self.0.query(
            "SELECT c.id, c.key[1], p.updated_at IS NOT NULL, gen_random_uuid()::text
             FROM changes c LEFT JOIN posts p ON p.slug = c.key[1] ORDER BY c.id",
            &[],
        )?;
        let Some(first) = rows.first() else { return Ok(None) };
        let mut batch = Batch::new(first.get::<_, String>(3), rows.iter().map(|row| row.get(0)).collect());
        for row in rows {
            let slug = row.get::<_, String>(1).replace(' ', "%20");
            let loc = Loc::parse(format!("https://example.com/posts/{slug}")).unwrap();
            let is_page: bool = row.get(2);
            batch.push(if is_page { Change::Upsert(Entry::new(loc)) } else { Change::Remove(loc) });
        }
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, ids: Vec<i64>) -> Result<(), PostgresError> {
        self.0.execute("DELETE FROM changes WHERE id = ANY($1)", &[&ids])?;
        Ok(())
    }
}

/// Returns storage that runs `other` right before the first commit.
fn before_commit(memory: &Memory, other: impl FnOnce() + Send + 'static) -> Hooked<Memory> {
    let other = Mutex::new(Some(other));
    Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if operation.kind == OperationKind::Lock
            && let Some(other) = other.lock().unwrap().take()
        {
            other();
        }
        Ok(())
    })
}

#[test]
fn a_full_publication_does_not_undo_a_change_that_a_mirror_publishes_meanwhile() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    let deletes_and_mirrors = |id: u32| {
        let (mut client, other, of_other) = (database.connect(), database.connect(), memory.clone());
        before_commit(&memory, move || {
            client.batch_execute(&format!("DELETE FROM posts WHERE id = {id}")).unwrap();
            let mirrored =
                Mirror::new(builder().storage(of_other.clone())).step(&mut Begun(other)).unwrap().unwrap();
            assert_eq!(mirrored.applied().removed(), 1);
        })
    };
    // The rows were read before the page was deleted, and the key of this deletion is already gone.
    let built = outbox.publish(build(), "posts", deletes_and_mirrors(3)).unwrap();
    assert_eq!(built.summary().unwrap().urls(), 9);
    assert_eq!(published(&memory), rows(&mut client));

    // Pages that the caller added cannot be read again.
    let mut with_pages = build();
    with_pages.add("shop", Entry::new(Loc::parse("https://example.com/shop").unwrap())).unwrap();
    let error = outbox.publish(with_pages, "posts", deletes_and_mirrors(4)).unwrap_err();
    let PostgresError::Update(UpdateError::Publish(error)) = error else { panic!("{error}") };
    assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }), "{error}");
    assert_eq!(published(&memory).len(), 8);
}

#[test]
fn a_mirror_pauses_during_a_full_publication() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    let mut other = Outbox::open(database.connect(), site(), posts(), "changes").unwrap();
    let (mut writer, mut mirror, of_other) = (
        database.connect(),
        Outbox::open(database.connect(), site(), posts(), "changes").unwrap(),
        memory.clone(),
    );
    let storage = before_commit(&memory, move || {
        writer.batch_execute("DELETE FROM posts WHERE id = 3").unwrap();
        assert_eq!(follow(&mut mirror, &of_other), 0);
    });
    let built = outbox.publish(build(), "posts", storage).unwrap();
    assert_eq!(built.summary().unwrap().urls(), 10);
    // The key has not been deleted.
    assert_eq!(follow(&mut other, &memory), 1);
    assert_eq!(published(&memory), rows(&mut client));
    // Without a manifest, mirroring is not possible, but a full publication repairs the set.
    memory.remove(MANIFEST).unwrap();
    assert_eq!(outbox.publish(build(), "posts", memory.clone()).unwrap().summary().unwrap().urls(), 9);
}

#[test]
fn a_key_of_a_slow_transaction_is_not_missed() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, mut slow, memory) = (database.connect(), database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    // The key of this deletion has a lower number than the key of the other one, which is published first.
    let mut transaction = slow.transaction().unwrap();
    transaction.batch_execute("DELETE FROM posts WHERE id = 1").unwrap();
    client.batch_execute("DELETE FROM posts WHERE id = 2").unwrap();
    assert_eq!(follow(&mut outbox, &memory), 1);
    assert_eq!(published(&memory).len(), 9);
    transaction.commit().unwrap();
    assert_eq!(follow(&mut outbox, &memory), 1);
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn an_emptied_table_needs_a_full_publication() {
    let Some(database) = Database::create().map(|database| database.with_posts(200)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    let guarded = || sitemap_core::SitemapSet::builder(site());
    let build = || sitemap_update::Build::new(guarded(), 4, Memory::new());
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    client.batch_execute("TRUNCATE posts; INSERT INTO posts VALUES (1, 'only', '2026-01-01')").unwrap();
    let error = Mirror::new(guarded().storage(memory.clone())).step(&mut outbox).unwrap_err().to_string();
    assert!(error.contains("was emptied by `TRUNCATE`") && error.contains("with `publish`"), "{error}");
    let error = outbox.publish(build(), "posts", memory.clone()).unwrap_err();
    assert!(matches!(error, PostgresError::Update(_)) && error.to_string().contains("200"), "{error}");
    assert_eq!(published(&memory).len(), 200);
    outbox.publish(build().allow_shrink(AllowShrink::Smaller), "posts", memory.clone()).unwrap();
    assert_eq!(published(&memory), rows(&mut client));
    assert_eq!(follow(&mut outbox, &memory), 0);
}

#[test]
fn invalid_rows_stop_the_batch_or_are_left_out() {
    let Some(database) = Database::create().map(|database| database.with_posts(3)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    Outbox::install(database.connect(), site(), posts(), "changes")
        .unwrap()
        .publish(build(), "posts", memory.clone())
        .unwrap();
    client
        .batch_execute(
            "INSERT INTO posts VALUES (4, repeat('x', 2100), now()); INSERT INTO posts VALUES (5, '', now());
             UPDATE posts SET slug = repeat('y', 2100) WHERE id = 1; DELETE FROM posts WHERE id = 2",
        )
        .unwrap();
    let open = |table: Table| Outbox::open(database.connect(), site(), table, "changes").unwrap();
    let before = published(&memory);
    let error =
        Mirror::new(builder().storage(memory.clone())).step(&mut open(posts())).unwrap_err().to_string();
    assert!(error.starts_with("the row of `posts` with slug=\""), "{error}");
    assert_eq!(published(&memory), before);
    let mut lenient = open(posts().on_invalid(OnInvalid::Skip));
    let mirrored = Mirror::new(builder().storage(memory.clone())).step(&mut lenient).unwrap().unwrap();
    assert_eq!((mirrored.skipped().len(), mirrored.applied().removed()), (2, 2));
    assert_eq!(published(&memory).into_keys().collect::<Vec<_>>(), ["https://example.com/posts/post%203"]);
    // A full publication skips the same rows.
    let built = lenient.publish(build(), "posts", memory.clone()).unwrap();
    assert_eq!(built.summary().map(|summary| (summary.urls(), summary.skipped())), Some((1, 2)));
}

#[test]
fn the_application_may_fill_the_outbox() {
    let Some(database) = Database::create().map(|database| database.with_posts(3)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    client
        .batch_execute(
            "CREATE VIEW pages AS SELECT id, slug, updated_at::date AS day FROM posts;
             CREATE TABLE queue (id bigserial PRIMARY KEY, key text[])",
        )
        .unwrap();
    let table = || Table::new("public.pages", "/{id}/{*slug}").unwrap().lastmod("day");
    let mut outbox = Outbox::open(database.connect(), site(), table(), "queue").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    client
        .batch_execute(
            "UPDATE posts SET slug = 'a/b' WHERE id = 2;
             INSERT INTO queue (key) VALUES ('{2,post 2}'), ('{2,a/b}'), ('{2,NULL}')",
        )
        .unwrap();
    assert_eq!(follow(&mut outbox, &memory), 1);
    let date = || Some("2026-01-01".to_owned());
    let url = |path: &str| format!("https://example.com/{path}");
    assert_eq!(
        published(&memory),
        [(url("1/post%201"), date()), (url("2/a/b"), date()), (url("3/post%203"), date())].into()
    );
    client.batch_execute("INSERT INTO queue (key) VALUES ('{2}')").unwrap();
    let error = Mirror::new(builder().storage(memory.clone())).step(&mut outbox).unwrap_err().to_string();
    assert!(error.contains("a key with 1 values, but the URL has 2 columns"), "{error}");
    let positions = PublishedShards::read(&memory, &site()).unwrap();
    assert!(positions.position("posts", "queue").is_some());
}

#[test]
fn equal_values_with_other_texts_are_other_pages() {
    let Some(database) = Database::create() else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    client
        .batch_execute(
            "CREATE TABLE prices (price numeric, code char(5)); INSERT INTO prices VALUES (1.0, 'a')",
        )
        .unwrap();
    let table = Table::new("prices", "/{price}/{code}").unwrap();
    let mut outbox = Outbox::install(database.connect(), site(), table, "changes").unwrap();
    outbox.publish(build(), "prices", memory.clone()).unwrap();
    assert_eq!(published(&memory).into_keys().collect::<Vec<_>>(), ["https://example.com/1.0/a"]);
    client.batch_execute("UPDATE prices SET price = 1.00").unwrap();
    follow(&mut outbox, &memory);
    assert_eq!(published(&memory).into_keys().collect::<Vec<_>>(), ["https://example.com/1.00/a"]);
}
