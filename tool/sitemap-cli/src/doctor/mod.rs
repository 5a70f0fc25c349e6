//! `sitemap doctor`: fetches a sitemap as a crawler does, step by step.
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
use crate::source::Source;
use crate::terminal::Paint;

/// Runs all steps and prints each one. Returns `true` if a crawler fails before the end.
pub(crate) fn run(args: &DoctorArgs, config: &Config, out: Paint) -> Outcome<bool> {
    for (is_given, option) in [(args.read.cache.is_some(), "--cache"), (args.read.probe, "--probe")] {
        if is_given {
            let why = "which goes the way of a crawler to this URL each time; remove it";
            return Err(Stop::new(format!("`{option}` has no effect on `sitemap doctor`, {why}")));
        }
    }
    let source = Source::new(&args.read, [args.url.as_str()])?;
    let Some(url) = Source::url(&args.url)? else {
        let why = format!("`{}` is not a URL; write it with `https://`", args.url);
        return Err(Stop::new(why));
    };
    let mut log = Log::new(out);
    walk(&source, &url, &args.crawler, config, &mut log)?;
    log.end(url.as_str())
}

/// Runs the steps up to the first one that fails.
fn walk(source: &Source, url: &Url, crawler: &str, config: &Config, log: &mut Log) -> Outcome<()> {
    let mut robots = Robots::new(source, crawler);
    if !robots.check(url, log)? {
        return Ok(());
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
            return log.fail(step, &source.explain(error));
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
            return Ok(());
        }
    }
    if response.status != 200 {
        return log.fail(Step::Status, &source.refusal(downloaded, response));
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
