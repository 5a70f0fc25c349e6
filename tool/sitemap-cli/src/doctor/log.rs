//! The lines that `sitemap doctor` prints.

use std::fmt;

use crate::error::Outcome;
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
    output: Output,
    paint: Paint,
    failed: Option<Step>,
    warnings: u64,
}

impl Log {
    pub(super) fn new(paint: Paint) -> Self {
        Self { output: Output::new(), paint, failed: None, warnings: 0 }
    }

    pub(super) fn ok(&mut self, step: Step, text: &str) -> Outcome<()> {
        self.line(Ink::Added, "ok  ", step, text)
    }

    /// Prints a step that fails for some crawlers.
    pub(super) fn warn(&mut self, step: Step, text: &str) -> Outcome<()> {
        self.warnings += 1;
        self.line(Ink::Warning, "warn", step, text)
    }

    /// Prints the step that failed.
    pub(super) fn fail(&mut self, step: Step, text: &str) -> Outcome<()> {
        self.failed.get_or_insert(step);
        self.line(Ink::Error, "FAIL", step, text)
    }

    /// Prints a line that belongs to the last step.
    pub(super) fn more(&mut self, text: &str) -> Outcome<()> {
        self.output.line(&format!("                 {text}"))
    }

    /// Prints the result. Returns `true` if a step failed.
    pub(super) fn end(mut self, url: &str) -> Outcome<bool> {
        self.output.line(&match (self.failed, self.warnings) {
            (Some(step), _) => format!("a crawler does not get `{url}`, because of the step `{step}`"),
            (None, 0) => format!("a crawler gets `{url}`"),
            (None, 1) => format!("a crawler gets `{url}`, with one warning"),
            (None, warnings) => format!("a crawler gets `{url}`, with {warnings} warnings"),
        })?;
        self.output.flush()?;
        Ok(self.failed.is_some())
    }

    fn line(&mut self, ink: Ink, mark: &str, step: Step, text: &str) -> Outcome<()> {
        self.output.line(&format!("{}  {step:<10} {text}", self.paint.ink(ink, mark)))?;
        // A step can take a while, so the earlier steps are shown immediately.
        self.output.flush()
    }
}
