//! The folder of `check --pages --from-dir`.

use std::path::Path;

use url::Url;

use super::hosts::Hosts;
use crate::args::CheckArgs;
use crate::error::{Outcome, Stop};
use crate::site_folder::SiteFolder;

/// Opens the folder. Its URL is the folder of `--at` or, by default, the root of the host that all listed pages share.
pub(super) fn open<'a>(folder: &'a Path, args: &'a CheckArgs, listed: &Hosts) -> Outcome<SiteFolder<'a>> {
    if !folder.is_dir() {
        return Err(Stop::new(format!("`{}` is not a folder; name one with `--from-dir`", folder.display())));
    }
    let base = match &args.at {
        Some(at) => base(at).ok_or_else(|| Stop::new(format!("`--at`: `{at}` is not a URL with a host")))?,
        None => root_of(folder, listed)?,
    };
    Ok(SiteFolder::open(folder, base, args.read.network.user_agent.as_deref()))
}

fn base(at: &str) -> Option<Url> {
    let url = Url::parse(at).ok().filter(Url::has_host)?;
    url.join(".").ok()
}

fn root_of(folder: &Path, listed: &Hosts) -> Outcome<Url> {
    let mut urls = listed.urls();
    match (urls.next().and_then(|url| Url::parse(url).ok()), urls.count()) {
        (Some(url), 0) => url.join("/").map_err(|error| Stop::new(format!("`{url}`: {error}"))),
        (_, more) => Err(Stop::new(format!(
            "the listed pages are of {} hosts, so the URL of `{}` is not known; name it with `--at`",
            more + 1,
            folder.display()
        ))),
    }
}
