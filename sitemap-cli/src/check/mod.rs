//! `sitemap check`: findings with their lines and remedies.

mod excerpt;
mod human;
mod json;
mod sarif;
mod set;
mod source_text;

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::{CheckOptions, Checker, Engine, ReadLimits, ReadOptions, Report, Severity};

use self::set::{Documents, Set};
use crate::args::{self, CheckArgs, CheckFormat};
use crate::error::{Outcome, Stop};
use crate::source::Source;
use crate::terminal::Paint;

/// Checks the target. Returns `true` if there are errors.
pub(crate) fn run(args: &CheckArgs, out: Paint, err: Paint) -> Outcome<bool> {
    let source = Source::new(&args.read);
    let mut set = Set::new(&source, args)?;
    let mut checker = Checker::new(options(args));
    set.check(&mut checker, &args.target)?;
    let unlisted = set.unlisted(&args.target);
    let documents = set.into_documents();
    let report = checker.finish();
    let failed = report.count(Severity::Error) > 0;
    let printed = print(args, &report, &documents, out);
    human::unlisted(unlisted, &args.target, err);
    human::summary(&report, err);
    match printed {
        // If the program that reads the report closes the pipe, the exit status is still that of the check.
        Err(Stop::Quiet) | Ok(()) => Ok(failed),
        Err(stop) => Err(stop),
    }
}

fn limits(args: &CheckArgs) -> ReadLimits {
    let mut limits = ReadLimits::default();
    limits.bytes = args.read.max_bytes;
    limits.compressed_bytes = limits.bytes;
    limits
}

fn options(args: &CheckArgs) -> CheckOptions {
    let per_rule = args.max_findings.unwrap_or(if args.format == CheckFormat::Human { 10 } else { 1_000 });
    let mut options = CheckOptions::new()
        .read(ReadOptions::new().limits(limits(args)))
        .strict(args.strict)
        .max_hreflang_pairs(args.max_pending_links)
        .max_children(args.read.max_files as u64)
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
    options
}

fn print(args: &CheckArgs, report: &Report, documents: &Documents, paint: Paint) -> Outcome<()> {
    match args.format {
        CheckFormat::Human => human::print(report, documents, &limits(args), paint),
        CheckFormat::Json => json::print(report),
        CheckFormat::Sarif => sarif::print(report),
    }
}
