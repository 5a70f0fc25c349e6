//! Options that only work together with another option.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};

use super::Cli;

/// A command or `*` for all commands, its options, and the options they need. Any one of the needed options is enough.
///
/// Clap's attribute `requires` can't check this: it has no effect if another option excludes the needed one.
/// `build --lastmod git pages.txt` would silently ignore `--lastmod`.
const NEEDS: &[(&str, &[&str], &[&str])] = &[
    ("*", &["cache_max_bytes"], &["cache"]),
    ("*", &["html_languages"], &["html_page"]),
    ("*", &["keep_at_most"], &["keep_for"]),
    ("*", &["recent_age", "recent_entries"], &["recent"]),
    ("build", &["exclude", "include", "lastmod", "skipped", "state", "urls"], &["from_dir"]),
    ("build", &["allow_incomplete"], &["from_state"]),
    ("build", &["max_removed", "remove_uncommitted"], &["buckets"]),
    ("check", &["from_dir"], &["pages"]),
    ("check", &["exclude", "include"], &["pages", "moved_to"]),
    ("check", &["map"], &["baseline", "moved_to"]),
    ("check", &["moved_csv"], &["moved_to"]),
    ("check", &["delay", "max_page_bytes", "page_timeout", "sample", "state"], &["pages", "moved_to"]),
    ("check", &["offline"], &["state"]),
    ("check", &["seed"], &["sample"]),
    ("notify", &["feed"], &["hub"]),
    ("notify", &["hub"], &["feed"]),
    ("notify", &["old"], &["new"]),
    (
        "notify",
        &["changes", "endpoint", "key_location", "old", "prefix", "since_manifest", "state"],
        &["key"],
    ),
    ("report", &["crawler_ranges", "log_format"], &["access_log"]),
    ("report", &["access_log"], &["crawler_ranges"]),
];

/// Parses a command line, and checks that every option has the other options it needs.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    parse_with(&mut Cli::command(), arguments)
}

fn parse_with(cli: &mut Command, arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let matches = cli.try_get_matches_from_mut(arguments)?;
    check_needs(cli, &matches)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))
}

/// Returns an error if an option on the command line needs another option that is missing.
fn check_needs(cli: &Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let (command, matches, _) = innermost(cli, matches);
    let is_missing = |(option, one_of): &(&str, &[&str])| {
        is_given(matches, option) && !one_of.iter().any(|id| is_given(matches, id))
    };
    let Some((option, one_of)) = needs(command).find(is_missing) else { return Ok(()) };
    let shown = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id).map(ToString::to_string);
    let one_of: Vec<String> = one_of.iter().filter_map(|id| shown(id)).collect();
    let message =
        format!("`{}` has no effect without `{}`", shown(option).unwrap_or_default(), one_of.join("` or `"));
    Err(command.clone().error(ErrorKind::MissingRequiredArgument, message))
}

/// Returns `true` if the options that an option needs are on the command line.
pub(crate) fn has_needs(command: &Command, option: &str, is_given: impl Fn(&str) -> bool) -> bool {
    needs(command).filter(|(name, _)| *name == option).all(|(_, one_of)| one_of.iter().any(|id| is_given(id)))
}

/// Returns a command's options that need other options.
fn needs(command: &Command) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let rows = NEEDS.iter().filter(|(name, ..)| ["*", command.get_name()].contains(name));
    rows.flat_map(|(_, options, one_of)| options.iter().map(move |option| (*option, *one_of)))
}

/// Returns `true` if an option is on the command line.
pub(crate) fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).unwrap_or(false) && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns the subcommand on the command line, its arguments, and the names of the subcommands above it. `cli` must be
/// the command that has parsed the command line, because clap completes a subcommand only when it is parsed.
pub(crate) fn innermost<'c, 'm>(
    cli: &'c Command,
    matches: &'m ArgMatches,
) -> (&'c Command, &'m ArgMatches, Vec<String>) {
    let (mut command, mut matches, mut path) = (cli, matches, Vec::new());
    while let Some((name, inner)) = matches.subcommand()
        && let Some(found) = command.find_subcommand(name)
    {
        (command, matches) = (found, inner);
        path.push(name.to_owned());
    }
    (command, matches, path)
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction};

    use super::*;

    /// Returns arguments that set an option to a valid value.
    fn tokens(arg: &Arg) -> Vec<String> {
        let values = [
            "1",
            "24h",
            "644",
            "30%",
            "a=b",
            "combined",
            "google=a",
            "json=a",
            "loc=a",
            "http://a=http://b",
            "loc",
        ]
        .map(str::to_owned);
        let possible =
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>();
        let name = arg.get_long().map(|long| format!("--{long}"));
        let forms = possible.into_iter().chain(values).map(|value| match &name {
            Some(name) if arg.get_action().takes_values() => vec![format!("{name}={value}")],
            Some(name) => vec![name.clone()],
            None => vec![value],
        });
        let is_valid = |tokens: &Vec<String>| {
            let alone = Command::new("alone").arg(arg_alone(arg));
            alone.try_get_matches_from(["alone".to_owned()].iter().chain(tokens)).is_ok()
        };
        forms.into_iter().find(is_valid).unwrap_or_else(|| panic!("no value is valid for {arg}"))
    }

    /// Returns an option without its requirements and conflicts.
    fn arg_alone(arg: &Arg) -> Arg {
        let alone =
            Arg::new("alone").action(arg.get_action().clone()).value_parser(arg.get_value_parser().clone());
        match arg.get_long() {
            Some(long) => alone.long(long.to_owned()),
            None => alone,
        }
    }

    fn leaves(command: &Command, path: &[String], found: &mut Vec<(Command, Vec<String>)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let path = [path, &[inner.get_name().to_owned()]].concat();
            found.push((inner.clone(), path.clone()));
            leaves(inner, &path, found);
        }
    }

    /// An option that needs another one is refused without it, both alone and next to every option that excludes the
    /// needed one.
    #[test]
    fn no_option_is_ignored() {
        let (mut commands, mut cli) = (Vec::new(), Cli::command());
        cli.build();
        leaves(&cli, &["sitemap".to_owned()], &mut commands);
        let mut seen = 0;
        let mut parser = Cli::command();
        for (command, path) in commands {
            let find = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id);
            for (option, one_of) in needs(&command) {
                let Some(arg) = find(option) else { continue };
                let needed: Vec<&Arg> = one_of.iter().filter_map(|id| find(id)).collect();
                assert!(!needed.is_empty(), "{path:?} {option}");
                let others = command.get_arguments().filter(|other| {
                    other.get_id() != option
                        && !one_of.contains(&other.get_id().as_str())
                        && !matches!(other.get_action(), ArgAction::Help | ArgAction::Version)
                });
                let with_one = others.map(|other| vec![arg, other]);
                for given in std::iter::once(vec![arg]).chain(with_one) {
                    let is_required = |arg: &&Arg| arg.is_required_set() || arg.get_id() == "target";
                    let required = command.get_arguments().filter(is_required);
                    let required = required.filter(|arg| !given.contains(arg));
                    let tokens = required.chain(given.iter().copied()).flat_map(tokens);
                    let arguments: Vec<OsString> =
                        path.iter().cloned().chain(tokens).map(Into::into).collect();
                    let error = parse_with(&mut parser, arguments.clone()).err();
                    let kind = error.unwrap_or_else(|| panic!("{arguments:?} is accepted")).kind();
                    assert!(
                        given.len() > 1 || kind == ErrorKind::MissingRequiredArgument,
                        "{arguments:?}: {kind}"
                    );
                    seen += 1;
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn every_row_names_options() {
        let mut cli = Cli::command();
        cli.build();
        let mut commands = Vec::new();
        leaves(&cli, &[], &mut commands);
        for (name, options, one_of) in NEEDS {
            for id in options.iter().chain(*one_of) {
                let is_known = commands
                    .iter()
                    .filter(|(command, _)| ["*", command.get_name()].contains(name))
                    .any(|(command, _)| command.get_arguments().any(|arg| arg.get_id() == id));
                assert!(is_known || !cfg!(feature = "pages"), "{name} {id}");
            }
        }
    }
}
