//! The programs that request the pages. All of them make the same number of concurrent requests, without pauses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::site::PageSite;
use crate::Result;

/// A contender's input.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The site's origin, such as `http://127.0.0.1:8000`.
    pub origin: &'a str,
    /// The number of pages of the site.
    pub pages: usize,
    /// The number of concurrent requests.
    pub jobs: usize,
    /// An empty folder for the contender to run in.
    pub dir: &'a Path,
    /// The program `sitemap`.
    pub sitemap: &'a Path,
    /// The folder that `dev/bench/pages-peers` created.
    pub peers: &'a Path,
}

impl Setup<'_> {
    fn peer(&self, name: &str) -> PathBuf {
        self.peers.join("bin").join(name)
    }

    fn python(&self, name: &str) -> PathBuf {
        self.peers.join("venv/bin").join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.dir.join(name);
        fs::write(&path, text)?;
        Ok(path)
    }
}

/// A way to request all pages.
#[derive(Debug, Clone, Copy)]
pub struct PageContender {
    /// The contender's name in the table.
    pub name: &'static str,
    /// Returns the command.
    pub command: fn(&Setup<'_>) -> Result<Command>,
    /// Returns the program that this contender needs.
    pub program: fn(&Setup<'_>) -> PathBuf,
}

/// The contenders, in table order. The first is the baseline.
pub const PAGE_CONTENDERS: &[PageContender] = &[
    PageContender {
        name: "bare loop",
        command: bare,
        program: |_| std::env::current_exe().unwrap_or_default(),
    },
    PageContender {
        name: "sitemap check --pages",
        command: check,
        program: |setup| setup.sitemap.to_owned(),
    },
    PageContender { name: "sitemap crawl", command: crawl, program: |setup| setup.sitemap.to_owned() },
    PageContender { name: "lychee", command: lychee, program: |setup| setup.peer("lychee") },
    PageContender { name: "Scrapy", command: scrapy, program: |setup| setup.python("scrapy") },
    PageContender { name: "LinkChecker", command: linkchecker, program: |setup| setup.python("linkchecker") },
];

fn bare(setup: &Setup<'_>) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--bare", &setup.pages.to_string(), setup.origin, &setup.jobs.to_string()]);
    Ok(command)
}

fn sitemap(setup: &Setup<'_>, arguments: &[&str]) -> Command {
    let mut command = Command::new(setup.sitemap);
    command.args(arguments).args(["--no-config", "--allow-private", "--state", "pages.state"]);
    command.args(["--jobs", &setup.jobs.to_string()]);
    command
}

#[expect(clippy::unnecessary_wraps, reason = "all contenders have this signature")]
fn check(setup: &Setup<'_>) -> Result<Command> {
    Ok(sitemap(setup, &["check", "--pages", &format!("{}/sitemap.xml", setup.origin)]))
}

#[expect(clippy::unnecessary_wraps, reason = "all contenders have this signature")]
fn crawl(setup: &Setup<'_>) -> Result<Command> {
    Ok(sitemap(setup, &["crawl", &format!("{}/", setup.origin)]))
}

/// Lychee checks the links of a list; it does not crawl.
fn lychee(setup: &Setup<'_>) -> Result<Command> {
    let urls: String =
        PageSite::new(setup.pages, setup.origin.to_owned()).urls().map(|url| url + "\n").collect();
    let jobs = setup.jobs.to_string();
    let mut command = Command::new(setup.peer("lychee"));
    command.args([
        "--no-progress",
        "--host-request-interval",
        "0ms",
        "--max-retries",
        "0",
        "--timeout",
        "60",
    ]);
    command.args(["--max-concurrency", &jobs, "--host-concurrency", &jobs]);
    command.arg(setup.write("urls.txt", &urls)?);
    Ok(command)
}

fn scrapy(setup: &Setup<'_>) -> Result<Command> {
    let mut command = Command::new(setup.python("scrapy"));
    command.arg("runspider").arg(setup.write("spider.py", include_str!("spider.py"))?);
    command.args(["-a", &format!("origin={}", setup.origin), "-o", "pages.jl"]);
    for name in ["CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN"] {
        command.args(["-s", &format!("{name}={}", setup.jobs)]);
    }
    for setting in
        ["DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=False", "ROBOTSTXT_OBEY=True", "LOG_LEVEL=ERROR"]
    {
        command.args(["-s", setting]);
    }
    Ok(command)
}

fn linkchecker(setup: &Setup<'_>) -> Result<Command> {
    let config = format!("[checking]\nthreads={}\nmaxrequestspersecond=100000\n", setup.jobs);
    let mut command = Command::new(setup.python("linkchecker"));
    command.arg("--config").arg(setup.write("linkcheckerrc", &config)?);
    command.args(["--no-status", "--output", "none", &format!("{}/", setup.origin)]);
    Ok(command)
}
