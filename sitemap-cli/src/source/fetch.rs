//! The HTTP client: it downloads to files and uploads small texts, with limits on time, size and IP addresses.

use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Read, Write as _};
use std::net::IpAddr;
use std::time::Duration;

use sitemap_core::address::AddressRange;
use tempfile::{NamedTempFile, TempPath};
use ureq::config::{AutoHeaderValue, Config};
use ureq::http::{HeaderMap, Uri};
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Timeout};
use url::Url;

use super::identity::Identity;
use crate::args::ReadArgs;
use crate::error::system_message;
use crate::terminal::Progress;

/// The maximum number of redirects. RFC 9309 requires at least five for robots.txt.
const MAX_REDIRECTS: usize = 5;

/// A small blocking HTTP client.
///
/// It uses no proxy, because it must check the IP address of each connection itself.
#[derive(Debug)]
pub(crate) struct Fetcher {
    agent: Agent,
    identity: Identity,
    timeout: u64,
    max_bytes: u64,
}

/// A downloaded document.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) spool: TempPath,
    /// The URL after all redirects.
    pub(super) url: Url,
}

/// A server's response to an upload.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
}

/// The reason why a document was not downloaded. The caller adds the URL to the message.
#[derive(Debug)]
pub(super) struct Refused {
    why: String,
    /// The status of the response, if the server refused the request.
    status: Option<u16>,
}

impl Refused {
    /// Returns `true` if the document counts as missing, as it does for any 4xx status except 429.
    ///
    /// Source: RFC 9309, section 2.3.1.3.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self.status, Some(400..=428 | 430..=499))
    }
}

impl From<String> for Refused {
    fn from(why: String) -> Self {
        Self { why, status: None }
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

impl Fetcher {
    pub(crate) fn new(args: &ReadArgs) -> Self {
        Self::with_identity(args, Identity::default())
    }

    /// Returns a client whose requests send what the identity has.
    pub(super) fn with_identity(args: &ReadArgs, identity: Identity) -> Self {
        let is_allowed: fn(IpAddr) -> bool = match (args.allow_private, args.allow_link_local) {
            (false, false) => |ip| AddressRange::of(ip) == AddressRange::Public,
            (true, false) => {
                |ip| matches!(AddressRange::of(ip), AddressRange::Public | AddressRange::Private)
            }
            (false, true) => {
                |ip| matches!(AddressRange::of(ip), AddressRange::Public | AddressRange::LinkLocal)
            }
            (true, true) => |ip| AddressRange::of(ip) != AddressRange::Reserved,
        };
        Self::reaching(args, identity, is_allowed)
    }

    /// Returns a client that connects to allowed IP addresses only.
    fn reaching(args: &ReadArgs, identity: Identity, is_allowed: fn(IpAddr) -> bool) -> Self {
        let default = concat!("sitemap/", env!("CARGO_PKG_VERSION"));
        let user_agent = identity.user_agent.clone().unwrap_or_else(|| default.to_owned());
        let config = Config::builder()
            .http_status_as_error(false)
            // `fetch` follows redirects itself, so that it can check each URL.
            .max_redirects(0)
            .proxy(None)
            .user_agent(user_agent)
            .accept("application/xml, text/xml, text/plain, application/gzip, */*;q=0.1")
            // The client accepts gzip, but does not decompress it. The sitemap reader does, within its own limits.
            .accept_encoding(AutoHeaderValue::Provided("gzip".to_owned().into()))
            .timeout_global(Some(Duration::from_secs(args.timeout)))
            .timeout_connect(Some(Duration::from_secs(args.timeout.min(15))))
            .tls_config(TlsConfig::default())
            .build();
        let resolver = Guard { inner: DefaultResolver::default(), is_allowed };
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        Self { agent, identity, timeout: args.timeout, max_bytes: args.max_bytes }
    }

    /// Downloads a document. Follows redirects, and checks each URL before the request.
    pub(super) fn fetch(&self, url: &Url) -> Result<Fetched, Refused> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            if !matches!(url.scheme(), "http" | "https") {
                return Err(format!("`{url}` is not an http or https URL").into());
            }
            url.set_fragment(None);
            let mut request = self.agent.get(url.as_str());
            for (name, value) in self.identity.headers_for(&url) {
                request = request.header(name, value);
            }
            let response = request.call().map_err(|error| self.explain(&error))?;
            let (head, body) = response.into_parts();
            match head.status.as_u16() {
                200 => {
                    refuse_coding(&head.headers)?;
                    let total = text(&head.headers, "content-length").and_then(|length| length.parse().ok());
                    let progress = Progress::of_bytes(url.as_str(), total);
                    let spool = spool(
                        Body { body: body.into_reader(), fetcher: self },
                        self.max_bytes,
                        &mut |done| {
                            progress.set(done);
                        },
                    )?;
                    return Ok(Fetched { spool, url });
                }
                301 | 302 | 303 | 307 | 308 => {
                    let Some(location) = text(&head.headers, "location") else {
                        return Err("the server redirects without a `Location`".to_owned().into());
                    };
                    url = url
                        .join(location)
                        .map_err(|_| format!("the server redirects to {location:?}, which is not a URL"))?;
                }
                status => {
                    return Err(Refused { why: refusal(status, &head.headers), status: Some(status) });
                }
            }
        }
        Err(format!("the server redirects more than {MAX_REDIRECTS} times, last to `{url}`").into())
    }

    /// Sends a document. Does not follow redirects. The error gives the reason only; the caller adds the URL.
    pub(crate) fn post(&self, url: &Url, content_type: &str, body: &str) -> Result<Reply, String> {
        let request = self.agent.post(url.as_str()).header("content-type", content_type);
        let response = request.send(body).map_err(|error| self.explain(&error))?;
        let retry_after = text(response.headers(), "retry-after").map(str::to_owned);
        Ok(Reply { status: response.status().as_u16(), retry_after })
    }

    fn explain(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                "the connection timed out".to_owned()
            }
            ureq::Error::Timeout(_) => {
                format!("no complete response after {} s; allow more with `--timeout`", self.timeout)
            }
            ureq::Error::HostNotFound => "no such host".to_owned(),
            ureq::Error::ConnectionFailed => "no connection".to_owned(),
            ureq::Error::Io(error) if error.to_string().contains("lookup address") => {
                "no such host".to_owned()
            }
            ureq::Error::Io(error) => system_message(error),
            ureq::Error::Other(error) => error.to_string(),
            other => other.to_string(),
        }
    }
}

/// The body of a response, with readable errors.
struct Body<'f, R> {
    body: R,
    fetcher: &'f Fetcher,
}

impl<R: Read> Read for Body<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.body.read(buf).map_err(|error| {
            if error.kind() == io::ErrorKind::UnexpectedEof {
                return io::Error::new(error.kind(), "the response ends too early");
            }
            let kind = error.kind();
            match error.downcast::<ureq::Error>() {
                Ok(inner) => io::Error::new(kind, self.fetcher.explain(&inner)),
                Err(error) => error,
            }
        })
    }
}

/// Copies bytes to a temporary file, up to a limit.
pub(super) fn spool(
    mut from: impl Read,
    max_bytes: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<TempPath, String> {
    let on_disk = |error: io::Error| format!("cannot write a temporary file: {}", system_message(&error));
    let mut file = NamedTempFile::with_prefix("sitemap-").map_err(on_disk)?;
    let mut chunk = vec![0; 64 * 1024];
    let mut taken: u64 = 0;
    loop {
        let len = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(system_message(&error)),
        };
        taken += len as u64;
        if taken > max_bytes {
            return Err(format!("more than {max_bytes} bytes; allow more with `--max-bytes`"));
        }
        file.write_all(&chunk[..len]).map_err(on_disk)?;
        progress(taken);
    }
    Ok(file.into_temp_path())
}

/// Refuses all content encodings except gzip. A server may send another encoding although the client accepts only
/// gzip.
fn refuse_coding(headers: &HeaderMap) -> Result<(), String> {
    match text(headers, "content-encoding").map(str::trim) {
        None | Some("" | "identity" | "gzip" | "x-gzip") => Ok(()),
        Some(other) => Err(format!("the content encoding is {other:?}; only gzip is supported")),
    }
}

fn refusal(status: u16, headers: &HeaderMap) -> String {
    let after = match text(headers, "retry-after") {
        Some(when) if when.bytes().all(|byte| byte.is_ascii_digit()) => format!("in {when} seconds"),
        Some(when) => format!("after {when}"),
        None => "later".to_owned(),
    };
    match status {
        401 | 403 => format!("status {status}: the server denies access"),
        404 | 410 => format!("status {status}: not found"),
        429 => format!("status 429: too many requests; try again {after}"),
        503 => format!("status 503: the server is unavailable; try again {after}"),
        _ => format!("the server responds with status {status}"),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// A resolver that returns allowed IP addresses only.
#[derive(Debug)]
struct Guard {
    inner: DefaultResolver,
    is_allowed: fn(IpAddr) -> bool,
}

impl Resolver for Guard {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        // One address that is not allowed is enough to refuse the host, because the client may connect to any address
        // of the host.
        match found.iter().find(|address| !(self.is_allowed)(address.ip())) {
            None => Ok(found),
            Some(address) => {
                let refused =
                    NotAllowed { host: uri.host().unwrap_or_default().to_owned(), ip: address.ip() };
                Err(ureq::Error::Other(Box::new(refused)))
            }
        }
    }
}

/// The error for a host with an IP address that is not allowed.
#[derive(Debug)]
struct NotAllowed {
    host: String,
    ip: IpAddr,
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, ip } = self;
        write!(f, "`{host}`")?;
        // If the host is itself an IP address, the address is not repeated.
        if host.trim_matches(['[', ']']) != ip.to_string() {
            write!(f, " ({ip})")?;
        }
        f.write_str(match AddressRange::of(*ip) {
            AddressRange::LinkLocal => {
                " is a link-local address or a metadata service; allow it with `--allow-link-local`"
            }
            AddressRange::Reserved => " is reserved, so no site can be there; use another address",
            _ => " is on this machine or a private network; allow it with `--allow-private`",
        })
    }
}

impl StdError for NotAllowed {}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};
    use std::{env, thread};

    use clap::Parser as _;

    use super::*;
    use crate::terminal::say;

    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        read: ReadArgs,
    }

    /// Reports that a test cannot run on this machine. With `CI=true` the test fails instead.
    fn skip(reason: &str) {
        assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
        // The test harness does not capture this line, although it captures the output of `eprintln!`.
        say(&format!("skipped: {reason}"));
    }

    /// Answers one request with this response.
    fn once(listener: TcpListener, response: String) {
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(response.as_bytes()).unwrap();
        });
    }

    /// Returns a client that treats 127.0.0.1 as the only public IP address.
    fn fetcher() -> Fetcher {
        let args = Words::parse_from(["test"]).read;
        Fetcher::reaching(&args, Identity::default(), |ip| ip == IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    #[test]
    fn a_redirect_from_a_public_to_a_private_address_is_refused() {
        let public = TcpListener::bind("127.0.0.1:0").unwrap();
        let Ok(private) = TcpListener::bind("127.0.0.2:0") else {
            return skip("this machine has no address 127.0.0.2");
        };
        private.set_nonblocking(true).unwrap();
        let url = Url::parse(&format!("http://{}/a.xml", public.local_addr().unwrap())).unwrap();
        let target = private.local_addr().unwrap();
        once(
            public,
            format!("HTTP/1.1 302 Found\r\nLocation: http://{target}/\r\nContent-Length: 0\r\n\r\n"),
        );
        let refused = fetcher().fetch(&url).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`127.0.0.2` is on this machine or a private network; allow it with `--allow-private`"
        );
        assert!(!refused.is_absent());
        assert_eq!(private.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "the client connected");
    }

    #[test]
    fn a_refused_document_counts_as_missing_for_any_4xx_but_429() {
        for (status, is_absent) in [(404, true), (403, true), (429, false), (500, false), (503, false)] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
            once(listener, format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n"));
            assert_eq!(fetcher().fetch(&url).unwrap_err().is_absent(), is_absent, "{status}");
        }
    }
}
