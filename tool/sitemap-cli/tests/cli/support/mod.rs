//! Runs the command in a temporary folder.

pub(crate) mod place;
pub(crate) mod server;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Reports that a test can't run on this machine. With `CI=true`, the test fails instead.
pub(crate) fn skip(reason: &str) {
    use std::{env, io};

    assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
    // Avoids `println!`, because the test harness captures its output and hides it for tests that pass.
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

/// Returns how often to repeat a random trial: a fifth of the times, and all of them with `SITEMAP_TEST_LONG=1`, which
/// the nightly run sets.
pub(crate) fn trials(all: u32) -> u32 {
    if std::env::var_os("SITEMAP_TEST_LONG").is_some() { all } else { all / 5 }
}

/// A temporary folder to run the command in.
pub(crate) struct Sandbox(TempDir);

/// The output and exit status of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitemap"));
        command.args(args).current_dir(self.path()).env_remove("NO_COLOR");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    /// Runs the command with these bytes on standard input.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Ran {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        // The command may end before it has read all input, so a write error is ignored.
        let writer = std::thread::spawn(move || drop(input.write_all(&stdin)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code().unwrap(),
        }
    }

    /// Runs the command and returns stdout. Panics if it fails or prints to stderr.
    pub(crate) fn stdout(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args:?}");
        ran.stdout
    }

    /// Lists the entries of a target in CSV or NDJSON, without the sitemaps and sections that they stand in.
    pub(crate) fn entries(&self, target: &str, format: &str) -> String {
        let listed = self.stdout(&["list", target, "--format", format]);
        let without = |line: &str| match (format, line.find(",\"sitemap\":")) {
            ("csv", _) => line.rsplitn(3, ',').last().unwrap_or_default().to_owned(),
            (_, Some(end)) => format!("{}}}", &line[..end]),
            _ => line.to_owned(),
        };
        listed.lines().map(|line| without(line) + "\n").collect()
    }
}

/// Returns a urlset with these lines.
pub(crate) fn urlset(lines: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{lines}</urlset>\n"
    )
}

/// Returns an index of these child sitemaps.
pub(crate) fn index(urls: &[&str]) -> String {
    let lines: String = urls.iter().map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{lines}</sitemapindex>\n"
    )
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
