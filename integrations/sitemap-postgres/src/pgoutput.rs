//! The messages of `pgoutput`, the plugin that decodes the log into row changes, in protocol version 1.

/// A message. We skip types, origins and application messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Begin { xid: u32 },
    Commit { end: u64 },
    Relation(Relation),
    Insert { relation: u32, new: Tuple },
    Update { relation: u32, old: Option<Tuple>, new: Tuple },
    Delete { relation: u32, old: Tuple },
    Truncate { relations: Vec<u32> },
    Other,
}

/// A table's columns, as they are in the changes that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    pub(crate) id: u32,
    pub(crate) columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// True if old rows contain this column.
    pub(crate) is_identity: bool,
}

pub(crate) type Tuple = Vec<Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    /// A long value that did not change, and is therefore not in the log.
    Unchanged,
    Text(String),
}

/// Parses a message. Returns `None` if it is not a valid message of version 1.
pub(crate) fn parse(bytes: &[u8]) -> Option<Message> {
    let mut input = Input(bytes);
    let message = match input.u8()? {
        b'B' => {
            input.skip(16)?;
            Message::Begin { xid: input.u32()? }
        }
        b'C' => {
            input.skip(9)?;
            let end = input.u64()?;
            input.skip(8)?;
            Message::Commit { end }
        }
        b'R' => {
            let id = input.u32()?;
            input.text()?;
            input.text()?;
            input.skip(1)?;
            let columns = (0..input.u16()?).map(|_| input.column()).collect::<Option<_>>()?;
            Message::Relation(Relation { id, columns })
        }
        b'I' => {
            let relation = input.u32()?;
            Message::Insert { relation, new: input.marked(b"N")? }
        }
        b'U' => {
            let relation = input.u32()?;
            let old = match input.0.first()? {
                b'K' | b'O' => Some(input.marked(b"KO")?),
                _ => None,
            };
            Message::Update { relation, old, new: input.marked(b"N")? }
        }
        b'D' => {
            let relation = input.u32()?;
            Message::Delete { relation, old: input.marked(b"KO")? }
        }
        b'T' => {
            let count = input.u32()?;
            input.skip(1)?;
            Message::Truncate { relations: (0..count).map(|_| input.u32()).collect::<Option<_>>()? }
        }
        b'O' | b'Y' | b'M' => return Some(Message::Other),
        _ => return None,
    };
    input.0.is_empty().then_some(message)
}

struct Input<'b>(&'b [u8]);

impl Input<'_> {
    fn take(&mut self, len: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        self.take(len).map(drop)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    /// Reads a null-terminated string.
    fn text(&mut self) -> Option<String> {
        let len = self.0.iter().position(|byte| *byte == 0)?;
        let text = String::from_utf8(self.take(len)?.to_owned()).ok()?;
        self.skip(1)?;
        Some(text)
    }

    fn column(&mut self) -> Option<Column> {
        let is_identity = self.u8()? & 1 != 0;
        let name = self.text()?;
        self.skip(8)?;
        Some(Column { name, is_identity })
    }

    /// Reads a row's values, which must be preceded by one of these letters.
    fn marked(&mut self, letters: &[u8]) -> Option<Tuple> {
        let letter = self.u8()?;
        if !letters.contains(&letter) {
            return None;
        }
        (0..self.u16()?).map(|_| self.value()).collect()
    }

    fn value(&mut self) -> Option<Value> {
        match self.u8()? {
            b'n' => Some(Value::Null),
            b'u' => Some(Value::Unchanged),
            b't' => {
                let len = usize::try_from(self.u32()?).ok()?;
                Some(Value::Text(String::from_utf8(self.take(len)?.to_owned()).ok()?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_to_its_end_or_refused() {
        let update = b"U\0\0\0\x07K\0\x02t\0\0\0\x01an\0N";
        let mut whole = update[..update.len() - 2].to_vec();
        whole.extend(b"N\0\x02t\0\0\0\x02bcu");
        let expected = Message::Update {
            relation: 7,
            old: Some(vec![Value::Text("a".to_owned()), Value::Null]),
            new: vec![Value::Text("bc".to_owned()), Value::Unchanged],
        };
        assert_eq!(parse(&whole), Some(expected));
        for len in 0..whole.len() {
            assert_eq!(parse(&whole[..len]), None, "{len}");
        }
        whole.push(0);
        assert_eq!(parse(&whole), None);
        let relation = b"R\0\0\0\x07public\0posts\0d\0\x01\x01id\0\0\0\0\x14\xff\xff\xff\xff";
        let columns = vec![Column { name: "id".to_owned(), is_identity: true }];
        assert_eq!(parse(relation), Some(Message::Relation(Relation { id: 7, columns })));
        assert_eq!(parse(b"T\0\0\0\x01\0\0\0\0\x07"), Some(Message::Truncate { relations: vec![7] }));
        assert_eq!(parse(b"Mx"), Some(Message::Other));
        assert_eq!(parse(b"S"), None);
    }
}
