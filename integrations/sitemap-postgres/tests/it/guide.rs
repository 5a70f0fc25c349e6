//! Runs the SQL in the guide.

use std::fs;
use std::path::Path;

use sitemap_core::Memory;
use sitemap_postgres::{Outbox, Slot};
use sitemap_update::Mirror;

use crate::support::{Database, build, builder, posts, published, rows, site};

#[test]
fn the_commands_of_the_guide_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/postgres-changes.md");
    // The packaged crate does not contain the guide.
    let Ok(guide) = fs::read_to_string(path) else { return };
    let Some(database) = Database::create() else { return };
    let mut client = database.connect();
    let memory = Memory::new();
    let mut blocks = guide.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap());
    client.batch_execute(blocks.next().unwrap()).unwrap();
    client.batch_execute("INSERT INTO posts VALUES (1, 'old'), (2, 'other')").unwrap();
    let mut outbox = Outbox::install(database.connect(), site(), posts(), "sitemap_changes").unwrap();
    outbox.publish(build(), "posts", memory.clone()).unwrap();
    let role = format!("mirror_{}", std::process::id());
    let mut count = 0;
    for block in blocks {
        let block = block.replace("sitemap_mirror", &role);
        client.batch_execute(&block).unwrap_or_else(|error| panic!("{block}\n{error:?}"));
        count += 1;
    }
    assert!(count >= 3, "{count}");
    // The guide's role has all privileges that a mirror needs.
    let mut as_mirror = database.connect();
    as_mirror.batch_execute(&format!("SET ROLE {role}")).unwrap();
    let mut outbox = Outbox::open(as_mirror, site(), posts(), "sitemap_changes").unwrap();
    let stepped = Mirror::new(builder().storage(memory.clone())).step(&mut outbox);
    let name = format!("sitemap_guide_{}", std::process::id());
    Slot::install(database.connect(), site(), posts(), &name).unwrap();
    let (mut as_mirror, other) = (database.connect(), Memory::new());
    as_mirror.batch_execute(&format!("SET ROLE {role}_slot")).unwrap();
    let mut slot = Slot::open(as_mirror, site(), posts(), &name).unwrap();
    let of_slot = slot.publish(build(), "posts", other.clone());
    client.batch_execute("DELETE FROM posts WHERE id = 2").unwrap();
    let stepped_slot = Mirror::new(builder().storage(other.clone())).step(&mut slot);
    for role in [format!("{role}_slot"), role] {
        client.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
    }
    of_slot.unwrap();
    assert_eq!(stepped_slot.unwrap().unwrap().applied().removed(), 1);
    assert_eq!(published(&other), rows(&mut client));
    assert_eq!(stepped.unwrap().unwrap().applied().removed(), 1);
    assert!(published(&memory).contains_key("https://example.com/posts/new"));
}
