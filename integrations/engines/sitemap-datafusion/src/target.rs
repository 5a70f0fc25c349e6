//! Where a set is: in a folder, or in a folder of a bucket.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};
use sitemap_core::{Directory, PublishError, Storage};
use sitemap_object_store::ObjectStorage;

/// The location of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Folder(PathBuf),
    /// The URL of a folder in a bucket. Settings and credentials come from the environment.
    Bucket(String),
    /// The URL of a sitemap or robots.txt on a site. Such a set is read-only, and its file names are whole URLs.
    Site {
        url: String,
        /// True if the sitemap may list files on this machine and in private networks.
        allow_private: bool,
    },
}

impl Target {
    pub(crate) fn new(location: &str) -> Self {
        match location.split_once("://") {
            None => Self::Folder(location.into()),
            Some(("file", path)) => Self::Folder(path.into()),
            Some(("http" | "https", _)) => Self::Site { url: location.to_owned(), allow_private: false },
            Some(_) => Self::Bucket(location.to_owned()),
        }
    }

    /// Rejects a site URL with a password, because plans and errors would show it.
    pub(crate) fn check(&self) -> Result<()> {
        if let Self::Site { url, .. } = self
            && url.split('/').nth(2).is_some_and(|authority| authority.contains('@'))
        {
            return plan_err!(
                "the URL of the site has a user name or password, which plans and errors would show; leave both \
                 out"
            );
        }
        Ok(())
    }

    /// Opens the location for writing.
    pub(crate) fn storage(&self) -> Result<Arc<dyn Storage>, PublishError> {
        Ok(match self {
            Self::Folder(folder) => Arc::new(Directory::open(folder)?),
            Self::Bucket(url) | Self::Site { url, .. } => Arc::new(ObjectStorage::open(url)?),
        })
    }

    /// Splits a file's location into its folder and name. If the location is a folder, the name is `None`.
    pub(crate) fn split_file(self) -> (Self, Option<String>) {
        match self {
            Self::Folder(path) if path.is_dir() => (Self::Folder(path), None),
            Self::Folder(path) => {
                let name = path.file_name().and_then(|name| name.to_str()).map(ToOwned::to_owned);
                (Self::Folder(path.parent().unwrap_or(Path::new("")).to_path_buf()), name)
            }
            Self::Bucket(url) => match url.rsplit_once('/') {
                // A bucket has no real folders, so we look at the last part of the URL: if it contains a dot, it is a
                // file name.
                Some((folder, name)) if name.contains('.') && !folder.ends_with('/') => {
                    (Self::Bucket(folder.to_owned()), Some(name.to_owned()))
                }
                _ => (Self::Bucket(url), None),
            },
            Self::Site { ref url, .. } => {
                let file = url.clone();
                (self, Some(file))
            }
        }
    }

    /// Opens the location for reading.
    pub(crate) fn reader(&self) -> Result<Reader> {
        match self {
            Self::Folder(folder) => Ok(Reader::Folder(folder.clone())),
            Self::Bucket(url) => {
                let bucket =
                    ObjectStorage::open(url).map_err(|error| DataFusionError::External(Box::new(error)))?;
                Ok(Reader::Bucket(bucket, url.clone()))
            }
            Self::Site { allow_private, .. } => Ok(Reader::Site(crate::web::Web::start(*allow_private)?)),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(url) | Self::Site { url, .. } => f.write_str(url),
        }
    }
}

/// An open location.
#[derive(Debug)]
pub(crate) enum Reader {
    Folder(PathBuf),
    /// A folder in a bucket, with its URL.
    Bucket(ObjectStorage, String),
    Site(crate::web::Web),
}

impl Reader {
    /// Opens a file by its path relative to the location.
    pub(crate) fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Self::Folder(folder) => Ok(Box::new(File::open(folder.join(name))?)),
            Self::Bucket(bucket, url) => match name.rsplit_once('/') {
                Some((folder, name)) => below(url, folder)?.open(name),
                None => bucket.open(name),
            },
            Self::Site(web) => web.open(name),
        }
    }

    /// Returns true if the file exists.
    pub(crate) fn exists(&self, name: &str) -> io::Result<bool> {
        match self {
            Self::Folder(folder) => folder.join(name).try_exists(),
            Self::Bucket(bucket, url) => Ok(match name.rsplit_once('/') {
                Some((folder, name)) => below(url, folder)?.metadata(name)?,
                None => bucket.metadata(name)?,
            }
            .is_some()),
            // We cannot list a site's files, so only those in the index exist.
            Self::Site(_) => Ok(false),
        }
    }
}

/// Opens a subfolder of a folder in a bucket.
fn below(url: &str, folder: &str) -> io::Result<ObjectStorage> {
    ObjectStorage::open(&format!("{}/{folder}", url.trim_end_matches('/'))).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_split_into_folder_and_file() {
        let split = |location: &str| {
            let (folder, file) = Target::new(location).split_file();
            (folder.to_string(), file)
        };
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(split("s3://bucket/a/sitemap.xml"), ("s3://bucket/a".into(), named("sitemap.xml")));
        assert_eq!(split("s3://bucket/a/"), ("s3://bucket/a/".into(), None));
        assert_eq!(split("s3://bucket/a"), ("s3://bucket/a".into(), None));
        assert_eq!(split("s3://www.example.com"), ("s3://www.example.com".into(), None));
        assert_eq!(split("/no/such/sitemap.xml"), ("/no/such".into(), named("sitemap.xml")));
        assert_eq!(split("file:///no/such/a.xml"), ("/no/such".into(), named("a.xml")));
        let folder = std::env::temp_dir().display().to_string();
        assert_eq!(split(&folder), (folder, None));
    }
}
