//! The code from the guide `docs/guides/images.md`: pages whose images are in another table.

mod diesel;
mod diesel_async;
#[allow(unreachable_pub)] // The models are written as in an application.
mod sea_orm;
mod sqlx;

use std::path::Path;

use served::Guide;
use sitemap_core::Memory;

const TABLES: &str = "
    CREATE TABLE posts (id INTEGER PRIMARY KEY, slug TEXT NOT NULL);
    CREATE TABLE images (id INTEGER PRIMARY KEY, post_id INTEGER NOT NULL, url TEXT NOT NULL);
    INSERT INTO posts VALUES (1, 'biscuits'), (2, 'tea');
    INSERT INTO images VALUES
        (1, 2, 'https://cdn.example.net/cup.jpg'), (2, 2, 'https://cdn.example.net/pot.jpg');
";

/// Checks that the published set contains the entries shown in the guide.
fn expect_the_entries(set: &Memory) -> Result<(), shop::Error> {
    let xml = String::from_utf8(set.get("sitemap.xml").unwrap_or_default().to_vec())?;
    let guide = Guide::read("images");
    let entries = guide.blocks("xml");
    assert!(!entries.is_empty() && entries.iter().all(|entry| xml.contains(entry)), "{xml}");
    Ok(())
}

#[test]
fn the_guide_has_this_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/images");
    for (heading, file) in
        [("sqlx", "sqlx"), ("Diesel", "diesel"), ("diesel-async", "diesel_async"), ("SeaORM", "sea_orm")]
    {
        Guide::read("images").section(heading).expect_pieces_of(&folder.join(format!("{file}.rs")));
    }
}
