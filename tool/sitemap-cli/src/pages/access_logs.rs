//! `sitemap report --access-log`: when crawlers fetched the pages that changed.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, SystemTime};

use sitemap_core::Loc;
use sitemap_logs::{Crawlers, LogError, LogReader, LogRequest, MaybeGzip};
use sitemap_pages::report::Fetches;

use crate::args::AccessLogArgs;
use crate::error::{Outcome, Stop};
use crate::number::{counted, grouped};
use crate::terminal::say;

/// The size of the buffer of a log.
const BUFFER: usize = 1 << 16;

/// Reads the files with crawlers' IP addresses. Returns `None` if there are no logs.
pub(super) fn crawlers(args: &AccessLogArgs) -> Outcome<Option<Crawlers>> {
    if args.access_log.is_empty() {
        return Ok(None);
    }
    let mut builder = Crawlers::builder();
    for ranges in &args.crawler_ranges {
        let path = &ranges.path;
        let file = fs::read_to_string(path).map_err(|error| Stop::io("read", path, &error))?;
        builder = builder
            .file(&ranges.name, &file)
            .map_err(|error| Stop::new(format!("`{}`: {error}", path.display())))?;
    }
    Ok(Some(builder.build()))
}

/// Adds the crawlers' page requests. `origin` is the pages' scheme and host, for logs that don't contain them.
pub(super) fn read(
    args: &AccessLogArgs,
    crawlers: &Crawlers,
    origin: &str,
    fetches: &mut Fetches,
) -> Outcome<()> {
    let mut found = 0;
    for path in &args.access_log {
        found += read_log(args, path, crawlers, origin, fetches)?;
    }
    let logs = counted(args.access_log.len() as u64, "log");
    say(&format!("{} of verified crawlers in {logs}", counted(found, "request")));
    if found == 0 {
        say("warning: no request came from a crawler; check that the logs have the IP addresses of clients");
    }
    Ok(())
}

/// Reads a log. Returns how many requests were made by crawlers.
fn read_log(
    args: &AccessLogArgs,
    path: &Path,
    crawlers: &Crawlers,
    origin: &str,
    fetches: &mut Fetches,
) -> Outcome<u64> {
    let name = path.display();
    let failed = |error: &std::io::Error| Stop::io("read", path, error);
    let file = File::open(path).map_err(|error| failed(&error))?;
    let log = MaybeGzip::new(BufReader::with_capacity(BUFFER, file)).map_err(|error| failed(&error))?;
    let mut reader = match args.log_format {
        Some(format) => LogReader::new(log, format),
        None => LogReader::detect(log).map_err(|error| Stop::new(format!("`{name}`: {error}")))?,
    };
    let mut covered: Option<(SystemTime, SystemTime)> = None;
    let (mut found, mut first_bad) = (0, None);
    while let Some(request) = reader.next_request() {
        match request {
            Ok(request) => {
                let Some(time) = time_of(&request) else { continue };
                covered = Some(covered.map_or((time, time), |(from, to)| (from.min(time), to.max(time))));
                if is_of_crawler(crawlers, &request) {
                    found += 1;
                    if has_content(&request) {
                        fetches.fetch(&url_of(&request, origin), time);
                    }
                }
            }
            Err(LogError::Line(line)) => _ = first_bad.get_or_insert(line),
            Err(error) => return Err(Stop::new(format!("`{name}`: {error}"))),
        }
    }
    if let Some((from, to)) = covered {
        fetches.covers(from, to);
    }
    if let Some(first) = first_bad {
        let lines = match reader.garbage() {
            1 => "1 line is not a request".to_owned(),
            lines => format!("{} lines are not requests", grouped(lines)),
        };
        say(&format!("warning: `{name}`: {lines}; the first: {first}"));
    }
    Ok(found)
}

fn time_of(request: &LogRequest<'_>) -> Option<SystemTime> {
    let micros = u64::try_from(request.time).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_micros(micros))
}

fn is_of_crawler(crawlers: &Crawlers, request: &LogRequest<'_>) -> bool {
    let (Some(ip), Some(agent)) = (request.ip, &request.agent) else { return false };
    crawlers.is_verified_bot(ip, agent)
}

/// Returns `true` if the crawler received the content, or was told that it hasn't changed.
fn has_content(request: &LogRequest<'_>) -> bool {
    request.method == "GET" && request.status.is_none_or(|status| matches!(status, 200..=299 | 304))
}

/// Returns the URL of a request in the form that sitemaps list.
fn url_of(request: &LogRequest<'_>, origin: &str) -> String {
    let (origin_scheme, origin_host) = origin.split_once("://").unwrap_or(("https", origin));
    let scheme = request.scheme.unwrap_or(origin_scheme);
    let host = request.host.as_deref().unwrap_or(origin_host);
    let url = format!("{scheme}://{host}{}", request.target);
    match Loc::parse(&url) {
        Ok(loc) => loc.as_str().to_owned(),
        Err(_) => url,
    }
}
