//! A polite HTTP client for pages: many hosts at the same time, few requests to each, and only what robots.txt allows.
//!
//! A [`Fetcher`] visits what a [`Work`] asks for, and returns a [`Visit`](sitemap_pages::visit::Visit) for each page.
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
//! - It asks the host's robots.txt first, once in 24 hours, and obeys it ([RFC 9309]). If robots.txt answers with 429 or
//!   5xx, or does not answer, no page of the host is requested. `Crawl-delay` is obeyed up to 30 seconds. A longer one
//!   is reported in [`RunSummary::shortened_delays`].
//! - It follows redirects one by one. Each is recorded as a [`Hop`](sitemap_pages::visit::Hop), waits for its turn at its host,
//!   and is checked as the first URL was: robots.txt, scheme, IP address.
//! - It sends the validators of an earlier visit, if there are any, so that an unchanged page is not sent again
//!   ([RFC 9110], section 13). The headers of the 304 count instead of those before. If it lacks one that stated
//!   something, such as `X-Robots-Tag`, the page is requested once more without validators, because a server may leave
//!   headers out of a 304.
//! - It retries transient failures and answers after a pause. `Retry-After` of 429 and 503 pauses the whole host.
//! - It gives up a host that asks for a longer pause than a limit, or that leaves many requests in a row without an
//!   answer. [`RunSummary::given_up`] has the host, the reason, and the number of pages that were not requested.
//! - It reads a body up to a limit, decompressed from gzip, deflate, brotli or zstd, and reports a cut one.
//! - It uses HTTP/2 where the server offers it.
//!
//! # Downloads
//!
//! [`Fetcher::downloader`] downloads files that the user has named, such as sitemaps, to disk. robots.txt does not apply
//! to them. Limits of each host, redirects, retries, pauses and private addresses are handled as for pages, with these
//! differences: the [`timeout`](FetchOptions::timeout) counts for a whole download, with its redirects, retries and
//! pauses; a body that is too long is an error; and a host that has never answered is asked once for each file.
//!
//! # Private addresses
//!
//! A sitemap or a redirect can name any host. So requests to this machine, to private networks and to the metadata
//! services of clouds are refused, unless an option allows them. Every URL is checked, and every address that a name
//! resolves to, right before the connection.
//!
//! Through a proxy, names are resolved by the proxy, so only URLs with an IP address are checked. Let the proxy refuse
//! what it must not reach, or use [`FetchOptions::proxies`]`(false)`.
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
