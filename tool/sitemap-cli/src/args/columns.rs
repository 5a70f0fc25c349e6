//! Options that say how to read lists of pages.

use clap::Args;

use crate::url_map::{Mapped, UrlMap};

/// The columns of lists in CSV and TSV.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ColumnArgs {
    /// Lists in CSV and TSV: the column that has a value, such as `loc=Address`; can be repeated, for lastmod, changefreq
    /// and priority [default: columns with these names; for loc also url, address, page and top pages]
    #[arg(long, value_name = "VALUE=NAME", value_parser = Column::parse)]
    pub(crate) column: Vec<Column>,
}

/// URLs that stand for others.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapArgs {
    /// Compare URLs that start with FROM as if they started with TO, such as
    /// `https://old.example=https://new.example`; can be repeated
    #[arg(long, value_name = "FROM=TO", value_parser = Mapped::parse)]
    map: Vec<Mapped>,
}

impl MapArgs {
    pub(crate) fn urls(&self) -> UrlMap {
        UrlMap::new(&self.map)
    }
}

/// The name of a column on the command line, such as `loc=Address`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) value: String,
    pub(crate) name: String,
}

impl Column {
    /// Parses `VALUE=NAME`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const VALUES: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];
        match text.split_once('=') {
            Some((value, name)) if VALUES.contains(&value) && !name.trim().is_empty() => {
                Ok(Self { value: value.to_owned(), name: Self::plain(name) })
            }
            _ => Err(format!(
                "write a value and a column, such as `loc=Address`; values are {}",
                VALUES.join(", ")
            )),
        }
    }

    /// Returns a column's name without white space around it, a byte order mark and capital letters.
    pub(crate) fn plain(name: &str) -> String {
        name.trim().trim_start_matches('\u{FEFF}').trim().to_lowercase()
    }
}
