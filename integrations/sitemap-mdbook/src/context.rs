//! What mdBook writes to the standard input of a renderer.
//!
//! The types have only the fields that are needed here. mdBook's own crate for renderers would add its whole
//! configuration, and the licence MPL-2.0.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// The book, its configuration and its folders.
#[derive(Debug)]
pub(crate) struct Context {
    /// The folder of `book.toml`.
    pub(crate) root: PathBuf,
    /// The folder of `SUMMARY.md`.
    pub(crate) src: PathBuf,
    /// The folder of the HTML files.
    pub(crate) html_folder: PathBuf,
    /// The name of this renderer's table in `book.toml`, such as `output.sitemap`.
    pub(crate) table: String,
    /// The keys of this table.
    pub(crate) options: Map<String, Value>,
    pub(crate) html: Html,
    pub(crate) items: Vec<Item>,
}

/// The keys of `[output.html]` that decide about URLs.
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
    /// The Markdown text, after the preprocessors.
    pub(crate) content: String,
    pub(crate) sub_items: Vec<Item>,
    /// The path that the URL follows. A draft has none.
    pub(crate) path: Option<PathBuf>,
    /// The path of the file in the source folder. A chapter that a preprocessor added has none.
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
    /// mdBook 0.4 has the other name.
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
        // With several renderers, the folder of each has its name.
        let name = destination.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(Value::Object(options)) = config.output.remove(&name) else {
            return Err(Failure::new(format!(
                "book.toml has no table `[output.{name}]`, but mdBook's folder for this program is `{}`; add the table",
                destination.display()
            )));
        };
        // mdBook starts renderers in the order of their names, and the HTML renderer first empties its folder.
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
