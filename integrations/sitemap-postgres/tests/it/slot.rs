//! Keeps sets in sync with a table through a replication slot.

use std::thread;
use std::time::Duration;

use postgres::Client;
use sitemap_core::Memory;
use sitemap_core::publish::AllowShrink;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_postgres::{PostgresError, Slot, SlotToken, Table};
use sitemap_update::{Batch, Build, ChangeSource, Mirror, MirrorError, Mirrored, Update};

use crate::support::{Database, build, builder, posts, published, rows, site};

/// Returns a name for a test's slot. Slot names must be unique across all databases.
fn name(test: &str) -> String {
    format!("sitemap_{test}_{}", std::process::id())
}

fn install(database: &Database, memory: &Memory, name: &str) -> Slot {
    let sql = "ALTER TABLE posts REPLICA IDENTITY USING INDEX posts_slug_key";
    database.connect().batch_execute(sql).unwrap();
    let mut slot = Slot::install(database.connect(), site(), posts(), name).unwrap();
    slot.publish(build(), "posts", memory.clone()).unwrap();
    slot
}

/// Publishes all batches, and returns how many contained changes. Tests in other databases write to the same log, so
/// some batches may only move the position.
fn follow(slot: &mut Slot, memory: &Memory) -> usize {
    let mirror = Mirror::new(builder().storage(memory.clone()));
    let mut batches = 0;
    while let Some(mirrored) = mirror.step(slot).unwrap() {
        batches += usize::from(has_changes(&mirrored));
    }
    batches
}

fn has_changes(mirrored: &Mirrored) -> bool {
    !mirrored.upserted().is_empty() || !mirrored.removed().is_empty()
}

fn error_of(slot: &mut Slot, memory: &Memory) -> PostgresError {
    match Mirror::new(builder().storage(memory.clone())).step(slot) {
        Err(MirrorError::Source(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Checks that the mirror fails without changing the set, and that it works again after a full publication.
fn must_publish(slot: &mut Slot, memory: &Memory, text: &str, client: &mut Client) {
    let before = published(memory);
    let error = error_of(slot, memory);
    assert!(matches!(error, PostgresError::MustPublish(_)) && error.to_string().contains(text), "{error}");
    assert!(error.to_string().contains("publish all pages again with `publish`"), "{error}");
    assert_eq!(published(memory), before);
    slot.publish(build(), "posts", memory.clone()).unwrap();
    assert_eq!(published(memory), rows(client));
    assert_eq!(follow(slot, memory), 0);
}

#[test]
fn every_kind_of_change_reaches_the_set() {
    let Some(database) = Database::create().map(|database| database.with_posts(100)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut slot = install(&database, &memory, &name("kinds"));
    assert_eq!(published(&memory).len(), 100);
    assert_eq!(follow(&mut slot, &memory), 0);
    for sql in [
        "INSERT INTO posts VALUES (200, 'new', now())",
        "UPDATE posts SET updated_at = now() + interval '1 day' WHERE id <= 5",
        "UPDATE posts SET slug = 'other-' || id WHERE id BETWEEN 10 AND 12",
        "UPDATE posts SET is_public = false WHERE id = 20",
        "UPDATE posts SET is_public = true, updated_at = NULL WHERE id = 20",
        "DELETE FROM posts WHERE id BETWEEN 30 AND 43",
        "BEGIN; UPDATE posts SET slug = 'x' WHERE id = 1; UPDATE posts SET slug = 'post 1' WHERE id = 2;
         UPDATE posts SET slug = 'post 2' WHERE id = 1; COMMIT",
        "ALTER TABLE posts REPLICA IDENTITY FULL; ALTER TABLE posts ADD COLUMN note text",
        "UPDATE posts SET slug = 'third' WHERE id = 3",
        "ALTER TABLE posts DROP COLUMN note; DELETE FROM posts WHERE id = 3",
    ] {
        client.batch_execute(sql).unwrap();
        let batches = follow(&mut slot, &memory);
        assert!(batches <= 1, "{sql}: {batches}");
        assert_eq!(published(&memory), rows(&mut client), "{sql}");
    }
    client.batch_execute("BEGIN; DELETE FROM posts WHERE id = 50; ROLLBACK").unwrap();
    assert_eq!(follow(&mut slot, &memory), 0);
    // Whole transactions, a few at a time.
    for id in 60..70 {
        client.batch_execute(&format!("DELETE FROM posts WHERE id = {id}")).unwrap();
    }
    let mut slot = slot.batch_size(6);
    assert!(follow(&mut slot, &memory) > 1);
    assert_eq!(published(&memory), rows(&mut client));
}

/// A source that runs a function after a batch was read, and may be killed before the acknowledgement.
struct Between<'s> {
    slot: &'s mut Slot,
    after_peek: Option<Box<dyn FnOnce() + 's>>,
    is_killed: bool,
}

impl ChangeSource for Between<'_> {
    type Token = SlotToken;
    type Error = PostgresError;

    fn name(&self) -> &str {
        self.slot.name()
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<SlotToken>>, PostgresError> {
        let batch = self.slot.peek(position)?;
        if let Some(other) = self.after_peek.take() {
            other();
        }
        Ok(batch)
    }

    fn acknowledge(&mut self, token: SlotToken) -> Result<(), PostgresError> {
        if self.is_killed {
            return Err(PostgresError::Setup("killed".to_owned()));
        }
        self.slot.acknowledge(token)
    }
}

#[test]
fn a_commit_without_its_acknowledgement_is_completed() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut slot = install(&database, &memory, &name("killed"));
    client.batch_execute("DELETE FROM posts WHERE id = 3").unwrap();
    let mut killed = Between { slot: &mut slot, after_peek: None, is_killed: true };
    Mirror::new(builder().storage(memory.clone())).step(&mut killed).unwrap_err();
    drop(killed);
    assert_eq!(published(&memory), rows(&mut client));
    // The set has recorded the position, so the batch is not returned again.
    assert_eq!(follow(&mut slot, &memory), 0);
    client.batch_execute("INSERT INTO posts VALUES (3, 'post 3', '2026-02-02')").unwrap();
    assert_eq!(follow(&mut slot, &memory), 1);
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn a_slow_process_does_not_undo_the_changes_of_another_one() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let name = name("slow");
    let mut slot = install(&database, &memory, &name);
    let mut other = Slot::open(database.connect(), site(), posts(), &name).unwrap();
    client.batch_execute("UPDATE posts SET updated_at = '2026-03-03' WHERE id = 3").unwrap();
    let (of_other, to) = (memory.clone(), &mut client);
    let after_peek: Box<dyn FnOnce() + '_> = Box::new(move || {
        to.batch_execute("DELETE FROM posts WHERE id = 3").unwrap();
        assert_eq!(follow(&mut other, &of_other), 1);
    });
    let mut late = Between { slot: &mut slot, after_peek: Some(after_peek), is_killed: false };
    let mirrored = Mirror::new(builder().storage(memory.clone())).step(&mut late).unwrap();
    assert!(!mirrored.is_some_and(|mirrored| has_changes(&mirrored)));
    drop(late);
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn a_position_that_does_not_fit_needs_a_full_publication() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let name = name("fit");
    let mut slot = install(&database, &memory, &name);
    // Another program has read the slot.
    client.batch_execute("DELETE FROM posts WHERE id = 1").unwrap();
    let get = "SELECT pg_replication_slot_advance($1, pg_current_wal_flush_lsn())";
    client.execute(get, &[&name]).unwrap();
    must_publish(&mut slot, &memory, "but the published set only at", &mut client);
    // The slot was dropped.
    client.execute("SELECT pg_drop_replication_slot($1)", &[&name]).unwrap();
    client.batch_execute("DELETE FROM posts WHERE id = 2").unwrap();
    must_publish(&mut slot, &memory, "does not exist", &mut client);
    // Another program has published the set.
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add("/posts/only").unwrap();
    run.commit().unwrap();
    sitemap_update::Rebucket::new(&builder().storage(memory.clone()), 4).commit().unwrap();
    must_publish(&mut slot, &memory, "has no position of slot", &mut client);
    // The set belongs to another server, or to an earlier or later timeline.
    let position = |memory: &Memory| {
        let shards = PublishedShards::read(memory, &site()).unwrap();
        shards.position("posts", &name).unwrap().to_owned()
    };
    let now = position(&memory);
    let [system, timeline, lsn] = now.split(':').collect::<Vec<_>>()[..] else { panic!("{now}") };
    for (other, text) in [
        (format!("1{system}:{timeline}:{lsn}"), "system identifier"),
        (format!("{system}:{timeline}0:{lsn}"), "timeline"),
        (format!("{system}:{timeline}:FFFF/0"), "but the log of the server ends at"),
        ("7".to_owned(), "another kind of source"),
    ] {
        let now = position(&memory);
        Update::new(&builder().storage(Memory::new()))
            .move_position(&name, Some(&now), other)
            .commit_to(memory.clone())
            .unwrap();
        must_publish(&mut slot, &memory, text, &mut client);
    }
}

#[test]
fn an_emptied_table_needs_a_full_publication() {
    let Some(database) = Database::create().map(|database| database.with_posts(200)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut slot = install(&database, &memory, &name("truncate"));
    client.batch_execute("TRUNCATE posts; INSERT INTO posts VALUES (1, 'only', '2026-01-01')").unwrap();
    let error = error_of(&mut slot, &memory).to_string();
    assert!(error.contains("was emptied by `TRUNCATE`"), "{error}");
    let build = || Build::new(sitemap_core::SitemapSet::builder(site()), 4, Memory::new());
    let error = slot.publish(build(), "posts", memory.clone()).unwrap_err();
    assert!(matches!(error, PostgresError::Update(_)), "{error}");
    assert_eq!(published(&memory).len(), 200);
    // The refused publication has already replaced the slot.
    assert!(matches!(error_of(&mut slot, &memory), PostgresError::MustPublish(_)));
    slot.publish(build().allow_shrink(AllowShrink::Smaller), "posts", memory.clone()).unwrap();
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn a_table_whose_old_urls_are_not_in_the_log_is_refused() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let mut client = database.connect();
    let install = |table: Table, name: &str| Slot::install(database.connect(), site(), table, name);
    // The replica identity is the primary key.
    let error = install(posts(), &name("identity")).unwrap_err().to_string();
    assert!(
        error.contains("lacks column `slug` of the URL") && error.contains("REPLICA IDENTITY FULL"),
        "{error}"
    );
    assert_eq!(client.query("SELECT FROM pg_publication", &[]).unwrap().len(), 0);
    install(Table::new("posts", "/{id}").unwrap(), &name("key")).unwrap();
    client.batch_execute("ALTER TABLE posts REPLICA IDENTITY NOTHING").unwrap();
    assert!(install(Table::new("posts", "/{id}").unwrap(), &name("nothing")).is_err());
    client.batch_execute("ALTER TABLE posts REPLICA IDENTITY FULL").unwrap();
    install(posts(), &name("full")).unwrap();
    client.batch_execute("CREATE VIEW pages AS SELECT * FROM posts").unwrap();
    let error = install(Table::new("pages", "/{slug}").unwrap(), &name("view")).unwrap_err().to_string();
    assert!(error.contains("use an `Outbox`"), "{error}");
    for (publication, text) in [
        ("FOR ALL TABLES WITH (publish = 'insert')", "leaves out some kinds of changes"),
        ("", "does not have the table"),
        ("FOR TABLE posts WHERE (is_public)", "has a condition for rows"),
    ] {
        let name = name("wrong");
        client.batch_execute(&format!("CREATE PUBLICATION {name} {publication}")).unwrap();
        let error = install(posts(), &name).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        client.batch_execute(&format!("DROP PUBLICATION {name}")).unwrap();
    }
    let error = Slot::open(database.connect(), site(), posts(), &name("none")).unwrap_err().to_string();
    assert!(error.contains("does not exist"), "{error}");
}

#[test]
fn the_position_moves_without_changes_of_the_table() {
    let Some(database) = Database::create().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let name = name("idle");
    let mut slot = install(&database, &memory, &name);
    client
        .batch_execute("CREATE TABLE other AS SELECT repeat('x', 100) FROM generate_series(1, 200000)")
        .unwrap();
    let end: String = client.query_one("SELECT pg_current_wal_flush_lsn()::text", &[]).unwrap().get(0);
    assert_eq!(follow(&mut slot, &memory), 0);
    let query =
        "SELECT confirmed_flush_lsn >= $2::text::pg_lsn FROM pg_replication_slots WHERE slot_name = $1";
    assert!(client.query_one(query, &[&name, &end]).unwrap().get::<_, bool>(0));
    client.batch_execute("DELETE FROM posts WHERE id = 1").unwrap();
    follow(&mut slot, &memory);
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn a_lost_slot_needs_a_full_publication() {
    let Some(database) = Database::create_alone().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let name = name("lost");
    let mut slot = install(&database, &memory, &name);
    let set = |client: &mut Client, sql: &str| {
        client.batch_execute(sql).unwrap();
        client.batch_execute("SELECT pg_reload_conf()").unwrap();
    };
    set(&mut client, "ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    let status = "SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1";
    for id in 100..200 {
        client.batch_execute(&format!("INSERT INTO posts VALUES ({id}, 'post {id}', now())")).unwrap();
        client.batch_execute("SELECT pg_switch_wal()").unwrap();
        client.batch_execute("CHECKPOINT").unwrap();
        if client.query_one(status, &[&name]).unwrap().get::<_, String>(0) == "lost" {
            break;
        }
    }
    set(&mut client, "ALTER SYSTEM RESET max_slot_wal_keep_size");
    must_publish(&mut slot, &memory, "max_slot_wal_keep_size", &mut client);
}

#[test]
fn changes_that_are_not_visible_yet_are_waited_for() {
    let Some(database) = Database::create_alone().map(|database| database.with_posts(10)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let name = name("visible");
    let mut slot = install(&database, &memory, &name);
    let set = |client: &mut Client, standby: &str| {
        client.batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{standby}'")).unwrap();
        client.batch_execute("SELECT pg_reload_conf()").unwrap();
    };
    set(&mut client, "nobody");
    while database.connect().query_one("SHOW synchronous_standby_names", &[]).unwrap().get::<_, &str>(0)
        != "nobody"
    {
        thread::yield_now();
    }
    // The commit is in the log, but waits for a server that does not exist.
    let mut writer = database.connect();
    let writer = thread::spawn(move || writer.batch_execute("DELETE FROM posts WHERE id = 3").unwrap());
    let waits = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()";
    while client.query(waits, &[]).unwrap().is_empty() {
        thread::yield_now();
    }
    let to = memory.clone();
    let mirror = thread::spawn(move || follow(&mut slot, &to));
    // The mirror has taken a snapshot without the commit, and retries.
    let asks = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND query IN ('SELECT pg_current_snapshot()::text', 'ROLLBACK')";
    while !mirror.is_finished() && client.query(asks, &[]).unwrap().is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
    let is_early = mirror.is_finished();
    let still_there = rows(&mut client).contains_key("https://example.com/posts/post%203");
    set(&mut client, "");
    writer.join().unwrap();
    assert_eq!(mirror.join().unwrap(), 1);
    assert!(!is_early && still_there);
    assert_eq!(published(&memory), rows(&mut client));
    assert_eq!(published(&memory).len(), 9);
}
