//! A polite HTTP client for pages: it requests from many hosts in parallel, sends only a few requests to each, and
//! fetches only what robots.txt allows.
//!
//! A [`Fetcher`] visits the pages that a [`Work`] asks for, and returns a [`Visit`](sitemap_pages::visit::Visit) for
//! each.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use std::time::SystemTime;
//! use sitemap_fetch::{FetchOptions, Fetcher, Request, Work};
//! use sitemap_pages::visit::Visit;
//!
//! struct Pages(std::vec::IntoIter<&'static str>);
//!
//! impl Work for Pages {
//!     fn next(&mut self) -> Option<Request> {
//!         self.0.next().map(Request::new)
//!     }
//!
//!     fn done(&mut self, visit: Visit) -> ControlFlow<()> {
//!         println!("{} {:?}", visit.url, visit.status());
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! # async fn example() -> Result<(), sitemap_fetch::FetchError> {
//! let fetcher = Fetcher::new(FetchOptions::new())?;
//! let mut pages = Pages(vec!["https://example.com/", "https://example.com/oak"].into_iter());
//! let summary = fetcher.run(SystemTime::now(), &mut pages).await;
//! println!("{} visits, {} requests", summary.progress.visited, summary.progress.requests);
//! # Ok(())
//! # }
//! ```
//!
//! # What a visit does
//!
//! - It requests each host's robots.txt first, once every 24 hours, and obeys it ([RFC 9309]). If robots.txt returns
//!   429 or 5xx, or there is no response, no page of the host is requested. `Crawl-delay` is obeyed up to 30 seconds.
//!   Longer delays are reported in [`RunSummary::shortened_delays`].
//! - It follows redirects one at a time and records each as a [`Hop`](sitemap_pages::visit::Hop). Every redirect target
//!   waits for its turn at its host and passes the same checks as the first URL: robots.txt, scheme, IP address.
//! - It sends the validators of an earlier visit, if there are any, so that the server doesn't send an unchanged page
//!   again ([RFC 9110], section 13). The headers of the 304 replace the earlier ones. If the 304 lacks a header that
//!   mattered before, such as `X-Robots-Tag`, the page is requested once more without validators, because a server may
//!   omit headers from a 304.
//! - It retries transient failures and error statuses after a pause. A `Retry-After` header on a 429 or 503 pauses all
//!   requests to the host.
//! - It gives up on a host that asks for too long a pause, or that doesn't answer many requests in a row.
//!   [`RunSummary::given_up`] reports the host, the reason, and how many pages were not requested.
//! - It reads bodies up to a size limit, decompresses gzip, deflate, brotli and zstd, and reports truncated bodies.
//! - It uses HTTP/2 if the server supports it.
//!
//! # Downloads
//!
//! [`Fetcher::downloader`] downloads files that the user named, such as sitemaps, to disk. robots.txt doesn't apply to
//! them. Per-host limits, redirects, retries, pauses and private addresses are handled as they are for pages, with
//! these differences: the [`timeout`](FetchOptions::timeout) covers a whole download, including redirects, retries and
//! pauses; a body that is too long is an error; and if a host has never answered, failed requests to it are not
//! retried.
//!
//! # Private addresses
//!
//! A sitemap or a redirect can name any host. Requests to this machine, to private networks and to cloud metadata
//! services are therefore refused, unless an option allows them. The check covers every URL and, right before
//! connecting, every address that a name resolves to.
//!
//! A proxy resolves names itself, so only URLs that contain an IP address are checked. Make the proxy refuse what it
//! must not reach, or use [`FetchOptions::proxies`]`(false)`.
//!
//! [RFC 9309]: https://www.rfc-editor.org/rfc/rfc9309
//! [RFC 9110]: https://www.rfc-editor.org/rfc/rfc9110
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | options, and the client with its headers and credentials | `options`, `client`, `credentials` |
//! | one request: what is sent and read | `exchange`, `redirect`, `retry_after`, `post` |
//! | why a request failed, in words | `explain`, `proxy` |
//! | which addresses may be reached | `address`, `guard`, `resolver` |
//! | visits of pages: the loop, its jobs, where requests come from | `run`, `job`, `source`, `work`, `separate_thread` |
//! | who is asked when: delays, limits, pauses | `politeness`, `backoff`, `clock` |
//! | robots.txt of an origin, and how long it is used | `robots` |
//! | downloads to files | `download`, `downloader`, `downloads`, `receive` |
//! | checks and crawls of a site | `survey` |

mod address;
mod backoff;
mod client;
mod clock;
mod credentials;
mod download;
mod downloader;
mod downloads;
mod error;
mod exchange;
mod explain;
mod fetcher;
mod guard;
mod job;
mod options;
mod politeness;
mod post;
mod progress;
mod proxy;
mod receive;
mod redirect;
mod request;
mod resolver;
mod retry_after;
mod robots;
mod run;
#[cfg(feature = "survey")]
mod separate_thread;
mod source;
#[cfg(feature = "survey")]
pub mod survey;
mod url_parts;
mod work;

pub use address::AddressRange;
pub use credentials::Credentials;
pub use download::{Download, DownloadError, DownloadNumbers, DownloadResponse, Downloaded};
pub use downloader::{Downloader, Pending};
pub use error::FetchError;
pub use fetcher::Fetcher;
pub use options::FetchOptions;
pub use post::Posted;
pub use progress::{GivenUp, GivenUpReason, RunProgress, RunSummary, ShortenedDelay};
pub use request::Request;
pub use robots::RobotsFile;
pub use work::Work;
