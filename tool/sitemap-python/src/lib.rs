//! The native part of the Python module `sitemap`. The functions that users call are in the folder `python`. This crate
//! contains what they share with the command: reading, checking, publishing, and the command itself.

mod check;
mod extensions;
mod options;
mod problem;
mod publish;
mod read;
mod run;
mod source;
mod table;

use std::ffi::OsString;

use pyo3::prelude::*;
use sitemap_core::Site;

use crate::run::SitemapError;

#[pymodule]
mod _sitemap {
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::publish::{build, write_rows};
    #[pymodule_export]
    use super::read::{Batches, Rows};
    #[pymodule_export]
    use super::sitemap_loc;
}

/// Runs the command, and returns its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sitemap_cli::run(arguments))
}

/// Returns the URL that a sitemap lists for a URL or path, or `None` if it is neither.
#[pyfunction]
fn sitemap_loc(base: &str, loc: Option<&str>) -> PyResult<Option<String>> {
    let site = Site::new(base).map_err(|error| SitemapError::new_err(format!("`base`: {error}")))?;
    Ok(loc.and_then(|loc| site.resolve(loc).ok()).map(|loc| loc.as_str().to_owned()))
}
