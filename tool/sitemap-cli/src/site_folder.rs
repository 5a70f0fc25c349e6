//! The pages of a site that isn't online yet, as files in a folder.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sitemap_pages::robots::RobotsTxt;
use sitemap_pages::visit::{Blocked, Failure, FailureKind, Outcome as VisitOutcome, Visit};
use url::Url;

use crate::file_visit;
use crate::page_file::file_of;

/// A folder, and the URL that its files will be served at.
#[derive(Debug)]
pub(crate) struct SiteFolder<'a> {
    folder: &'a Path,
    base: Url,
    /// The host's robots.txt, if the folder contains it.
    robots: Option<RobotsTxt>,
    product_token: &'a str,
}

impl<'a> SiteFolder<'a> {
    /// Opens a folder that will be served at `base`. The rules of its robots.txt are those for `user_agent`.
    pub(crate) fn open(folder: &'a Path, base: Url, user_agent: Option<&'a str>) -> Self {
        let is_root = base.path() == "/";
        let robots = fs::read(folder.join("robots.txt")).ok().filter(|_| is_root);
        let robots = robots.map(|body| RobotsTxt::parse(&body));
        let product_token = user_agent.unwrap_or("sitemap").split(['/', ' ']).next().unwrap_or_default();
        Self { folder, base, robots, product_token }
    }

    /// Visits a page. Returns `None` if the folder doesn't cover the page's URL.
    pub(crate) fn visit(&self, url: &str, at: SystemTime) -> io::Result<Option<Visit>> {
        if self.path(url).is_none() {
            return Ok(None);
        }
        if let Some(blocked) = self.blocked(url) {
            return Ok(Some(Visit::new(url.to_owned(), at, VisitOutcome::Blocked(blocked))));
        }
        if let Some(file) = self.file(url) {
            return file_visit::read(&file, url, at).map(Some);
        }
        let failure = Failure::new(
            FailureKind::NoFile,
            format!("the folder `{}` has no file for the page", self.folder.display()),
        );
        Ok(Some(Visit::new(url.to_owned(), at, VisitOutcome::Failed(failure))))
    }

    /// Returns the file that a server would send for a URL.
    pub(crate) fn file(&self, url: &str) -> Option<PathBuf> {
        file_of(self.folder, &self.path(url)?)
    }

    /// Returns a URL's path relative to the folder, percent-encoded.
    fn path(&self, url: &str) -> Option<String> {
        let url = Url::parse(url).ok()?;
        let is_here = url.origin() == self.base.origin();
        let path = url.path().strip_prefix(self.base.path()).filter(|_| is_here)?;
        Some(format!("/{path}"))
    }

    fn blocked(&self, url: &str) -> Option<Blocked> {
        let verdict = self.robots.as_ref()?.agent(self.product_token).verdict(url);
        let rule = verdict.rule().filter(|_| !verdict.is_allowed())?;
        Some(Blocked::Rule { line: rule.line(), pattern: rule.pattern().into_owned() })
    }
}

impl fmt::Display for SiteFolder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` for `{}`", self.folder.display(), self.base)
    }
}
