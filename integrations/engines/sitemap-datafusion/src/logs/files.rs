//! Finds and opens the files of a log.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use datafusion::common::{exec_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use sitemap_core::Storage as _;
use sitemap_logs::MaybeGzip;
use sitemap_object_store::ObjectStorage;

use crate::target::Target;

/// The folder of a log, and the names of its files in order.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) folder: Target,
    pub(super) names: Vec<String>,
}

impl Files {
    /// Finds the files at a location, which is a file or a folder. Hidden files do not count.
    pub(super) fn find(location: &str) -> Result<Self> {
        let (folder, file) = Target::new(location).split_file();
        let mut names = match (file, &folder) {
            (Some(file), _) => vec![file],
            // A site has a file, which cannot be opened.
            #[cfg(feature = "web")]
            (None, Target::Site { .. }) => Vec::new(),
            (None, Target::Folder(path)) => of_folder(path)?,
            (None, Target::Bucket(url)) => {
                let bucket = ObjectStorage::open(url).map_err(external)?;
                bucket.list().map_err(|error| exec_datafusion_err!("cannot list `{folder}`: {error}"))?
            }
        };
        names.retain(|name| !name.starts_with('.'));
        names.sort_unstable();
        if names.is_empty() {
            return plan_err!(
                "there is no file in `{folder}`; write the folder of the access logs, or one of its files"
            );
        }
        Ok(Self { folder, names })
    }
}

fn of_folder(path: &Path) -> Result<Vec<String>> {
    let failed = |error| exec_datafusion_err!("cannot list `{}`: {error}", path.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_file()
            && let Ok(name) = entry.file_name().into_string()
        {
            names.push(name);
        }
    }
    Ok(names)
}

/// Opens a file, which may be compressed.
pub(super) fn open(folder: &Target, name: &str) -> Result<MaybeGzip<Box<dyn BufRead + Send>>> {
    /// The size of the buffer of a file.
    const BUFFER: usize = 1 << 18;

    let failed = |error| exec_datafusion_err!("cannot read `{name}` in `{folder}`: {error}");
    let file: Box<dyn Read + Send> = match folder {
        Target::Folder(path) => Box::new(File::open(path.join(name)).map_err(failed)?),
        Target::Bucket(url) => ObjectStorage::open(url).map_err(external)?.open(name).map_err(failed)?,
        #[cfg(feature = "web")]
        Target::Site { url, .. } => {
            return plan_err!(
                "an access log cannot be read from `{url}`; download it, or write a path or a URL of a bucket"
            );
        }
    };
    MaybeGzip::new(Box::new(BufReader::with_capacity(BUFFER, file)) as _).map_err(failed)
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
