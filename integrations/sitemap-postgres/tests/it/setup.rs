//! Tables and outboxes that are set up incorrectly.

use sitemap_postgres::{Outbox, PostgresError, Table};

use crate::support::{Database, posts, site};

#[test]
fn each_mistake_is_named_with_its_remedy() {
    let Some(database) = Database::create().map(|database| database.with_posts(1)) else { return };
    database.connect().batch_execute("CREATE VIEW pages AS SELECT * FROM posts").unwrap();
    let table = |name: &str, url: &str| Table::new(name, url).unwrap();
    for (table, text) in [
        (table("missing", "/{slug}"), "table `missing` does not exist; create it, or name its schema"),
        (table("posts", "/{title}"), "table `posts` has no column `title`; correct the name of the column"),
        (posts().lastmod("slug"), "column slug has the type `text`; name a column of the type `timestamptz`"),
        (
            table("pages", "/{slug}"),
            "`pages` is not a table; create the triggers on the tables that it reads",
        ),
    ] {
        let error = Outbox::install(database.connect(), site(), table, "changes").unwrap_err();
        assert!(matches!(error, PostgresError::Setup(_)) && error.to_string().contains(text), "{error}");
    }
    let error = Outbox::install(database.connect(), site(), posts(), "a b").unwrap_err().to_string();
    assert!(error.contains("cannot be the name of a source"), "{error}");
    let error = Outbox::open(database.connect(), site(), posts(), "changes").unwrap_err().to_string();
    assert!(
        error.contains("does not exist, or lacks the columns") && error.contains("Outbox::install"),
        "{error}"
    );
}

#[test]
fn the_set_up_may_be_repeated_and_read() {
    let Some(database) = Database::create().map(|database| database.with_posts(1)) else { return };
    let mut client = database.connect();
    let name = "odd-Name";
    let sql = Outbox::setup_sql(&mut client, site(), posts(), name).unwrap();
    client.batch_execute(&sql).unwrap();
    client.batch_execute(&sql).unwrap();
    Outbox::install(database.connect(), site(), posts(), name).unwrap();
    client.batch_execute("UPDATE posts SET slug = 'b' WHERE id = 1").unwrap();
    let keys = client.query(r#"SELECT key FROM "odd-Name" ORDER BY id"#, &[]).unwrap();
    let keys: Vec<Vec<String>> = keys.iter().map(|row| row.get(0)).collect();
    assert_eq!(keys, [["post 1"], ["b"]]);
}

#[test]
fn a_role_that_writes_the_table_needs_no_rights_on_the_outbox() {
    let Some(database) = Database::create().map(|database| database.with_posts(1)) else { return };
    let mut client = database.connect();
    Outbox::install(database.connect(), site(), posts(), "changes").unwrap();
    let role = format!("writer_{}", std::process::id());
    client.batch_execute(&format!("CREATE ROLE {role}; GRANT UPDATE, SELECT ON posts TO {role}")).unwrap();
    let written = client
        .batch_execute(&format!("SET ROLE {role}; UPDATE posts SET slug = 'b' WHERE id = 1; RESET ROLE"));
    client.batch_execute(&format!("RESET ROLE; DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
    written.unwrap();
    assert_eq!(client.query("SELECT FROM changes", &[]).unwrap().len(), 2);
}
