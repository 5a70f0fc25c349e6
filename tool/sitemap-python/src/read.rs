//! Reads entries, either as batches of columns or as rows.

use std::ffi::OsString;
use std::mem;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::{PyRecordBatchReader, PySchema};
use sitemap_cli::embed::{self, Failure, Run};
use sitemap_core::Entry;
use sitemap_read::Finding;

use crate::extensions;
use crate::options::words;
use crate::problem::Problem;
use crate::run::{Work, exception};
use crate::source::Source;
use crate::table::{BATCH, Columns, MAX_BYTES, PRECISIONS, SCHEMA, microseconds, precision};

/// The number of batches to read ahead.
const AHEAD: usize = 2;

/// The number of rows to pass to the interpreter at a time.
const ROWS: usize = 1_024;

/// The maximum number of problems to keep. Any further problems are only counted.
const MAX_PROBLEMS: usize = 10_000;

/// A message that a run sends.
enum Message<T> {
    Piece(T),
    Problem(Problem),
    /// The number of further problems, which are only counted.
    Omitted(u64),
    End {
        left_out: u64,
        notes: Vec<String>,
    },
    Failed(Failure, Vec<String>),
}

/// What is known about a run, apart from its entries.
#[derive(Default)]
struct State {
    problems: Vec<Problem>,
    /// The total number of problems, including those that aren't kept.
    count: u64,
    left_out: u64,
    notes: Vec<String>,
    is_ended: bool,
}

/// A piece of the result.
trait Piece: Sized + Send + 'static {
    /// The type that collects the entries of one sitemap.
    type Collect: Collect<Self>;

    /// Joins several pieces, which may come from different sitemaps.
    fn join(waiting: Vec<Self>) -> Result<Self, ArrowError>;

    /// Returns the number of rows and bytes.
    fn size(&self) -> (usize, usize);
}

/// Collects the entries of one sitemap into pieces.
trait Collect<P> {
    fn new(sitemap: &str) -> Self;

    /// Adds an entry. Returns `true` if there are enough entries for a piece.
    fn add(&mut self, entry: &Entry<'_>) -> bool;

    /// Returns everything that was added since the previous piece, if anything.
    fn finish(&mut self) -> Result<Option<P>, ArrowError>;
}

impl Piece for RecordBatch {
    type Collect = Columns;

    fn join(waiting: Vec<Self>) -> Result<Self, ArrowError> {
        match <[Self; 1]>::try_from(waiting) {
            Ok([batch]) => Ok(batch),
            Err(batches) => concat_batches(&SCHEMA, &batches),
        }
    }

    fn size(&self) -> (usize, usize) {
        (self.num_rows(), self.get_array_memory_size())
    }
}

impl Collect<RecordBatch> for Columns {
    fn new(sitemap: &str) -> Self {
        Self::new(sitemap)
    }

    fn add(&mut self, entry: &Entry<'_>) -> bool {
        self.add(entry);
        self.is_full()
    }

    fn finish(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        self.finish()
    }
}

/// The values of an entry, in the order in which Python receives them.
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

struct RowList {
    rows: Vec<Row>,
    bytes: usize,
    sitemap: Arc<str>,
}

/// Rows, with the total number of bytes in their strings.
struct RowPiece(Vec<Row>, usize);

impl Piece for RowPiece {
    type Collect = RowList;

    fn join(waiting: Vec<Self>) -> Result<Self, ArrowError> {
        let bytes = waiting.iter().map(|Self(_, bytes)| bytes).sum();
        Ok(Self(waiting.into_iter().flat_map(|Self(rows, _)| rows).collect(), bytes))
    }

    fn size(&self) -> (usize, usize) {
        (self.0.len(), self.1 + self.0.len() * size_of::<Row>())
    }
}

impl Collect<RowPiece> for RowList {
    fn new(sitemap: &str) -> Self {
        Self { rows: Vec::new(), bytes: 0, sitemap: sitemap.into() }
    }

    fn add(&mut self, entry: &Entry<'_>) -> bool {
        let lastmod = entry.lastmod();
        let precision_of = |date: sitemap_core::LastMod| {
            usize::try_from(precision(date.precision())).ok().and_then(|at| PRECISIONS.get(at)).copied()
        };
        let (json, elements) = (extensions::json(entry), extensions::elements(entry));
        let text_len = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.bytes += entry.loc().as_str().len() + text_len(&json) + text_len(&elements);
        self.rows.push((
            entry.loc().as_str().to_owned(),
            lastmod.map(microseconds),
            lastmod.and_then(precision_of),
            entry.changefreq().map(sitemap_core::ChangeFreq::as_str),
            entry.priority().map(sitemap_core::Priority::get),
            json,
            elements,
            Arc::clone(&self.sitemap),
        ));
        self.rows.len() >= ROWS
    }

    fn finish(&mut self) -> Result<Option<RowPiece>, ArrowError> {
        let bytes = mem::take(&mut self.bytes);
        Ok(Some(RowPiece(mem::take(&mut self.rows), bytes)).filter(|piece| !piece.0.is_empty()))
    }
}

/// The entries of one sitemap, collected by a thread.
struct OfSitemap<P: Piece> {
    collect: P::Collect,
    is_full: bool,
}

impl<P: Piece> embed::Collect for OfSitemap<P> {
    type Part = P;

    fn entry(&mut self, entry: &Entry<'_>) -> bool {
        self.is_full = self.collect.add(entry);
        true
    }

    fn part(&mut self) -> Result<Option<P>, String> {
        if mem::take(&mut self.is_full) { self.rest() } else { Ok(None) }
    }

    fn rest(&mut self) -> Result<Option<P>, String> {
        self.collect.finish().map_err(|error| error.to_string())
    }

    fn size(part: &P) -> usize {
        part.size().1
    }
}

/// Sends the results.
struct Sending<'s, P: Piece> {
    sender: &'s SyncSender<Message<P>>,
    name: Option<String>,
    /// Pieces of short sitemaps, which will be sent together.
    waiting: Vec<P>,
    rows: usize,
    bytes: usize,
    failure: Option<String>,
}

impl<P: Piece> Sending<'_, P> {
    /// Sends the waiting pieces.
    fn flush(&mut self) -> bool {
        (self.rows, self.bytes) = (0, 0);
        let waiting = mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return true;
        }
        match P::join(waiting) {
            Ok(piece) => self.sender.send(Message::Piece(piece)).is_ok(),
            Err(error) => {
                self.failure = Some(error.to_string());
                false
            }
        }
    }
}

impl<P: Piece> embed::Receiver<P> for Sending<'_, P> {
    fn part(&mut self, part: P) -> bool {
        let (rows, bytes) = part.size();
        // The waiting pieces are sent first, so that a large piece doesn't have to be copied.
        let is_too_much = self.rows + rows > BATCH || self.bytes + bytes > MAX_BYTES;
        if is_too_much && !self.flush() {
            return false;
        }
        self.waiting.push(part);
        self.rows += rows;
        self.bytes += bytes;
        self.rows < BATCH / 2 && self.bytes < MAX_BYTES / 2 || self.flush()
    }

    fn finding(&mut self, sitemap: &str, finding: &Finding) {
        let problem = Problem::finding(Source::rename(self.name.as_deref(), sitemap), finding);
        // An interrupted interpreter no longer receives messages.
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

/// A run, with the known facts about it.
struct Reading<T: Send + 'static> {
    work: Option<Work<Message<T>>>,
    state: Arc<Mutex<State>>,
}

impl<T: Piece> Reading<T> {
    fn start(source: Source, options: Vec<OsString>) -> PyResult<Self> {
        let work = Work::start(AHEAD, move |stop, sender| {
            let name = source.input_name();
            let Source { target, input, .. } = source;
            let run = Run { stop, input };
            let start = |sitemap: &str| OfSitemap::<T> {
                collect: T::Collect::new(&Source::rename(name.as_deref(), sitemap)),
                is_full: false,
            };
            let mut receiver =
                Sending { sender, name: name.clone(), waiting: Vec::new(), rows: 0, bytes: 0, failure: None };
            let ran = embed::list(run, &options, &target, &start, &mut receiver);
            receiver.flush();
            let message = match (ran.result, receiver.failure.take()) {
                (_, Some(failure)) => Message::Failed(Failure::Error(failure), ran.notes),
                (Ok(left_out), None) => Message::End { left_out, notes: ran.notes },
                (Err(failure), None) => Message::Failed(failure, ran.notes),
            };
            let _ = sender.send(message);
        })?;
        Ok(Self { work: Some(work), state: Arc::default() })
    }
}

impl<T: Send + 'static> Reading<T> {
    /// Waits for the next piece. Call this on a thread that doesn't hold the interpreter's lock.
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
        // A library may request the next batch while it holds the interpreter's lock, but a Python file object needs
        // that lock.
        let next = Python::attach(|py| py.detach(|| Reading::next(self)));
        next.map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
}

impl RecordBatchReader for Reading<RecordBatch> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&SCHEMA)
    }
}

/// The state that both kinds of readers share.
struct Shared<T: Send + 'static> {
    reading: Mutex<Option<Reading<T>>>,
    state: Arc<Mutex<State>>,
}

impl<T: Piece> Shared<T> {
    fn start(source: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let reading = Reading::start(Source::new(source)?, words(options)?)?;
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

    /// Returns the number of problems, the number of skipped entries, the messages, and whether everything was read.
    fn summary(&self, py: Python<'_>) -> (u64, u64, Vec<String>, bool) {
        self.state(py, |state| (state.count, state.left_out, state.notes.clone(), state.is_ended))
    }
}

/// A source's entries, as batches of columns.
#[pyclass(frozen, module = "sitemap._sitemap")]
pub(crate) struct Batches(Shared<RecordBatch>);

#[pymethods]
impl Batches {
    #[new]
    fn new(source: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        Shared::start(source, options).map(Self)
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
        // A thread that waits for the next batch holds the mutex, and may need the interpreter's lock.
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

/// A source's entries, as lists of rows.
#[pyclass(frozen, module = "sitemap._sitemap")]
pub(crate) struct Rows(Shared<RowPiece>);

#[pymethods]
impl Rows {
    #[new]
    fn new(source: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        Shared::start(source, options).map(Self)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let Some(RowPiece(rows, _)) = self.0.next(py)? else { return Ok(None) };
        let mut last: Option<(Arc<str>, Bound<'py, PyAny>)> = None;
        let rows_of_python = PyList::empty(py);
        for (loc, lastmod, precision, changefreq, priority, json, elements, sitemap) in rows {
            // Entries of the same sitemap share its name, so the string is created only once.
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
