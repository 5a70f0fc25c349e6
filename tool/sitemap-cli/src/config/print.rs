//! `sitemap config`: prints the settings and where they come from, or all keys with their meaning.

use clap::{Arg, Command};
use sitemap_read::RuleSelector;

use super::rules::Listed;
use super::schema::{self, LEVELS};
use super::settings::Config;
use super::value;
use crate::error::Outcome;
use crate::output::Output;
use crate::secret::masked;

/// Prints the value of each key, and either the file and line or the word `default`.
pub(crate) fn settings(config: &Config, cli: &Command) -> Outcome<()> {
    let mut output = Output::new();
    output.line(&match &config.file {
        Some(file) => format!("# {}", file.path.display()),
        None => "# no `sitemap.toml` in this folder or above it".to_owned(),
    })?;
    each_table(cli, &mut Vec::new(), &mut |command, path| {
        if !path.is_empty() {
            output.line(&format!("\n[{}]", path.join(".")))?;
        }
        for arg in schema::keys(command).filter(|arg| !is_level(path, arg)) {
            let key = schema::key(arg);
            let set = config.settings.iter().find(|setting| setting.command == path && setting.key == key);
            let (value, source) = match set {
                Some(setting) => {
                    (Some(value_of(arg, &shown(&setting.key, &setting.texts))), setting.source.as_str())
                }
                None => (default_of(arg), "default"),
            };
            output.line(&match value {
                Some(value) => format!("{:<40} # {source}", format!("{key} = {value}")),
                None => format!("# {key} is not set"),
            })?;
        }
        if path == ["check"] {
            lists(&mut output, &config.lists)?;
        }
        Ok(())
    })?;
    for table in &config.overrides {
        output.line(&format!("\n[[check.override]] # {}", table.source))?;
        let paths: Vec<String> = table.paths.iter().map(|glob| glob.as_str().to_owned()).collect();
        for (key, values) in [("path", &paths), ("section", &table.sections)] {
            if !values.is_empty() {
                output.line(&format!("{key} = {}", array(values)))?;
            }
        }
        lists(&mut output, &table.lists)?;
    }
    output.flush()
}

fn lists(output: &mut Output, lists: &[Listed]) -> Outcome<()> {
    for list in lists {
        let names: Vec<String> = list.rules.iter().map(RuleSelector::to_string).collect();
        output.line(&format!("{:<40} # {}", format!("{} = {}", list.level, array(&names)), list.source))?;
    }
    Ok(())
}

/// Prints all keys as commented-out settings, each with its meaning and default.
pub(crate) fn keys(cli: &Command) -> Outcome<()> {
    let mut output = Output::new();
    output.line(
        "# All keys of `sitemap.toml`, each with its default. Keys without a default have an example.",
    )?;
    each_table(cli, &mut Vec::new(), &mut |command, path| {
        if !path.is_empty() {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            output.line(&format!("\n# {about}\n[{}]", path.join(".")))?;
        }
        for arg in schema::keys(command).filter(|arg| !is_level(path, arg)) {
            output.line("")?;
            for line in help(arg) {
                output.line(&format!("# {line}"))?;
            }
            let value = default_of(arg).unwrap_or_else(|| example(arg));
            output.line(&format!("# {} = {value}", schema::key(arg)))?;
        }
        if path == ["check"] {
            output.line(RULES)?;
        }
        Ok(())
    })?;
    output.flush()
}

/// The keys of the table `[check]` that aren't defaults of options.
const RULES: &str = include_str!("rules.txt").trim_ascii_end();

/// Calls the function for the options of all commands, then for each command.
fn each_table(
    command: &Command,
    path: &mut Vec<String>,
    print: &mut dyn FnMut(&Command, &[String]) -> Outcome<()>,
) -> Outcome<()> {
    let has_keys = schema::keys(command).next().is_some();
    if has_keys {
        print(command, path)?;
    }
    for inner in schema::tables(command) {
        path.push(inner.get_name().to_owned());
        each_table(inner, path, print)?;
        path.pop();
    }
    Ok(())
}

fn is_level(path: &[String], arg: &Arg) -> bool {
    path == ["check"] && LEVELS.contains(&schema::key(arg))
}

/// Returns the help and the possible values of an option, in lines of at most 118 columns.
fn help(arg: &Arg) -> Vec<String> {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = if schema::is_flag(arg) {
        Vec::new()
    } else {
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
    };
    let text = if values.is_empty() { help } else { format!("{help}: {}", values.join(", ")) };
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| line.len() + word.len() < 118);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn default_of(arg: &Arg) -> Option<String> {
    if schema::is_flag(arg) {
        return Some("false".to_owned());
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|text| text.to_string_lossy().into_owned()).collect();
    if defaults.is_empty() {
        schema::is_list(arg).then(|| "[]".to_owned())
    } else {
        Some(value_of(arg, &defaults))
    }
}

/// Returns an example for an option without a default: the first possible value, the placeholder, or any value that the
/// option accepts.
fn example(arg: &Arg) -> String {
    let first = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
    let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let others = ["1", "24h", "644", "1/2"].map(str::to_owned);
    let mut candidates = first.into_iter().chain(name).chain(others);
    candidates.find(|text| value::check(arg, text).is_ok()).map(|text| literal(&text)).unwrap_or_default()
}

fn value_of(arg: &Arg, texts: &[String]) -> String {
    if schema::is_list(arg) {
        array(texts)
    } else {
        texts.first().map(|text| literal(text)).unwrap_or_default()
    }
}

/// Returns the values of a key, with secrets masked.
fn shown(key: &str, texts: &[String]) -> Vec<String> {
    let shown = |text: &String| match (key, text.split_once(':')) {
        ("auth", Some((user, _))) => format!("{user}:***"),
        ("header", Some((name, _))) => format!("{name}: ***"),
        _ => masked(text).into_owned(),
    };
    texts.iter().map(shown).collect()
}

fn array(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

/// Returns numbers and booleans unchanged, and puts any other value in quotes.
fn literal(text: &str) -> String {
    let is_number = !text.is_empty()
        && text.len() < 19
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    if is_number || ["true", "false"].contains(&text) { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
