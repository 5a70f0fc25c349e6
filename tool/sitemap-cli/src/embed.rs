//! Functions for programs that embed the command, such as the Python module. They accept the command's options as
//! arguments, so that every option has the same name, default and validation everywhere. `sitemap.toml` is ignored.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, mem, slice};

use sitemap_core::{Entry, Summary};
use sitemap_read::{Finding, Report, SitemapReader};

use crate::args::{self, Command};
use crate::caller::{self, Caller};
use crate::error::{Outcome, Stop};
use crate::secret::masked;
use crate::source::{Document, Messages, PART, Parts, Problem, Source, crawl_parts};
use crate::terminal::{Paint, say};
use crate::{build, check, interrupt};

/// What a program provides to a run.
#[derive(Default)]
pub struct Run {
    /// Ends the run once it is set to true. A run that is already replacing a set still finishes.
    pub stop: Arc<AtomicBool>,
    /// The replacement for standard input, which the target `-` reads.
    pub input: Option<Box<dyn Read + Send>>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// The result of a run, with the messages that the command would print.
#[derive(Debug)]
pub struct Ran<T> {
    /// The result.
    pub result: Result<T, Failure>,
    /// The messages, each a single line.
    pub notes: Vec<String>,
}

/// Why a run failed. URLs are shown without their user names and passwords.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// An error.
    Error(String),
    /// The set was not published, because it would lose too many pages.
    Shrunk(String),
}

/// Builds parts of a result from the entries of one sitemap, on any thread.
pub trait Collect {
    /// A part of the result.
    type Part: Send;

    /// Adds an entry. Returns `false` to end the run.
    fn entry(&mut self, entry: &Entry<'_>) -> bool;

    /// Returns everything that was added since the previous part, if that is large enough for a new part.
    ///
    /// # Errors
    ///
    /// Returns the reason if the part can't be built, which ends the run.
    fn part(&mut self) -> Result<Option<Self::Part>, String>;

    /// Returns everything that was added since the previous part, or `None` if nothing was. Called after the last entry
    /// of the sitemap.
    ///
    /// # Errors
    ///
    /// As for [`part`](Self::part).
    fn rest(&mut self) -> Result<Option<Self::Part>, String>;

    /// Returns the size of a part in bytes.
    fn size(part: &Self::Part) -> usize;
}

/// Receives what a run reads, in the order of the index.
pub trait Receiver<P> {
    /// Receives a part. Returns `false` to end the run.
    fn part(&mut self, part: P) -> bool;

    /// Receives a finding in the sitemap with this path or URL.
    fn finding(&mut self, sitemap: &str, finding: &Finding);

    /// Receives the number of further findings in a sitemap that are not passed on one by one.
    fn omitted(&mut self, findings: u64);

    /// Receives the reason why a sitemap can't be read, or can't be read completely.
    fn failed(&mut self, sitemap: &str, why: &str);
}

/// Reads a target's entries, as `sitemap list` does. Calls `start` for each sitemap with its path or URL. Returns the
/// number of entries that were skipped because their URL is missing or can't be repaired. There is also a finding for
/// each of these entries.
pub fn list<C: Collect>(
    run: Run,
    options: &[OsString],
    target: &OsString,
    start: &(dyn Fn(&str) -> C + Sync),
    receiver: &mut dyn Receiver<C::Part>,
) -> Ran<u64> {
    let stop = Arc::clone(&run.stop);
    ran(run, || {
        let Command::List(args) = parse("list", options, Some(target))? else { return Err(unexpected()) };
        let source = Source::new(&args.read, [args.target.as_str()])?;
        let receiver = RefCell::new(receiver);
        let crawled = crawl_parts(
            &source,
            slice::from_ref(&args.target),
            args.threads.count(),
            &mut Failures(&receiver),
            &|document| Collecting {
                sitemap: document.name.as_str().into(),
                collect: start(&document.name),
                findings: Vec::new(),
                stop: &stop,
            },
            &mut |collected: Collected<C::Part>| collected.give(&mut **receiver.borrow_mut()),
        );
        let crawled = match crawled {
            Err(Stop::Quiet) => return Ok(0),
            counted => counted?.crawled,
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
    let cli = args::parse(words.chain(options.iter().cloned()).chain(target));
    Ok(cli.map_err(|error| Stop::new(message(&error.render().to_string())))?.command)
}

/// Returns the message of a command-line error as one line, without hints for shell users.
fn message(text: &str) -> String {
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
}

/// Collects the entries and findings of a sitemap.
struct Collecting<'s, C> {
    sitemap: Arc<str>,
    collect: C,
    findings: Vec<Finding>,
    stop: &'s AtomicBool,
}

/// The part and the findings that a sitemap has produced so far.
struct Collected<P> {
    sitemap: Arc<str>,
    part: Option<P>,
    findings: Vec<Finding>,
    omitted: u64,
}

impl<C: Collect> Parts for Collecting<'_, C> {
    type Part = Collected<C::Part>;

    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        // This thread has no caller, so nothing else can stop its work.
        let goes_on = self.collect.entry(entry) && !self.stop.load(Ordering::Relaxed);
        if goes_on { Ok(()) } else { Err(Stop::Quiet) }
    }

    fn findings(&mut self, findings: &mut dyn Iterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    fn part(&mut self) -> Outcome<Option<Self::Part>> {
        let part = self.collect.part().map_err(Stop::new)?;
        let is_large = part.is_some() || self.findings.len() * size_of::<Finding>() >= PART;
        Ok(is_large.then(|| self.collected(part, 0)))
    }

    fn end(&mut self, _: &Document, reader: &mut SitemapReader<'_>) -> Outcome<Self::Part> {
        let part = self.collect.rest().map_err(Stop::new)?;
        Ok(self.collected(part, reader.findings_omitted()))
    }

    fn size(collected: &Self::Part) -> usize {
        let findings = collected.findings.len() * size_of::<Finding>();
        size_of::<Self::Part>() + collected.part.as_ref().map_or(0, C::size) + findings
    }
}

impl<C: Collect> Collecting<'_, C> {
    fn collected(&mut self, part: Option<C::Part>, omitted: u64) -> Collected<C::Part> {
        let findings = mem::take(&mut self.findings);
        Collected { sitemap: Arc::clone(&self.sitemap), part, findings, omitted }
    }
}

impl<P> Collected<P> {
    fn give(self, receiver: &mut dyn Receiver<P>) -> Outcome<()> {
        let Self { sitemap, part, findings, omitted } = self;
        let goes_on = part.is_none_or(|part| receiver.part(part));
        for finding in &findings {
            receiver.finding(&sitemap, finding);
        }
        if omitted > 0 {
            receiver.omitted(omitted);
        }
        if goes_on { Ok(()) } else { Err(Stop::Quiet) }
    }
}

/// Passes the reasons why sitemaps can't be read to a receiver.
struct Failures<'r, 'p, P>(&'r RefCell<&'p mut dyn Receiver<P>>);

impl<P> Messages for Failures<'_, '_, P> {
    fn problem(&mut self, problem: &Problem) {
        self.0.borrow_mut().failed(&masked(&problem.name), &masked(&problem.why));
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

        impl Receiver<()> for Reasons {
            fn part(&mut self, (): ()) -> bool {
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
        Failures(&RefCell::new(&mut reasons)).problem(&problem);
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
