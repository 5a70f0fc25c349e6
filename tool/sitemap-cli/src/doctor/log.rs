//! The lines that `sitemap doctor` prints.

use std::fmt;

use crate::error::Outcome;
use crate::number::counted;
use crate::output::Output;
use crate::terminal::{Ink, Paint};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Dns,
    Connection,
    Tls,
    Robots,
    Redirects,
    Response,
    Status,
    Type,
    Encoding,
    Size,
    Parse,
    Findings,
    Child,
}

impl Step {
    const fn name(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connection => "connection",
            Self::Tls => "tls",
            Self::Robots => "robots.txt",
            Self::Redirects => "redirects",
            Self::Response => "response",
            Self::Status => "status",
            Self::Type => "type",
            Self::Encoding => "encoding",
            Self::Size => "size",
            Self::Parse => "parse",
            Self::Findings => "findings",
            Self::Child => "child",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The completed steps, on stdout.
pub(super) struct Log {
    /// `None` for the steps of a child sitemap, of which only the result is printed.
    output: Option<Output>,
    paint: Paint,
    failed: Option<(Step, String)>,
    warnings: u64,
    parsed: String,
}

impl Log {
    pub(super) fn new(paint: Paint) -> Self {
        Self { output: Some(Output::new()), paint, failed: None, warnings: 0, parsed: String::new() }
    }

    /// Prints the name of the sitemap that the next steps are about.
    pub(super) fn title(&mut self, url: &str) -> Outcome<()> {
        self.print(&format!("`{url}`"))
    }

    /// Takes the steps of a child sitemap, and prints their result in one line.
    pub(super) fn child(&mut self, url: &str, steps: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        let paint = Paint::default();
        let mut log = Self { output: None, paint, failed: None, warnings: 0, parsed: String::new() };
        steps(&mut log)?;
        match (log.failed, log.warnings) {
            (Some((step, why)), _) => self.fail(Step::Child, &format!("`{url}`: {step}: {why}")),
            (None, 0) => self.ok(Step::Child, &format!("`{url}`: {}", log.parsed)),
            (None, warnings) => {
                let warnings = counted(warnings, "warning");
                self.warn(Step::Child, &format!("`{url}`: {}, {warnings}", log.parsed))
            }
        }
    }

    pub(super) fn ok(&mut self, step: Step, text: &str) -> Outcome<()> {
        if step == Step::Parse {
            text.clone_into(&mut self.parsed);
        }
        self.line(Ink::Added, "ok  ", step, text)
    }

    /// Prints a step that fails for some crawlers.
    pub(super) fn warn(&mut self, step: Step, text: &str) -> Outcome<()> {
        self.warnings += 1;
        self.line(Ink::Warning, "warn", step, text)
    }

    /// Prints the step that failed.
    pub(super) fn fail(&mut self, step: Step, text: &str) -> Outcome<()> {
        self.failed.get_or_insert_with(|| (step, text.to_owned()));
        self.line(Ink::Error, "FAIL", step, text)
    }

    /// Prints a line that belongs to the last step.
    pub(super) fn more(&mut self, text: &str) -> Outcome<()> {
        self.print(&format!("                 {text}"))
    }

    /// Prints the result. Returns `true` if a step failed.
    pub(super) fn end(mut self, url: &str) -> Outcome<bool> {
        let text = match (&self.failed, self.warnings) {
            (Some((step, _)), _) => format!("a crawler does not get `{url}`, because of the step `{step}`"),
            (None, 0) => format!("a crawler gets `{url}`"),
            (None, 1) => format!("a crawler gets `{url}`, with one warning"),
            (None, warnings) => format!("a crawler gets `{url}`, with {warnings} warnings"),
        };
        self.print(&text)?;
        Ok(self.failed.is_some())
    }

    fn line(&mut self, ink: Ink, mark: &str, step: Step, text: &str) -> Outcome<()> {
        self.print(&format!("{}  {step:<10} {text}", self.paint.ink(ink, mark)))
    }

    /// Prints a line immediately, because the next step can take a while.
    fn print(&mut self, line: &str) -> Outcome<()> {
        let Some(output) = &mut self.output else { return Ok(()) };
        output.line(line)?;
        output.flush()
    }
}
