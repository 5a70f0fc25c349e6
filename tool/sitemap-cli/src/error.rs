//! The errors of the command.

use std::error::Error as StdError;
use std::io;
use std::path::Path;

use sitemap_read::{ReadError, ReadErrorKind};

/// The reason why a command ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An error, with the message for stderr.
    Error(String),
    /// The set was not published, because it would lose too many pages. Contains the message for stderr. The exit
    /// status is different from that of other errors, so that a script can ask someone whether to continue.
    Shrunk(String),
    /// The program that reads the output, such as `head`, has closed the pipe. This is not an error.
    Quiet,
}

pub(crate) type Outcome<T> = Result<T, Stop>;

impl Stop {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    /// Returns the error for an incomplete result, given the number of missing sitemaps. Their own errors have already
    /// been printed. Returns `None` if no sitemap is missing.
    pub(crate) fn incomplete(failed: usize) -> Option<Self> {
        let why = match failed {
            0 => return None,
            1 => "1 sitemap could not be read".to_owned(),
            failed => format!("{failed} sitemaps could not be read"),
        };
        Some(Self::new(format!("the result is incomplete, because {why}; see the errors above")))
    }

    /// Returns the error of a failed file operation, with the system's message.
    pub(crate) fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        Self::Error(format!("cannot {action} `{}`: {}", path.display(), system_message(error)))
    }

    /// Returns the error for a failed write to stdout, or [`Quiet`](Self::Quiet) if the pipe is closed.
    pub(crate) fn print(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Quiet
        } else {
            Self::Error(format!("cannot print: {}", system_message(error)))
        }
    }
}

/// Returns the message of a reader error, with a remedy for users of the command.
pub(crate) fn read_message(error: &ReadError) -> String {
    match error.kind() {
        ReadErrorKind::Limit { limit: "bytes" | "compressed_bytes", max } => {
            format!("the document has more than {max} bytes; allow more with `--max-bytes`")
        }
        ReadErrorKind::Limit { limit, max } => format!(
            "the document exceeds the limit `{limit}` of {max} at {}; no option of this command raises it",
            error.position()
        ),
        _ => with_causes(error),
    }
}

/// Returns the message of an error, followed by those of its causes.
pub(crate) fn with_causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = match error.downcast_ref::<io::Error>() {
            Some(error) => system_message(error),
            None => error.to_string(),
        };
        text = format!("{text}: {message}");
        cause = error.source();
    }
    text
}

/// Returns the system's message for an error, in lower case and without the error number.
pub(crate) fn system_message(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
