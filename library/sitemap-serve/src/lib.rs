//! Serves published sitemaps over HTTP, and keeps serving them while they are refreshed.
//!
//! A [`SitemapService`] answers requests for the files of a set. It is a `tower::Service`, so axum and other `tower`
//! servers can mount it directly. For any other framework, call its plain function
//! [`respond`](SitemapService::respond). The service needs no async runtime.
//!
//! Serve a set that this process keeps up to date ([`LiveSitemap`]):
//!
//! ```
//! use sitemap_core::Site;
//! use sitemap_serve::LiveSitemap;
//!
//! let site = Site::new("https://example.com")?;
//! let live = LiveSitemap::new(site.clone());
//! let service = live.service().robots_txt(&site, "User-agent: *\nDisallow: /cart\n");
//! // In axum: `Router::new().fallback_service(service.clone())`.
//!
//! live.refresh(|run| {
//!     run.section("pages")?.add_all(["/", "/about"])?;
//!     Ok(())
//! })?;
//!
//! let response = service.respond(&http::Method::GET, "/sitemap.xml", &http::HeaderMap::new());
//! assert_eq!(response.status(), 200);
//!
//! // A client that has this file already gets 304 Not Modified:
//! let condition = [("if-none-match", response.headers()["etag"].as_bytes())];
//! assert_eq!(service.respond_to("GET", "/sitemap.xml", condition).status(), 304);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Serve a directory or any other [`Storage`](sitemap_core::Storage), published by this or another process
//! ([`SitemapService::new`]):
//!
//! ```
//! use sitemap_core::{Directory, Site, SitemapSet};
//! use sitemap_serve::SitemapService;
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let service = SitemapService::new(Directory::open(folder)?);
//!
//! let mut run = SitemapSet::builder(Site::new("https://example.com")?).open(folder)?.replace()?;
//! run.section("pages")?.add("/")?;
//! run.commit()?;
//!
//! let response = service.respond_to("GET", "/sitemap.xml", [("accept", "*/*")]);
//! assert_eq!(response.headers()["content-type"], "application/xml");
//! assert!(response.body().ends_with(b"</urlset>\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Serve a set from a directory or bucket that several instances of an application keep up to date
//! ([`LiveSitemap::on`]). The set survives restarts, and all instances serve the same files:
//!
//! ```
//! use std::time::Duration;
//!
//! use sitemap_core::{Directory, Site};
//! use sitemap_serve::LiveSitemap;
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let site = Site::new("https://example.com")?;
//! let live = LiveSitemap::on(Directory::open(folder)?, LiveSitemap::options(site));
//! let refresher = live.every(Duration::from_secs(600), |run| {
//!     run.section("pages")?.add_all(["/", "/about"])?;
//!     Ok(())
//! })?;
//! # while !live.status().has_set { std::thread::yield_now() }
//! // Mount `live.service()` in the server. When the server shuts down:
//! refresher.stop().wait();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Refresh from async code, on any runtime ([`LiveSitemap::refresh_async`], [`LiveSitemap::every_async`]):
//!
//! ```
//! use std::time::Duration;
//!
//! use sitemap_core::Site;
//! use sitemap_serve::LiveSitemap;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let live = LiveSitemap::new(Site::new("https://example.com")?);
//! let (refresher, schedule) = live.every_async(Duration::from_secs(600), async |run| {
//!     run.section("pages")?.add("/")?;
//!     Ok(())
//! });
//! tokio::spawn(schedule);
//! # while !live.status().has_set { tokio::task::yield_now().await }
//!
//! // A clone of `refresher` in the state of the application can call `wake()` after a change.
//! // When the server shuts down:
//! refresher.stop().await;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to find what
//!
//! | task | item |
//! |---|---|
//! | keep the set over restarts, and share it between instances | [`LiveSitemap::on`] |
//! | refresh on a schedule, or when records change | [`LiveSitemap::every_async`], [`LiveSitemap::every`], [`Refresher`] |
//! | find out whether the application is ready, and what failed | [`LiveSitemap::status`] |
//! | serve next to an application with its own 404 | [`SitemapService::layer`], [`SitemapService::respond_or_pass_async`], [`SitemapService::respond_or_pass`] |
//! | serve under a path, set headers and cache sizes | the methods of [`SitemapService`] |
//! | let people look through the set | [`SitemapService::html_page`] |
//! | answer `/robots.txt` | [`SitemapService::robots_txt`] |
//! | choose file names, compression and sections | [`LiveSitemap::with_options`], `Replacement` in `sitemap-core` |
//! | programs for axum, actix-web and others | the guide `docs/serving.md` |
//!
//! # Responses
//!
//! | request | response |
//! |---|---|
//! | GET or HEAD of a file of the set | 200 with `Content-Length`, `ETag`, `Last-Modified`, `Cache-Control`; HEAD has the headers of GET |
//! | the same with `If-None-Match` or `If-Modified-Since`, and the client has the file | 304 |
//! | the same with `If-Match` or `If-Unmodified-Since`, and the file has changed | 412 |
//! | GET with `Range`, and with an `If-Range` that has the entity tag, if there is one | 206 with `Content-Range`; 416 if the file has no such bytes |
//! | the same with another method | 405 with `Allow` |
//! | a file that the set does not have, or any other path | 404; the [layer](SitemapLayer) passes the request on |
//! | any file while there is no set; a file that is not in memory while the storage fails | 503 with `Retry-After` |
//! | a file in memory while the storage fails | the copy in memory, which may be outdated |
//! | a file while the storage panics | 500 |
//! | `sitemap.css` in the directory of the set | the [stylesheet](sitemap_core::Stylesheet::CSS) |
//! | `sitemap.html` in the directory of the set | the page for people, if [enabled](SitemapService::html_page) |
//! | `/robots.txt` | the rules and the `Sitemap:` lines, if [enabled](SitemapService::robots_txt) |
//!
//! XML is sent as `application/xml`, and text as `text/plain; charset=utf-8`. A file whose name ends with `.gz` is sent
//! as `application/gzip` without a content encoding, because the file itself is compressed. Plain files of at least one
//! kilobyte are [compressed](SitemapService::compress) for clients that accept gzip, zstd or brotli, if the crate has
//! the matching feature. A compressed response has its own entity tag and `Vary: Accept-Encoding`. If a client gives
//! several codings the same weight, brotli comes before zstd, and zstd before gzip. Entity tags are strong and derived
//! from the content, so all servers with the same files send the same tags. A request for one range of bytes gets that
//! range of the plain file. But a client that also accepts a compressed file gets the whole file, and so does a request
//! for several ranges.
//!
//! The service only serves names that a set can contain (`sitemap.xml`, `sitemap-….xml`, and the same with `.txt` and
//! `.gz`) directly under the [mount path](SitemapService::mount). Names are compared byte by byte. Paths are never
//! decoded, so no request can reach a file outside the storage. The set's manifest, journal, lock and temporary
//! files are never served. If another program writes a file to the same directory, it's served if its name is one that
//! a set can contain.
//!
//! Sources: [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110) and, for the media type of `.gz`, [RFC
//! 6713](https://www.rfc-editor.org/rfc/rfc6713).
//!
//! # Blocking
//!
//! The `tower` service does not block the async runtime. It answers from memory. Slow work (querying the storage,
//! reading a file, compressing it) runs on at most ten threads of its own, which end when there is nothing left to do.
//! At most four of these threads read files, so if a storage stops responding, the others still serve the files in
//! memory. There is one exception: if the operating system refuses to start a thread while the service has none, the
//! work runs on the caller's thread and blocks it.
//!
//! After a check for changes, a file in storage is not checked again for [one
//! second](SitemapService::REVALIDATE_AFTER). A file named by its digest is never checked again. While one request
//! checks a file, others get the copy in memory. If a check fails, the copy in memory is served without another check
//! for at least as long as the failed check took. The service keeps up to [64 MiB](SitemapService::CACHE_BYTES) of
//! files in memory.
//!
//! For a [`LiveSitemap`] in memory, the only slow work is compressing a file for the first time.
//! [`LiveSitemap::refresh`] runs on the calling thread. [`LiveSitemap::refresh_async`] moves compression, digests and
//! storage access to other threads.
//!
//! # WebAssembly
//!
//! On `wasm32-unknown-unknown`, the standard library has no clock, so the program must provide one with
//! [`clock::set`](sitemap_core::clock::set()). Without a clock, refreshes fail with an error. There are no threads or
//! timers either, so `LiveSitemap::every` and `every_async` do not exist there. Instead, the host calls
//! [`refresh_async`](LiveSitemap::refresh_async), for example from a scheduled event or when [`Status::is_current`]
//! returns `false` during a request.
//!
//! # Failures
//!
//! The [`Status`] counts every refresh and change that has returned, and contains the last error.
//! [`refresh`](LiveSitemap::refresh) also returns its error to the caller. Scheduled refreshes have no caller, so their
//! failures are written to the standard error stream. With the feature `tracing`, every failure is also an event of
//! level `ERROR`. If the program has a subscriber, the event replaces the line on the standard error stream.
//!
//! If the storage fails during a request, the [`ServiceStatus`] counts the failure. Only the first of several failures
//! in a row is written to the standard error stream. If there is a `tracing` subscriber, every failure is an event
//! instead.
//!
//! The feature `metrics` records these values with the `metrics` facade. Prometheus and Grafana accept the names
//! unchanged:
//!
//! | metric | kind | value |
//! |---|---|---|
//! | `sitemap_refreshes_total` | counter | refreshes and changes, with the label `result`: `success`, `failure`, or `left` if another instance refreshes the set |
//! | `sitemap_refresh_duration_seconds` | histogram | the duration of each of them |
//! | `sitemap_last_success_timestamp_seconds` | gauge | the date of the last success of any instance, in seconds since 1970 |
//! | `sitemap_urls` | gauge | the number of pages after the last refresh |
//! | `sitemap_files` | gauge | the number of files |
//! | `sitemap_storage_failures_total` | counter | checks and reads of files in a storage that have failed |
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `brotli` | no | responses compressed with brotli |
//! | `gzip` | yes | compressed responses and sets |
//! | `metrics` | no | the metrics above |
//! | `tracing` | no | spans and events of refreshes, and events for unreadable files |
//! | `zstd` | no | responses compressed with Zstandard; needs a C compiler |
//!
//! The crate does not depend on how a set was made. It opens no sockets and depends on no server: it only implements
//! `tower`'s `Service` trait.

//! # Modules
//!
//! | about | modules |
//! |---|---|
//! | HTTP requests and responses | `route`, `accept`, `coding`, `conditions`, `range`, `response`, `body` |
//! | the service, the layer and other ways to mount it | `service`, `layer`, `pass_through`, `robots_file`, `service_status` |
//! | the files that are served | `source`, `file`, `cache` and `cached_files` for a storage, `memory_set` and `old_files` |
//! | a live set, its refreshes and their status | `live`, `target`, `refresh`, `refresh_storage`, `set_search`, `status`, `report`, `error` |
//! | schedules, and which of several instances refreshes | `schedule`, `handle`, `lease`, `lease_guard` |
//! | slow work on other threads | `offload`, `lock` |

// Schedules need threads and timers.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

mod accept;
mod body;
mod cache;
mod cached_files;
mod coding;
mod conditions;
mod error;
mod file;
mod handle;
mod layer;
mod lease;
mod lease_guard;
mod live;
mod lock;
mod memory_set;
mod offload;
#[cfg(feature = "gzip")]
mod old_files;
mod pass_through;
mod range;
mod refresh;
mod refresh_storage;
mod report;
mod response;
mod robots_file;
mod route;
#[cfg(not(target_family = "wasm"))]
mod schedule;
mod service;
mod service_status;
mod set_search;
mod source;
mod status;
mod target;

pub use body::Body;
pub use error::{BoxError, RefreshError};
pub use handle::{Refresher, Stopping};
pub use layer::{Layered, LayeredBody, LayeredFuture, SitemapLayer};
pub use live::LiveSitemap;
pub use pass_through::PassFuture;
pub use service::{ResponseFuture, SitemapService};
pub use service_status::ServiceStatus;
pub use status::Status;
// The crates whose types appear in the public interface.
pub use {bytes as bytes_1, http as http_1};
