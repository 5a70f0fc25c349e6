//! A book in a temporary folder.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A folder with a book, and the input that mdBook would pass to the renderer.
pub(crate) struct Book {
    folder: tempfile::TempDir,
    pub(crate) context: Value,
}

/// The output of a program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            success: output.status.success(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Returns a chapter in mdBook's format.
pub(crate) fn chapter(path: &str, source: &str) -> Value {
    json!({"Chapter": {
        "name": "A", "content": "Text.", "number": null, "sub_items": [], "path": path, "source_path": source,
        "parent_names": [],
    }})
}

impl Book {
    /// Creates a book with some chapters and these keys in `[output.sitemap]`.
    pub(crate) fn new(options: Value, items: Vec<Value>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("book/html")).unwrap();
        fs::create_dir_all(folder.path().join("src")).unwrap();
        let context = json!({
            "version": "0.5.4",
            "root": folder.path(),
            "book": {"items": items},
            "config": {"book": {"title": "A"}, "output": {"html": {}, "sitemap": options}},
            "destination": folder.path().join("book/sitemap"),
        });
        Self { folder, context }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file to the source folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs the renderer the way mdBook does.
    pub(crate) fn run(&self) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mdbook-sitemap"))
            .env("SOURCE_DATE_EPOCH", "1800000000")
            .env("GIT_CEILING_DIRECTORIES", self.path().parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(self.context.to_string().as_bytes()).unwrap();
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the renderer, checks that it fails, and returns its message.
    pub(crate) fn error(&self) -> String {
        let ran = self.run();
        assert!(!ran.success, "{ran:?}");
        assert!(!self.sitemap_path().exists(), "a failed run leaves no sitemap");
        ran.stderr.trim_end().strip_prefix("error: mdbook-sitemap: ").unwrap().to_owned()
    }

    /// Runs the renderer, and returns the sitemap's entries, one per line.
    pub(crate) fn entries(&self) -> String {
        let ran = self.run();
        assert!(ran.success, "{ran:?}");
        self.listed()
    }

    /// Returns the entries of the sitemap that a run wrote.
    pub(crate) fn listed(&self) -> String {
        let xml = fs::read_to_string(self.sitemap_path()).unwrap();
        xml.split_inclusive('\n').filter(|line| line.starts_with("<url>")).collect()
    }

    pub(crate) fn sitemap_path(&self) -> PathBuf {
        self.path().join("book/html/sitemap.xml")
    }

    /// Runs git in the book's folder, with this commit date.
    pub(crate) fn git(&self, date: &str, args: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.com");
            command.env(format!("GIT_{who}_DATE"), date);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?} {output:?}");
    }

    /// Adds all files, and commits them with this date.
    pub(crate) fn commit(&self, date: &str) {
        if !self.path().join(".git").exists() {
            self.git("", &["init", "-q"]);
        }
        self.git("", &["add", "."]);
        self.git(date, &["commit", "-q", "-m", "a"]);
    }
}
