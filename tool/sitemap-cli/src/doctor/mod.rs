//! `sitemap doctor`: fetches a sitemap as a crawler does, step by step. It starts at a host's robots.txt or at the URL of
//! a sitemap, and tries a sample of the child sitemaps.
//!
//! | what | where |
//! |---|---|
//! | name, address, certificate | `connection` |
//! | robots.txt | `robots` |
//! | headers and content of the response | `response`, `content` |
//! | the lines that are printed | `log`, `failure` |

mod connection;
mod content;
mod failure;
mod log;
mod response;
mod robots;

use sitemap_fetch::Downloaded;
use url::Url;

use self::failure::step_of;
use self::log::{Log, Step};
use self::robots::Robots;
use crate::args::DoctorArgs;
use crate::config::Config;
use crate::error::{Outcome, Stop};
use crate::number::grouped;
use crate::source::{Place, Source};
use crate::terminal::Paint;

/// The maximum number of child sitemaps to try.
const SAMPLE: usize = 5;

/// Runs all steps and prints each one. Returns `true` if a crawler fails before the end.
pub(crate) fn run(args: &DoctorArgs, config: &Config, out: Paint) -> Outcome<bool> {
    let has_columns = !args.read.columns.column.is_empty();
    for (is_given, option) in
        [(args.read.cache.is_some(), "--cache"), (args.read.probe, "--probe"), (has_columns, "--column")]
    {
        if is_given {
            let why = "which goes the way of a crawler to this URL each time; remove it";
            return Err(Stop::new(format!("`{option}` has no effect on `sitemap doctor`, {why}")));
        }
    }
    let source = Source::new(&args.read, [args.url.as_str()])?;
    let Some(url) = Source::url_or_host(&args.url)? else {
        let why = format!("`{}` is not a URL or a host; write it with `https://`", args.url);
        return Err(Stop::new(why));
    };
    let mut log = Log::new(out);
    let mut robots = Robots::new(&source, &args.crawler);
    if Source::is_site(&url) {
        site(&source, &url, &mut robots, config, &mut log)?;
    } else {
        sitemap(&source, &url, &mut robots, config, &mut log)?;
    }
    log.end(url.as_str())
}

/// Checks the sitemaps of a site, which robots.txt names.
fn site(source: &Source, site: &Url, robots: &mut Robots<'_>, config: &Config, log: &mut Log) -> Outcome<()> {
    let file = site.join("/robots.txt").map_err(|error| Stop::new(format!("`{site}`: {error}")))?;
    if !robots.check(&file, log)? {
        return Ok(());
    }
    let places = match source.roots(site.as_str()) {
        Ok(places) => places,
        Err(Stop::Error(why)) => return log.fail(Step::Robots, &why),
        Err(stop) => return Err(stop),
    };
    let urls = places.into_iter().filter_map(|place| match place {
        Place::Url(url) => Some(url),
        _ => None,
    });
    let urls: Vec<Url> = urls.collect();
    for url in sample(&urls, "sitemaps", log)? {
        log.title(url.as_str())?;
        sitemap(source, url, robots, config, log)?;
    }
    Ok(())
}

/// Checks a sitemap, and a sample of its child sitemaps.
fn sitemap(
    source: &Source,
    url: &Url,
    robots: &mut Robots<'_>,
    config: &Config,
    log: &mut Log,
) -> Outcome<()> {
    let children = walk(source, url, robots, config, log)?;
    for child in sample(&children, "child sitemaps", log)? {
        log.child(child.as_str(), |log| walk(source, child, robots, config, log).map(drop))?;
    }
    Ok(())
}

/// Returns the first URL, the last, and some between them. Says how many are left out.
fn sample<'u>(urls: &'u [Url], noun: &str, log: &mut Log) -> Outcome<Vec<&'u Url>> {
    let last = urls.len().saturating_sub(1);
    if urls.len() <= SAMPLE {
        return Ok(urls.iter().collect());
    }
    log.more(&format!("{SAMPLE} of {} {noun} are tried", grouped(urls.len() as u64)))?;
    Ok((0..SAMPLE).filter_map(|number| urls.get(number * last / (SAMPLE - 1))).collect())
}

/// Runs the steps up to the first one that fails. Returns the child sitemaps of an index.
fn walk(
    source: &Source,
    url: &Url,
    robots: &mut Robots<'_>,
    config: &Config,
    log: &mut Log,
) -> Outcome<Vec<Url>> {
    if !robots.check(url, log)? {
        return Ok(Vec::new());
    }
    let asked = source.ask(url).map_err(Stop::new)?;
    let downloaded = &asked.downloaded;
    let hops = redirects(downloaded);
    let response = match &downloaded.outcome {
        Ok(response) => response,
        Err(error) => {
            let step = step_of(error);
            if step != Step::Redirects {
                log.ok(Step::Redirects, &hops)?;
            }
            if matches!(step, Step::Encoding | Step::Size) {
                log.ok(Step::Status, "200")?;
            }
            log.fail(step, &source.explain(error))?;
            return Ok(Vec::new());
        }
    };
    log.ok(Step::Redirects, &hops)?;
    let last =
        Url::parse(&downloaded.url).map_err(|error| Stop::new(format!("`{}`: {error}", downloaded.url)))?;
    // A crawler checks before each redirect whether it may fetch the next URL.
    let hops = downloaded.hops.iter().skip(1).map(|hop| hop.url.as_str());
    for on_the_way in hops.chain([last.as_str()]) {
        let on_the_way =
            Url::parse(on_the_way).map_err(|error| Stop::new(format!("`{on_the_way}`: {error}")))?;
        if !robots.check(&on_the_way, log)? {
            return Ok(Vec::new());
        }
    }
    if response.status != 200 {
        log.fail(Step::Status, &source.refusal(downloaded, response))?;
        return Ok(Vec::new());
    }
    log.ok(Step::Status, "200")?;
    response::check(response, &last, log)?;
    content::check(source, config, &asked, &last, log)
}

/// Describes the redirects.
fn redirects(downloaded: &Downloaded) -> String {
    let hops: Vec<String> = downloaded
        .hops
        .iter()
        .map(|hop| format!("{} to `{}`", hop.status, hop.location.as_deref().unwrap_or("no URL")))
        .collect();
    if hops.is_empty() { "none".to_owned() } else { hops.join(", ") }
}
