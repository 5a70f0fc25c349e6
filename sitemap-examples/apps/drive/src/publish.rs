//! Runs an example that publishes into a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use tempfile::TempDir;

/// A run that ended well, and its folder.
pub struct Run {
    dir: TempDir,
    output: String,
}

/// Runs a program with `--out` and a temporary folder, on the sample data in memory or, filled first,
/// in a database.
///
/// # Panics
///
/// If it fails.
pub fn publish(program: &str, database: Option<&str>) -> Run {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(program);
    command.arg("--out").arg(dir.path()).env_remove("DATABASE_URL");
    if let Some(url) = database {
        command.arg("--fill").env("DATABASE_URL", url);
    }
    let Output { status, stdout, stderr } = command.output().expect("a program that starts");
    assert!(status.success(), "{program}: {}", String::from_utf8_lossy(&stderr));
    Run { dir, output: String::from_utf8(stdout).expect("a summary in UTF-8") }
}

/// The PostgreSQL server that `DATABASE_URL` names, with a new and empty database of this name.
///
/// Without one it says that the test is skipped and gives `None`.
///
/// # Panics
///
/// If the database cannot be made.
pub fn postgres_url(database: &str) -> Option<String> {
    let server = env::var("DATABASE_URL").ok().filter(|url| url.starts_with("postgres"));
    let Some(server) = server else {
        println!("skipped: `DATABASE_URL` names no PostgreSQL server; run this in `.ci/with-postgres`");
        return None;
    };
    for sql in [format!("DROP DATABASE IF EXISTS {database}"), format!("CREATE DATABASE {database}")] {
        let status = Command::new("psql").args(["-q", "-c", &sql, &server]).status();
        assert!(status.expect("psql").success(), "{sql}");
    }
    let (server, _) = server.rsplit_once('/').expect("a URL that ends with a database");
    Some(format!("{server}/{database}"))
}

impl Run {
    /// Checks that the published files are, byte for byte, those that come from the sample data without
    /// a database, that they are valid, and that the program said what to put in robots.txt.
    ///
    /// # Panics
    ///
    /// If not.
    pub fn expect_the_reference_set(&self) {
        let reference = tempfile::tempdir().expect("a temporary folder");
        let settings = shop::publisher().expect("the shop's settings");
        let summary = shop::publish_reference(settings, reference.path()).expect("the reference set");
        assert_eq!(summary.urls(), 3 + 6 + 2_340 + 3 * 86);

        let (expected, found) = (files(reference.path()), files(self.dir.path()));
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected));
        for (name, bytes) in &expected {
            if name == "sitemap.xml" {
                assert_eq!(without_dates(&found[name]), without_dates(bytes));
            } else {
                assert!(found[name] == *bytes, "{name} differs");
            }
        }
        assert!(self.output.contains("Sitemap: https://shop.example.com/sitemap.xml\n"), "{}", self.output);
        crate::expect_valid(self.dir.path());
    }
}

/// An index says when each file was written, and that is now.
fn without_dates(index: &[u8]) -> String {
    let index = String::from_utf8_lossy(index);
    let mut pieces = index.split("<lastmod>");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once("</lastmod>").map_or("", |(_, rest)| rest))
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("a name"), entry.path()))
        .filter(|(name, _)| name.starts_with("sitemap"))
        .map(|(name, path)| (name, fs::read(path).expect("a file")))
        .collect()
}
