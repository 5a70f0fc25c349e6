//! Keeps sets in sync with a table by polling.

use sitemap_core::Memory;
use sitemap_postgres::{Poll, PostgresError};
use sitemap_update::{Mirror, MirrorError};

use crate::support::{Database, build, builder, posts, published, rows, site};

/// Publishes all batches, and returns how many there were.
fn follow(poll: &mut Poll, memory: &Memory) -> usize {
    let mirror = Mirror::new(builder().storage(memory.clone()));
    let mut batches = 0;
    while mirror.step(poll).unwrap().is_some() {
        batches += 1;
        assert!(batches < 10, "the poll finds the same rows again and again");
    }
    batches
}

#[test]
fn changes_are_found_without_triggers() {
    let Some(database) = Database::create().map(|database| database.with_posts(100)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut poll = Poll::open(database.connect(), site(), posts(), "posts").unwrap();
    let built = poll.publish(build(), "posts", memory.clone()).unwrap();
    assert_eq!(built.summary().unwrap().urls(), 100);
    assert_eq!(follow(&mut poll, &memory), 0);
    for (sql, batches) in [
        ("INSERT INTO posts VALUES (200, 'new', now())", 1),
        ("UPDATE posts SET updated_at = now() + interval '1 day' WHERE id <= 5", 1),
        // The date doesn't have to change.
        ("UPDATE posts SET is_public = false WHERE id = 20", 1),
        ("UPDATE posts SET is_public = true WHERE id = 20", 1),
        ("BEGIN; UPDATE posts SET is_public = false; ROLLBACK", 0),
        // A savepoint gets its own transaction ID.
        (
            "BEGIN; INSERT INTO posts VALUES (201, 'outer', now()); SAVEPOINT s;
             INSERT INTO posts VALUES (202, 'inner', now()); COMMIT",
            1,
        ),
    ] {
        client.batch_execute(sql).unwrap();
        assert_eq!(follow(&mut poll, &memory), batches, "{sql}");
        assert_eq!(published(&memory), rows(&mut client), "{sql}");
    }
}

/// A query for newer dates would miss this change.
#[test]
fn a_slow_transaction_with_an_early_date_is_found() {
    let Some(database) = Database::create().map(|database| database.with_posts(20)) else { return };
    let (mut slow, mut client, memory) = (database.connect(), database.connect(), Memory::new());
    let mut poll = Poll::open(database.connect(), site(), posts(), "posts").unwrap();
    poll.publish(build(), "posts", memory.clone()).unwrap();

    slow.batch_execute(
        "BEGIN; UPDATE posts SET updated_at = now() WHERE id = 1; SAVEPOINT s;
         INSERT INTO posts VALUES (30, 'slow', now())",
    )
    .unwrap();
    for id in 2..5 {
        // Quick transactions start and end while the slow one runs. They are published once.
        client.batch_execute(&format!("UPDATE posts SET updated_at = now() WHERE id = {id}")).unwrap();
        assert_eq!(follow(&mut poll, &memory), 1);
        assert_eq!(published(&memory), rows(&mut client));
    }
    slow.batch_execute("COMMIT").unwrap();
    assert_eq!(follow(&mut poll, &memory), 1);
    assert_eq!(published(&memory), rows(&mut client));
    assert!(published(&memory).contains_key("https://example.com/posts/slow"));
}

#[test]
fn deletions_stay_until_the_next_full_publication() {
    let Some(database) = Database::create().map(|database| database.with_posts(20)) else { return };
    let (mut client, memory) = (database.connect(), Memory::new());
    let mut poll = Poll::open(database.connect(), site(), posts(), "posts").unwrap();
    poll.publish(build(), "posts", memory.clone()).unwrap();
    client.batch_execute("DELETE FROM posts WHERE id = 7").unwrap();
    follow(&mut poll, &memory);
    assert!(published(&memory).contains_key("https://example.com/posts/post%207"));
    poll.publish(build(), "posts", memory.clone()).unwrap();
    assert_eq!(published(&memory), rows(&mut client));
}

#[test]
fn without_a_position_all_pages_must_be_published() {
    let Some(database) = Database::create().map(|database| database.with_posts(20)) else { return };
    let memory = Memory::new();
    let mut poll = Poll::open(database.connect(), site(), posts(), "posts").unwrap();
    poll.publish(build(), "posts", memory.clone()).unwrap();
    let mut other = Poll::open(database.connect(), site(), posts(), "other").unwrap();
    let error = Mirror::new(builder().storage(memory.clone())).step(&mut other).unwrap_err();
    assert!(matches!(error, MirrorError::Source(PostgresError::MustPublish(_))), "{error}");

    database.connect().batch_execute("CREATE VIEW seen AS SELECT * FROM posts").unwrap();
    let view = sitemap_postgres::Table::new("seen", "/posts/{slug}").unwrap();
    let error = Poll::open(database.connect(), site(), view, "seen").unwrap_err().to_string();
    assert_eq!(error, "`seen` is not a table; poll the table that it reads, or use an outbox");
}
