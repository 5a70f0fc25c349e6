//! `sitemap apply` and `sitemap rebucket`: change a published set with hash buckets.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use serde::de::DeserializeSeed as _;
use serde_json::Value;
use sitemap_core::{Publisher, Site};
use sitemap_update::{Applied, Change, Rebucket, Update, UpdateError};

use crate::args::{ApplyArgs, OnInvalid, RebucketArgs};
use crate::build::failure::update_failed;
use crate::build::lines::Lines;
use crate::build::ndjson::{check_end, explain};
use crate::build::out;
use crate::build::publish::site;
use crate::error::{Outcome, Stop};
use crate::interrupt::{self, Interruptible};
use crate::number::counted;
use crate::terminal::{Ink, Paint, say};

/// The number of skipped changes that are reported one by one.
const MAX_SHOWN: u64 = 20;

pub(crate) fn apply(args: &ApplyArgs, paint: Paint) -> Outcome<()> {
    let site = site(&args.site.base, &args.site.also_list)?;
    // An unusable storage is reported before the changes are read.
    let storage = out::open(&args.site.out)?;
    let builder = args.shrink.apply(Publisher::builder(site.clone()));
    let mut update = Update::new(builder).allow_shrink(args.shrink.allow_shrink());
    if let Some(section) = &args.section {
        update = update.section(section);
    }
    if let Some(days) = args.remove_uncommitted {
        update = update.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    let mut reader = Changes { update, site, on_invalid: args.on_invalid, skipped: 0, paint };
    if args.changes.is_empty() {
        reader.read("<stdin>", BufReader::new(interrupt::stdin()))?;
    }
    for path in &args.changes {
        if path.as_os_str() == "-" {
            reader.read("<stdin>", BufReader::new(interrupt::stdin()))?;
            continue;
        }
        let file = File::open(path).map_err(|error| Stop::io("read", path, &error))?;
        reader.read(&path.display().to_string(), BufReader::new(interrupt::checked(file)))?;
    }
    let skipped = reader.skipped;
    if skipped > MAX_SHOWN {
        say(&format!("{}: {} more", paint.ink(Ink::Warning, "skipped"), skipped - MAX_SHOWN));
    }
    let applied = reader.update.run(Interruptible::new(storage)).map_err(|error| failed(args, &error))?;
    say(&format!(
        "{} added, {} changed, {} removed, {} unchanged, {}, {} skipped",
        counted(applied.added(), "page"),
        applied.changed(),
        applied.removed(),
        applied.unchanged(),
        counted(applied.unknown_removals(), "unknown removal"),
        counted(skipped, "invalid change"),
    ));
    report(&applied);
    Ok(())
}

pub(crate) fn rebucket(args: &RebucketArgs) -> Outcome<()> {
    let site = site(&args.site.base, &args.site.also_list)?;
    let storage = out::open(&args.site.out)?;
    let mut rebucket = Rebucket::new(Publisher::builder(site), args.buckets);
    if let Some(section) = &args.section {
        rebucket = rebucket.section(section);
    }
    let applied = rebucket.run(Interruptible::new(storage)).map_err(|error| update_failed(&error))?;
    report(&applied);
    Ok(())
}

/// Returns the error of `apply`. If the set cannot be updated yet, names the command that converts it.
fn failed(args: &ApplyArgs, error: &UpdateError) -> Stop {
    let UpdateError::NoBuckets { section, advised } = error else { return update_failed(error) };
    Stop::new(format!(
        "section `{section}` of the published set has no hash buckets; run `sitemap rebucket --base {} --out {} \
         --section {section} --buckets {advised}` once",
        args.site.base,
        args.site.out.out.display()
    ))
}

/// Reports the files of an update, and the size of the new set.
fn report(applied: &Applied) {
    let mut parts = vec![
        format!("{} read", counted(applied.files_read(), "file")),
        format!("{} written", counted(applied.files_written(), "file")),
    ];
    if applied.duplicates() > 0 {
        parts.push(format!("{} left out", counted(applied.duplicates(), "duplicate")));
    }
    if applied.restarts() > 0 {
        parts.push(counted(applied.restarts().into(), "restart"));
    }
    say(&parts.join(", "));
    match applied.summary() {
        Some(summary) => say(&format!(
            "the set has {} in {}",
            counted(summary.urls(), "URL"),
            counted(summary.files().len() as u64, "file")
        )),
        None => say("no page has changed, so nothing was published"),
    }
}

/// Reads changes into an update.
struct Changes {
    update: Update,
    site: Site,
    on_invalid: OnInvalid,
    skipped: u64,
    paint: Paint,
}

impl Changes {
    fn read(&mut self, name: &str, from: impl BufRead) -> Outcome<()> {
        let mut lines = Lines::new(from);
        while let Some(line) = lines.next()? {
            check_end(&line, name)?;
            let change = parse(line.text, &self.site);
            let added = change.and_then(|change| self.update.add(change).map_err(|error| error.to_string()));
            let Err(error) = added else { continue };
            let message = format!("{name}:{}: {error}", line.number);
            if self.on_invalid == OnInvalid::Stop {
                return Err(Stop::new(message));
            }
            self.skipped += 1;
            if self.skipped <= MAX_SHOWN {
                say(&format!("{}: {message}", self.paint.ink(Ink::Warning, "skipped")));
            }
        }
        Ok(())
    }
}

fn parse(line: &[u8], site: &Site) -> Result<Change, String> {
    const REMEDY: &str = "write {\"op\":\"upsert\",\"loc\":…} or {\"op\":\"remove\",\"loc\":…}";

    let value: Value = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    let Value::Object(mut object) = value else {
        return Err(format!("the line is not a JSON object; {REMEDY}"));
    };
    let op = object.remove("op");
    let op = op.as_ref().and_then(Value::as_str).ok_or_else(|| format!("`op` is missing; {REMEDY}"))?;
    if !matches!(op, "upsert" | "remove") {
        return Err(format!("unknown `op` {op:?}; {REMEDY}"));
    }
    let entry = site.deserialize(Value::Object(object)).map_err(|error| error.to_string())?.into_owned();
    Ok(if op == "upsert" { Change::Upsert(entry) } else { Change::Remove(entry.loc().clone()) })
}
