//! The terminal: colours, width, progress.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::args::When;
use crate::caller;
use crate::progress;
use crate::secret::masked;

/// Whether to colour the output of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paint(bool);

/// The meaning of some text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Error,
    Warning,
    Note,
    Added,
    Strong,
    Frame,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Error => "\x1b[1;31m",
            Self::Warning => "\x1b[1;33m",
            Self::Note => "\x1b[1;36m",
            Self::Added => "\x1b[32m",
            Self::Strong => "\x1b[1m",
            Self::Frame => "\x1b[1;34m",
        }
    }
}

impl Paint {
    pub(crate) fn stdout(when: When) -> Self {
        Self::of(when, io::stdout().is_terminal())
    }

    pub(crate) fn stderr(when: When) -> Self {
        Self::of(when, io::stderr().is_terminal())
    }

    fn of(when: When, is_terminal: bool) -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        Self(match when {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                is_terminal && !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        })
    }

    /// Returns the text in its colour, or unchanged if colours are off.
    pub(crate) fn ink(self, ink: Ink, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("{}{text}\x1b[0m", ink.code()) } else { text.to_owned() }
    }
}

/// A progress line on stderr. Hidden if stderr is not a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// A hidden line must cost nothing, because some commands advance it for each page.
    is_shown: bool,
}

impl Progress {
    /// Returns `true` if the line is visible.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Returns a progress line that counts bytes, and shows the total if it is known.
    pub(crate) fn of_bytes(label: &str, total: Option<u64>) -> Self {
        Self::new(
            label,
            total,
            "{msg} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
            "{msg} {bytes} {bytes_per_sec}",
        )
    }

    /// Returns a progress line that counts items, and shows the total if it is known.
    pub(crate) fn of_items(label: &str, total: Option<u64>) -> Self {
        Self::new(
            label,
            total,
            "{msg} [{bar:30}] {human_pos}/{human_len} {rate}/s, {eta} left",
            "{msg} {human_pos} {rate}/s",
        )
    }

    /// Returns a progress line that is updated with [`advance`](Self::advance).
    pub(crate) fn of_files(label: &str) -> Self {
        Self::new(label, None, "{msg}", "{prefix} {msg}")
    }

    /// Returns a progress line for a command that prints data at the same time. If stdout is a terminal, the line is
    /// hidden, because it would get mixed up with the data.
    pub(crate) fn with_output(label: &str) -> Self {
        if io::stdout().is_terminal() { Self::hidden() } else { Self::of_files(label) }
    }

    fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), is_shown: false }
    }

    fn new(label: &str, total: Option<u64>, bar: &str, spinner: &str) -> Self {
        if caller::is_present() || !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let template = format!("{{spinner}} {}", if total.is_some() { bar } else { spinner });
        let progress = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10));
        // The templates are valid literals, so the fallback is never used.
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Writing to the bar's buffer never fails.
            let _ = write!(out, "{:.0}", state.per_sec());
        };
        progress.set_style(style.with_key("rate", rate).progress_chars("=> "));
        // The template for files shows the label and a separate message.
        progress.set_prefix(label.to_owned());
        if !template.contains("{prefix}") {
            progress.set_message(label.to_owned());
        }
        progress.enable_steady_tick(Duration::from_millis(200));
        Self { bar: progress, is_shown: true }
    }

    pub(crate) fn set(&self, position: u64) {
        if self.is_shown {
            self.bar.set_position(position);
        }
    }

    /// Shows the number of completed items, the number of known items, and the time left.
    pub(crate) fn advance(&self, done: u64, total: u64) {
        self.advance_resumed(done, total, done);
    }

    /// Like [`advance`](Self::advance), but only `made` of the items were finished since the line started.
    pub(crate) fn advance_resumed(&self, done: u64, total: u64, made: u64) {
        if self.is_shown {
            self.bar.set_message(progress::text(done, total, made, self.bar.elapsed()));
        }
    }

    pub(crate) fn add(&self, more: u64) {
        if self.is_shown {
            self.bar.inc(more);
        }
    }

    /// Removes the line before something else is printed.
    pub(crate) fn hide(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| say(line));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the number of columns of the terminal, or 100 if stdout is not a terminal.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size_of(io::stdout())
        .map_or(100, |(width, _)| usize::from(width.0))
        .clamp(40, 400)
}

/// Prints a line to stderr, with user names and passwords removed from URLs. Ignores errors, because there's nowhere else to
/// report them.
pub(crate) fn say(line: &str) {
    let line = masked(line);
    if !caller::takes(&line) {
        let _ = io::Write::write_all(&mut io::stderr(), format!("{line}\n").as_bytes());
    }
}
