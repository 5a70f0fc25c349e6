//! Each row's extension values, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::Result;
use serde::Deserialize;
use sitemap_core::{Alternate, Entry, Error, Image, News, Video};

use crate::extensions::COLUMNS;

/// The extension values of all rows in a batch.
#[derive(Debug)]
pub(super) struct Extras {
    /// One line of JSON per row.
    lines: String,
    /// The position in `lines` where each line ends.
    ends: Vec<usize>,
}

impl Extras {
    /// Collects the values. Returns `None` if the batch contains no extension columns.
    pub(super) fn new(batch: &RecordBatch) -> Result<Option<Self>> {
        let schema = batch.schema();
        let columns: Vec<_> = COLUMNS.iter().filter_map(|(name, _)| schema.index_of(name).ok()).collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let mut writer = LineDelimitedWriter::new(Vec::new());
        writer.write(&batch.project(&columns)?)?;
        writer.finish()?;
        let lines = String::from_utf8_lossy(&writer.into_inner()).into_owned();
        let ends = lines.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Ok(Some(Self { lines, ends }))
    }

    /// Returns a row's values, or `None` if it has none.
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1);
        self.lines.get(start..*self.ends.get(row)?).filter(|line| *line != "{}")
    }
}

#[derive(Deserialize)]
struct Values<'a> {
    #[serde(borrow, default)]
    images: Vec<Image<'a>>,
    #[serde(borrow, default)]
    videos: Vec<Video<'a>>,
    #[serde(borrow, default)]
    news: Option<News<'a>>,
    /// The URL for each language. This map sorts the languages, so the order in the row's own map doesn't matter.
    #[serde(borrow, default)]
    alternates: BTreeMap<Cow<'a, str>, Option<Cow<'a, str>>>,
}

/// Adds extension values to an entry.
pub(super) fn attach<'a>(entry: Entry<'a>, json: &'a str) -> Result<Entry<'a>, Error> {
    let Values { images, videos, news, alternates } =
        serde_json::from_str(json).map_err(|error| unreadable(&error))?;
    let alternates = alternates.into_iter().filter_map(|(language, url)| Some((language, url?)));
    let alternates = alternates
        .map(|(language, url)| {
            Alternate::parse(language, url).map_err(|error| Error::other(format!("`alternates`: {error}")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(entry.with_images(images).with_videos(videos).with_news(news).with_alternates(alternates))
}

/// Returns the error for a value. It omits the position in the JSON, which the user has never seen.
fn unreadable(error: &serde_json::Error) -> Error {
    let text = error.to_string();
    Error::other(text.rsplit_once(" at line ").map_or(&*text, |(message, _)| message).to_owned())
}

#[cfg(test)]
mod tests {
    use sitemap_core::Loc;

    use super::*;

    fn attached(json: &str) -> Result<String, String> {
        let entry = Entry::new(Loc::parse("https://example.com/").unwrap());
        let entry = attach(entry, json).map_err(|error| error.to_string())?;
        Ok(serde_json::to_string(&entry).unwrap())
    }

    #[test]
    fn the_order_of_a_map_does_not_matter() {
        let expected = r#"{"loc":"https://example.com/","alternates":[{"hreflang":"de","href":"https://example.com/de"},{"hreflang":"fr","href":"https://example.com/fr"}]}"#;
        for json in [
            r#"{"alternates":{"de":"https://example.com/de","fr":"https://example.com/fr"}}"#,
            r#"{"alternates":{"fr":"https://example.com/fr","en":null,"de":"https://example.com/de"}}"#,
        ] {
            assert_eq!(attached(json).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn an_invalid_value_is_named() {
        for (json, message) in [
            (r#"{"images":[{"loc":"no url"}]}"#, "`image:loc`: "),
            (r#"{"images":[{}]}"#, "`image:loc`"),
            (r#"{"alternates":{"en_US":"https://example.com/"}}"#, "`alternates`: "),
            (r#"{"news":{"title":"A"}}"#, "`news:"),
        ] {
            let error = attached(json).unwrap_err();
            assert!(error.contains(message) && !error.contains("line 1"), "{error}");
        }
    }
}
