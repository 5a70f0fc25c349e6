//! Levels for rules in the table `[check]`, either for all files or for some.

use std::collections::BTreeMap;
use std::ops::Range;

use sitemap_read::{Level, Levels, RuleSelector, section_of};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::ConfigFile;
use super::schema::LEVELS;
use super::value;
use crate::args;
use crate::error::Outcome;
use crate::glob::Glob;
use crate::suggest;

/// One list of rules of the configuration.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) level: &'static str,
    pub(super) rules: Vec<RuleSelector>,
    pub(super) source: String,
}

/// Levels for the files selected by one table `[[check.override]]`.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    pub(super) paths: Vec<Glob>,
    pub(super) sections: Vec<String>,
    pub(super) lists: Vec<Listed>,
    pub(super) source: String,
    pub(super) levels: Levels,
}

impl Override {
    /// Returns `true` if the file matches one of the table's paths and one of its sections.
    pub(super) fn applies_to(&self, file: &str) -> bool {
        let without_query = file.split(['?', '#']).next().unwrap_or_default();
        let section = section_of(without_query.rsplit(['/', '\\']).next().unwrap_or_default());
        (self.paths.is_empty() || self.paths.iter().any(|glob| glob.matches(without_query)))
            && (self.sections.is_empty() || self.sections.iter().any(|known| known == section))
    }
}

/// The lists of rules in a table that is being read.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) found: Vec<Listed>,
    seen: BTreeMap<RuleSelector, &'static str>,
    pub(super) levels: Levels,
}

impl Lists {
    /// Reads a list of rules if the key is a level. Returns `false` for other keys.
    pub(super) fn read(
        &mut self,
        file: &ConfigFile,
        table: &str,
        key: &Spanned<impl AsRef<str>>,
        listed: &Spanned<DeValue<'_>>,
    ) -> Outcome<bool> {
        let Some(&name) = LEVELS.iter().find(|level| **level == key.get_ref().as_ref()) else {
            return Ok(false);
        };
        let level = match name {
            "allow" => Level::Allow,
            "warn" => Level::Warn,
            _ => Level::Deny,
        };
        let span = listed.span();
        let wrong = |span: &Range<usize>, why: &str| file.error(span, &format!("`{name}` in {table}: {why}"));
        let names = value::strings(listed.get_ref())
            .map_err(|why| file.error(&span, &format!("`{name}` in {table} {why}")))?;
        let mut rules = Vec::new();
        for (at, text) in names.into_iter().enumerate() {
            let span = listed
                .get_ref()
                .as_array()
                .and_then(|array| array.get(at))
                .map_or(span.clone(), Spanned::span);
            let selector = args::rules(text).map_err(|why| wrong(&span, &why))?;
            if let Some(before) = self.seen.insert(selector, name).filter(|before| *before != name) {
                return Err(wrong(
                    &span,
                    &format!("`{selector}` is also in `{before}`; remove it from one of the two"),
                ));
            }
            self.levels = std::mem::take(&mut self.levels).set(selector, level);
            rules.push(selector);
        }
        self.found.push(Listed { level: name, rules, source: file.source(&key.span()) });
        Ok(true)
    }
}

pub(super) fn read_override(
    file: &ConfigFile,
    table: &DeTable<'_>,
    span: &Range<usize>,
) -> Outcome<Override> {
    const TABLE: &str = "`[[check.override]]`";
    let mut lists = Lists::default();
    let (mut paths, mut sections) = (Vec::new(), Vec::new());
    for (key, listed) in table {
        if lists.read(file, TABLE, key, listed)? {
            continue;
        }
        let name = key.get_ref().as_ref();
        if !["path", "section"].contains(&name) {
            let known = ["path", "section"].into_iter().chain(LEVELS);
            let message = suggest::unknown("key", name, known, "`sitemap config --keys` lists all keys");
            return Err(file.error(&key.span(), &message.replacen(';', &format!(" in {TABLE};"), 1)));
        }
        let strings = value::strings(listed.get_ref())
            .map_err(|why| file.error(&listed.span(), &format!("`{name}` in {TABLE} {why}")))?;
        if name == "path" {
            for pattern in strings {
                paths.push(Glob::new(pattern).map_err(|why| file.error(&listed.span(), &why))?);
            }
        } else {
            sections.extend(strings.into_iter().map(str::to_owned));
        }
    }
    if paths.is_empty() && sections.is_empty() {
        let message = format!("{TABLE} names no files; add `path = \"blog/*.xml\"` or `section = \"blog\"`");
        return Err(file.error(span, &message));
    }
    if lists.found.is_empty() {
        return Err(file.error(span, &format!("{TABLE} names no rules; add `allow`, `warn` or `deny`")));
    }
    Ok(Override { paths, sections, lists: lists.found, source: file.source(span), levels: lists.levels })
}
