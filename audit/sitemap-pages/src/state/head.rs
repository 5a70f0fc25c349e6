//! The head of a state file: data about the file as a whole.

use serde::{Deserialize, Serialize};

use super::table::{Table, TableId};

pub(super) const HEAD: Table<Head> = Table::new(TableId::Head);
pub(super) const HEAD_KEY: &[u8] = b"head";

/// Data about the file as a whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Head {
    /// The site's base URL, once it is known.
    pub(super) base: Option<String>,
    /// The number of runs so far.
    pub(super) runs: u64,
    /// The numbers of the unfinished runs.
    pub(super) open: Vec<u64>,
    /// The number of URLs that were added to the frontier.
    pub(super) queued: u64,
    /// The last run that counted the blocks of all pages with content.
    pub(super) counted: Option<Counted>,
    totals: [Total; TableId::COUNT],
}

/// A run whose shared blocks are those of all pages, as long as the content table still has this total.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) run: u64,
    pub(super) content: Total,
}

/// A table's row count and the sum of its digests. A missing row changes both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Total {
    pub(super) rows: u64,
    pub(super) digests: u64,
}

impl Total {
    pub(super) fn add(&mut self, digest: u64) {
        self.rows += 1;
        self.digests = self.digests.wrapping_add(digest);
    }

    pub(super) fn remove(&mut self, digest: u64) {
        self.rows = self.rows.saturating_sub(1);
        self.digests = self.digests.wrapping_sub(digest);
    }
}

impl Head {
    pub(super) fn total(&self, table: TableId) -> Total {
        self.totals[table as usize]
    }

    pub(super) fn total_mut(&mut self, table: TableId) -> &mut Total {
        &mut self.totals[table as usize]
    }
}
