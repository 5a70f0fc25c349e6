//! Errors, which end the program, and warnings, which don't.

use std::fmt;

/// A message that states the problem and the remedy.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Warns about something that the user should know, even though the sitemap is written.
pub(crate) fn warn(message: &str) {
    eprintln!("warning: mdbook-sitemap: {message}");
}
