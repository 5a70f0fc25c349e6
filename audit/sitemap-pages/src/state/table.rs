//! The tables of a state file. Each row consists of a key and a sealed value.

use std::marker::PhantomData;

/// A table whose rows are values of one type.
pub(super) struct Table<T> {
    pub(super) id: TableId,
    row: PhantomData<fn() -> T>,
}

impl<T> Table<T> {
    pub(super) const fn new(id: TableId) -> Self {
        Self { id, row: PhantomData }
    }
}

macro_rules! tables {
    ($($id:ident $name:literal,)*) => {
        /// The name of a table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum TableId {
            $($id,)*
        }

        impl TableId {
            /// All tables.
            pub(super) const ALL: &[Self] = &[$(Self::$id),*];

            /// The statements that create the tables, ordered by name.
            pub(super) const SCHEMA: &[(&str, &str)] = &[$((
                $name,
                concat!("CREATE TABLE ", $name, " (key BLOB PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID"),
            ),)*];

            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$id => $name,)*
                }
            }

            pub(super) const fn sql(self) -> Sql {
                match self {
                    $(Self::$id => Sql {
                        get: concat!("SELECT row FROM ", $name, " WHERE key = ?1"),
                        put: concat!("INSERT OR REPLACE INTO ", $name, " (key, row) VALUES (?1, ?2)"),
                        delete: concat!("DELETE FROM ", $name, " WHERE key = ?1"),
                        clear: concat!("DELETE FROM ", $name),
                        clear_after: concat!("DELETE FROM ", $name, " WHERE key > ?1"),
                        all: concat!("SELECT key, row FROM ", $name, " ORDER BY key"),
                        after: concat!("SELECT key, row FROM ", $name, " WHERE key > ?1 ORDER BY key LIMIT ?2"),
                    },)*
                }
            }
        }
    };
}

tables! {
    Content "content",
    Fresh "fresh",
    Frontier "frontier",
    Head "head",
    Hosts "hosts",
    Links "links",
    Listing "listing",
    ListingFiles "listing_files",
    Pages "pages",
    Probes "probes",
    Queued "queued",
    Records "records",
    Runs "runs",
    Shared "shared",
}

/// The SQL statements for a table.
pub(super) struct Sql {
    pub(super) get: &'static str,
    pub(super) put: &'static str,
    pub(super) delete: &'static str,
    pub(super) clear: &'static str,
    pub(super) clear_after: &'static str,
    pub(super) all: &'static str,
    pub(super) after: &'static str,
}

impl TableId {
    pub(super) const COUNT: usize = Self::SCHEMA.len();

    /// Returns `true` for tables that stay small regardless of the number of pages. They are checked when a state file
    /// is opened.
    pub(super) const fn is_small(self) -> bool {
        matches!(self, Self::Hosts | Self::ListingFiles | Self::Probes | Self::Runs | Self::Shared)
    }

    /// Returns a human-readable name for a row.
    pub(super) fn place(self, key: &[u8]) -> String {
        let table = self.name();
        match (self, key.first_chunk(), key.len()) {
            (Self::Frontier | Self::ListingFiles | Self::Runs | Self::Shared, Some(number), 8) => {
                format!("row {} of `{table}`", u64::from_be_bytes(*number))
            }
            (Self::Listing, Some(file), 16) => {
                let position = key.last_chunk().map_or(0, |position| u64::from_be_bytes(*position));
                format!("row {position} of file {} of `{table}`", u64::from_be_bytes(*file))
            }
            _ => {
                let key: String = String::from_utf8_lossy(key).chars().take(200).collect();
                format!("the row `{}` of `{table}`", key.escape_debug())
            }
        }
    }
}
