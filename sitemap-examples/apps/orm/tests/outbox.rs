//! Tests that the published set always matches the table, whatever happens to the mirror.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use orm::with_outbox::{BASE, Outbox, set_options};
use rusqlite::Connection;
use sitemap_read::{Item, SitemapReader};
use sitemap_update::{Batch, ChangeSource, Mirror};

/// A random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Adds, changes, renames or removes a random post. Sometimes rolls the transaction back, so nothing changes.
fn write(database: &Connection, random: &mut Random) {
    let (id, date) = (
        i64::try_from(random.below(200)).unwrap(),
        format!("2026-{:02}-{:02}", random.below(12) + 1, random.below(28) + 1),
    );
    let slug = format!("tea & {}", random.below(300));
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The database refuses a slug that another post already has, which is worth testing too.
    let _ = match random.below(5) {
        0 => database.execute("DELETE FROM posts WHERE id = ?", [id]),
        1 => database.execute("UPDATE posts SET revised_on = ?2 WHERE id = ?1", (id, &date)),
        2 => database.execute("UPDATE posts SET slug = ?2 WHERE id = ?1", (id, &slug)),
        3 => database.execute("UPDATE posts SET is_draft = 1 - is_draft WHERE id = ?", [id]),
        _ => {
            database.execute("INSERT INTO posts (id, slug, revised_on) VALUES (?, ?, ?)", (id, &slug, &date))
        }
    };
    database.execute_batch(if random.below(8) == 0 { "ROLLBACK" } else { "COMMIT" }).unwrap();
}

/// Returns the URL and date of each post that is not a draft.
fn table(database: &Connection) -> BTreeMap<String, String> {
    let mut query = database.prepare("SELECT slug, revised_on FROM posts WHERE NOT is_draft").unwrap();
    let rows = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?))).unwrap();
    let url = |slug: String| format!("{BASE}/posts/{}", slug.replace(' ', "%20").replace('&', "%26"));
    rows.map(|row| row.map(|(slug, date)| (url(slug), date)).unwrap()).collect()
}

/// Returns the URL and date of each entry in the published set, starting at the index. Panics if a URL is listed twice.
fn published(out: &Path) -> BTreeMap<String, String> {
    let mut entries = BTreeMap::new();
    let mut index = SitemapReader::from_reader(File::open(out.join("sitemap.xml")).unwrap());
    while let Some(Item::Sitemap(child)) = index.next().unwrap() {
        let name = child.loc().as_str().rsplit('/').next().unwrap().to_owned();
        for page in SitemapReader::from_reader(File::open(out.join(name)).unwrap()).into_entries() {
            let page = page.unwrap();
            let date = page.lastmod().unwrap().to_string();
            assert_eq!(entries.insert(page.loc().to_string(), date), None, "{}", page.loc());
        }
    }
    entries
}

/// An outbox whose process is killed before it can acknowledge a batch.
struct Killed<'o>(&'o mut Outbox);

impl ChangeSource for Killed<'_> {
    type Token = Vec<i64>;
    type Error = std::io::Error;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn peek(&mut self, position: Option<&str>) -> std::io::Result<Option<Batch<Vec<i64>>>> {
        self.0.peek(position).map_err(std::io::Error::other)
    }

    fn acknowledge(&mut self, _: Vec<i64>) -> std::io::Result<()> {
        Err(std::io::Error::other("killed"))
    }
}

#[test]
fn a_batch_that_is_not_acknowledged_is_published_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("shop.db"), folder.path().join("public"));
    let mut outbox = Outbox::open(path.to_str().unwrap()).unwrap();
    let database = Connection::open(&path).unwrap();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    (0..300).for_each(|_| write(&database, &mut random));
    outbox.publish(out.to_str().unwrap()).unwrap();
    assert_eq!(published(&out), table(&database));
    let mirror = Mirror::new(set_options().unwrap().open(&out).unwrap());
    for _ in 0..40 {
        (0..=random.below(20)).for_each(|_| write(&database, &mut random));
        if random.below(2) == 0 {
            if let Err(error) = mirror.step(&mut Killed(&mut outbox)) {
                assert_eq!(error.to_string(), "killed");
            }
            // The set is up to date, although the changes are still in the outbox.
            assert_eq!(published(&out), table(&database));
        }
        (0..random.below(5)).for_each(|_| write(&database, &mut random));
        while mirror.step(&mut outbox).unwrap().is_some() {}
        assert_eq!(published(&out), table(&database));
    }
    assert!(published(&out).len() > 50);
    let left: i64 = database.query_row("SELECT count(*) FROM sitemap_changes", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

fn start(path: &Path, out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_with-outbox"));
    command.arg(path).arg(out).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_mirror_that_is_killed_again_and_again_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("shop.db"), folder.path().join("public"));
    drop(Outbox::open(path.to_str().unwrap()).unwrap());
    let database = Connection::open(&path).unwrap();
    database.busy_timeout(Duration::from_secs(10)).unwrap();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    (0..300).for_each(|_| write(&database, &mut random));
    for _ in 0..20 {
        let mut mirror = start(&path, &out);
        for _ in 0..random.below(40) {
            write(&database, &mut random);
            std::thread::sleep(Duration::from_millis(random.below(10)));
        }
        mirror.kill().unwrap();
        mirror.wait().unwrap();
    }
    let mut mirror = start(&path, &out);
    let waiting = || {
        database.query_row("SELECT count(*) FROM sitemap_changes", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    for _ in 0..600 {
        if waiting() == 0 && out.join("sitemap.xml").exists() {
            break;
        }
        assert_eq!(mirror.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(waiting(), 0);
    mirror.kill().unwrap();
    mirror.wait().unwrap();
    assert_eq!(published(&out), table(&database));
}
