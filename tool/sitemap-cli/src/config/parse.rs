//! Parses the configuration file.

use clap::{Arg, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::ConfigFile;
use super::rules::{self, Lists, Override};
use super::schema::{self, LEVELS};
use super::settings::{Config, Setting};
use super::value;
use crate::error::{Outcome, Stop};
use crate::suggest;

/// The array of tables that sets levels for some files.
const OVERRIDE: &str = "override";

/// Parses a file. Its keys are the options of the command.
pub(super) fn parse(file: ConfigFile, cli: &Command) -> Outcome<Config> {
    let root = DeTable::parse(&file.text).map_err(|error| {
        let message = error.message().trim_end().replace('\n', "; ");
        error.span().map_or_else(
            || Stop::new(format!("{}: {message}", file.path.display())),
            |span| file.error(&span, &message),
        )
    })?;
    let mut content = Config::default();
    read_table(&file, cli, &mut Vec::new(), root.get_ref(), &mut content)?;
    // The parser sorts the keys, but people expect the order of the file.
    content.settings.sort_by_key(|setting| setting.command.clone());
    content.file = Some(file);
    Ok(content)
}

fn read_table(
    file: &ConfigFile,
    command: &Command,
    path: &mut Vec<String>,
    table: &DeTable<'_>,
    content: &mut Config,
) -> Outcome<()> {
    let name = table_name(path);
    let is_check = path.as_slice() == ["check"];
    let mut lists = Lists::default();
    for (key, value) in table {
        let text = key.get_ref().as_ref();
        if is_check && lists.read(file, &name, key, value)? {
            continue;
        }
        if is_check && text == OVERRIDE {
            content.overrides.extend(read_overrides(file, value)?);
            continue;
        }
        if let Some(inner) = schema::tables(command).find(|inner| inner.get_name() == text) {
            let Some(table) = value.get_ref().as_table() else {
                let found = value::kind(value.get_ref());
                path.push(text.to_owned());
                let message = format!("`{text}` is {found}; write {}", table_name(path));
                return Err(file.error(&value.span(), &message));
            };
            path.push(text.to_owned());
            read_table(file, inner, path, table, content)?;
            path.pop();
            continue;
        }
        let Some(arg) = schema::keys(command).find(|arg| schema::key(arg) == text) else {
            return Err(file.error(&key.span(), &unknown(command, path, text)));
        };
        content.settings.push(setting(file, arg, path, (key, value))?);
    }
    if is_check {
        (content.lists, content.levels) = (lists.found, lists.levels);
    }
    Ok(())
}

fn setting(
    file: &ConfigFile,
    arg: &Arg,
    path: &[String],
    (key, value): (&Spanned<impl AsRef<str>>, &Spanned<DeValue<'_>>),
) -> Outcome<Setting> {
    let name = key.get_ref().as_ref();
    let mut texts = value::texts(arg, value.get_ref()).map_err(|why| {
        let place = if path.is_empty() { String::new() } else { format!(" in {}", table_name(path)) };
        file.error(&value.span(), &format!("`{name}`{place} {why}"))
    })?;
    if schema::is_path(arg) {
        texts = texts.iter().map(|text| file.resolve(text)).collect();
    }
    Ok(Setting { command: path.to_vec(), key: name.to_owned(), texts, source: file.source(&key.span()) })
}

fn read_overrides(file: &ConfigFile, value: &Spanned<DeValue<'_>>) -> Outcome<Vec<Override>> {
    let wrong = |value: &Spanned<DeValue<'_>>| {
        let found = value::kind(value.get_ref());
        file.error(&value.span(), &format!("`override` is {found}; write `[[check.override]]`"))
    };
    let tables = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
    let read = |value: &Spanned<DeValue<'_>>| {
        let table = value.get_ref().as_table().ok_or_else(|| wrong(value))?;
        rules::read_override(file, table, &value.span())
    };
    tables.iter().map(read).collect()
}

/// Returns the header of a table for messages, such as `` `[shard.write]` ``.
pub(super) fn table_name(path: &[String]) -> String {
    format!("`[{}]`", path.join("."))
}

fn unknown(command: &Command, path: &[String], text: &str) -> String {
    let keys = schema::keys(command).map(schema::key);
    let tables = schema::tables(command).map(Command::get_name);
    let of_check = if path == ["check"] { [LEVELS.as_slice(), &[OVERRIDE]].concat() } else { Vec::new() };
    let known = keys.chain(tables).chain(of_check);
    let message = suggest::unknown("key", text, known, "`sitemap config --keys` lists all keys");
    if path.is_empty() { message } else { message.replacen(';', &format!(" in {};", table_name(path)), 1) }
}
