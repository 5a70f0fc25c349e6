//! What a commit does with the recent section.

use super::find::find_all;
use super::row::ShardRow;
use super::update;
use crate::publish::error::PublishError;
use crate::publish::set::recent::RecentCounts;
use crate::publish::set::{Kind, NextSet, Row, SetFile};

/// What a commit does with the recent section.
#[derive(Debug, Default)]
pub(super) enum RecentAction {
    /// Removes the section, because its entries may no longer match the other sections.
    #[default]
    Remove,
    Keep,
    Replace {
        /// The name of the file that the caller read.
        seen: Option<String>,
        new: Option<Box<ShardRow>>,
        counts: RecentCounts,
    },
}

impl RecentAction {
    /// Returns the new file.
    pub(super) fn row(&self) -> Option<&ShardRow> {
        match self {
            Self::Replace { new, .. } => new.as_deref(),
            _ => None,
        }
    }

    /// Returns the recent file of the next set, and its numbers.
    pub(super) fn file(self, set: &NextSet) -> Result<(Option<SetFile>, RecentCounts), PublishError> {
        let current = set.current_recent();
        match self {
            Self::Keep => Ok(match current {
                Some((row, counts)) => (Some(SetFile { row: row.clone(), staged: None }), counts),
                None => (None, RecentCounts::default()),
            }),
            Self::Replace { seen, .. } if current.map(|(row, _)| &*row.name) != seen.as_deref() => {
                Err(update::overtaken(set))
            }
            Self::Remove | Self::Replace { new: None, .. } => Ok((None, RecentCounts::default())),
            Self::Replace { new: Some(new), counts, .. } => {
                let file = find_all(set, vec![*new])?.pop();
                let recent = |file: SetFile| {
                    let row = Row { section: None, buckets: None, by_url: false, source: None, ..file.row };
                    SetFile { row: Row { kind: Kind::Recent, ..row }, ..file }
                };
                Ok((file.map(recent), counts))
            }
        }
    }
}
