//! The keys in `[output.sitemap]`.

use std::path::PathBuf;

use serde_json::Value;
use sitemap_core::{ChangeFreq, Priority};

use crate::context::Context;
use crate::failure::Failure;

const KEYS: &str = "`site-url`, `lastmod`, `state`, `changefreq`, `priority`, `exclude`, `urls`, and mdBook's own `command` and \
     `optional`";

/// Where the chapters' dates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastModFrom {
    Git,
    Content,
    None,
}

/// How the chapters' URLs end. This depends on the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Urls {
    /// The same as in the book's own links: `guide/index.html`, `guide/start.html`.
    #[default]
    Links,
    /// `guide/`, `guide/start.html`.
    Folders,
    /// `guide/`, `guide/start`.
    Clean,
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) site_url: Option<String>,
    /// `None` if the key is missing. The dates then come from git, if there is a repository.
    pub(crate) lastmod: Option<LastModFrom>,
    pub(crate) state: PathBuf,
    pub(crate) changefreq: Option<ChangeFreq>,
    pub(crate) priority: Option<Priority>,
    pub(crate) exclude: Vec<String>,
    pub(crate) urls: Urls,
}

impl Options {
    pub(crate) fn of(context: &Context) -> Result<Self, Failure> {
        let mut options = Self {
            site_url: None,
            lastmod: None,
            state: PathBuf::new(),
            changefreq: None,
            priority: None,
            exclude: Vec::new(),
            urls: Urls::default(),
        };
        let mut state = None;
        for (name, value) in &context.options {
            let key = Key { table: &context.table, name, value };
            match name.as_str() {
                "site-url" => options.site_url = Some(key.text()?.to_owned()),
                "lastmod" => options.lastmod = Some(key.lastmod()?),
                "state" => state = Some(key.text()?),
                "changefreq" => {
                    options.changefreq = Some(key.text()?.parse().map_err(|error| key.invalid(error))?);
                }
                "priority" => options.priority = Some(key.priority()?),
                "exclude" => options.exclude = key.texts()?,
                "urls" => options.urls = key.urls()?,
                "command" | "optional" => {}
                _ => {
                    let table = &context.table;
                    return Err(Failure::new(format!(
                        "`[{table}]` has no key `{name}`; its keys are {KEYS}"
                    )));
                }
            }
        }
        if let Some(state) = state
            && options.lastmod != Some(LastModFrom::Content)
        {
            return Err(Failure::new(format!(
                "`state = {state:?}` has no effect without `lastmod = \"content\"`; add it, or remove `state`"
            )));
        }
        options.state = context.root.join(state.unwrap_or("sitemap.state"));
        Ok(options)
    }
}

/// A key and its value.
struct Key<'a> {
    table: &'a str,
    name: &'a str,
    value: &'a Value,
}

impl<'a> Key<'a> {
    fn invalid(&self, problem: impl std::fmt::Display) -> Failure {
        Failure::new(format!("`{}` of `[{}]`: {problem}", self.name, self.table))
    }

    fn expected(&self, expected: &str) -> Failure {
        self.invalid(format!("found {}; give {expected}", self.value))
    }

    fn text(&self) -> Result<&'a str, Failure> {
        self.value.as_str().ok_or_else(|| self.expected("a text in quotes"))
    }

    fn texts(&self) -> Result<Vec<String>, Failure> {
        let texts = self.value.as_array().and_then(|values| {
            values.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        texts.ok_or_else(|| self.expected("a list of paths, such as [\"notes.md\", \"drafts/\"]"))
    }

    fn priority(&self) -> Result<Priority, Failure> {
        let number = self.value.as_f64().ok_or_else(|| self.expected("a number from 0.0 to 1.0"))?;
        Priority::new(number).map_err(|error| self.invalid(error))
    }

    fn lastmod(&self) -> Result<LastModFrom, Failure> {
        match self.value.as_str() {
            Some("git") => Ok(LastModFrom::Git),
            Some("content") => Ok(LastModFrom::Content),
            Some("none") => Ok(LastModFrom::None),
            _ => Err(self.expected("\"git\", \"content\" or \"none\"")),
        }
    }

    fn urls(&self) -> Result<Urls, Failure> {
        match self.value.as_str() {
            Some("links") => Ok(Urls::Links),
            Some("folders") => Ok(Urls::Folders),
            Some("clean") => Ok(Urls::Clean),
            _ => Err(self.expected("\"links\", \"folders\" or \"clean\"")),
        }
    }
}
