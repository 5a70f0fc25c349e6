//! Finds and opens the documents to read: files, folders, standard input and URLs.
//!
//! | what | where |
//! |---|---|
//! | what a target names | `name`, `target`, `place`, `site`, `robots`, `local` |
//! | downloads | `client`, `prefetch`, `spool`, `cache` |
//! | who the client is, and what it may send where | `identity`, `credentials`, `header`, `refusal` |
//! | the order of documents | `walk` |
//! | reading entries, on one thread or several | `crawl`, `parallel`, `ordered`, `parts` |
//! | what cannot be read | `problem` |

mod cache;
mod client;
mod crawl;
mod credentials;
mod header;
mod identity;
mod local;
mod name;
mod ordered;
mod parallel;
mod parts;
mod place;
mod prefetch;
mod problem;
mod refusal;
mod robots;
mod site;
mod spool;
mod target;
mod walk;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_core::Loc;
use sitemap_fetch::{DownloadError, DownloadResponse, Downloaded, Posted};
use sitemap_read::{DocumentKind, Item, ReadLimits, ReadOptions, SitemapReader};
use url::Url;

use self::client::{Client, Network};
use self::local::Children;
use self::prefetch::Prefetch;
use self::robots::Robots;

pub(crate) use self::client::{Asked, Refused};
pub(crate) use self::crawl::{Crawled, Visitor, crawl};
pub(crate) use self::identity::Identity;
pub(crate) use self::name::url as url_without_credentials;
pub(crate) use self::parallel::crawl_parts;
pub(crate) use self::parts::{Counted, Messages, PART, Parts};
pub(crate) use self::place::Place;
pub(crate) use self::problem::Problem;
use self::spool::{Spool, Spooled, cannot_write};
use crate::args::Column;
use crate::args::ReadArgs;
use crate::caller;
use crate::error::{Outcome, Stop, system_message};
use crate::interrupt;
use crate::page_list;
use crate::page_list::document::Carried;

/// A document stored in a file, so that it can be read more than once.
#[derive(Debug)]
pub(crate) struct Document {
    /// The path or URL, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) place: Place,
    /// The URL of a download after all redirects. `None` for other documents.
    pub(crate) served_at: Option<Loc<'static>>,
    pub(crate) file: PathBuf,
    /// For an index on disk, the files of its child sitemaps. Filled when these files are first needed.
    children: OnceCell<Children>,
    /// For a list of pages, which values its entries can have. `file` is then a sitemap with the same lines.
    pub(crate) list: Option<Carried>,
    /// The temporary file of a download or of standard input, removed when the document is dropped.
    _spooled: Option<Spooled>,
}

impl Document {
    pub(crate) fn open(&self) -> Outcome<File> {
        File::open(&self.file).map_err(|error| Stop::io("read", Path::new(&self.name), &error))
    }

    /// Returns which values the entries of the document can have.
    pub(crate) fn carried(&self) -> Carried {
        let kind = || Some(SitemapReader::from_reader(self.open().ok()?).document().ok()?.kind);
        self.list.unwrap_or_else(|| match kind() {
            Some(DocumentKind::Text) => Carried::URLS,
            Some(DocumentKind::Rss | DocumentKind::Atom) => {
                Carried { changefreq: false, priority: false, ..Carried::ALL }
            }
            _ => Carried::ALL,
        })
    }

    /// Returns the last segment of the document's path or URL.
    pub(crate) fn file_name(&self) -> &str {
        let path = self.name.split(['?', '#']).next().unwrap_or(&self.name);
        let slashes: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
        path.rsplit(slashes).next().filter(|name| !name.is_empty()).unwrap_or(&self.name)
    }

    /// For an index on disk, returns the files of its child sitemaps.
    fn children(&self, options: ReadOptions) -> &Children {
        self.children.get_or_init(|| {
            let mut urls = Vec::new();
            if let Ok(file) = self.open() {
                let mut reader = SitemapReader::from_reader_with(file, options);
                // Errors are ignored here, because they are reported when the document itself is read.
                while let Ok(Some(Item::Sitemap(sitemap))) = reader.next() {
                    urls.push(sitemap.loc().as_str().to_owned());
                    drop(reader.drain_findings());
                }
            }
            Children::new(&self.file, &urls)
        })
    }
}

/// Documents by their names in a report.
pub(crate) type Documents = HashMap<String, Document>;

/// Finds and opens documents, within the limits set by options.
#[derive(Debug)]
pub(crate) struct Source {
    network: Network,
    prefetch: RefCell<Prefetch>,
    max_bytes: u64,
    max_files: usize,
    probe: bool,
    columns: Vec<Column>,
    /// The names of the documents that are lists of pages.
    lists: Arc<Mutex<HashSet<String>>>,
}

impl Source {
    /// Creates a source for these targets. Additional headers are only sent to the hosts of targets that are URLs.
    pub(crate) fn new<'t>(args: &ReadArgs, targets: impl IntoIterator<Item = &'t str>) -> Outcome<Self> {
        Ok(Self::with_identity(args, Identity::new(&args.network, targets)?))
    }

    /// Creates a source that sends the identity's headers and credentials.
    pub(crate) fn with_identity(args: &ReadArgs, identity: Identity) -> Self {
        let network = Network { client: Client::new(args, identity), spool: Spool::default() };
        let prefetch = RefCell::default();
        Self {
            network,
            prefetch,
            max_bytes: args.max_bytes,
            max_files: args.max_files,
            probe: args.probe,
            columns: args.columns.column.clone(),
            lists: Arc::default(),
        }
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

    /// Returns an error if a cache file was damaged.
    pub(crate) fn check_cache(&self) -> Outcome<()> {
        self.network.client.damaged().map_or(Ok(()), |why| Err(Stop::new(why)))
    }

    /// Returns the URL of a target that is a URL or a host, without its user name and password.
    pub(crate) fn url_or_host(target: &str) -> Outcome<Option<Url>> {
        Ok(match name::url(target)? {
            None if name::is_host(target) => Url::parse(&format!("https://{target}/")).ok(),
            url => url,
        })
    }

    /// Returns `true` for the URL of a site or of its robots.txt.
    pub(crate) fn is_site(url: &Url) -> bool {
        target::is_home(url) || robots::is_robots(url.path())
    }

    /// Downloads a URL, and returns the complete response.
    pub(crate) fn ask(&self, url: &Url) -> Result<Asked, String> {
        self.network.client.ask(url, &self.network.spool)
    }

    /// Returns the reason why there is no response, with the command's options as remedies.
    pub(crate) fn explain(&self, error: &DownloadError) -> String {
        self.network.client.explain(error)
    }

    /// Returns the reason why a server refused a request.
    pub(crate) fn refusal(&self, downloaded: &Downloaded, response: &DownloadResponse) -> String {
        self.network.client.refusal(&downloaded.url, downloaded.was_authorized, response)
    }

    /// Returns the places of a target's documents.
    pub(crate) fn roots(&self, target: &str) -> Outcome<Vec<Place>> {
        target::roots(target, &self.network, self.read_options(), self.probe)
    }

    /// Announces the documents that will be opened next, in order. Documents on the network are downloaded in advance.
    pub(crate) fn expect<'p>(&self, places: impl IntoIterator<Item = &'p Place>) {
        self.prefetch.borrow_mut().expect(places, self.max_files);
    }

    /// Announces the child sitemaps of a document from the network, if it is an index. Returns the number of child
    /// sitemaps. For a document on disk, only counts them, and only if `counts` is true, because counting reads the
    /// document once more.
    pub(crate) fn expect_children(&self, document: &Document, counts: bool) -> u64 {
        let is_remote = matches!(document.place, Place::Url(_));
        if !is_remote && !counts {
            return 0;
        }
        let Ok(file) = document.open() else { return 0 };
        let mut reader = SitemapReader::from_reader_with(file, self.read_options());
        let (mut places, mut children) = (Vec::new(), 0);
        // Errors are ignored here, because they are reported when the document itself is read.
        while children < self.max_files as u64
            && let Ok(Some(Item::Sitemap(sitemap))) = reader.next()
        {
            children += 1;
            if is_remote {
                places.extend(self.child(document, sitemap.loc()));
            }
        }
        self.expect(&places);
        children
    }

    /// Uploads a document, without following redirects. The error contains only the reason; the caller adds the URL.
    pub(crate) fn post(&self, url: &Url, content_type: &str, body: &str) -> Result<Posted, String> {
        self.network.client.post(url, content_type, body)
    }

    /// Counts the sitemaps in a folder that were not read, because the folder's `sitemap.xml` does not list them.
    pub(crate) fn unlisted(&self, target: &str, read: &HashSet<Place>) -> usize {
        target::unlisted(target, self.read_options(), read)
    }

    /// Opens a document. The error contains only the reason; the caller adds the document's name.
    pub(crate) fn open(&self, place: &Place) -> Result<Document, String> {
        self.open_meanwhile(place, &mut || Ok(()))
    }

    /// Opens a document. While waiting for a download, calls `meanwhile` from time to time, and stops if it returns an
    /// error.
    fn open_meanwhile(
        &self,
        place: &Place,
        meanwhile: &mut dyn FnMut() -> Result<(), String>,
    ) -> Result<Document, String> {
        self.read_meanwhile(place, meanwhile).map_err(String::from)
    }

    /// Opens a document. The error also states whether the document is at fault.
    pub(crate) fn read(&self, place: &Place) -> Result<Document, Refused> {
        self.read_meanwhile(place, &mut || Ok(()))
    }

    fn read_meanwhile(
        &self,
        place: &Place,
        meanwhile: &mut dyn FnMut() -> Result<(), String>,
    ) -> Result<Document, Refused> {
        let document = self.stored(place, meanwhile)?;
        if let Some((spooled, carried)) = self.of_list(&document).map_err(Refused::file)? {
            lock(&self.lists).insert(document.name.clone());
            let file = spooled.path().to_path_buf();
            return Ok(Document { file, list: Some(carried), _spooled: Some(spooled), ..document });
        }
        Ok(document)
    }

    /// Writes a list of pages as a sitemap. Returns `None` for other documents.
    fn of_list(&self, document: &Document) -> Result<Option<(Spooled, Carried)>, String> {
        let failed = |error: io::Error| system_message(&error);
        let file = File::open(&document.file).map_err(failed)?;
        let mut from = BufReader::new(robots::inflated(file).map_err(failed)?);
        let Ok(start) = from.fill_buf() else { return Ok(None) };
        let name = document.file_name();
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let Some(format) = page_list::document::format(name, start, &self.columns) else { return Ok(None) };
        let spooled = self.network.spool.file()?;
        let to = File::create(spooled.path()).map_err(|error| cannot_write(&error))?;
        let mut to = BufWriter::new(to);
        let convert = |out: &mut dyn Write| {
            page_list::document::write(&document.name, from, format, &self.columns, out)
        };
        // The name says whether the file is compressed.
        let carried = if name == document.file_name() {
            convert(&mut to)
        } else {
            let mut gzip = GzEncoder::new(&mut to, Compression::fast());
            let carried = convert(&mut gzip);
            gzip.finish().map_err(|error| cannot_write(&error))?;
            carried
        };
        let carried = carried.map_err(|stop| match stop {
            Stop::Error(message) | Stop::Shrunk(message) => message,
            Stop::Quiet => interrupt::MESSAGE.to_owned(),
        })?;
        to.flush().map_err(|error| cannot_write(&error))?;
        Ok(Some((spooled, carried)))
    }

    /// Returns a function that tells which of the documents opened so far are lists of pages.
    pub(crate) fn is_list(&self) -> impl Fn(&str) -> bool + Send + Sync + 'static {
        let lists = Arc::clone(&self.lists);
        move |name| lock(&lists).contains(name)
    }

    fn stored(
        &self,
        place: &Place,
        meanwhile: &mut dyn FnMut() -> Result<(), String>,
    ) -> Result<Document, Refused> {
        let name = place.to_string();
        match place {
            Place::File(path) => {
                let metadata = std::fs::metadata(path);
                let metadata = metadata.map_err(|error| Refused::file(system_message(&error)))?;
                if metadata.is_dir() {
                    return Err(Refused::file("it is a folder".to_owned()));
                }
                Ok(Document {
                    name,
                    place: place.clone(),
                    served_at: None,
                    file: path.clone(),
                    children: OnceCell::new(),
                    list: None,
                    _spooled: None,
                })
            }
            Place::Url(url) => {
                let started = self.prefetch.borrow_mut().take(url, &self.network.client, &self.network.spool);
                let fetched = match started {
                    Some(started) => {
                        let Network { client, spool } = &self.network;
                        client.finish_meanwhile(started, || {
                            self.prefetch.borrow_mut().start_more(client, spool);
                            meanwhile()
                        })?
                    }
                    None => self.network.fetch_meanwhile(url, meanwhile)?,
                };
                Ok(Document {
                    name,
                    place: Place::Url(fetched.url.clone()),
                    served_at: Loc::parse(fetched.url.as_str()).ok().map(Loc::into_owned),
                    file: fetched.spooled.path().to_path_buf(),
                    children: OnceCell::new(),
                    list: None,
                    _spooled: Some(fetched.spooled),
                })
            }
            Place::Stdin => {
                let spooled = match caller::input() {
                    Some(input) => self.network.spool.copy(input, self.max_bytes)?,
                    None => self.network.spool.copy(io::stdin().lock(), self.max_bytes)?,
                };
                Ok(Document {
                    name,
                    place: Place::Stdin,
                    served_at: None,
                    file: spooled.path().to_path_buf(),
                    children: OnceCell::new(),
                    list: None,
                    _spooled: Some(spooled),
                })
            }
        }
    }

    /// Returns the place of a child sitemap.
    pub(crate) fn child(&self, index: &Document, loc: &Loc<'_>) -> Result<Place, String> {
        let url = Url::parse(loc.as_str()).map_err(|error| error.to_string())?;
        match &index.place {
            Place::Url(_) => Ok(Place::Url(url)),
            Place::File(_) => {
                let file = index.children(self.read_options()).file(&url);
                file.map(Place::File).map_err(|none| none.to_string())
            }
            Place::Stdin => Err("the index on standard input has no folder; give its path or URL".to_owned()),
        }
    }

    /// Downloads the robots.txt of an origin, and returns its sitemaps. Returns `None` if it can't be read.
    pub(crate) fn robots_of(&self, origin: &str) -> Option<Vec<Url>> {
        let url = Url::parse(origin).and_then(|origin| origin.join("/robots.txt")).ok()?;
        match Robots::fetch(&self.network, &url) {
            Ok(found) => Some(found.sitemaps),
            Err(why) => why.is_absent().then(Vec::new),
        }
    }

    /// Returns the sitemaps in the robots.txt next to a file, if there is one.
    pub(crate) fn robots_beside(file: &Path) -> Option<Vec<Url>> {
        Robots::beside(file).map(|robots| robots.sitemaps)
    }
}

/// Returns `true` if the sitemaps of a robots.txt include this one.
pub(crate) fn lists(sitemaps: &[Url], sitemap: &Loc<'_>) -> bool {
    sitemaps.iter().any(|url| Loc::parse(url.as_str()).is_ok_and(|loc| loc.as_str() == sitemap.as_str()))
}

fn lock(lists: &Mutex<HashSet<String>>) -> MutexGuard<'_, HashSet<String>> {
    lists.lock().unwrap_or_else(PoisonError::into_inner)
}
