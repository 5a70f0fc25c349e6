//! Why a command ends early.

use std::error::Error as StdError;
use std::io;
use std::path::Path;

/// The end of a command before its time.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It could not do what it was asked to; said on stderr.
    Error(String),
    /// Nobody reads its output any more, as under `| head`.
    Quiet,
}

pub(crate) type Outcome<T> = Result<T, Stop>;

impl Stop {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    /// An error of the system about a file.
    pub(crate) fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        Self::Error(format!("cannot {action} `{}`: {}", path.display(), said(error)))
    }

    /// An error while printing.
    pub(crate) fn print(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Quiet
        } else {
            Self::Error(format!("cannot print: {}", said(error)))
        }
    }
}

/// The message of an error with those of its causes.
pub(crate) fn with_causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = match error.downcast_ref::<io::Error>() {
            Some(error) => said(error),
            None => error.to_string(),
        };
        text = format!("{text}: {message}");
        cause = error.source();
    }
    text
}

/// What the system says, as part of a sentence.
pub(crate) fn said(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
