//! Adds the settings of the configuration file to the command line.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command};

use super::parse::table_name;
use super::schema;
use super::settings::Setting;
use crate::args::{has_needs, innermost, is_given};
use crate::error::{Outcome, Stop};

/// Flags with a value on the command line, as in `--strict=false`.
pub(super) struct Flags {
    /// The command line without these values: a flag that is switched on is present, and one that is switched off is
    /// absent.
    pub(super) arguments: Vec<OsString>,
    /// The flags that are switched off.
    pub(super) off: Vec<String>,
}

impl Flags {
    pub(super) fn of(cli: &Command, arguments: &[OsString]) -> Self {
        let mut command = cli;
        let mut flags = Self { arguments: Vec::new(), off: Vec::new() };
        for (at, argument) in arguments.iter().enumerate() {
            if argument == "--" {
                flags.arguments.extend_from_slice(&arguments[at..]);
                break;
            }
            let text = argument.to_str().unwrap_or_default();
            command = command.find_subcommand(text).unwrap_or(command);
            let flag =
                text.strip_prefix("--").and_then(|option| option.split_once('=')).filter(|(name, _)| {
                    schema::keys(command).any(|arg| schema::is_flag(arg) && schema::key(arg) == *name)
                });
            match flag {
                Some((name, "true")) => flags.arguments.push(format!("--{name}").into()),
                Some((name, "false")) => flags.off.push(name.to_owned()),
                _ => flags.arguments.push(argument.clone()),
            }
        }
        flags
    }

    /// Returns the command line, with the settings that it doesn't override. `given` contains the options on the
    /// command line.
    pub(super) fn with(
        mut self,
        settings: &[Setting],
        cli: &Command,
        given: &ArgMatches,
    ) -> Outcome<Vec<OsString>> {
        let (command, given, path) = innermost(cli, given);
        let arg_of = |setting: &Setting| command.get_arguments().find(|arg| schema::key(arg) == setting.key);
        let on_line: Vec<&Arg> =
            command.get_arguments().filter(|arg| is_given(given, arg.get_id().as_str())).collect();
        let is_overruled = |setting: &Setting, arg: &Arg| {
            self.off.contains(&setting.key)
                || on_line.iter().any(|other| other.get_id() == arg.get_id() || exclude(command, arg, other))
        };
        let is_off = |setting: &Setting, arg: &Arg| schema::is_flag(arg) && setting.texts == ["false"];
        let own = settings.iter().filter(|setting| setting.command.is_empty() || setting.command == path);
        let mut own: Vec<(&Setting, &Arg)> = own
            .filter_map(|setting| Some((setting, arg_of(setting)?)))
            .filter(|(setting, arg)| !is_off(setting, arg) && !is_overruled(setting, arg))
            .collect();
        let is_idle = |(_, arg): &(&Setting, &Arg), own: &[(&Setting, &Arg)]| {
            !has_needs(command, arg.get_id().as_str(), |id| {
                on_line.iter().chain(own.iter().map(|(_, arg)| arg)).any(|arg| arg.get_id() == id)
            })
        };
        while let Some(at) = own.iter().position(|setting| is_idle(setting, &own)) {
            own.remove(at);
        }
        for (at, (setting, arg)) in own.iter().enumerate() {
            if let Some((other, _)) = own[at + 1..].iter().find(|(_, other)| exclude(command, arg, other)) {
                return Err(Stop::new(format!(
                    "{}: `{}` and `{}` in {} exclude each other; remove one of them",
                    setting.source,
                    setting.key,
                    other.key,
                    table_name(&path)
                )));
            }
        }
        let tokens = own.iter().flat_map(|(setting, arg)| {
            let token = |text: &String| {
                if schema::is_flag(arg) {
                    format!("--{}", setting.key)
                } else {
                    format!("--{}={text}", setting.key)
                }
            };
            setting.texts.iter().map(token).map(OsString::from)
        });
        let end = self.arguments.iter().position(|argument| argument == "--").unwrap_or(self.arguments.len());
        self.arguments.splice(end..end, tokens);
        Ok(self.arguments)
    }
}

/// Returns `true` if two options cannot be used together.
fn exclude(command: &Command, one: &Arg, two: &Arg) -> bool {
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
