//! A session, and a folder to publish to.

use std::collections::BTreeMap;
use std::fs;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::{Int64Type, UInt64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use tempfile::TempDir;

pub(crate) const OPTIONS: &str = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 1)";

pub(crate) struct Sandbox {
    pub(crate) session: SessionContext,
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new(partitions: usize) -> Self {
        Self::with_memory(partitions, 1024)
    }

    pub(crate) fn with_memory(partitions: usize, mib: usize) -> Self {
        let session = sitemap_datafusion::session(mib * 1024 * 1024, Some(partitions)).unwrap();
        Self { session, folder: tempfile::tempdir().unwrap() }
    }

    /// Creates a folder for another session.
    pub(crate) fn with_session(session: SessionContext) -> Self {
        Self { session, folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the folder that sets are published to.
    pub(crate) fn out(&self) -> String {
        format!("{}/", self.folder.path().display())
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> &Self {
        self.write_bytes(name, content.as_bytes())
    }

    pub(crate) fn write_bytes(&self, name: &str, content: &[u8]) -> &Self {
        fs::write(self.folder.path().join(name), content).unwrap();
        self
    }

    pub(crate) async fn try_run(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        self.session.sql(sql).await?.collect().await
    }

    pub(crate) async fn run(&self, sql: &str) -> Vec<RecordBatch> {
        self.try_run(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(crate) async fn error(&self, sql: &str) -> String {
        self.try_run(sql).await.unwrap_err().strip_backtrace()
    }

    pub(crate) async fn text(&self, sql: &str) -> String {
        pretty_format_batches(&self.run(sql).await).unwrap().to_string()
    }

    /// Runs a statement whose result is a single number, and returns that number.
    pub(crate) async fn number(&self, sql: &str) -> u64 {
        let batches = self.run(sql).await;
        let column = batches[0].column(0);
        let signed = || u64::try_from(column.as_primitive::<Int64Type>().value(0)).unwrap();
        column.as_primitive_opt::<UInt64Type>().map_or_else(signed, |column| column.value(0))
    }

    /// Returns the contents of all files in the folder by name, except for hidden files. Removes the dates from the
    /// index.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap());
        let files = files.filter(|entry| entry.path().is_file());
        let files = files.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
        files
            .filter(|(name, _)| !name.starts_with('.'))
            .map(|(name, path)| {
                let mut bytes = fs::read(path).unwrap();
                if name == "sitemap.xml" {
                    // The dates in the index are the times when the files were written, so they differ from run to run.
                    bytes = without_dates(&String::from_utf8(bytes).unwrap()).into_bytes();
                }
                (name, bytes)
            })
            .collect()
    }

    pub(crate) fn index(&self) -> String {
        fs::read_to_string(self.folder.path().join("sitemap.xml")).unwrap()
    }

    pub(crate) fn index_without_dates(&self) -> String {
        without_dates(&self.index())
    }
}

fn without_dates(xml: &str) -> String {
    xml.split("<lastmod>").map(|part| part.split("</lastmod>").last().unwrap()).collect()
}
