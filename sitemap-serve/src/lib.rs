//! Serving a published set over HTTP, and publishing anew what is being served (feature `tower`).
//!
//! [`SitemapService`] answers requests for the files of a set. It is a `tower::Service`, so that axum and
//! everything else made of those mounts it as it is, and it has a plain function,
//! [`respond`](SitemapService::respond), for all other frameworks. It needs no async runtime and brings
//! none. Its files come from
//!
//! - any [`Storage`](sitemap_core::Storage), such as a [`Directory`](sitemap_core::Directory) that this or another
//!   process publishes to: [`SitemapService::new`];
//! - a [`LiveSitemap`], which this process publishes again and again while it is served.
//!
//! ```
//! use sitemap_core::Site;
//! use sitemap_serve::{http, LiveSitemap};
//!
//! let site = Site::new("https://example.com")?;
//! let live = LiveSitemap::new(site.clone());
//! let service = live.service().robots_txt(&site, "User-agent: *\nDisallow: /cart\n");
//! // In axum: `Router::new().fallback_service(service.clone())`.
//!
//! live.refresh(|publisher| {
//!     publisher.section("pages")?.add_all(["/", "/about"])?;
//!     Ok(())
//! })?;
//!
//! let answer = service.respond(&http::Method::GET, "/sitemap.xml", &http::HeaderMap::new());
//! assert_eq!(answer.status(), 200);
//! // What a client says that has this file already:
//! let known = [("if-none-match", answer.headers()["etag"].as_bytes())];
//! assert_eq!(service.respond_to("GET", "/sitemap.xml", known).status(), 304);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is answered
//!
//! | request | answer |
//! |---|---|
//! | GET or HEAD of a file of the set | 200 with `Content-Length`, `ETag`, `Last-Modified`, `Cache-Control`; HEAD has the headers of GET |
//! | the same with `If-None-Match` or `If-Modified-Since`, and the file is known | 304 |
//! | the same with `If-Match` or `If-Unmodified-Since`, and the file is another | 412 |
//! | another method | 405 with `Allow` |
//! | a file that the set does not have, or any other path | 404 |
//! | any file of a set while there is none, or its storage fails | 503 with `Retry-After` |
//! | `sitemap.css` beside the set | the [stylesheet](sitemap_core::Stylesheet::CSS) |
//! | `/robots.txt` | the rules and `Sitemap:` lines, if [asked for](SitemapService::robots_txt) |
//!
//! XML is sent as `application/xml`, text as `text/plain; charset=utf-8`, and a file whose name ends with
//! `.gz` as `application/gzip`: compression is then what the file is, and no coding of the answer.
//! Plain files of a kilobyte or more are [compressed](SitemapService::compress) for clients that accept
//! gzip, under an entity tag of their own; such answers have `Vary: Accept-Encoding`. Entity tags are
//! strong and are made of the content, so all servers of a site have the same. `Range` is ignored.
//!
//! Only names that a set can have are answered, compared letter by letter, at the
//! [mount](SitemapService::mount) and nowhere deeper: `sitemap.xml`, `sitemap-….xml` and the same with
//! `.txt` and `.gz`. Nothing is decoded, so no path leads out of the storage, and its manifest, journal,
//! lock and temporary files are never served. Other files of such names in the same directory are.
//!
//! Sources: [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110), and for the type of `.gz`
//! [RFC 6713](https://www.rfc-editor.org/rfc/rfc6713).
//!
//! # What waits for what
//!
//! As a service it answers at once from memory. Whatever may take longer, a look at the storage, reading
//! a file or compressing it, is done by at most two threads of the service's own, which end when there
//! is nothing to do. A storage's file is taken for unchanged for [a second](SitemapService::TRUST), and
//! [64 MiB](SitemapService::CACHE_BYTES) of them are kept.
//!
//! A [`LiveSitemap`] answers everything from memory but the compressing of what was not compressed
//! before. Its refreshes run where they are called from: on a thread that
//! [`every`](LiveSitemap::every) begins, or in an async program with `spawn_blocking`:
//!
//! ```text
//! let live = live.clone();
//! tokio::task::spawn_blocking(move || live.refresh(|publisher| …)).await??;
//! ```
//!
//! The guide `docs/serving.md` has whole programs for axum, and the few lines that actix-web and others
//! take.

mod accept;
mod answer;
mod body;
mod cache;
mod conditions;
mod error;
mod file;
mod live;
mod offload;
mod report;
mod route;
mod schedule;
mod service;
mod source;

pub use body::Body;
pub use error::{BoxError, RefreshError};
pub use live::LiveSitemap;
pub use schedule::Refresher;
pub use service::{ResponseFuture, SitemapService};
pub use {bytes, http};
