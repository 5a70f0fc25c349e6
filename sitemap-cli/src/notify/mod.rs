//! `sitemap notify`: tells search engines which pages changed, with IndexNow.

mod changes;
mod manifest;
mod send;

use sitemap_core::Loc;
use sitemap_notify::IndexNow;
use url::Url;

use self::changes::Unchanged;
use self::send::Sender;
use crate::args::NotifyArgs;
use crate::build::out::is_bucket;
use crate::error::{Outcome, Stop};
use crate::output::Output;
use crate::source::Source;
use crate::terminal::say;

pub(crate) fn run(args: &NotifyArgs) -> Outcome<()> {
    if args.old == "-" && args.new == "-" {
        return Err(Stop::new("both sets are standard input; give a path or URL for one of them"));
    }
    let endpoint = endpoint(&args.endpoint)?;
    // The manifests of object stores are always compared.
    let is_in_folders = !is_bucket(&args.old) && !is_bucket(&args.new);
    let unchanged = if args.since_manifest && is_in_folders {
        manifest::unchanged(&args.old, &args.new)?
    } else {
        Unchanged::new()
    };
    let source = Source::new(&args.read, [args.old.as_str(), &args.new])?;
    let mut changed = changes::changed(&source, &args.old, &args.new, unchanged)?;
    if let Some(prefix) = &args.prefix {
        changed.retain(|loc| loc.as_str().starts_with(prefix));
    }
    let Some(first) = changed.first() else {
        say("no page has changed; nothing sent");
        return Ok(());
    };
    let index_now = index_now(args, first)?;
    // Checks all pages before the first request. Otherwise an invalid page could end the command between two requests.
    for page in &changed {
        index_now.check(page).map_err(|error| Stop::new(error.to_string()))?;
    }
    let batches = index_now.batches(changed.iter().cloned());
    let batches = batches.map(|batch| batch.map_err(|error| Stop::new(error.to_string())));
    if args.dry_run {
        let mut output = Output::new();
        for batch in batches {
            output.line(batch?.body())?;
        }
        return output.flush();
    }
    let mut sender = Sender::new(&source, endpoint, args.max_wait);
    let mut sent = 0;
    for batch in batches {
        let batch = batch?;
        match sender.send(&batch) {
            Ok(answer) => say(&format!("{}: {answer}", urls(batch.urls()))),
            Err(reason) => {
                return Err(Stop::new(format!(
                    "`{}` did not accept {}: {reason}; {sent} of {} were accepted",
                    args.endpoint,
                    urls(batch.urls()),
                    urls(changed.len())
                )));
            }
        }
        sent += batch.urls();
    }
    Ok(())
}

fn endpoint(text: &str) -> Outcome<Url> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        _ => Err(Stop::new(format!("`--endpoint`: `{text}` is not an http or https URL"))),
    }
}

fn index_now(args: &NotifyArgs, page: &Loc<'_>) -> Outcome<IndexNow> {
    let index_now = IndexNow::new(page, &args.key).map_err(|error| Stop::new(format!("`--key`: {error}")))?;
    let Some(location) = &args.key_location else { return Ok(index_now) };
    let refused = |error: String| Stop::new(format!("`--key-location`: {error}"));
    let file = Loc::parse(location.clone()).map_err(|error| refused(error.to_string()))?;
    index_now.key_location(file).map_err(|error| refused(error.to_string()))
}

fn urls(count: usize) -> String {
    if count == 1 { "1 URL".to_owned() } else { format!("{count} URLs") }
}
