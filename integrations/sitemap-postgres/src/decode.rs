//! Extracts the keys of changed rows from transactions.

use std::collections::BTreeSet;

use crate::error::PostgresError;
use crate::lsn::Lsn;
use crate::pgoutput::{self, Message, Tuple, Value};
use crate::relation::Key;

/// The changes that some transactions made to a table.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) keys: BTreeSet<Key>,
    /// The transactions.
    pub(crate) xids: Vec<u32>,
    /// The log position where the last transaction ends.
    pub(crate) end: Option<Lsn>,
    is_truncated: bool,
}

/// Collects the keys of changed rows from a slot's messages.
#[derive(Debug)]
pub(crate) struct Decoder<'t> {
    /// The table's name, for errors.
    table: &'t str,
    oid: u32,
    columns: &'t [&'t str],
    /// The indices of the URL's columns in a row.
    places: Vec<usize>,
    is_open: bool,
    changed: Changed,
}

impl<'t> Decoder<'t> {
    pub(crate) fn new(table: &'t str, oid: u32, columns: &'t [&'t str]) -> Self {
        let (places, changed) = (Vec::new(), Changed::default());
        Self { table, oid, columns, places, is_open: false, changed }
    }

    /// Processes the next message.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(), PostgresError> {
        let Some(message) = pgoutput::parse(bytes) else {
            return Err(PostgresError::Setup(
                "the slot returns a message that is not of version 1 of `pgoutput`; drop the slot, and create it with \
                 `Slot::install`"
                    .to_owned(),
            ));
        };
        match message {
            Message::Begin { xid } => {
                self.is_open = true;
                self.changed.xids.push(xid);
            }
            Message::Commit { end } => {
                self.is_open = false;
                self.changed.end = Some(Lsn(end));
            }
            Message::Relation(relation) if relation.id == self.oid => {
                self.places.clear();
                for name in self.columns {
                    let place = relation.columns.iter().position(|column| column.name == *name);
                    let place = place.filter(|&place| relation.columns[place].is_identity);
                    self.places.push(place.ok_or_else(|| {
                        lost(&format!(
                            "column `{name}` of table `{}` was renamed or left its replica identity",
                            self.table
                        ))
                    })?);
                }
            }
            Message::Insert { relation, new } if relation == self.oid => self.add(&new, None)?,
            Message::Update { relation, old, new } if relation == self.oid => {
                if let Some(old) = &old {
                    self.add(old, None)?;
                }
                self.add(&new, old.as_ref())?;
            }
            Message::Delete { relation, old } if relation == self.oid => self.add(&old, None)?,
            Message::Truncate { relations } => self.changed.is_truncated |= relations.contains(&self.oid),
            _ => {}
        }
        Ok(())
    }

    /// Adds a row's key. If the log omits a value because it did not change, uses the old row's value.
    fn add(&mut self, row: &Tuple, old: Option<&Tuple>) -> Result<(), PostgresError> {
        if self.places.is_empty() {
            return Err(lost("the slot returns a row without its columns"));
        }
        let mut key = Key::new();
        for &place in &self.places {
            let value = match (row.get(place), old.and_then(|old| old.get(place))) {
                (Some(Value::Unchanged), Some(old)) => Some(old),
                (value, _) => value,
            };
            match value {
                Some(Value::Text(text)) => key.push(text.clone()),
                // A row with `NULL` in its URL is not a page.
                Some(Value::Null) => return Ok(()),
                Some(Value::Unchanged) | None => {
                    return Err(PostgresError::MustPublish(format!(
                        "the log lacks a long value of the URL of a row of `{0}`; run `ALTER TABLE {0} REPLICA IDENTITY \
                         FULL` once. A change was not recorded",
                        self.table
                    )));
                }
            }
        }
        self.changed.keys.insert(key);
        Ok(())
    }

    /// Returns the changes of all transactions.
    pub(crate) fn finish(self) -> Result<Changed, PostgresError> {
        if self.is_open {
            return Err(lost("the slot returns a part of a transaction"));
        }
        if self.changed.is_truncated {
            return Err(lost(&format!("table `{}` was emptied by `TRUNCATE`", self.table)));
        }
        Ok(self.changed)
    }
}

fn lost(what: &str) -> PostgresError {
    PostgresError::MustPublish(what.to_owned())
}

/// Returns `true` if all of these transactions are visible in a snapshot. A transaction is in the log a moment before
/// its rows become visible to others. With synchronous replication, that moment lasts until the other servers have
/// confirmed the transaction.
///
/// `snapshot` is the result of `pg_current_snapshot()` as text, such as `10:20:10,14`.
pub(crate) fn sees(snapshot: &str, xids: &[u32]) -> Option<bool> {
    let mut parts = snapshot.split(':');
    let next: u64 = {
        parts.next()?;
        parts.next()?.parse().ok()?
    };
    let running: Vec<u64> = parts
        .next()?
        .split(',')
        .filter(|xid| !xid.is_empty())
        .map(|xid| xid.parse().ok())
        .collect::<Option<_>>()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
    let whole = |xid: u32| {
        // The log contains only the lower 32 bits of a transaction's number. The whole number is within two billion of
        // the next one.
        let distance = i64::from(xid.wrapping_sub(next as u32) as i32);
        next.saturating_add_signed(distance)
    };
    Some(xids.iter().all(|&xid| {
        let xid = whole(xid);
        xid < next && !running.contains(&xid)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_sees_finished_transactions() {
        assert_eq!(sees("10:20:10,14", &[9, 11, 19]), Some(true));
        assert_eq!(sees("10:20:10,14", &[9, 14]), Some(false));
        assert_eq!(sees("10:20:", &[20]), Some(false));
        assert_eq!(sees("10:20:", &[]), Some(true));
        assert_eq!(sees("10", &[]), None);
        // In the log, numbers wrap around at 4,294,967,296.
        assert_eq!(sees("4294967290:4294967300:4294967295", &[4_294_967_294, 3]), Some(true));
        assert_eq!(sees("4294967290:4294967300:4294967295", &[4_294_967_295]), Some(false));
        assert_eq!(sees("4294967290:4294967300:", &[4]), Some(false));
    }

    fn tuple(letter: u8, values: &[Option<&str>]) -> Vec<u8> {
        let mut bytes = vec![letter, 0, u8::try_from(values.len()).unwrap()];
        for value in values {
            match value {
                None => bytes.push(b'u'),
                Some(text) => {
                    bytes.extend([b't', 0, 0, 0, u8::try_from(text.len()).unwrap()]);
                    bytes.extend(text.bytes());
                }
            }
        }
        bytes
    }

    fn update(old: &[Option<&str>], new: &[Option<&str>]) -> Vec<u8> {
        let mut bytes = b"U\0\0\0\x07".to_vec();
        if !old.is_empty() {
            bytes.extend(tuple(b'K', old));
        }
        bytes.extend(tuple(b'N', new));
        bytes
    }

    fn relation(is_identity: bool) -> Vec<u8> {
        let mut bytes = b"R\0\0\0\x07public\0posts\0d\0\x01".to_vec();
        bytes.push(u8::from(is_identity));
        bytes.extend(b"slug\0\0\0\0\x14\xff\xff\xff\xff");
        bytes
    }

    #[test]
    fn a_value_that_is_not_in_the_log_is_that_of_the_old_row_or_an_error() {
        let mut decoder = Decoder::new("posts", 7, &["slug"]);
        decoder.read(&relation(true)).unwrap();
        decoder.read(&update(&[Some("a")], &[None])).unwrap();
        decoder.read(&update(&[Some("b")], &[Some("c")])).unwrap();
        let error = decoder.read(&update(&[], &[None])).unwrap_err().to_string();
        assert!(error.contains("ALTER TABLE posts REPLICA IDENTITY FULL"), "{error}");
        let changed = decoder.finish().unwrap();
        assert_eq!(changed.keys, [vec!["a".to_owned()], vec!["b".to_owned()], vec!["c".to_owned()]].into());
    }

    #[test]
    fn a_column_that_left_the_identity_needs_a_full_publication() {
        let mut decoder = Decoder::new("posts", 7, &["slug"]);
        let error = decoder.read(&relation(false)).unwrap_err();
        assert!(matches!(error, PostgresError::MustPublish(_)), "{error}");
    }
}
