//! Runs an example that publishes to a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use tempfile::TempDir;

/// The folder and output of a successful run.
pub struct Run {
    dir: TempDir,
    output: String,
}

/// Runs a program with `--out` set to a temporary folder. The program publishes the sample data, either from memory or
/// from a database that it fills first.
///
/// # Panics
///
/// Panics if the program fails.
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

/// Creates an empty database with this name on the PostgreSQL server in `DATABASE_URL`, and returns the new database's
/// URL.
///
/// If there is no such server, prints that the test is skipped and returns `None`.
///
/// # Panics
///
/// Panics if the database cannot be created.
pub fn postgres_url(database: &str) -> Option<String> {
    let server = env::var("DATABASE_URL").ok().filter(|url| url.starts_with("postgres"));
    let Some(server) = server else {
        sitemap_tests::skip(
            "`DATABASE_URL` is not the URL of a PostgreSQL server; run the tests with `dev/ci/with-postgres`",
        );
        return None;
    };
    for sql in [format!("DROP DATABASE IF EXISTS {database}"), format!("CREATE DATABASE {database}")] {
        let status = Command::new("psql").args(["-q", "-c", &sql, &server]).status();
        assert!(status.expect("`psql` starts").success(), "{sql}");
    }
    let (server, _) = server.rsplit_once('/').expect("`DATABASE_URL` ends with a database name");
    Some(format!("{server}/{database}"))
}

impl Run {
    /// Checks that the published files are valid and identical to the reference set, and that the program printed the
    /// line for robots.txt.
    ///
    /// # Panics
    ///
    /// Panics if one of these checks fails.
    pub fn expect_the_reference_set(&self) {
        let reference = tempfile::tempdir().expect("a temporary folder");
        let settings = crate::set_options().expect("the shop's settings");
        let summary = crate::publish_reference(settings, reference.path()).expect("the reference set");
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
        super::expect_valid(self.dir.path());
    }
}

/// Removes the dates from an index. They depend on when the files were written.
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
