//! The options of `CREATE EXTERNAL TABLE … STORED AS DELTATABLE`.

use std::collections::HashMap;

use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};

/// What a statement asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// The version of the table to read, or nothing for the newest one.
    pub(super) version: Option<u64>,
    /// Where the changes start, or nothing if the table has all rows.
    pub(super) since: Option<Since>,
    /// The columns that tell one page from another.
    pub(super) key: Vec<String>,
    /// The file with the published version.
    pub(super) position: Option<String>,
}

/// The version after which changes start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Since {
    Version(u64),
    /// The version in the file of the option `position`.
    Position,
}

impl Options {
    /// Parses the options. DataFusion puts `format.` before the names that the user wrote.
    pub(super) fn parse(given: &HashMap<String, String>) -> Result<Self> {
        let mut options = Self { version: None, since: None, key: vec!["loc".to_owned()], position: None };
        let mut has_key = false;
        for (key, value) in given {
            match key.strip_prefix("format.").unwrap_or(key) {
                "version" => options.version = Some(version("version", value)?),
                "changes_since" if value == "position" => options.since = Some(Since::Position),
                "changes_since" => options.since = Some(Since::Version(version("changes_since", value)?)),
                "key" => {
                    has_key = true;
                    options.key = value.split_whitespace().map(ToOwned::to_owned).collect();
                }
                "position" => options.position = Some(value.clone()),
                other => {
                    return plan_err!(
                        "`{other}` is not an option of a Delta table; the options are `version`, `changes_since`, `key` \
                         and `position`"
                    );
                }
            }
        }
        match options.since {
            None if has_key => plan_err!(
                "`key` is only for changes; leave it out, or ask for changes with the option `changes_since`"
            ),
            Some(Since::Position) if options.position.is_none() => plan_err!(
                "`changes_since` is `position`, but there is no position; name the file with the published version in the \
                 option `position`"
            ),
            _ if options.key.is_empty() => {
                plan_err!("`key` is empty; name the columns that make up the URL of a page")
            }
            _ => Ok(options),
        }
    }
}

fn version(name: &str, value: &str) -> Result<u64> {
    let expected = if name == "changes_since" { "a version or `position`" } else { "a version" };
    value.parse().map_err(|_| {
        DataFusionError::Plan(format!("`{name}` is {value:?}; write {expected}, such as `{name} '12'`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(options: &[(&str, &str)]) -> Result<Options> {
        let options = options.iter().map(|(key, value)| (format!("format.{key}"), (*value).to_owned()));
        Options::parse(&options.collect())
    }

    #[test]
    fn all_options() {
        assert_eq!(
            parsed(&[("version", "12"), ("changes_since", "7"), ("key", "shop slug"), ("position", "here")])
                .unwrap(),
            Options {
                version: Some(12),
                since: Some(Since::Version(7)),
                key: vec!["shop".to_owned(), "slug".to_owned()],
                position: Some("here".to_owned()),
            }
        );
        let options = parsed(&[("changes_since", "position"), ("position", "here")]).unwrap();
        assert_eq!((options.since, options.key), (Some(Since::Position), vec!["loc".to_owned()]));
    }

    #[test]
    fn bad_options_say_what_is_expected() {
        for (options, message) in [
            (vec![("version", "new")], "`version` is \"new\"; write a version, such as `version '12'`"),
            (vec![("changes_since", "-1")], "`changes_since` is \"-1\"; write a version or `position`"),
            (vec![("changes_since", "position")], "name the file with the published version"),
            (vec![("key", "slug")], "`key` is only for changes"),
            (vec![("changes_since", "1"), ("key", " ")], "`key` is empty"),
            (vec![("versoin", "1")], "`versoin` is not an option of a Delta table"),
        ] {
            let error = parsed(&options).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
