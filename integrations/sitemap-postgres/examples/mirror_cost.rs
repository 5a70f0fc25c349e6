//! Measures how long it takes until changes of a large table have passed through a slot and are published.
//!
//! ```text
//! dev/ci/with-postgres cargo run --release -p sitemap-postgres --example mirror_cost -- --rows 10000000 --changes 1000
//! ```

use std::env;
use std::error::Error;
use std::str::FromStr as _;
use std::time::Instant;

use postgres::{Client, Config, NoTls};
use sitemap_core::{Directory, Site, SitemapSet};
use sitemap_postgres::{Slot, Table};
use sitemap_update::{BucketCosts, Build, Mirror, advised_buckets};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).map_or(Ok(default), |text| text.parse())
    };
    let (rows, changes, rounds) =
        (number("--rows", 10_000)?, number("--changes", 100)?, number("--rounds", 3)?);
    let buckets = advised_buckets(rows, changes, BucketCosts::default());
    let url =
        env::var("DATABASE_URL").map_err(|_| "`DATABASE_URL` is not set; use `dev/ci/with-postgres`")?;
    let connect = || -> Result<Client, Box<dyn Error>> { Ok(Config::from_str(&url)?.connect(NoTls)?) };
    let mut client = connect()?;
    client.batch_execute(&format!(
        "DROP TABLE IF EXISTS posts; DROP PUBLICATION IF EXISTS cost;
         CREATE TABLE posts (id bigint NOT NULL, slug text NOT NULL, updated_at timestamptz NOT NULL);
         INSERT INTO posts SELECT id, 'post-' || md5(id::text), '2026-01-01'::timestamptz + id * interval '1 s'
             FROM generate_series(1, {rows}) id;
         ALTER TABLE posts ADD PRIMARY KEY (id);
         CREATE UNIQUE INDEX slugs ON posts (slug);
         ALTER TABLE posts REPLICA IDENTITY USING INDEX slugs;
         ANALYZE posts; CHECKPOINT"
    ))?;
    let folders = [tempfile::tempdir()?, tempfile::tempdir()?];
    let site = Site::new("https://example.com")?;
    let builder = SitemapSet::builder(site.clone()).gzip();
    let table = Table::new("posts", "/posts/{slug}")?.lastmod("updated_at");
    let mut slot = Slot::install(connect()?, site, table, "cost")?.batch_size(1_000_000);
    let build = Build::new(builder.clone(), buckets, Directory::open(folders[0].path())?).threads(2);
    let start = Instant::now();
    slot.publish(build, "posts", Directory::open(folders[1].path())?)?;
    println!("{rows} rows in {buckets} buckets: published in {:.1} s", start.elapsed().as_secs_f64());
    for round in 0..rounds {
        // One tenth is deleted, one tenth inserted, and one tenth gets a new URL.
        let sql = format!(
            "CREATE TEMP TABLE chosen AS SELECT 1 + (n * 829350951::bigint + {round} * 15485863::bigint) % {rows} AS id
                 FROM generate_series(1, {changes}) n;
             DELETE FROM posts WHERE id IN (SELECT id FROM chosen WHERE id % 10 = 0);
             UPDATE posts SET slug = slug || 'x' WHERE id IN (SELECT id FROM chosen WHERE id % 10 = 1);
             UPDATE posts SET updated_at = now() WHERE id IN (SELECT id FROM chosen WHERE id % 10 > 2);
             INSERT INTO posts SELECT {rows} * 2 + {round} * {changes} + n, 'new-{round}-' || n, now()
                 FROM generate_series(1, {changes} / 10) n;
             DROP TABLE chosen"
        );
        client.batch_execute(&sql)?;
        let start = Instant::now();
        let mirrored =
            Mirror::new(builder.clone().storage(Directory::open(folders[1].path())?)).step(&mut slot)?;
        let seconds = start.elapsed().as_secs_f64();
        let Some(mirrored) = mirrored else { return Err("the slot has no changes".into()) };
        let applied = mirrored.applied();
        println!(
            "round {round}: {} added, {} changed, {} removed, {} files written: {seconds:.2} s",
            applied.added(),
            applied.changed(),
            applied.removed(),
            applied.files_written()
        );
    }
    client.batch_execute("SELECT pg_drop_replication_slot('cost')")?;
    Ok(())
}
