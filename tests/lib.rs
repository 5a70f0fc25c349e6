//! Tests that need more than one crate of the workspace, and helpers for these tests.

mod hooked;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

pub use hooked::{Hooked, Operation, OperationKind};

/// The programs in the README, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// The programs in the serving guide, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/serving.md")]
mod serving {}

/// The program on the book's first page, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../docs/README.md")]
mod book {}

/// The program in the tutorial, compiled as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
mod tutorial {}

/// The programs on the page about publishing, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/publishing.md")]
mod publishing {}

/// Reports that the current test is skipped.
///
/// # Panics
///
/// Panics with `CI=true`.
pub fn skip(reason: &str) {
    assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
    // `eprintln!` would not show the message: a skipped test passes, and the test harness hides the output of passing
    // tests.
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

/// The official schemas, for validating files with `xmllint`.
#[derive(Debug, Clone)]
pub struct Schemas(PathBuf);

impl Schemas {
    /// Finds `xmllint` and the folder with the schemas, which `dev/ci/schemas` downloads. If either is missing, reports
    /// that the test is skipped.
    ///
    /// # Panics
    ///
    /// Panics with `CI=true` if either is missing.
    #[must_use]
    pub fn find() -> Option<Self> {
        let folder = env::var_os("SITEMAP_SCHEMAS").map_or_else(
            || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/xsd")),
            PathBuf::from,
        );
        if !folder.join("all.xsd").is_file() {
            skip(
                "there is no folder with the schemas; set SITEMAP_SCHEMAS to the folder that `dev/ci/schemas` prints",
            );
            return None;
        }
        if Command::new("xmllint").arg("--version").output().is_err() {
            skip("`xmllint` is not installed; install the Debian package libxml2-utils");
            return None;
        }
        Some(Self(folder))
    }

    /// Validates a file against one of the schemas, such as `all.xsd`.
    ///
    /// # Errors
    ///
    /// Returns the output of `xmllint` if the file is not valid.
    ///
    /// # Panics
    ///
    /// Panics if `xmllint` does not start.
    pub fn validate(&self, schema: &str, file: &Path) -> Result<(), String> {
        let arguments: [OsString; 5] =
            ["--nonet".into(), "--noout".into(), "--schema".into(), self.0.join(schema).into(), file.into()];
        let output = Command::new("xmllint").args(arguments).output().expect("xmllint starts");
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}
