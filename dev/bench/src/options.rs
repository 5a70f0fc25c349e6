//! Parses the command lines of all programs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use crate::Result;

/// Runs a program with its command-line arguments. Prints the usage for `--help`, and prints errors to standard error.
pub fn main(usage: &str, run: impl FnOnce(&[&str]) -> Result<()>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--help" | "-h"] = arguments[..] {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Options with values, such as `--rounds 5`.
#[derive(Debug)]
pub struct Options {
    given: Vec<(String, String)>,
}

impl Options {
    /// Parses pairs of names and values.
    ///
    /// # Errors
    ///
    /// Returns an error if the last name has no value.
    pub fn new(arguments: &[&str]) -> Result<Self> {
        let pairs = arguments.chunks(2).map(|pair| match pair {
            [name, value] => Ok(((*name).to_owned(), (*value).to_owned())),
            _ => Err(format!("`{}` is unknown or has no value; see `--help`", pair[0])),
        });
        Ok(Self { given: pairs.collect::<std::result::Result<_, _>>()? })
    }

    /// Returns all values of an option.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be parsed.
    pub fn all<T: FromStr>(&mut self, name: &str) -> Result<Vec<T>> {
        let (found, others) =
            std::mem::take(&mut self.given).into_iter().partition(|(given, _)| given == name);
        self.given = others;
        let found: Vec<(String, String)> = found;
        let values = found.iter().map(|(_, value)| {
            value.parse().map_err(|_| format!("the value of `{name}` is {value:?}; see `--help`").into())
        });
        values.collect()
    }

    /// Returns the last value of an option, or a default.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be parsed.
    pub fn or<T: FromStr>(&mut self, name: &str, default: T) -> Result<T> {
        Ok(self.all(name)?.pop().unwrap_or(default))
    }

    /// Returns a number, which must not be 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is 0 or cannot be parsed.
    pub fn positive<T: FromStr + Default + PartialEq>(&mut self, name: &str, default: T) -> Result<T> {
        let value = self.or(name, default)?;
        if value == T::default() { Err(format!("`{name}` is 0; use at least 1").into()) } else { Ok(value) }
    }

    /// Returns the path of an existing file.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file.
    pub fn file(&mut self, name: &str) -> Result<PathBuf> {
        let path = std::path::absolute(self.or(name, PathBuf::from("missing"))?)?;
        if path.is_file() { Ok(path) } else { Err(format!("`{name}` is not a file; see `--help`").into()) }
    }

    /// Returns the entries that an option names, or all of them.
    ///
    /// # Errors
    ///
    /// Returns an error that lists the names if one is unknown.
    pub fn only<T: Copy>(&mut self, name: &str, all: &[T], name_of: impl Fn(&T) -> &str) -> Result<Vec<T>> {
        let given = self.all::<String>(name)?;
        if given.is_empty() {
            return Ok(all.to_vec());
        }
        let find = |given: &String| {
            let names: Vec<_> = all.iter().map(&name_of).collect();
            let found = all.iter().find(|entry| name_of(entry) == given).copied();
            found.ok_or_else(|| format!("`{name}` is `{given}`; choose one of {}", names.join(", ")).into())
        };
        given.iter().map(find).collect()
    }

    /// Finishes parsing. Fails if an option has not been used.
    ///
    /// # Errors
    ///
    /// Returns an error that names an unknown option.
    pub fn finish(self) -> Result<()> {
        match self.given.first() {
            Some((name, _)) => Err(format!("`{name}` is not an option; see `--help`").into()),
            None => Ok(()),
        }
    }
}
