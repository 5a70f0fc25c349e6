//! The rows of a hash bucket that do not fit into memory: sorted runs of them on disk.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::str::FromStr;
use std::sync::Arc;

use datafusion::common::internal_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SpillFile;
use datafusion::execution::disk_manager::DiskManager;
use sitemap_core::{ChangeFreq, Error, LastMod, Priority};

use super::page::{Page, Values};

/// The largest number of runs. More of them are merged to one, so that a bucket of any size needs few open files.
const MOST_RUNS: usize = 64;

/// The length that stands for a text that the row does not have.
const ABSENT: u32 = u32::MAX;

/// The values of a row, or why it is invalid.
pub(super) type RowValues = Result<Values, Box<Error>>;

/// The sorted runs of a hash bucket.
pub(super) struct Runs {
    disk: Arc<DiskManager>,
    files: Vec<Arc<dyn SpillFile>>,
    /// The errors of invalid rows stay in memory.
    errors: Vec<Error>,
}

/// A row of a run.
struct Row {
    loc: Option<String>,
    values: Stored,
    extras: Option<String>,
}

/// The values of a row, or the position of its error.
#[derive(Clone, Copy)]
enum Stored {
    Values(Values),
    Error(u32),
}

impl Runs {
    pub(super) fn new(disk: Arc<DiskManager>) -> Self {
        Self { disk, files: Vec::new(), errors: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes rows in order as a run.
    pub(super) fn push<'r>(
        &mut self,
        rows: impl Iterator<Item = (Option<&'r str>, RowValues, Option<&'r str>)>,
    ) -> Result<()> {
        if self.files.len() == MOST_RUNS {
            self.merge_all()?;
        }
        let mut run = Writer::create(&self.disk)?;
        for (loc, values, extras) in rows {
            let values = match values {
                Ok(values) => Stored::Values(values),
                Err(error) => {
                    self.errors.push(*error);
                    Stored::Error(u32::try_from(self.errors.len() - 1).map_err(|_| {
                        internal_datafusion_err!("a bucket has more than {} invalid rows", u32::MAX)
                    })?)
                }
            };
            run.push(loc, values, extras)?;
        }
        self.files.push(run.finish()?);
        Ok(())
    }

    /// Passes all rows in order, and removes the runs.
    pub(super) fn merge(&mut self, mut each: impl FnMut(&Page<'_>) -> Result<()>) -> Result<()> {
        let errors = std::mem::take(&mut self.errors);
        merge(&std::mem::take(&mut self.files), &errors, |row| each(&row.page(&errors)))
    }

    /// Merges all runs to one.
    fn merge_all(&mut self) -> Result<()> {
        let mut all = Writer::create(&self.disk)?;
        merge(&std::mem::take(&mut self.files), &self.errors, |row| {
            all.push(row.loc.as_deref(), row.values, row.extras.as_deref())
        })?;
        self.files.push(all.finish()?);
        Ok(())
    }
}

fn merge(
    runs: &[Arc<dyn SpillFile>],
    errors: &[Error],
    mut each: impl FnMut(&Row) -> Result<()>,
) -> Result<()> {
    let mut readers = runs.iter().map(|run| Reader::open(&**run)).collect::<Result<Vec<_>>>()?;
    let mut heads = BinaryHeap::with_capacity(readers.len());
    for (run, reader) in readers.iter_mut().enumerate() {
        heads.extend(reader.next()?.map(|row| Reverse(Head { row, run, errors })));
    }
    while let Some(Reverse(head)) = heads.pop() {
        each(&head.row)?;
        heads.extend(readers[head.run].next()?.map(|row| Reverse(Head { row, run: head.run, errors })));
    }
    Ok(())
}

impl Row {
    fn page<'r>(&'r self, errors: &'r [Error]) -> Page<'r> {
        let values = match self.values {
            Stored::Values(values) => Ok(values),
            Stored::Error(at) => Err(&errors[at as usize]),
        };
        Page { loc: self.loc.as_deref(), values, extras: self.extras.as_deref() }
    }
}

/// The next row of a run, in the order of rows.
struct Head<'e> {
    row: Row,
    run: usize,
    errors: &'e [Error],
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.row.page(self.errors).order(&other.row.page(other.errors))
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head<'_> {}

/// Writes a run: for each row, the length of its URL, the URL, those of its values of extensions, a byte with the length of the
/// text of its other values, and this text. A row with an error has the position of the error instead, after a length that
/// no text has.
struct Writer {
    file: Arc<dyn SpillFile>,
    to: BufWriter<Box<dyn datafusion::execution::SpillWriter>>,
    text: String,
}

/// The length that stands for an error.
const ERROR: u8 = u8::MAX;

impl Writer {
    fn create(disk: &Arc<DiskManager>) -> Result<Self> {
        let file = disk.create_tmp_file("sorting a hash bucket of a sitemap")?;
        let to = BufWriter::new(file.open_writer()?);
        Ok(Self { file, to, text: String::new() })
    }

    fn push(&mut self, loc: Option<&str>, values: Stored, extras: Option<&str>) -> Result<()> {
        self.text(loc)?;
        self.text(extras)?;
        match values {
            Stored::Error(at) => {
                self.to.write_all(&[ERROR])?;
                self.to.write_all(&at.to_le_bytes())?;
            }
            Stored::Values(values) => {
                use std::fmt::Write as _;

                let Self { text, to, .. } = self;
                text.clear();
                let Values { lastmod, changefreq, priority } = values;
                let written =
                    [lastmod.map(|value| value.to_string()), changefreq.map(|value| value.to_string())];
                for value in written {
                    write!(text, "{}\t", value.unwrap_or_default()).map_err(io::Error::other)?;
                }
                if let Some(priority) = priority {
                    write!(text, "{priority}").map_err(io::Error::other)?;
                }
                let len = u8::try_from(text.len()).ok().filter(|len| *len != ERROR);
                to.write_all(&[
                    len.ok_or_else(|| internal_datafusion_err!("the values {text:?} are too long"))?
                ])?;
                to.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }

    fn text(&mut self, text: Option<&str>) -> Result<()> {
        let len = match text {
            Some(text) => u32::try_from(text.len()).ok().filter(|len| *len != ABSENT),
            None => Some(ABSENT),
        };
        let len = len.ok_or_else(|| internal_datafusion_err!("a text of a row is longer than 4 GB"))?;
        self.to.write_all(&len.to_le_bytes())?;
        self.to.write_all(text.unwrap_or_default().as_bytes())?;
        Ok(())
    }

    fn finish(self) -> Result<Arc<dyn SpillFile>> {
        let mut to = self.to.into_inner().map_err(io::IntoInnerError::into_error)?;
        to.flush()?;
        to.finish()?;
        Ok(self.file)
    }
}

/// Reads a run.
struct Reader {
    from: BufReader<File>,
}

impl Reader {
    fn open(run: &dyn SpillFile) -> Result<Self> {
        let path = run.path().ok_or_else(|| internal_datafusion_err!("the rows on disk have no path"))?;
        Ok(Self { from: BufReader::new(File::open(path)?) })
    }

    /// Returns the next row, or `None` at the end of the run.
    fn next(&mut self) -> Result<Option<Row>> {
        let mut len = [0; 4];
        match self.from.read_exact(&mut len) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let loc = self.optional(len)?;
        self.from.read_exact(&mut len)?;
        let extras = self.optional(len)?;
        let mut len = [0];
        self.from.read_exact(&mut len)?;
        let values = if len[0] == ERROR {
            let mut at = [0; 4];
            self.from.read_exact(&mut at)?;
            Stored::Error(u32::from_le_bytes(at))
        } else {
            Stored::Values(values(&self.text(len[0].into())?)?)
        };
        Ok(Some(Row { loc, values, extras }))
    }

    /// Returns the text of this length, if the row has it.
    fn optional(&mut self, len: [u8; 4]) -> Result<Option<String>> {
        match u32::from_le_bytes(len) {
            ABSENT => Ok(None),
            len => self.text(len as usize).map(Some),
        }
    }

    fn text(&mut self, len: usize) -> Result<String> {
        let mut text = vec![0; len];
        self.from.read_exact(&mut text)?;
        String::from_utf8(text).map_err(|error| DataFusionError::External(Box::new(error)))
    }
}

fn values(text: &str) -> Result<Values> {
    let mut values = text.split('\t');
    let mut next = || values.next().unwrap_or_default();
    Ok(Values {
        lastmod: value::<LastMod>(next())?,
        changefreq: value::<ChangeFreq>(next())?,
        priority: value::<Priority>(next())?,
    })
}

fn value<T: FromStr>(text: &str) -> Result<Option<T>> {
    let parsed = (!text.is_empty()).then(|| text.parse()).transpose();
    parsed.map_err(|_| internal_datafusion_err!("the value {text:?} on disk cannot be read"))
}

#[cfg(test)]
mod tests {
    use datafusion::execution::runtime_env::RuntimeEnv;

    use super::*;

    #[test]
    fn any_number_of_runs_is_merged_in_order() {
        let mut runs = Runs::new(Arc::clone(&RuntimeEnv::default().disk_manager));
        let mut expected = Vec::new();
        // More runs than are merged at once, each of which has every kind of row.
        for run in 0..2 * MOST_RUNS + 3 {
            let lastmod: LastMod = "2026-01-31T10:00:00.25+01:00".parse().unwrap();
            let (changefreq, priority) = (Some(ChangeFreq::Daily), Some(Priority::new(0.25).unwrap()));
            let all = Values { lastmod: Some(lastmod), changefreq, priority };
            let rows: [(Option<String>, RowValues); 4] = [
                (None, Ok(Values::default())),
                (Some("/a".to_owned()), Ok(all)),
                (Some("/a".to_owned()), Err(Box::new(Error::other(format!("error {run}"))))),
                (Some(format!("/ü/{run:03}\\n\\t")), Ok(Values { priority: None, ..all })),
            ];
            expected.extend(rows.iter().map(|(loc, values)| {
                let extras = loc.as_deref().filter(|loc| loc.starts_with("/ü"));
                format!("{loc:?} {values:?} {extras:?}")
            }));
            runs.push(rows.iter().map(|(loc, values)| {
                let values =
                    values.as_ref().copied().map_err(|error| Box::new(Error::other(error.to_string())));
                (loc.as_deref(), values, loc.as_deref().filter(|loc| loc.starts_with("/ü")))
            }))
            .unwrap();
        }
        assert!(!runs.is_empty() && runs.files.len() <= MOST_RUNS);
        expected.sort();
        let mut found = Vec::new();
        runs.merge(|page| {
            found.push(format!("{:?} {:?} {:?}", page.loc, page.values, page.extras));
            Ok(())
        })
        .unwrap();
        assert!(runs.is_empty());
        assert!(found.is_sorted_by_key(|line| line.split(' ').next().map(ToOwned::to_owned)));
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_disk_that_is_full_is_an_error() {
        let runtime = datafusion::execution::runtime_env::RuntimeEnvBuilder::new()
            .with_max_temp_directory_size(100)
            .build()
            .unwrap();
        let mut runs = Runs::new(Arc::clone(&runtime.disk_manager));
        let loc = "/".repeat(100_000);
        let error = runs.push([(Some(&*loc), Ok(Values::default()), None)].into_iter()).unwrap_err();
        assert!(error.to_string().contains("disk space"), "{error}");
    }
}
