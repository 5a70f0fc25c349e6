//! The pages of a site that isn't online yet, as files in a folder.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use sitemap_pages::robots::RobotsTxt;
use sitemap_pages::visit::{Blocked, Failure, FailureKind, Outcome as VisitOutcome, Visit};
use url::Url;

use super::hosts::Hosts;
use crate::args::CheckArgs;
use crate::error::{Outcome, Stop};
use crate::file_visit;
use crate::page_file::file_of;

/// A folder, and the URL that its files will be served at.
#[derive(Debug)]
pub(super) struct SiteFolder<'a> {
    folder: &'a Path,
    base: Url,
    /// The host's robots.txt, if the folder contains it.
    robots: Option<RobotsTxt>,
    product_token: &'a str,
}

impl<'a> SiteFolder<'a> {
    /// Opens the folder of `--from-dir`. Its URL is the folder of `--at` or, by default, the root of the host that all
    /// listed pages share.
    pub(super) fn open(folder: &'a Path, args: &'a CheckArgs, listed: &Hosts) -> Outcome<Self> {
        if !folder.is_dir() {
            return Err(Stop::new(format!(
                "`{}` is not a folder; name one with `--from-dir`",
                folder.display()
            )));
        }
        let base = match &args.at {
            Some(at) => {
                base(at).ok_or_else(|| Stop::new(format!("`--at`: `{at}` is not a URL with a host")))?
            }
            None => root_of(folder, listed)?,
        };
        let is_root = base.path() == "/";
        let robots = fs::read(folder.join("robots.txt")).ok().filter(|_| is_root);
        let user_agent = args.read.network.user_agent.as_deref().unwrap_or("sitemap");
        let product_token = user_agent.split(['/', ' ']).next().unwrap_or_default();
        Ok(Self { folder, base, robots: robots.map(|body| RobotsTxt::parse(&body)), product_token })
    }

    /// Visits a page. Returns `None` if the folder doesn't cover the page's URL.
    pub(super) fn visit(&self, url: &str, at: SystemTime) -> Outcome<Option<Visit>> {
        let Some(path) = self.path(url) else { return Ok(None) };
        let outcome = match (self.blocked(url), file_of(self.folder, &path)) {
            (Some(blocked), _) => VisitOutcome::Blocked(blocked),
            (None, Some(file)) => return file_visit::read(&file, url, at).map(Some),
            (None, None) => VisitOutcome::Failed(Failure::new(
                FailureKind::NoFile,
                format!("the folder `{}` has no file for the page", self.folder.display()),
            )),
        };
        Ok(Some(Visit::new(url.to_owned(), at, outcome)))
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

fn base(at: &str) -> Option<Url> {
    let url = Url::parse(at).ok().filter(Url::has_host)?;
    url.join(".").ok()
}

fn root_of(folder: &Path, listed: &Hosts) -> Outcome<Url> {
    let mut urls = listed.urls();
    match (urls.next().and_then(|url| Url::parse(url).ok()), urls.count()) {
        (Some(url), 0) => url.join("/").map_err(|error| Stop::new(format!("`{url}`: {error}"))),
        (_, more) => Err(Stop::new(format!(
            "the listed pages are of {} hosts, so the URL of `{}` is not known; name it with `--at`",
            more + 1,
            folder.display()
        ))),
    }
}
