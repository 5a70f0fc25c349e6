//! What a caller passes for reading: a path, a URL, bytes, or a file object.

use std::ffi::OsString;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The command's name for standard input, which is used to read bytes and file objects.
const STDIN: &str = "<stdin>";

/// What is read.
pub(crate) struct Source {
    /// The path or URL, or `-` to read `input`.
    pub(crate) target: OsString,
    pub(crate) input: Option<Box<dyn Read + Send>>,
    /// The name to show for `input`.
    name: String,
}

impl Source {
    pub(crate) fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = source.cast::<PyString>() {
            return Ok(Self::named(text.extract::<String>()?.into()));
        }
        if let Ok(bytes) = source.cast::<PyBytes>() {
            return Ok(Self::input(Cursor::new(bytes.as_bytes().to_vec()), "<bytes>".to_owned()));
        }
        if source.hasattr("read")? {
            let name = source.getattr("name").and_then(|name| name.extract::<String>());
            let name = name.unwrap_or_else(|_| "<file>".to_owned());
            return Ok(Self::input(File(source.clone().unbind()), name));
        }
        if source.hasattr("__fspath__")? {
            return Ok(Self::named(source.extract::<PathBuf>()?.into()));
        }
        let found = source.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "the source is of the type `{found}`; give a path, a URL, bytes, or a file object that is open for reading"
        )))
    }

    fn named(target: OsString) -> Self {
        Self { target, input: None, name: STDIN.to_owned() }
    }

    fn input(input: impl Read + Send + 'static, name: String) -> Self {
        Self { target: "-".into(), input: Some(Box::new(input)), name }
    }

    /// Returns the name of a sitemap to show to users.
    pub(crate) fn rename(name: Option<&str>, sitemap: &str) -> String {
        match name {
            Some(name) if sitemap == STDIN => name.to_owned(),
            _ => sitemap.to_owned(),
        }
    }

    /// Returns the name that users see for bytes or a file object.
    pub(crate) fn input_name(&self) -> Option<String> {
        self.input.as_ref().map(|_| self.name.clone())
    }
}

/// A Python file object.
struct File(Py<PyAny>);

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),)).map_err(io::Error::other)?;
            let Ok(bytes) = read.cast::<PyBytes>() else {
                return Err(io::Error::other("the file object returns text; open it with the mode `rb`"));
            };
            let bytes = bytes.as_bytes();
            let Some(place) = buffer.get_mut(..bytes.len()) else {
                return Err(io::Error::other("the file object returns more bytes than it was asked for"));
            };
            place.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}
