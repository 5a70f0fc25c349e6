//! Credentials from options and URLs.

use std::env;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sitemap_fetch::Credentials;
use url::Url;

use crate::args::NetworkArgs;
use crate::error::{Outcome, Stop};
use crate::percent;

/// The environment variable with the password of `--auth`.
const PASSWORD: &str = "SITEMAP_PASSWORD";

/// The maximum length of a token file.
const MAX_TOKEN: u64 = 64 << 10;

/// Returns the credentials of the options. Messages never contain them.
pub(super) fn of(args: &NetworkArgs) -> Outcome<Option<Credentials>> {
    let (option, credentials) = if let Some(auth) = &args.auth {
        let (user, password) = match auth.split_once(':') {
            Some((user, password)) => (user, password.to_owned()),
            None => (auth.as_str(), variable(PASSWORD, "`--auth` has no password")?),
        };
        ("--auth", Credentials::basic(user, &password))
    } else if let Some(path) = &args.bearer_file {
        ("--bearer-file", Credentials::bearer(token(path)?.trim()))
    } else if let Some(name) = &args.bearer_env {
        ("--bearer-env", Credentials::bearer(variable(name, "`--bearer-env` finds no token")?.trim()))
    } else {
        return Ok(None);
    };
    credentials.map(Some).map_err(|error| Stop::new(format!("`{option}`: {error}")))
}

/// Removes the user name and password from a URL, and returns them.
pub(super) fn take(url: &mut Url) -> Outcome<Option<Credentials>> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(None);
    }
    let decoded = |text: &str| {
        percent::decoded(text)
            .ok_or_else(|| Stop::new("the user name or password of a URL is not UTF-8 in percent-encoding"))
    };
    let (user, password) = (decoded(url.username())?, decoded(url.password().unwrap_or_default())?);
    // This fails only for URLs without a host, and those contain neither.
    let _ = (url.set_username(""), url.set_password(None));
    let credentials = Credentials::basic(&user, &password);
    credentials.map(Some).map_err(|error| Stop::new(format!("the URL for `{url}`: {error}")))
}

fn variable(name: &str, what: &str) -> Outcome<String> {
    env::var(name).map_err(|_| {
        Stop::new(format!("{what}, and the environment variable `{name}` is not set to a text; set it"))
    })
}

fn token(path: &Path) -> Outcome<String> {
    let mut token = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_TOKEN).read_to_string(&mut token));
    read.map_err(|error| Stop::io("read", path, &error))?;
    Ok(token)
}
