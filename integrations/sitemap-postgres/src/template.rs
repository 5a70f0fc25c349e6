//! A row's URL.

use sitemap_core::record::path_segment;
use sitemap_core::{Loc, Site};

use crate::error::PostgresError;

/// A URL with column names in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The text before each column, and the text after the last one.
    texts: Vec<String>,
    pub(crate) columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// True if slashes are kept.
    is_path: bool,
}

impl Template {
    pub(crate) fn parse(url: &str) -> Result<Self, PostgresError> {
        let wrong = |text: &str| PostgresError::Setup(format!("the URL `{url}` {text}"));
        let (mut texts, mut columns) = (Vec::new(), Vec::new());
        let mut rest = url;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((column, after)) = after.split_once('}') else {
                return Err(wrong("has a `{` without `}`; write the columns in braces"));
            };
            let (name, is_path) = match column.strip_prefix('*') {
                Some(name) => (name, true),
                None => (column, false),
            };
            if name.is_empty() || name.contains('{') || before.contains('}') {
                return Err(wrong("has braces without a column; write the columns in braces"));
            }
            texts.push(before.to_owned());
            columns.push(Column { name: name.to_owned(), is_path });
            rest = after;
        }
        if columns.is_empty() {
            return Err(wrong("has no column; write the columns in braces, such as `/posts/{slug}`"));
        }
        if rest.contains('}') {
            return Err(wrong("has a `}` without `{`; write the columns in braces"));
        }
        texts.push(rest.to_owned());
        Ok(Self { texts, columns })
    }

    /// Returns the URL for a row with these values.
    pub(crate) fn fill(&self, values: &[String], site: &Site) -> Result<Loc<'static>, String> {
        let mut url = self.texts[0].clone();
        for ((value, column), text) in values.iter().zip(&self.columns).zip(&self.texts[1..]) {
            if column.is_path {
                let segments: Vec<String> =
                    value.split('/').map(|segment| path_segment(segment).to_string()).collect();
                url.push_str(&segments.join("/"));
            } else {
                url.push_str(&path_segment(value.as_str()).to_string());
            }
            url.push_str(text);
        }
        let loc = site.resolve(url.as_str()).map_err(|error| error.to_string())?.into_owned();
        if site.covers(&loc) { Ok(loc) } else { Err(format!("{:?} is not of the site", loc.as_str())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, values: &[&str]) -> Result<String, String> {
        let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        let site = Site::new("https://example.com/shop").unwrap();
        Template::parse(template).unwrap().fill(&values, &site).map(|loc| loc.to_string())
    }

    #[test]
    fn values_are_path_segments() {
        let url = |path: &str| Ok(format!("https://example.com/shop/{path}"));
        assert_eq!(fill("/posts/{id}-{slug}", &["7", "a b/ä?"]), url("posts/7-a%20b%2F%C3%A4%3F"));
        assert_eq!(fill("/{*path}.html", &["docs/a b"]), url("docs/a%20b.html"));
        assert_eq!(fill("https://example.com/shop/{id}", &["7"]), url("7"));
        assert!(fill("https://example.com/{id}", &["7"]).unwrap_err().contains("is not of the site"));
        assert!(fill("/{*path}", &["../a"]).is_err());
        assert!(fill("/{slug}", &["x".repeat(3000).as_str()]).is_err());
    }

    #[test]
    fn wrong_templates_are_refused() {
        for (url, text) in [
            ("/posts", "no column"),
            ("/{id", "`{` without `}`"),
            ("/{}", "braces without a column"),
            ("/{*}", "braces without a column"),
            ("/}{id}", "braces without a column"),
            ("/{id}}", "`}` without `{`"),
        ] {
            let error = Template::parse(url).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains(url), "{error}");
        }
    }
}
