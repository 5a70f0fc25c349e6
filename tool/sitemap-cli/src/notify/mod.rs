//! `sitemap notify`: tells search engines which pages changed (IndexNow), and tells a hub that the feed has changed
//! (`WebSub`).

mod changes;
mod changes_file;
mod hub;
mod manifest;
mod send;
mod state;

use std::time::SystemTime;

use sitemap_core::Loc;
use sitemap_notify::IndexNow;
use url::Url;

use self::changes::Unchanged;
use self::send::{NotSent, Sender};
use self::state::{Held, Sent};
use crate::args::NotifyArgs;
use crate::build::out::is_bucket;
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::source::Source;
use crate::terminal::say;

pub(crate) fn run(args: &NotifyArgs) -> Outcome<()> {
    if args.old.as_deref() == Some("-") && args.new.as_deref() == Some("-") {
        return Err(Stop::new("both sets are standard input; give a path or URL for one of them"));
    }
    let endpoint = url("--endpoint", &args.endpoint)?;
    let hub = match (&args.hub, &args.feed) {
        (Some(hub), Some(feed)) => Some((url("--hub", hub)?, url("--feed", feed)?)),
        _ => None,
    };
    let targets = args.old.iter().chain(&args.new).map(String::as_str);
    let source = Source::new(&args.read, targets)?;
    let told = match &args.key {
        Some(key) => index_now_of(args, key, endpoint, &source),
        None => Ok(()),
    };
    // The hub is notified even if notifying the search engines has failed.
    let Some((hub, feed)) = hub else { return told };
    if args.dry_run {
        let mut output = Output::new();
        output.line(&hub::body(feed.as_str()))?;
        return told.and(output.flush());
    }
    let name = hub.to_string();
    told.and(hub::publish(Sender::new(&source, hub, args.max_wait), &name, feed.as_str()))
}

fn index_now_of(args: &NotifyArgs, key: &str, endpoint: Url, source: &Source) -> Outcome<()> {
    if args.changes.is_none() && args.old.is_none() {
        return Err(Stop::new("no pages to send; name the old and the new set, or give `--changes`"));
    }
    let mut changed = changed(args, source)?;
    if let Some(prefix) = &args.prefix {
        changed.retain(|loc| loc.as_str().starts_with(prefix));
    }
    let prefix = args.prefix.as_deref();
    let mut sent = match &args.state {
        Some(path) => Some(Sent::open(path, SystemTime::now())?),
        None => None,
    };
    let (is_none_changed, mut held) = (changed.is_empty(), None);
    if let Some(sent) = &mut sent {
        let now = SystemTime::now();
        changed = sent.take(changed, prefix, now)?;
        held = sent.held(prefix, now);
    }
    let result = if let Some(first) = changed.first() {
        let index_now = index_now(args, key, first)?;
        // All pages are checked before the first request, so that an invalid page can't stop the command halfway.
        for page in &changed {
            index_now.check(page).map_err(|error| match &args.state {
                Some(state) => Stop::new(format!(
                    "{error}; if the page waits in `{}` since an earlier run, give `--prefix` or name another file",
                    state.display()
                )),
                None => Stop::new(error.to_string()),
            })?;
        }
        if args.dry_run {
            print(&index_now, &changed)
        } else {
            let sender = Sender::new(source, endpoint, args.max_wait);
            send(args, &index_now, sender, &changed, sent.as_mut())
        }
    } else {
        if is_none_changed && held.is_none() {
            say("no page has changed; nothing sent");
        }
        Ok(())
    };
    if let Some(sent) = sent.filter(|_| !args.dry_run) {
        sent.save()?;
    }
    if let Some(Held { urls: count, until }) = held {
        say(&format!(
            "{} held back, sent less than ten minutes ago; run the command again in {} s",
            urls(count),
            until.as_secs()
        ));
    }
    result
}

/// Returns the changed pages.
fn changed(args: &NotifyArgs, source: &Source) -> Outcome<Vec<Loc<'static>>> {
    if let Some(path) = &args.changes {
        return changes_file::read(path);
    }
    let (old, new) = (args.old.as_deref().unwrap_or_default(), args.new.as_deref().unwrap_or_default());
    // The manifests of object stores are always compared.
    let is_in_folders = !is_bucket(old) && !is_bucket(new);
    let unchanged =
        if args.since_manifest && is_in_folders { manifest::unchanged(old, new)? } else { Unchanged::new() };
    changes::changed(source, old, new, unchanged)
}

/// Prints the requests.
fn print(index_now: &IndexNow, pages: &[Loc<'static>]) -> Outcome<()> {
    let mut output = Output::new();
    for batch in index_now.batches(pages.iter().cloned()) {
        output.line(batch.map_err(|error| Stop::new(error.to_string()))?.body())?;
    }
    output.flush()
}

/// Sends the requests, and records the pages that were accepted.
fn send(
    args: &NotifyArgs,
    index_now: &IndexNow,
    mut sender: Sender<'_>,
    pages: &[Loc<'static>],
    mut sent: Option<&mut Sent>,
) -> Outcome<()> {
    if let Some(sent) = &mut sent {
        sent.wait(pages);
        sent.save()?;
    }
    let mut accepted = 0;
    for batch in index_now.batches(pages.iter().cloned()) {
        let batch = batch.map_err(|error| Stop::new(error.to_string()))?;
        let end = accepted + batch.urls();
        let of_batch = pages.get(accepted..end).unwrap_or_default();
        if let Some(sent) = &mut sent {
            sent.begin(of_batch, SystemTime::now())?;
        }
        match sender.send(&batch) {
            Ok(answer) => say(&format!("{}: {answer}", urls(batch.urls()))),
            Err(NotSent { reason, was_refused }) => {
                if let Some(sent) = sent.as_mut().filter(|_| was_refused) {
                    sent.wait(of_batch);
                }
                let again = if sent.is_some() { "; a later run sends the others again" } else { "" };
                return Err(Stop::new(format!(
                    "`{}` did not accept {}: {reason}; {accepted} of {} were accepted{again}",
                    args.endpoint,
                    urls(batch.urls()),
                    urls(pages.len())
                )));
            }
        }
        if let Some(sent) = &mut sent {
            sent.accepted(of_batch, SystemTime::now())?;
        }
        accepted = end;
    }
    Ok(())
}

fn url(option: &str, text: &str) -> Outcome<Url> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        _ => Err(Stop::new(format!("`{option}` is `{text}`; give an http or https URL"))),
    }
}

fn index_now(args: &NotifyArgs, key: &str, page: &Loc<'_>) -> Outcome<IndexNow> {
    let index_now = IndexNow::new(page, key).map_err(|error| Stop::new(format!("`--key`: {error}")))?;
    let Some(location) = &args.key_location else { return Ok(index_now) };
    let refused = |error: String| Stop::new(format!("`--key-location`: {error}"));
    let file = Loc::parse(location.clone()).map_err(|error| refused(error.to_string()))?;
    index_now.key_location(file).map_err(|error| refused(error.to_string()))
}

fn urls(count: usize) -> String {
    if count == 1 { "1 URL".to_owned() } else { format!("{count} URLs") }
}
