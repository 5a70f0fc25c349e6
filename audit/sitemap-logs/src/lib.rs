//! Reads web server access logs and verifies which requests came from search engine crawlers.
//!
//! A sitemap tells search engines which pages changed. The access log tells you when the search engines came to fetch
//! them.
//!
//! ```
//! use sitemap_logs::{Crawlers, LogError, LogReader};
//!
//! // Downloaded from https://developers.google.com/static/crawling/ipranges/common-crawlers.json
//! let google = r#"{"prefixes": [{"ipv4Prefix": "66.249.64.0/27"}]}"#;
//! let crawlers = Crawlers::builder().google(google)?.build();
//!
//! let log = concat!(
//!     r#"66.249.64.5 - - [27/Nov/2026:13:55:36 +0000] "GET /tea HTTP/1.1" 200 2326 "-" "Googlebot/2.1""#, "\n",
//!     r#"203.0.113.9 - - [27/Nov/2026:13:55:37 +0000] "GET /cups HTTP/1.1" 200 812 "-" "Googlebot/2.1""#, "\n",
//! );
//! let mut reader = LogReader::detect(log.as_bytes())?;
//! let mut fetched = Vec::new();
//! while let Some(request) = reader.next_request() {
//!     match request {
//!         Ok(request) => {
//!             let (Some(ip), Some(agent)) = (request.ip, &request.agent) else { continue };
//!             if let Some(crawler) = crawlers.verify(ip, agent) {
//!                 fetched.push((crawler, request.target.into_owned(), request.time));
//!             }
//!         }
//!         Err(LogError::Line(line)) => eprintln!("warning: {line}"),
//!         Err(error) => return Err(error.into()),
//!     }
//! }
//! // The second request only said that it came from Google.
//! assert_eq!(fetched, [("Googlebot", "/tea".to_owned(), 1_795_787_736_000_000)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Formats
//!
//! | format | lines | time | host and scheme | referer |
//! |---|---|---|---|---|
//! | [`combined`](LogFormat::Combined) | [nginx](https://nginx.org/en/docs/http/ngx_http_log_module.html) `combined`; [Apache](https://httpd.apache.org/docs/current/mod/mod_log_config.html) `common`, `combined` and `vhost_combined`; [Traefik](https://doc.traefik.io/traefik/observability/access-logs/) `common`; further values at the end of a line are ignored | seconds | host in `vhost_combined`; both in requests of proxies | if `combined` |
//! | [`json`](LogFormat::Json) | see below | as written | if written | if written |
//! | [`cloudfront`](LogFormat::CloudFront) | [Amazon CloudFront](https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html), standard logs as text; the line `#Fields:` names the columns, otherwise those of legacy logs are expected | seconds or milliseconds | yes | yes |
//! | [`alb`](LogFormat::Alb) | [AWS application load balancers](https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html) | microseconds | yes | no |
//!
//! In user agents, referers and targets, the crate undoes the escapes of nginx (`\x22`), Apache (`\"`, `\\`, `\t`,
//! `\x7f`) and `CloudFront` (`%20`). It never reads `X-Forwarded-For`, because clients can write anything into it.
//! Configure the server to log the address it trusts, for example with nginx's `set_real_ip_from`.
//!
//! # Names in JSON
//!
//! If a line contains several of the names in one table cell, the first name in that cell wins. Fields with other names
//! are ignored.
//!
//! | value | nginx | Caddy | Traefik | Cloudflare Logpush | Google Cloud |
//! |---|---|---|---|---|---|
//! | time | `msec`, `time_iso8601`, `time_local` | `ts` | `StartUTC`, `StartLocal`, `time` | `EdgeStartTimestamp`, `EdgeEndTimestamp` | `timestamp` |
//! | client | `remote_addr` | `request.client_ip`, `request.remote_ip` | `ClientHost`, `ClientAddr` | `ClientIP` | `httpRequest.remoteIp` |
//! | method | `request_method`, `request` | `request.method` | `RequestMethod` | `ClientRequestMethod` | `httpRequest.requestMethod` |
//! | target | `request_uri`, `request`, `uri` with `args` or `query_string` | `request.uri` | `RequestPath` | `ClientRequestURI`, `ClientRequestPath` | `httpRequest.requestUrl` |
//! | host | `http_host`, `host`, `server_name` | `request.host` | `RequestHost`, `RequestAddr` | `ClientRequestHost` | from the URL |
//! | scheme | `scheme` | `https` if `request.tls` is an object | `RequestScheme` | `ClientRequestScheme` | from the URL |
//! | status | `status` | `status` | `DownstreamStatus` | `EdgeResponseStatus` | `httpRequest.status` |
//! | bytes | `body_bytes_sent`, `bytes_sent` | `size` | `DownstreamContentSize` | `EdgeResponseBytes` | `httpRequest.responseSize` |
//! | user agent | `http_user_agent` | `request.headers.User-Agent` | `request_User-Agent` | `ClientRequestUserAgent` | `httpRequest.userAgent` |
//! | referer | `http_referer` | `request.headers.Referer` | `request_Referer` | `ClientRequestReferer` | `httpRequest.referer` |
//!
//! The names `@timestamp`, `client_ip`, `remote_ip`, `method`, `url`, `path`, `query`, `user_agent` and `referer`,
//! which other loggers often use, are recognised too. A time is either a string, as in RFC 3339 or in combined logs, or
//! the number of seconds, milliseconds, microseconds or nanoseconds since 1970. The magnitude of the number determines
//! the unit.
//!
//! Sources: [nginx, variables](https://nginx.org/en/docs/varindex.html) and `log_format … escape=json`;
//! [Caddy](https://caddyserver.com/docs/logging); [Traefik](https://doc.traefik.io/traefik/observability/access-logs/);
//! [Cloudflare](https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests/);
//! [Google Cloud](https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest).
//!
//! # Where to find what
//!
//! | task | item |
//! |---|---|
//! | read a log of a known or unknown format | [`LogReader::new`], [`LogReader::detect`] |
//! | know what a request has | [`LogRequest`] |
//! | count lines that are not requests | [`LogReader::garbage`] |
//! | read `access.log.2.gz` | [`MaybeGzip`](https://docs.rs/sitemap-logs/latest/sitemap_logs/struct.MaybeGzip.html) |
//! | tell Googlebot from those who only call themselves so | [`Crawlers`] |
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | the lines of a format | `combined`, `json/`, `cloudfront`, `alb` |
//! | names of formats, and detection | `format`, `detect` |
//! | the loop over the lines, and its input | `reader`, `source`, `gzip` |
//! | requests; their escapes, targets and times | `request`; `text`, `time` |
//! | IP addresses of crawlers | `crawlers/` |
//! | lines that are not requests | `error` |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `gzip` (default) | `MaybeGzip`, which reads logs whether they are compressed or not |
//!
//! The crate opens no connections or files: pass it any [`BufRead`](std::io::BufRead).

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod alb;
mod cloudfront;
mod combined;
mod crawlers;
mod detect;
mod error;
mod format;
#[cfg(feature = "gzip")]
mod gzip;
mod json;
mod reader;
mod request;
mod source;
mod text;
mod time;

pub use crawlers::{Crawlers, CrawlersBuilder, CrawlersError};
pub use error::{LogError, LogLine, LogRule};
pub use format::{LogFormat, LogFormatError};
#[cfg(feature = "gzip")]
pub use gzip::MaybeGzip;
pub use reader::LogReader;
pub use request::LogRequest;
