//! Converts values of the configuration to command-line arguments.

use clap::builder::ValueRange;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use std::error::Error as _;
use toml::de::DeValue;

use super::schema;

/// Returns the values of an option, or why they are invalid.
pub(super) fn texts(arg: &Arg, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    if schema::is_flag(arg) {
        return match value {
            DeValue::Boolean(value) => Ok(vec![value.to_string()]),
            other => Err(format!("is {}; write true or false", kind(other))),
        };
    }
    let texts = match value {
        DeValue::Array(values) if schema::is_list(arg) => {
            values.iter().map(|value| scalar(value.get_ref())).collect::<Result<Vec<_>, _>>()
        }
        value => scalar(value).map(|text| vec![text]),
    };
    let or_list = if schema::is_list(arg) { ", or an array of these" } else { "" };
    let texts = texts.map_err(|kind| format!("is {kind}; write a string or a number{or_list}"))?;
    for text in &texts {
        check(arg, text)?;
    }
    Ok(texts)
}

/// Returns the strings in a string or an array of strings.
pub(super) fn strings<'v>(value: &'v DeValue<'_>) -> Result<Vec<&'v str>, String> {
    let wrong = |value: &DeValue<'_>| format!("is {}; write a string or an array of strings", kind(value));
    let string = |value: &'v DeValue<'_>| value.as_str().ok_or_else(|| wrong(value));
    match value {
        DeValue::Array(values) => values.iter().map(|value| string(value.get_ref())).collect(),
        value => Ok(vec![string(value)?]),
    }
}

fn scalar(value: &DeValue<'_>) -> Result<String, &'static str> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Datetime(date) => Ok(date.to_string()),
        other => Err(kind(other)),
    }
}

/// Returns the type of a value with its article.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// Parses a value as the command line would.
pub(super) fn check(arg: &Arg, text: &str) -> Result<(), String> {
    let key = schema::key(arg).to_owned();
    // The option's requirements and other properties are ignored, because only the value matters here.
    let alone = Arg::new("value")
        .long(key.clone())
        .action(ArgAction::Append)
        .num_args(ValueRange::SINGLE)
        .value_parser(arg.get_value_parser().clone());
    let delimiter = arg.get_value_delimiter();
    let alone = if let Some(delimiter) = delimiter { alone.value_delimiter(delimiter) } else { alone };
    let parsed =
        Command::new("config").arg(alone).try_get_matches_from(["config", &format!("--{key}={text}")]);
    parsed.map(|_| ()).map_err(|error| message(text, &error))
}

fn message(text: &str, error: &clap::Error) -> String {
    let valid = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => values.join(", "),
        _ => String::new(),
    };
    match error.kind() {
        ErrorKind::InvalidValue if !valid.is_empty() => format!("is {text:?}; write one of {valid}"),
        _ => match error.source() {
            Some(source) => format!("is {text:?}, which is invalid; {source}"),
            None => format!("is {text:?}, which is invalid"),
        },
    }
}
