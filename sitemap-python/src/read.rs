//! Reading entries, as batches of columns or as rows.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::{PyRecordBatchReader, PySchema};
use sitemap_cli::embed::{self, Failure, Receiver, Run};
use sitemap_core::Entry;
use sitemap_read::Finding;

use crate::extensions;
use crate::options::words;
use crate::problem::Problem;
use crate::run::{Work, exception};
use crate::source::Source;
use crate::table::{Columns, PRECISIONS, SCHEMA, microseconds, precision};

/// The number of batches that are read ahead.
const AHEAD: usize = 2;

/// The number of rows that are handed to the interpreter at once.
const ROWS: usize = 1_024;

/// The maximum number of problems that are kept. The others are counted.
const MAX_PROBLEMS: usize = 10_000;

/// What a run sends.
enum Message<T> {
    Piece(T),
    Problem(Problem),
    /// The number of further problems, which are not kept.
    Omitted(u64),
    End {
        left_out: u64,
        notes: Vec<String>,
    },
    Failed(Failure, Vec<String>),
}

/// What is known of a run besides its entries.
#[derive(Default)]
struct State {
    problems: Vec<Problem>,
    /// The number of problems, also of those that are not kept.
    count: u64,
    left_out: u64,
    notes: Vec<String>,
    is_ended: bool,
}

/// Collects entries to pieces.
trait Collect: Send + 'static {
    type Piece: Send + 'static;

    fn add(&mut self, sitemap: &str, entry: &Entry<'_>) -> Result<Option<Self::Piece>, ArrowError>;

    /// Returns the rest, if there is one.
    fn finish(&mut self) -> Result<Option<Self::Piece>, ArrowError>;
}

impl Collect for Columns {
    type Piece = RecordBatch;

    fn add(&mut self, sitemap: &str, entry: &Entry<'_>) -> Result<Option<RecordBatch>, ArrowError> {
        self.add(sitemap, entry);
        if self.is_full() { self.finish() } else { Ok(None) }
    }

    fn finish(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        self.finish()
    }
}

/// The values of an entry, in the order in which Python gets them.
type Row = (
    String,
    Option<i64>,
    Option<&'static str>,
    Option<&'static str>,
    Option<f64>,
    Option<String>,
    Option<String>,
    Arc<str>,
);

#[derive(Default)]
struct RowList {
    rows: Vec<Row>,
    sitemap: Option<Arc<str>>,
}

impl Collect for RowList {
    type Piece = Vec<Row>;

    fn add(&mut self, sitemap: &str, entry: &Entry<'_>) -> Result<Option<Vec<Row>>, ArrowError> {
        let sitemap = match &self.sitemap {
            Some(last) if **last == *sitemap => Arc::clone(last),
            _ => Arc::clone(self.sitemap.insert(sitemap.into())),
        };
        let lastmod = entry.lastmod();
        let precision_of = |date: sitemap_core::LastMod| {
            usize::try_from(precision(date.precision())).ok().and_then(|at| PRECISIONS.get(at)).copied()
        };
        self.rows.push((
            entry.loc().as_str().to_owned(),
            lastmod.map(microseconds),
            lastmod.and_then(precision_of),
            entry.changefreq().map(sitemap_core::ChangeFreq::as_str),
            entry.priority().map(sitemap_core::Priority::get),
            extensions::json(entry),
            extensions::elements(entry),
            sitemap,
        ));
        Ok((self.rows.len() >= ROWS).then(|| std::mem::take(&mut self.rows)))
    }

    fn finish(&mut self) -> Result<Option<Vec<Row>>, ArrowError> {
        Ok(Some(std::mem::take(&mut self.rows)).filter(|rows| !rows.is_empty()))
    }
}

/// Sends what is read.
struct Sending<'s, C: Collect> {
    collect: C,
    sender: &'s SyncSender<Message<C::Piece>>,
    name: Option<String>,
    /// The name of the sitemap that is read. It is renamed once.
    renamed: (String, String),
    failure: Option<String>,
    stop: Arc<AtomicBool>,
}

impl<C: Collect> Sending<'_, C> {
    fn send(&mut self, piece: Result<Option<C::Piece>, ArrowError>) -> bool {
        match piece {
            Ok(None) => true,
            Ok(Some(piece)) => self.sender.send(Message::Piece(piece)).is_ok(),
            Err(error) => {
                self.failure = Some(error.to_string());
                false
            }
        }
    }
}

impl<C: Collect> Receiver for Sending<'_, C> {
    fn entry(&mut self, sitemap: &str, entry: &Entry<'_>) -> bool {
        if self.renamed.0 != sitemap {
            self.renamed = (sitemap.to_owned(), Source::rename(self.name.as_deref(), sitemap));
        }
        let piece = self.collect.add(&self.renamed.1, entry);
        self.send(piece) && !self.stop.load(Ordering::Relaxed)
    }

    fn finding(&mut self, sitemap: &str, finding: &Finding) {
        let problem = Problem::finding(Source::rename(self.name.as_deref(), sitemap), finding);
        // The interpreter no longer waits if it was interrupted.
        let _ = self.sender.send(Message::Problem(problem));
    }

    fn omitted(&mut self, findings: u64) {
        let _ = self.sender.send(Message::Omitted(findings));
    }

    fn failed(&mut self, sitemap: &str, why: &str) {
        let problem = Problem::unreadable(Source::rename(self.name.as_deref(), sitemap), why);
        let _ = self.sender.send(Message::Problem(problem));
    }
}

/// A run, and what is known of it.
struct Reading<T: Send + 'static> {
    work: Option<Work<Message<T>>>,
    state: Arc<Mutex<State>>,
}

impl<T: Send + 'static> Reading<T> {
    fn start<C: Collect<Piece = T>>(source: Source, options: Vec<OsString>, collect: C) -> PyResult<Self> {
        let work = Work::start(AHEAD, move |stop, sender| {
            let name = source.input_name();
            let Source { target, input, .. } = source;
            let run = Run { stop: Arc::clone(&stop), input };
            let mut receiver =
                Sending { collect, sender, name, renamed: Default::default(), failure: None, stop };
            let ran = embed::list(run, &options, &target, &mut receiver);
            let rest = receiver.collect.finish();
            receiver.send(rest);
            let message = match (ran.result, receiver.failure.take()) {
                (_, Some(failure)) => Message::Failed(Failure::Error(failure), ran.notes),
                (Ok(left_out), None) => Message::End { left_out, notes: ran.notes },
                (Err(failure), None) => Message::Failed(failure, ran.notes),
            };
            let _ = sender.send(message);
        })?;
        Ok(Self { work: Some(work), state: Arc::default() })
    }

    /// Waits for the next piece, on a thread without the interpreter's lock.
    fn next(&mut self) -> PyResult<Option<T>> {
        loop {
            let Some(work) = &self.work else { return Ok(None) };
            let message = work.next();
            if message.is_err() {
                self.work = None;
            }
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            match message? {
                Some(Message::Piece(piece)) => return Ok(Some(piece)),
                Some(Message::Problem(problem)) => {
                    state.count += 1;
                    if state.problems.len() < MAX_PROBLEMS {
                        state.problems.push(problem);
                    }
                }
                Some(Message::Omitted(count)) => state.count += count,
                Some(Message::End { left_out, notes }) => {
                    (state.left_out, state.notes, state.is_ended) = (left_out, notes, true);
                    self.work = None;
                }
                Some(Message::Failed(failure, notes)) => {
                    state.notes = notes;
                    self.work = None;
                    return Err(exception(failure));
                }
                None => {
                    self.work = None;
                    return Err(PyRuntimeError::new_err("the reader ended early; please report this"));
                }
            }
        }
    }
}

impl Iterator for Reading<RecordBatch> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A library may ask for the next batch with the interpreter's lock, for which a file object of Python waits.
        let next = Python::attach(|py| py.detach(|| Reading::next(self)));
        next.map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
}

impl RecordBatchReader for Reading<RecordBatch> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&SCHEMA)
    }
}

/// What Python asks of both kinds of reading.
struct Shared<T: Send + 'static> {
    reading: Mutex<Option<Reading<T>>>,
    state: Arc<Mutex<State>>,
}

impl<T: Send + 'static> Shared<T> {
    fn start<C: Collect<Piece = T>>(
        source: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        collect: C,
    ) -> PyResult<Self> {
        let reading = Reading::start(Source::new(source)?, words(options)?, collect)?;
        let state = Arc::clone(&reading.state);
        Ok(Self { reading: Mutex::new(Some(reading)), state })
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        py.detach(|| {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            reading.as_mut().map_or(Ok(None), Reading::next)
        })
    }

    fn state<R>(&self, py: Python<'_>, read: impl Fn(&State) -> R + Sync) -> R
    where
        R: Send,
    {
        py.detach(|| read(&self.state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let problems = self.state(py, |state| state.problems.clone());
        let tuples = problems.iter().map(|problem| problem.to_tuple(py)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, tuples)
    }

    /// Returns the number of problems, of entries that were left out, the notes, and whether everything is read.
    fn summary(&self, py: Python<'_>) -> (u64, u64, Vec<String>, bool) {
        self.state(py, |state| (state.count, state.left_out, state.notes.clone(), state.is_ended))
    }
}

/// The entries of a source as batches of columns.
#[pyclass(frozen, module = "sitemap._sitemap")]
pub(crate) struct Batches(Shared<RecordBatch>);

#[pymethods]
impl Batches {
    #[new]
    fn new(source: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        Shared::start(source, options, Columns::new()).map(Self)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        Ok(self.0.next(py)?.map(Batch))
    }

    #[allow(clippy::unused_self)] // Python calls it as a method
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyAny>> {
        Ok(PySchema::new(Arc::clone(&SCHEMA)).into_pyobject(py)?.call_method0("__arrow_c_schema__")?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // A thread that waits for the next batch has the mutex, and may ask for the interpreter.
        let take = || self.0.reading.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reading = py.detach(take);
        let reading = reading.ok_or_else(|| {
            PyRuntimeError::new_err("the entries have been read; call `scan` again to read them once more")
        })?;
        let reader = PyRecordBatchReader::new(Box::new(reading)).into_pyobject(py)?;
        reader.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.problems(py)
    }

    fn summary(&self, py: Python<'_>) -> (u64, u64, Vec<String>, bool) {
        self.0.summary(py)
    }
}

/// A batch of columns.
#[pyclass(frozen, module = "sitemap._sitemap")]
pub(crate) struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let batch = pyo3_arrow::PyRecordBatch::new(self.0.clone()).into_pyobject(py)?;
        batch.call_method1("__arrow_c_array__", (requested_schema,))
    }
}

/// The entries of a source as lists of rows.
#[pyclass(frozen, module = "sitemap._sitemap")]
pub(crate) struct Rows(Shared<Vec<Row>>);

#[pymethods]
impl Rows {
    #[new]
    fn new(source: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        Shared::start(source, options, RowList::default()).map(Self)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let Some(rows) = self.0.next(py)? else { return Ok(None) };
        let mut last: Option<(Arc<str>, Bound<'py, PyAny>)> = None;
        let rows_of_python = PyList::empty(py);
        for (loc, lastmod, precision, changefreq, priority, json, elements, sitemap) in rows {
            // Entries of the same sitemap share its name.
            let name = match &last {
                Some((known, name)) if Arc::ptr_eq(known, &sitemap) => name.clone(),
                _ => {
                    let name = sitemap.as_ref().into_pyobject(py)?.into_any();
                    last = Some((sitemap, name.clone()));
                    name
                }
            };
            rows_of_python.append((loc, lastmod, precision, changefreq, priority, json, elements, name))?;
        }
        Ok(Some(rows_of_python))
    }

    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.problems(py)
    }

    fn summary(&self, py: Python<'_>) -> (u64, u64, Vec<String>, bool) {
        self.0.summary(py)
    }
}
