//! `sitemap check`: reports findings with their lines and fixes.
//!
//! | what | where |
//! |---|---|
//! | the documents of a check | `set`; those that an older set has too: `since` |
//! | a format of the report | the module with its name |
//! | the lines of a document, carets and columns | `source_text`, `excerpt`, `region` |
//! | findings counted by rule | `by_rule` |
//! | known findings | `baseline` |
//! | `--explain` | `explain` |

mod baseline;
mod by_rule;
mod excerpt;
mod explain;
mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod region;
mod sarif;
mod set;
mod since;
mod source_text;

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::{
    CheckOptions, Checker, Engine, Levels, ReadLimits, ReadOptions, Report, Rule, RuleSelector, Severity,
};

use self::set::{Set, Unread};
use self::since::Since;
use crate::args::{self, AlsoFormat, CheckArgs, CheckFormat};
use crate::config::Config;
use crate::error::{Outcome, Stop};
use crate::number::counted;
use crate::output::Output;
#[cfg(feature = "pages")]
use crate::pages;
use crate::source::{Documents, Identity, Source};
use crate::terminal::{Paint, say};

/// Checks the target. Returns `true` if there are errors.
pub(crate) fn run(args: &CheckArgs, config: &Config, out: Paint, err: Paint) -> Outcome<bool> {
    if let Some(rules) = args.rules.explain {
        explain::print(rules, args.format, out)?;
        return Ok(false);
    }
    let Some(target) = args.target.as_deref() else {
        return Err(Stop::new("nothing to check; name a file, a folder, a URL or a host"));
    };
    let identity = Identity::new(&args.read.network, urls(args, target))?;
    let source = Source::with_identity(&args.read, identity.clone());
    let options = options(args, config)?;
    let checked = run_check(args, target, &source, &options)?;
    let Checked { mut report, documents, unlisted, not_followed, since, unread } = checked;
    #[cfg(feature = "pages")]
    let judgement = if args.pages.pages {
        let options = (&options, &source.read_options());
        Some(pages::check::run(args, &identity, options, &mut report, &documents, err)?)
    } else {
        pages::moved::run(args, &identity, &source, &options, &mut report, &documents, err)?;
        None
    };
    #[cfg(feature = "pages")]
    let table = judgement.as_ref().map(pages::check::table);
    #[cfg(not(feature = "pages"))]
    let table = None;
    report.keep_only_lines(source.is_list());
    let mut failed = report.count(Severity::Error) > 0;
    // The baseline is written only if all sitemaps were read. Otherwise the next run would report the findings of the
    // missing sitemaps as new.
    if let (Some(path), Some(recorded), 0) = (&args.rules.write_baseline, report.recorded(), unread.count) {
        baseline::write(path, recorded)?;
        failed = false;
    }
    let print = |format, output: &mut Output, paint| {
        let (limits, table) = (limits(args), table.as_ref());
        match format {
            CheckFormat::Human => {
                let baseline = args.rules.baseline.as_deref();
                human::print(output, &report, baseline, &documents, &limits, table, paint)
            }
            CheckFormat::Json => json::print(output, &report, since.as_ref(), table),
            CheckFormat::Sarif => {
                sarif::print(output, &report, args.rules.baseline.as_deref(), &documents, &limits, table)
            }
            CheckFormat::Github => github::print(output, &report, &documents, &limits),
            CheckFormat::Junit => junit::print(output, &report),
            CheckFormat::Markdown => markdown::print(output, &report, table),
        }
    };
    say_unchecked(target, unlisted, not_followed, since.as_ref(), err);
    let printed = print(args.format, &mut Output::new(), out);
    let mut to_file =
        |also: &AlsoFormat| print(also.format, &mut Output::to_file(&also.path)?, Paint::default());
    let written = args.also.iter().try_for_each(&mut to_file);
    human::summary(&report, args, unread.count == 0, err);
    // A closed pipe is not an error, and must not hide that a file could not be written.
    match written.and(printed) {
        // If the program that reads the report closes the pipe, the exit status still reflects the check.
        Err(Stop::Quiet) | Ok(()) => Stop::incomplete(unread.count).map_or(Ok(failed), Err),
        Err(stop) => Err(stop),
    }
}

/// Checks the target, and returns the report. Prints to stderr what was not checked.
pub(crate) fn report(args: &CheckArgs, target: &str) -> Outcome<Report> {
    let source = Source::new(&args.read, urls(args, target))?;
    let checked = run_check(args, target, &source, &options(args, &Config::default())?)?;
    say_unchecked(target, checked.unlisted, checked.not_followed, checked.since.as_ref(), Paint::default());
    match checked.unread {
        Unread { count: 0, .. } => Ok(checked.report),
        Unread { count, first } => {
            let sitemaps = counted(count as u64, "sitemap");
            Err(Stop::new(format!("the result is incomplete, because {sitemaps} could not be read: {first}")))
        }
    }
}

/// A report, with the sitemaps that were not checked.
struct Checked {
    report: Report,
    documents: Documents,
    /// The number of sitemaps in a folder that its set does not list.
    unlisted: usize,
    not_followed: u64,
    /// The older set, which knows the unchanged sitemaps.
    since: Option<Since>,
    unread: Unread,
}

fn run_check(args: &CheckArgs, target: &str, source: &Source, options: &CheckOptions) -> Outcome<Checked> {
    let mut set = Set::new(source, args)?;
    // A list can be longer than a sitemap.
    let of_lists = Levels::new().allow(RuleSelector::Rule(Rule::TooManyEntries));
    let of_lists = of_lists.allow(RuleSelector::Rule(Rule::TooLarge));
    let mut checker = Checker::new(options.clone().levels_for(source.is_list(), of_lists));
    set.check(&mut checker, target)?;
    let (unlisted, not_followed) = (set.unlisted(target), set.not_followed());
    let (documents, since, unread) = set.into_documents();
    let mut report = checker.finish();
    report.keep_only_lines(source.is_list());
    Ok(Checked { report, documents, unlisted, not_followed, since, unread })
}

fn say_unchecked(target: &str, unlisted: usize, not_followed: u64, since: Option<&Since>, paint: Paint) {
    human::unlisted(unlisted, target, paint);
    if not_followed > 0 {
        let children = counted(not_followed, "child sitemap");
        say(&format!("{children} not checked, because of `--no-follow`"));
    }
    if let Some(since) = since {
        since.say();
    }
}

/// Returns the target and the options that may contain a URL.
fn urls<'a>(args: &'a CheckArgs, target: &'a str) -> impl Iterator<Item = &'a str> {
    #[cfg(feature = "pages")]
    let new = args.pages.moved_to.as_deref();
    #[cfg(not(feature = "pages"))]
    let new = None;
    [Some(target), args.at.as_deref(), new].into_iter().flatten()
}

fn limits(args: &CheckArgs) -> ReadLimits {
    let mut limits = ReadLimits::default();
    limits.bytes = args.read.max_bytes;
    limits.compressed_bytes = limits.bytes;
    limits
}

fn options(args: &CheckArgs, config: &Config) -> Outcome<CheckOptions> {
    let per_rule = args.max_findings.unwrap_or(match args.format {
        CheckFormat::Human | CheckFormat::Github => 10,
        _ => 1_000,
    });
    let mut options = CheckOptions::new()
        .read(ReadOptions::new().limits(limits(args)))
        .strict(args.strict)
        .private_hosts(args.read.allow_private)
        .threads(args.threads.count())
        .max_hreflang_pairs(args.max_pending_links)
        .max_children(if args.no_follow { u64::MAX } else { args.read.max_files as u64 })
        .max_findings_per_rule(if per_rule == 0 { u64::MAX } else { per_rule });
    if let Ok(now) = LastMod::try_from(SystemTime::now()) {
        options = options.now(now);
    }
    for engine in &args.engine {
        options = options.engine(match engine {
            args::Engine::Google => Engine::Google,
            args::Engine::Bing => Engine::Bing,
            args::Engine::Yandex => Engine::Yandex,
        });
    }
    options = config
        .with_levels(options)
        .levels(args.rules.levels())
        .record_baseline(args.rules.write_baseline.is_some());
    if let Some(path) = &args.rules.baseline {
        options = options.baseline(baseline::read(path, &args.map.urls())?);
    }
    Ok(options)
}
