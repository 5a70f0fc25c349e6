//! The network client, which downloads documents to files and uploads small ones.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::path::Path;
use std::time::Duration;

use sitemap_fetch::{
    Download, DownloadError, DownloadResponse, Downloaded, Downloader, FetchOptions, Fetcher, Pending, Posted,
};
use sitemap_pages::visit::{Failure, FailureKind};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use super::cache::{Cache, Known, NotUsed};
use super::identity::Identity;
use super::refusal::{Sent, refusal};
use super::spool::{Spool, Spooled};
use crate::args::ReadArgs;
use crate::error::system_message;
use crate::interrupt;
use crate::number::counted;
use crate::terminal::say;

/// The maximum number of redirects. RFC 9309 requires at least five for robots.txt.
const MAX_REDIRECTS: usize = 5;

/// The default number of requests to send to one host at the same time; `--jobs` overrides it.
const JOBS: u16 = 16;

/// The number of requests to send to all hosts at the same time. It is so high that slow hosts don't block the others.
const REQUESTS: usize = 256;

/// The interval at which a thread that waits for a document starts other downloads.
const TICK: Duration = Duration::from_millis(50);

/// How long to wait for unfinished DNS lookups at the end of a run.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A blocking HTTP client. It is started by the first request, so commands that read only files never start it.
#[derive(Debug)]
pub(crate) struct Client {
    args: ReadArgs,
    identity: Identity,
    running: OnceCell<Result<Running, String>>,
    cache: OnceCell<Result<Option<Cache>, String>>,
    /// The first message about a damaged cache file.
    damaged: RefCell<Option<String>>,
}

/// A client that has started.
#[derive(Debug)]
struct Running {
    fetcher: Fetcher,
    downloader: Downloader,
    /// `None` only while the client is dropped.
    runtime: Option<Runtime>,
}

/// A client, with the folder it downloads to.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) client: Client,
    pub(super) spool: Spool,
}

impl Network {
    /// Downloads a document immediately.
    pub(super) fn fetch(&self, url: &Url) -> Result<Fetched, Refused> {
        self.fetch_meanwhile(url, || Ok(()))
    }

    /// Downloads a document immediately. Calls `meanwhile` from time to time, and stops if it returns an error.
    pub(super) fn fetch_meanwhile(
        &self,
        url: &Url,
        meanwhile: impl FnMut() -> Result<(), String>,
    ) -> Result<Fetched, Refused> {
        self.client.finish_meanwhile(self.client.start(url, &self.spool, true)?, meanwhile)
    }
}

/// A downloaded document.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) spooled: Spooled,
    /// The URL after all redirects.
    pub(super) url: Url,
}

/// A download with the complete response.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) downloaded: Downloaded,
    spooled: Spooled,
}

impl Asked {
    /// Returns the path of the file with the body, if the status is 200.
    pub(crate) fn path(&self) -> &Path {
        self.spooled.path()
    }
}

/// A download that has been started.
#[derive(Debug)]
pub(super) struct Started {
    url: Url,
    /// The cached document, if this is a conditional request.
    known: Option<Known>,
    pending: Pending,
    spooled: Spooled,
}

impl Started {
    /// Returns the length of the body that the server states, or the number of bytes received if that is more. Returns
    /// `None` if neither is known yet.
    pub(super) fn length(&self) -> Option<u64> {
        let received = Some(self.pending.received()).filter(|bytes| *bytes > 0);
        self.pending.stated().max(received)
    }
}

/// The reason why a document could not be read. The caller adds the document's name to the message.
#[derive(Debug)]
pub(crate) struct Refused {
    why: String,
    /// The status of the response, if the server refused the request.
    status: Option<u16>,
    /// True if the document itself is at fault. Problems with the network or this machine may be gone in the next run.
    is_fault: bool,
}

impl Refused {
    /// Returns the reason why a file cannot be read.
    pub(super) const fn file(why: String) -> Self {
        Self { why, status: None, is_fault: true }
    }

    /// Returns `false` if it's unknown whether the document exists: the server throttles requests, fails or doesn't
    /// respond, or this machine can't store the document.
    pub(crate) const fn is_fault(&self) -> bool {
        self.is_fault
    }

    /// Returns `true` if the document is considered missing, which is the case for any 4xx status except 429.
    ///
    /// Source: RFC 9309, section 2.3.1.3.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self.status, Some(400..=428 | 430..=499))
    }
}

impl From<String> for Refused {
    fn from(why: String) -> Self {
        Self { why, status: None, is_fault: false }
    }
}

impl From<Refused> for String {
    fn from(refused: Refused) -> Self {
        refused.why
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl Client {
    /// Creates a client that sends the identity's headers and credentials.
    pub(crate) fn new(args: &ReadArgs, identity: Identity) -> Self {
        let (running, cache, damaged) = (OnceCell::new(), OnceCell::new(), RefCell::default());
        Self { args: args.clone(), identity, running, cache, damaged }
    }

    /// Starts a download. An urgent one goes ahead of other downloads from the same host.
    pub(super) fn start(&self, url: &Url, spool: &Spool, is_urgent: bool) -> Result<Started, String> {
        let known = match self.cache()?.map(|cache| cache.known(url)) {
            Some(Ok(known)) => known,
            Some(Err(why)) => {
                self.note_damage(why);
                None
            }
            None => None,
        };
        self.request(url, known, spool.file()?, is_urgent)
    }

    fn request(
        &self,
        url: &Url,
        known: Option<Known>,
        spooled: Spooled,
        is_urgent: bool,
    ) -> Result<Started, String> {
        let mut download = Download::new(url.as_str(), spooled.path())
            .accept("application/xml, text/xml, text/plain, application/gzip, */*;q=0.1");
        if is_urgent {
            download = download.urgent();
        }
        if let Some((validators, url)) = known.as_ref().map(Known::condition) {
            download = download.unless(validators, url);
        }
        let pending = self.running()?.downloader.start(download);
        Ok(Started { url: url.clone(), known, pending, spooled })
    }

    /// Waits until a download ends.
    pub(super) fn finish(&self, started: Started) -> Result<Fetched, Refused> {
        self.finish_meanwhile(started, || Ok(()))
    }

    /// Waits until a download ends. Calls `meanwhile` from time to time, and stops if it returns an error.
    pub(super) fn finish_meanwhile(
        &self,
        started: Started,
        mut meanwhile: impl FnMut() -> Result<(), String>,
    ) -> Result<Fetched, Refused> {
        let Started { url, known, mut pending, spooled } = started;
        let running = self.running()?;
        let downloaded = loop {
            let waited = running.block_on(async { tokio::time::timeout(TICK, pending.wait()).await });
            if let Ok(downloaded) = waited {
                break downloaded;
            }
            interrupt::check().map_err(|error| error.to_string())?;
            meanwhile()?;
        };
        let times = times(&downloaded);
        let response = match downloaded.outcome {
            Ok(response) if response.status == 200 => {
                if let Some(cache) = self.cache()? {
                    cache.store(&url, &downloaded.url, &response, spooled.path());
                }
                let url = Url::parse(&downloaded.url).map_err(|error| error.to_string())?;
                return Ok(Fetched { spooled, url });
            }
            Ok(response) if response.status == 304 && known.is_some() => {
                let used = match (self.cache()?, &known) {
                    (Some(cache), Some(known)) => cache.copy(known, &response, spooled.path()),
                    _ => Err(NotUsed::Replaced),
                };
                match used {
                    Ok(()) => {
                        let url = Url::parse(&downloaded.url).map_err(|error| error.to_string())?;
                        return Ok(Fetched { spooled, url });
                    }
                    Err(NotUsed::Replaced) => {}
                    Err(NotUsed::Broken(why)) => self.note_damage(why),
                }
                return self.finish(self.request(&url, None, spooled, true)?);
            }
            Ok(response) => response,
            Err(error) => {
                let is_fault = match &error {
                    DownloadError::Failed(failure) => !failure.kind.is_transient(),
                    DownloadError::TooLong { .. } => true,
                    _ => false,
                };
                return Err(Refused {
                    why: format!("{}{times}", self.explain(&error)),
                    status: None,
                    is_fault,
                });
            }
        };
        let why = format!("{}{times}", self.refusal(&downloaded.url, downloaded.was_authorized, &response));
        let is_fault = !matches!(response.status, 407 | 408 | 429 | 500..);
        Err(Refused { why, status: Some(response.status), is_fault })
    }

    /// Downloads a URL without the cache, and returns the complete response.
    pub(super) fn ask(&self, url: &Url, spool: &Spool) -> Result<Asked, String> {
        let Started { mut pending, spooled, .. } = self.request(url, None, spool.file()?, true)?;
        let downloaded = self.running()?.block_on(pending.wait());
        Ok(Asked { downloaded, spooled })
    }

    /// Returns the reason why a server refused to serve a URL, with the command's options as remedies.
    pub(super) fn refusal(&self, url: &str, was_authorized: bool, response: &DownloadResponse) -> String {
        let sent = match (was_authorized, self.identity.has_credentials_of_other_hosts(url)) {
            (true, _) => Sent::Yes,
            (false, true) => Sent::NotTo(url),
            (false, false) => Sent::No,
        };
        refusal(response, &sent)
    }

    /// Uploads a document, without following redirects. The error contains only the reason; the caller adds the URL.
    pub(crate) fn post(&self, url: &Url, content_type: &str, body: &str) -> Result<Posted, String> {
        let running = self.running()?;
        let posted = running.block_on(running.fetcher.post(url.as_str(), content_type, body));
        posted.map_err(|failure| self.explain_failure(&failure))
    }

    /// Returns the message about a damaged cache file, if there was one.
    pub(super) fn damaged(&self) -> Option<String> {
        self.damaged.borrow().clone()
    }

    fn note_damage(&self, why: String) {
        self.damaged.borrow_mut().get_or_insert(why);
    }

    /// Returns the cache. It is opened before the first request, so commands that read only files never open it.
    fn cache(&self) -> Result<Option<&Cache>, String> {
        let open = || {
            let Some(path) = &self.args.cache else { return Ok(None) };
            Cache::open(path, self.args.cache_max_bytes, &self.identity).map(Some)
        };
        self.cache.get_or_init(open).as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// Prints how many requests were retried, if any.
    fn report(running: &Running) {
        let retries = running.downloader.numbers().retries;
        if retries > 0 {
            say(&format!("{} for sitemaps repeated", counted(retries, "request")));
        }
    }

    fn running(&self) -> Result<&Running, String> {
        let running = self.running.get_or_init(|| Running::new(&self.args, &self.identity));
        running.as_ref().map_err(Clone::clone)
    }

    /// Returns the reason why there is no response.
    pub(super) fn explain(&self, error: &DownloadError) -> String {
        match error {
            DownloadError::Failed(failure) => self.explain_failure(failure),
            DownloadError::TooLong { limit } => {
                format!("more than {limit} bytes; allow more with `--max-bytes`")
            }
            DownloadError::File(error) => super::spool::cannot_write(error),
            other => other.to_string(),
        }
    }

    /// The command's options are the remedies.
    fn explain_failure(&self, failure: &Failure) -> String {
        match failure.kind {
            FailureKind::Timeout if !failure.message.starts_with("no connection") => {
                format!("no complete response after {} s; allow more with `--timeout`", self.args.timeout)
            }
            FailureKind::ForbiddenAddress => failure
                .message
                .replace("allow private addresses to request it", "allow it with `--allow-private`")
                .replace("allow link-local addresses to request it", "allow it with `--allow-link-local`"),
            FailureKind::GivenUp => {
                failure.message.replace("with fewer requests at the same time", "with fewer `--jobs`")
            }
            _ => failure.message.clone(),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(Ok(running)) = self.running.get() {
            Self::report(running);
        }
        if let Some(Ok(Some(cache))) = self.cache.get()
            && let Some(summary) = cache.summary()
        {
            say(&summary);
        }
    }
}

impl Running {
    fn new(args: &ReadArgs, identity: &Identity) -> Result<Self, String> {
        let network = &args.network;
        let time = Duration::from_secs(args.timeout);
        let options = FetchOptions::new()
            .timeout(time)
            .connect_timeout(time.min(Duration::from_secs(15)))
            // If the server asks for a pause that is too long, the document can't arrive in time.
            .max_retry_after(time)
            .max_body_bytes(usize::try_from(args.max_bytes).unwrap_or(usize::MAX))
            .per_host(network.jobs.unwrap_or(JOBS).into())
            .in_all(REQUESTS)
            .retries(network.retries)
            .max_redirects(MAX_REDIRECTS)
            .allow_private(args.allow_private)
            .allow_link_local(args.allow_link_local);
        let fetcher = Fetcher::new(identity.add_to(options)).map_err(|error| error.to_string())?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("network")
            .enable_all()
            .build()
            .map_err(|error| format!("cannot start the network client: {}", system_message(&error)))?;
        let (downloader, driver) = fetcher.downloader();
        runtime.spawn(driver);
        Ok(Self { fetcher, downloader, runtime: Some(runtime) })
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        match &self.runtime {
            Some(runtime) => runtime.block_on(future),
            None => unreachable!("the runtime is taken only when the client is dropped"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A DNS lookup can't be interrupted, and may take longer than users want to wait.
            runtime.shutdown_timeout(LAST_WAIT);
        }
    }
}

/// Returns a note about how often the last URL was requested, if more than once.
fn times(downloaded: &Downloaded) -> String {
    let redirects = u32::try_from(downloaded.hops.len()).unwrap_or(u32::MAX);
    match downloaded.requests.saturating_sub(redirects) {
        0 | 1 => String::new(),
        times => format!(" (requested {times} times)"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        read: ReadArgs,
    }

    #[test]
    fn a_refused_document_counts_as_missing_for_any_4xx_but_429() {
        for (status, is_absent) in [(404, true), (403, true), (429, false), (500, false), (503, false)] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
            thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 1024];
                assert!(stream.read(&mut request).unwrap() > 0);
                write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    .unwrap();
            });
            let args = Words::parse_from(["test", "--allow-private", "--retries", "0"]).read;
            let client = Client::new(&args, Identity::default());
            let started = client.start(&url, &Spool::default(), false).unwrap();
            assert_eq!(client.finish(started).unwrap_err().is_absent(), is_absent, "{status}");
        }
    }
}
