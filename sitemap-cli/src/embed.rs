//! Functions for the Python module, which carries the command. They take the options of the command as words, so that an
//! option has one name, one default and one check everywhere. No `sitemap.toml` is read.
//!
//! This module is not part of the public interface, and changes with the Python module.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Parser as _;
use sitemap_core::{Entry, Summary};
use sitemap_read::{Finding, Report, SitemapReader};

use crate::args::{Cli, Command};
use crate::caller::{self, Caller};
use crate::error::{Outcome, Stop};
use crate::secret::masked;
use crate::source::{Document, Problem, Source, Visitor, crawl};
use crate::terminal::{Paint, say};
use crate::{build, check, interrupt};

/// What a program gives to a run.
#[derive(Default)]
pub struct Run {
    /// Ends the run when it becomes true. A run that is replacing a set finishes.
    pub stop: Arc<AtomicBool>,
    /// What stands for the standard input, which is the target `-`.
    pub input: Option<Box<dyn Read + Send>>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// The result of a run, and the messages for people that the command would print.
#[derive(Debug)]
pub struct Ran<T> {
    /// The result.
    pub result: Result<T, Failure>,
    /// The messages, each in a line.
    pub notes: Vec<String>,
}

/// The reason why a run failed, without the user names and passwords of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// An error.
    Error(String),
    /// The refusal of a set that would lose too many pages.
    Shrunk(String),
}

/// The receiver of the entries of a set.
pub trait Receiver {
    /// Takes an entry of the sitemap with this path or URL. Returns `false` to end the run.
    fn entry(&mut self, sitemap: &str, entry: &Entry<'_>) -> bool;

    /// Takes a finding in a sitemap.
    fn finding(&mut self, sitemap: &str, finding: &Finding);

    /// Takes the number of further findings in a sitemap, which are not kept.
    fn omitted(&mut self, findings: u64);

    /// Takes the reason why a sitemap cannot be read, or not to its end.
    fn failed(&mut self, sitemap: &str, why: &str);
}

/// Reads the entries of a target, as `sitemap list` does. Returns the number of entries that were left out, because their
/// URL is missing or cannot be repaired; each has a finding.
pub fn list(run: Run, options: &[OsString], target: &OsString, receiver: &mut dyn Receiver) -> Ran<u64> {
    ran(run, || {
        let Command::List(args) = parse("list", options, Some(target))? else { return Err(unexpected()) };
        let source = Source::new(&args.read, [args.target.as_str()])?;
        let crawled = match crawl(&source, &args.target, &mut Forward(receiver)) {
            Err(Stop::Quiet) => return Ok(0),
            crawled => crawled?,
        };
        if crawled.repeating > 0 {
            say("the recent section is left out, because its pages are also in other files");
        }
        Ok(crawled.left_out)
    })
}

/// Checks a target, as `sitemap check` does.
pub fn check(run: Run, options: &[OsString], target: &OsString) -> Ran<Report> {
    ran(run, || {
        let Command::Check(args) = parse("check", options, Some(target))? else { return Err(unexpected()) };
        let report = check::report(&args, args.target.as_deref().unwrap_or_default())?;
        interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
        Ok(report)
    })
}

/// Publishes a set, as `sitemap build` does.
pub fn build(run: Run, options: &[OsString], input: &OsString) -> Ran<Summary> {
    ran(run, || {
        let Command::Build(args) = parse("build", options, Some(input))? else { return Err(unexpected()) };
        build::build(&args, Paint::default())
    })
}

fn ran<T>(run: Run, act: impl FnOnce() -> Outcome<T>) -> Ran<T> {
    let (outcome, notes) = caller::run(Caller::new(run.stop, run.input), act);
    let result = outcome.map_err(|stop| match stop {
        Stop::Error(message) => Failure::Error(masked(&message).into_owned()),
        Stop::Shrunk(message) => Failure::Shrunk(masked(&message).into_owned()),
        Stop::Quiet => Failure::Error(interrupt::MESSAGE.to_owned()),
    });
    Ran { result, notes }
}

fn unexpected() -> Stop {
    Stop::new("the options name another command; leave it out")
}

fn parse(command: &str, options: &[OsString], target: Option<&OsString>) -> Outcome<Command> {
    let words = ["sitemap", "--no-config", command].map(OsString::from).into_iter();
    let target = target.into_iter().flat_map(|target| ["--".into(), target.clone()]);
    let cli = Cli::try_parse_from(words.chain(options.iter().cloned()).chain(target));
    Ok(cli.map_err(|error| Stop::new(message(&error.render().to_string())))?.command)
}

/// Returns the message of an error of the command line as one line, without the hints for a shell.
fn message(text: &str) -> String {
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
}

/// Passes what a crawl finds to a receiver.
struct Forward<'r>(&'r mut dyn Receiver);

impl Visitor for Forward<'_> {
    fn page(&mut self, document: &Document, entry: &Entry<'_>) -> Outcome<()> {
        if self.0.entry(&document.name, entry) { Ok(()) } else { Err(Stop::Quiet) }
    }

    fn findings(&mut self, document: &Document, findings: &mut dyn Iterator<Item = Finding>) {
        findings.for_each(|finding| self.0.finding(&document.name, &finding));
    }

    fn failed(&mut self, problem: &Problem) -> bool {
        self.0.failed(&masked(&problem.name), &masked(&problem.why));
        true
    }

    fn end(&mut self, _: &Document, reader: &mut SitemapReader<'_>) {
        match reader.findings_omitted() {
            0 => {}
            omitted => self.0.omitted(omitted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_options_is_one_line() {
        let words = ["--timeout=x".into()];
        let ran = check(Run::default(), &words, &"sitemap.xml".into());
        assert_eq!(
            ran.result.unwrap_err(),
            Failure::Error(
                "invalid value 'x' for '--timeout <SECONDS>': invalid digit found in string".to_owned()
            )
        );
    }

    #[test]
    fn an_error_has_no_password() {
        let target = "ftp://user:s3cret@example.com/".into();
        assert_eq!(
            check(Run::default(), &[], &target).result.unwrap_err(),
            Failure::Error(
                "`ftp://***@example.com/` has the scheme `ftp`; give an http or https URL, or a path"
                    .to_owned()
            )
        );
    }

    #[test]
    fn a_reason_has_no_password() {
        #[derive(Default)]
        struct Reasons(String);

        impl Receiver for Reasons {
            fn entry(&mut self, _: &str, _: &Entry<'_>) -> bool {
                true
            }
            fn finding(&mut self, _: &str, _: &Finding) {}
            fn omitted(&mut self, _: u64) {}
            fn failed(&mut self, sitemap: &str, why: &str) {
                self.0 = format!("{sitemap}: {why}");
            }
        }

        let mut reasons = Reasons::default();
        let url = "https://user:s3cret@example.com/a.xml";
        let problem = Problem::unreadable(url, format!("cannot read `{url}`"));
        assert!(Forward(&mut reasons).failed(&problem));
        assert_eq!(reasons.0, "https://***@example.com/a.xml: cannot read `https://***@example.com/a.xml`");
    }

    #[test]
    fn a_run_that_is_stopped_publishes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (list, out) = (dir.path().join("pages.txt"), dir.path().join("out"));
        std::fs::write(&list, "/\n").unwrap();
        let words = |out: &std::path::Path| {
            ["--base".into(), "https://example.com".into(), "--out".into(), out.as_os_str().to_owned()]
        };
        let run = Run { stop: Arc::new(AtomicBool::new(true)), input: None };
        assert!(build(run, &words(&out), &list.clone().into()).result.is_err());
        assert!(!out.join("sitemap.xml").exists());
        assert_eq!(build(Run::default(), &words(&out), &list.into()).result.unwrap().urls(), 1);
        assert!(out.join("sitemap.xml").exists());
    }
}
