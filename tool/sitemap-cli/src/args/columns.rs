//! Options that say how to read lists of pages.

use clap::Args;

use crate::page_list::Column;
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
