//! The files of a folder that are not listed, and why.

use std::collections::BTreeMap;
use std::path::Path;

use crate::csv_file::CsvFile;
use crate::error::Outcome;
use crate::number::counted;
use crate::terminal::say;

/// The reason why a file is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Noindex,
    Blocked,
    Redirect,
    OtherCanonical,
    CanonicalWithoutFile,
    ForeignCanonical,
    CanonicalOutOfScope,
    OtherFile,
    NoContent,
    Fragment,
    ErrorPage,
    Framework,
    Verification,
    Excluded,
}

impl Reason {
    /// Returns what to say after the number of files.
    const fn phrase(self) -> &'static str {
        match self {
            Self::Noindex => "marked `noindex`",
            Self::Blocked => "disallowed by robots.txt",
            Self::Redirect => "redirecting to another page",
            Self::OtherCanonical => "naming another page as canonical",
            Self::CanonicalWithoutFile => "naming a canonical URL that has no file",
            Self::ForeignCanonical => "naming a canonical URL on another host",
            Self::CanonicalOutOfScope => "naming a canonical URL outside the base URL",
            Self::OtherFile => "with a URL that leads to another file, or to none",
            Self::NoContent => "without content",
            Self::Fragment => "without `<html>`, `<head>` and doctype",
            Self::ErrorPage => "served for missing pages",
            Self::Framework => "of a web framework",
            Self::Verification => "that verify the site's owner",
            Self::Excluded => "excluded by `--include` or `--exclude`",
        }
    }
}

/// Why one file is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skip {
    pub(super) reason: Reason,
    /// More about the reason, such as the canonical URL. Can be empty.
    pub(super) detail: String,
}

impl Skip {
    pub(super) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// Counts the files that are not listed.
#[derive(Debug, Default)]
pub(super) struct Skipped<'p> {
    /// The number of files for each reason, and an example.
    reasons: BTreeMap<Reason, (u64, String)>,
    /// The file of `--skipped`.
    list: Option<CsvFile<'p>>,
}

impl<'p> Skipped<'p> {
    /// Also writes each file with its reason to a CSV file.
    pub(super) fn with_list(path: Option<&'p Path>) -> Outcome<Self> {
        let create = |path| CsvFile::create(path, ["file", "reason", "detail"]);
        Ok(Self { reasons: BTreeMap::new(), list: path.map(create).transpose()? })
    }

    pub(super) fn add(&mut self, file: &Path, skip: &Skip) -> Outcome<()> {
        let file = file.display().to_string();
        if let Some(list) = &mut self.list {
            list.row([&file, &skip.reason.phrase().replace('`', ""), &skip.detail])?;
        }
        let (count, _) = self.reasons.entry(skip.reason).or_insert_with(|| {
            let detail = if skip.detail.is_empty() { String::new() } else { format!(" ({})", skip.detail) };
            (0, format!("`{file}`{detail}"))
        });
        *count += 1;
        Ok(())
    }

    /// Prints the number of files for each reason, with an example.
    pub(super) fn report(self) -> Outcome<()> {
        for (reason, (count, example)) in &self.reasons {
            let such_as = if *count == 1 { ":" } else { ", such as" };
            say(&format!("skipped {} {}{such_as} {example}", counted(*count, "file"), reason.phrase()));
        }
        self.list.map_or(Ok(()), CsvFile::finish)
    }
}
