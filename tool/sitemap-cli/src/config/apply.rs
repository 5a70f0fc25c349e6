//! Makes the values of the configuration the defaults of the command line.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::parse::{Setting, table_name};
use super::schema;
use crate::error::{Outcome, Stop};

/// Parses the command line, with these settings as defaults.
pub(super) fn matches(
    cli: &Command,
    settings: &[Setting],
    arguments: &[OsString],
) -> Outcome<Result<ArgMatches, clap::Error>> {
    let mut settings: Vec<&Setting> = settings.iter().collect();
    let mut arguments = arguments.to_vec();
    loop {
        let command = with_defaults(cli.clone(), &[], &settings, &arguments);
        let matches = match command.clone().try_get_matches_from(&arguments) {
            Ok(matches) => matches,
            Err(error) => {
                let Some(at) = demanded(cli, &error, &settings, &arguments) else {
                    return Ok(Err(error));
                };
                let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
                let setting = settings.remove(at);
                let tokens = setting.texts.iter().map(|text| format!("--{}={text}", setting.key).into());
                arguments.splice(end..end, tokens);
                continue;
            }
        };
        match overruled(&command, &matches, &settings)? {
            // The command line has an option that excludes this setting.
            Some(at) => drop(settings.remove(at)),
            None => return Ok(Ok(matches)),
        }
    }
}

/// Returns a setting for an option that another option requires. A default does not satisfy the requirement, so the
/// setting then has to stand on the command line.
fn demanded(
    cli: &Command,
    error: &clap::Error,
    settings: &[&Setting],
    arguments: &[OsString],
) -> Option<usize> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let (mut command, mut path) = (cli, Vec::new());
    for argument in arguments.iter().skip(1).filter_map(|argument| argument.to_str()) {
        if let Some(inner) = command.find_subcommand(argument) {
            command = inner;
            path.push(inner.get_name());
        }
    }
    let is_missing = |key: &str| {
        let option = format!("--{key}");
        missing.iter().any(|text| text.split([' ', '=']).next() == Some(&*option))
    };
    settings.iter().position(|setting| setting.command == path && is_missing(&setting.key))
}

/// Adds the settings of a command and its subcommands as default values.
fn with_defaults(
    command: Command,
    path: &[String],
    settings: &[&Setting],
    arguments: &[OsString],
) -> Command {
    let given: Vec<String> = schema::keys(&command)
        .filter(|arg| schema::is_flag(arg) && has_value(arg, arguments))
        .map(|arg| schema::key(arg).to_owned())
        .collect();
    let own: Vec<&&Setting> = settings.iter().filter(|setting| setting.command == path).collect();
    let ids: Vec<(String, bool)> =
        schema::keys(&command).map(|arg| (schema::key(arg).to_owned(), schema::is_flag(arg))).collect();
    let command = command.mut_args(|arg| {
        let Some((key, is_flag)) = arg.get_long().and_then(|long| ids.iter().find(|(key, _)| key == long))
        else {
            return arg;
        };
        let texts = own.iter().find(|setting| setting.key == *key).map(|setting| &setting.texts);
        match texts {
            Some(texts) if *is_flag => switch(arg, texts.iter().any(|text| text == "true")),
            None if given.contains(key) => switch(arg, false),
            Some(texts) => arg.required(false).default_values(texts.iter()),
            None => arg,
        }
    });
    let names: Vec<String> = schema::tables(&command).map(|inner| inner.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let path = [path, std::slice::from_ref(&name)].concat();
        command.mut_subcommand(&name, |inner| with_defaults(inner, &path, settings, arguments))
    })
}

/// Returns `true` if the command line gives a flag a value, as in `--strict=false`.
fn has_value(flag: &Arg, arguments: &[OsString]) -> bool {
    let prefix = format!("--{}=", schema::key(flag));
    arguments.iter().any(|argument| argument.to_str().is_some_and(|text| text.starts_with(&prefix)))
}

/// Turns a flag into an option that can also be switched off, as in `--strict=false`.
fn switch(flag: Arg, default: bool) -> Arg {
    flag.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(clap::value_parser!(bool))
        .value_name("BOOL")
        .default_missing_value("true")
        .default_value(default.to_string())
}

/// Returns the first setting that conflicts with an option of the command line. Two settings that conflict with each
/// other are an error.
fn overruled(cli: &Command, matches: &ArgMatches, settings: &[&Setting]) -> Outcome<Option<usize>> {
    let mut built = cli.clone();
    built.build();
    let (mut command, mut matches, mut path) = (&built, matches, Vec::new());
    while let Some((name, inner)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else {
            break;
        };
        (command, matches) = (found, inner);
        path.push(name.to_owned());
    }
    let own = |at: &usize| settings[*at].command == path;
    let is_on = |arg: &Arg| {
        let is_off =
            matches.try_get_one::<bool>(arg.get_id().as_str()).is_ok_and(|value| value == Some(&false));
        !is_off && matches.try_contains_id(arg.get_id().as_str()).unwrap_or(false)
    };
    let source = |arg: &Arg| matches.value_source(arg.get_id().as_str());
    let arg_of = |setting: &Setting| command.get_arguments().find(|arg| schema::key(arg) == setting.key);
    for at in (0..settings.len()).filter(own) {
        let setting = settings[at];
        let Some(arg) = arg_of(setting) else {
            continue;
        };
        if source(arg) != Some(ValueSource::DefaultValue) || !is_on(arg) {
            continue;
        }
        for other in command.get_arguments().filter(|other| other.get_id() != arg.get_id() && is_on(other)) {
            if !conflict(command, arg, other) {
                continue;
            }
            if source(other) == Some(ValueSource::CommandLine) {
                return Ok(Some(at));
            }
            if let Some(second) =
                settings.iter().find(|two| two.command == path && two.key == schema::key(other))
            {
                return Err(Stop::new(format!(
                    "{}: `{}` and `{}` in {} exclude each other; remove one of them",
                    setting.source,
                    setting.key,
                    second.key,
                    table_name(&path)
                )));
            }
        }
    }
    Ok(None)
}

fn conflict(command: &Command, one: &Arg, two: &Arg) -> bool {
    let names = |one: &Arg, two: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|other| other.get_id() == two.get_id())
    };
    let share_a_group = || {
        command.get_groups().any(|group| {
            let has = |arg: &Arg| group.get_args().any(|id| id == arg.get_id());
            has(one) && has(two) && !group.clone().is_multiple()
        })
    };
    names(one, two) || names(two, one) || share_a_group()
}
