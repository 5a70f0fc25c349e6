//! Where documents come from: files, folders, standard input and the network.

mod address;
mod crawl;
mod fetch;
mod local;
mod place;
mod robots;
mod target;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sitemap_core::Loc;
use sitemap_read::{ReadLimits, ReadOptions};
use tempfile::TempPath;
use url::Url;

pub(crate) use self::crawl::{Visitor, crawl, shown};
pub(crate) use self::fetch::Fetcher;
pub(crate) use self::local::MANIFEST;
pub(crate) use self::place::Place;
use crate::args::ReadArgs;
use crate::error::{Outcome, Stop, said};

/// A document whose bytes are in a file, so that it can be read more than once.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its path or URL, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Where it was found in the end, after redirects.
    pub(crate) served_at: Option<Loc<'static>>,
    pub(crate) file: PathBuf,
    /// Removes the file when the document is dropped, if it was made for it.
    _spool: Option<TempPath>,
}

impl Document {
    pub(crate) fn open(&self) -> Outcome<File> {
        File::open(&self.file).map_err(|error| Stop::io("read", Path::new(&self.name), &error))
    }

    /// The last part of its path.
    pub(crate) fn file_name(&self) -> &str {
        let path = self.name.split(['?', '#']).next().unwrap_or(&self.name);
        let slashes: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
        path.rsplit(slashes).next().filter(|name| !name.is_empty()).unwrap_or(&self.name)
    }
}

/// Opens documents, as the options allow.
#[derive(Debug)]
pub(crate) struct Source {
    fetcher: Fetcher,
    max_bytes: u64,
    max_files: usize,
}

impl Source {
    pub(crate) fn new(args: &ReadArgs) -> Self {
        Self { fetcher: Fetcher::new(args), max_bytes: args.max_bytes, max_files: args.max_files }
    }

    pub(crate) const fn max_files(&self) -> usize {
        self.max_files
    }

    /// How documents are read that are then shown.
    pub(crate) fn read_options(&self) -> ReadOptions {
        let mut limits = ReadLimits::default();
        limits.bytes = self.max_bytes;
        limits.compressed_bytes = self.max_bytes;
        ReadOptions::new().limits(limits).keep_elements(true)
    }

    /// The documents that a target names.
    pub(crate) fn roots(&self, target: &str) -> Outcome<Vec<Place>> {
        target::roots(target, &self.fetcher, self.read_options())
    }

    /// How many sitemaps of a folder are not among those that its `sitemap.xml` led to.
    pub(crate) fn unlisted(&self, target: &str, read: &HashSet<Place>) -> usize {
        target::unlisted(target, self.read_options(), read)
    }

    /// Opens a document; the error says why that fails, without its name.
    pub(crate) fn open(&self, place: &Place) -> Result<Document, String> {
        match place {
            Place::File(path) => {
                let metadata = std::fs::metadata(path).map_err(|error| said(&error))?;
                if metadata.is_dir() {
                    return Err("is a folder".to_owned());
                }
                Ok(Document {
                    name: path.display().to_string(),
                    place: place.clone(),
                    served_at: None,
                    file: path.clone(),
                    _spool: None,
                })
            }
            Place::Url(url) => {
                let fetched = self.fetcher.fetch(url)?;
                Ok(Document {
                    name: url.to_string(),
                    place: Place::Url(fetched.url.clone()),
                    served_at: Loc::parse(fetched.url.as_str()).ok().map(Loc::into_owned),
                    file: fetched.spool.to_path_buf(),
                    _spool: Some(fetched.spool),
                })
            }
            Place::Stdin => {
                let spool = fetch::spool(io::stdin().lock(), self.max_bytes, &mut |_| {})?;
                Ok(Document {
                    name: "<stdin>".to_owned(),
                    place: Place::Stdin,
                    served_at: None,
                    file: spool.to_path_buf(),
                    _spool: Some(spool),
                })
            }
        }
    }

    /// Where the sitemap is that an index lists.
    pub(crate) fn child(index: &Document, loc: &Loc<'_>) -> Result<Place, String> {
        let url = Url::parse(loc.as_str()).map_err(|error| error.to_string())?;
        match &index.place {
            Place::Url(_) => Ok(Place::Url(url)),
            Place::File(path) => local::child(path, &url)
                .map(Place::File)
                .ok_or_else(|| "no such file beside the index".to_owned()),
            Place::Stdin => Err("an index from standard input has no place; give its path or URL".to_owned()),
        }
    }

    /// Whether the robots.txt of an origin names a sitemap.
    pub(crate) fn consents(&self, sitemap: &Loc<'_>, origin: &str) -> bool {
        let Ok(url) = Url::parse(origin).and_then(|origin| origin.join("/robots.txt")) else {
            return false;
        };
        let Ok(found) = robots::sitemaps(&self.fetcher, &url) else {
            return false;
        };
        found.iter().any(|url| Loc::parse(url.as_str()).is_ok_and(|loc| loc.as_str() == sitemap.as_str()))
    }
}
