//! The input that mdBook writes to a renderer's standard input.
//!
//! These types only declare the fields that we need. mdBook's own renderer crate would pull in its whole configuration,
//! and the MPL-2.0 licence.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// The book, its configuration and its folders.
#[derive(Debug)]
pub(crate) struct Context {
    /// The folder that contains `book.toml`.
    pub(crate) root: PathBuf,
    /// The folder that contains `SUMMARY.md`.
    pub(crate) src: PathBuf,
    /// The folder that contains the HTML files.
    pub(crate) html_folder: PathBuf,
    /// The name of this renderer's table in `book.toml`, such as `output.sitemap`.
    pub(crate) table: String,
    /// The keys in this table.
    pub(crate) options: Map<String, Value>,
    pub(crate) html: Html,
    pub(crate) items: Vec<Item>,
}

/// The keys in `[output.html]` that affect URLs.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Html {
    pub(crate) site_url: Option<String>,
    pub(crate) cname: Option<String>,
    #[serde(rename = "input-404")]
    pub(crate) input_404: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) enum Item {
    Chapter(Chapter),
    Separator,
    #[expect(dead_code, reason = "part of mdBook's format")]
    PartTitle(String),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Chapter {
    /// The Markdown after preprocessing.
    pub(crate) content: String,
    pub(crate) sub_items: Vec<Item>,
    /// The path that determines the URL. `None` for a draft.
    pub(crate) path: Option<PathBuf>,
    /// The path of the file in the source folder. `None` for a chapter that a preprocessor added.
    pub(crate) source_path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Input {
    root: PathBuf,
    destination: PathBuf,
    book: Book,
    config: Config,
}

#[derive(Deserialize)]
struct Book {
    /// mdBook 0.4 uses the name `sections`.
    #[serde(alias = "sections")]
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Config {
    #[serde(default)]
    book: Settings,
    #[serde(default)]
    output: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(default)]
struct Settings {
    src: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self { src: "src".into() }
    }
}

impl Context {
    pub(crate) fn parse(input: &[u8]) -> Result<Self, Failure> {
        let Input { root, destination, book, mut config } =
            serde_json::from_slice(input).map_err(|error| {
                Failure::new(format!("standard input is not a book of mdBook: {error}; run `mdbook build`"))
            })?;
        let Some(html) = config.output.remove("html") else {
            return Err(Failure::new(
                "book.toml has no `[output.html]`, and without it mdBook writes no HTML; add the line `[output.html]`",
            ));
        };
        let html = serde_json::from_value(html).map_err(|error| {
            Failure::new(format!("`[output.html]` is invalid: {error}; correct book.toml"))
        })?;
        // If there are several renderers, each one writes to a folder with its own name.
        let name = destination.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(Value::Object(options)) = config.output.remove(&name) else {
            return Err(Failure::new(format!(
                "book.toml has no table `[output.{name}]`, but mdBook's folder for this program is `{}`; add the table",
                destination.display()
            )));
        };
        // mdBook runs renderers in alphabetical order, and the HTML renderer empties its folder first.
        if name.as_str() < "html" {
            return Err(Failure::new(format!(
                "mdBook runs `[output.{name}]` before `[output.html]`, which would remove the sitemap; name the table \
                 `[output.sitemap]`"
            )));
        }
        Ok(Self {
            src: root.join(config.book.src),
            root,
            html_folder: destination.with_file_name("html"),
            table: format!("output.{name}"),
            options,
            html,
            items: book.items,
        })
    }
}
