//! Converts keyword arguments to the command's options.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

/// Returns the command-line arguments for keyword arguments: `max_files=5` becomes `--max-files=5`. `True` becomes an
/// option without a value, and a list repeats the option. `None` and `False` are skipped.
pub(crate) fn words(options: &Bound<'_, PyDict>) -> PyResult<Vec<OsString>> {
    let mut words = Vec::new();
    for (name, value) in options {
        let option = format!("--{}", name.extract::<String>()?.replace('_', "-"));
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            for value in value.try_iter()? {
                words.extend(word(&option, &value?)?);
            }
        } else {
            words.extend(word(&option, &value)?);
        }
    }
    Ok(words)
}

fn word(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<OsString>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().then(|| option.into()));
    }
    let text: OsString = match value.extract::<PathBuf>() {
        Ok(path) => path.into(),
        Err(_) => value.str()?.extract::<String>()?.into(),
    };
    let mut word = OsString::from(option);
    word.push("=");
    word.push(text);
    Ok(Some(word))
}
