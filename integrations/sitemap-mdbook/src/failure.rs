//! The error that ends the program, and warnings, after which it goes on.

use std::fmt;

/// A message that names what was found, and the remedy.
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

/// Reports something that the user should know, although the sitemap is written.
pub(crate) fn warn(message: &str) {
    eprintln!("warning: mdbook-sitemap: {message}");
}
