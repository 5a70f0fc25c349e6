//! The documents to read: from files, folders, standard input and the network.

mod crawl;
mod fetch;
mod identity;
mod local;
mod place;
mod robots;
mod target;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sitemap_core::Loc;
use sitemap_read::{ReadLimits, ReadOptions};
use tempfile::TempPath;
use url::Url;

pub(crate) use self::crawl::{Crawled, Visitor, crawl};
pub(crate) use self::fetch::Fetcher;
pub(crate) use self::identity::Identity;
pub(crate) use self::place::Place;
use crate::args::ReadArgs;
use crate::error::{Outcome, Stop, system_message};

/// A document whose bytes are in a file, so that it can be read more than once.
#[derive(Debug)]
pub(crate) struct Document {
    /// The path or URL, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) place: Place,
    /// The URL of a download after all redirects. `None` for other documents.
    pub(crate) served_at: Option<Loc<'static>>,
    pub(crate) file: PathBuf,
    /// The temporary file of a download or of standard input, removed when the document is dropped.
    _spool: Option<TempPath>,
}

impl Document {
    pub(crate) fn open(&self) -> Outcome<File> {
        File::open(&self.file).map_err(|error| Stop::io("read", Path::new(&self.name), &error))
    }

    /// Returns the last segment of the document's path or URL.
    pub(crate) fn file_name(&self) -> &str {
        let path = self.name.split(['?', '#']).next().unwrap_or(&self.name);
        let slashes: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
        path.rsplit(slashes).next().filter(|name| !name.is_empty()).unwrap_or(&self.name)
    }
}

/// Documents by their names in a report.
pub(crate) type Documents = HashMap<String, Document>;

/// Finds and opens documents, within the limits that the options set.
#[derive(Debug)]
pub(crate) struct Source {
    fetcher: Fetcher,
    max_bytes: u64,
    max_files: usize,
}

impl Source {
    pub(crate) fn new(args: &ReadArgs) -> Self {
        Self::with_identity(args, Identity::default())
    }

    /// Returns a source whose requests send what the identity has.
    pub(crate) fn with_identity(args: &ReadArgs, identity: Identity) -> Self {
        let fetcher = Fetcher::with_identity(args, identity);
        Self { fetcher, max_bytes: args.max_bytes, max_files: args.max_files }
    }

    /// Returns the URL that a target on the command line stands for, or `None` for a file or folder.
    #[cfg(feature = "pages")]
    pub(crate) fn url_of(target: &str) -> Option<Url> {
        target::url_of(target)
    }

    pub(crate) const fn max_files(&self) -> usize {
        self.max_files
    }

    /// Returns the options for reading a document and its entries.
    pub(crate) fn read_options(&self) -> ReadOptions {
        let mut limits = ReadLimits::default();
        limits.bytes = self.max_bytes;
        limits.compressed_bytes = self.max_bytes;
        ReadOptions::new().limits(limits).keep_elements(true)
    }

    /// Returns the places of the documents that a target on the command line names.
    pub(crate) fn roots(&self, target: &str) -> Outcome<Vec<Place>> {
        target::roots(target, &self.fetcher, self.read_options())
    }

    /// Counts the sitemaps of a folder that were not read, because the folder's `sitemap.xml` does not list them.
    pub(crate) fn unlisted(&self, target: &str, read: &HashSet<Place>) -> usize {
        target::unlisted(target, self.read_options(), read)
    }

    /// Opens a document. The error gives the reason only; the caller adds the name of the document.
    pub(crate) fn open(&self, place: &Place) -> Result<Document, String> {
        let name = place.to_string();
        match place {
            Place::File(path) => {
                let metadata = std::fs::metadata(path).map_err(|error| system_message(&error))?;
                if metadata.is_dir() {
                    return Err("it is a folder".to_owned());
                }
                Ok(Document { name, place: place.clone(), served_at: None, file: path.clone(), _spool: None })
            }
            Place::Url(url) => {
                let fetched = self.fetcher.fetch(url)?;
                Ok(Document {
                    name,
                    place: Place::Url(fetched.url.clone()),
                    served_at: Loc::parse(fetched.url.as_str()).ok().map(Loc::into_owned),
                    file: fetched.spool.to_path_buf(),
                    _spool: Some(fetched.spool),
                })
            }
            Place::Stdin => {
                let spool = fetch::spool(io::stdin().lock(), self.max_bytes, &mut |_| {})?;
                Ok(Document {
                    name,
                    place: Place::Stdin,
                    served_at: None,
                    file: spool.to_path_buf(),
                    _spool: Some(spool),
                })
            }
        }
    }

    /// Returns the place of a child sitemap.
    pub(crate) fn child(index: &Document, loc: &Loc<'_>) -> Result<Place, String> {
        let url = Url::parse(loc.as_str()).map_err(|error| error.to_string())?;
        match &index.place {
            Place::Url(_) => Ok(Place::Url(url)),
            Place::File(path) => local::child(path, &url)
                .map(Place::File)
                .ok_or_else(|| "no such file below the folder of the index".to_owned()),
            Place::Stdin => Err("the index on standard input has no folder; give its path or URL".to_owned()),
        }
    }

    /// Returns `true` if the robots.txt of an origin lists this sitemap, which may then list pages of the origin.
    pub(crate) fn allows_cross_submission(&self, sitemap: &Loc<'_>, origin: &str) -> bool {
        let Ok(url) = Url::parse(origin).and_then(|origin| origin.join("/robots.txt")) else {
            return false;
        };
        let Ok(found) = robots::sitemaps(&self.fetcher, &url) else {
            return false;
        };
        found.iter().any(|url| Loc::parse(url.as_str()).is_ok_and(|loc| loc.as_str() == sitemap.as_str()))
    }
}
