//! The values of JSON fields.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use serde_core::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::names::{Field, Level, field};
use crate::error::LogRule;
use crate::text;
use crate::time;

/// The best value so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best<T> {
    value: Option<T>,
    rank: u8,
}

impl<T> Default for Best<T> {
    fn default() -> Self {
        Self { value: None, rank: 0 }
    }
}

impl<T> Best<T> {
    fn offer(&mut self, value: Option<T>, rank: u8) {
        if value.is_some() && rank > self.rank {
            *self = Self { value, rank };
        }
    }

    pub(super) fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    pub(super) fn get(self) -> Option<T> {
        self.value
    }
}

/// The values of an object.
#[derive(Debug, Default)]
pub(super) struct Values<'l> {
    pub(super) time: Best<i64>,
    pub(super) ip: Best<IpAddr>,
    pub(super) method: Best<Cow<'l, str>>,
    pub(super) host: Best<Cow<'l, str>>,
    pub(super) target: Best<Cow<'l, str>>,
    pub(super) path: Best<Cow<'l, str>>,
    pub(super) query: Best<Cow<'l, str>>,
    pub(super) line: Best<Cow<'l, str>>,
    pub(super) scheme: Best<&'static str>,
    pub(super) status: Best<u16>,
    pub(super) bytes: Best<u64>,
    pub(super) agent: Best<Cow<'l, str>>,
    pub(super) referer: Best<Cow<'l, str>>,
    /// The rule that a value breaks.
    pub(super) broken: Option<LogRule>,
}

/// Reads an object into [`Values`].
pub(super) struct Object<'v, 'l> {
    values: &'v mut Values<'l>,
    level: Level,
}

impl<'v, 'l> Object<'v, 'l> {
    pub(super) fn top(values: &'v mut Values<'l>) -> Self {
        Self { values, level: Level::Top }
    }
}

impl<'l> DeserializeSeed<'l> for Object<'_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for Object<'_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(found) = map.next_key_seed(Name { level: self.level })? {
            match found {
                Some((field, rank)) => map.next_value_seed(Value { values: self.values, field, rank })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Looks up a field name.
struct Name {
    level: Level,
}

impl<'l> DeserializeSeed<'l> for Name {
    type Value = Option<(Field, u8)>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<(Field, u8)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(field(self.level, name))
    }
}

/// Reads a field's value.
struct Value<'v, 'l> {
    values: &'v mut Values<'l>,
    field: Field,
    rank: u8,
}

impl<'l> Value<'_, 'l> {
    fn text(self, text: Cow<'l, str>) {
        let Self { values, field, rank } = self;
        let Some(text) = text::value(text) else { return };
        match field {
            Field::Time => values.time.offer(time::any(&text), rank),
            Field::Ip => values.ip.offer(text::ip(&text), rank),
            Field::Method => values.method.offer(Some(text), rank),
            Field::Host => values.host.offer(Some(text), rank),
            Field::Target => values.target.offer(Some(text), rank),
            Field::Path => values.path.offer(Some(text), rank),
            Field::Query => values.query.offer(Some(text), rank),
            Field::Scheme => values.scheme.offer(text::scheme(&text), rank),
            Field::Status => match text::status(text.as_bytes()) {
                Some(status) => values.status.offer(status, rank),
                None => values.broken = Some(LogRule::Status),
            },
            Field::Bytes => match text::bytes(text.as_bytes()) {
                Some(bytes) => values.bytes.offer(bytes, rank),
                None => values.broken = Some(LogRule::Bytes),
            },
            Field::Agent => values.agent.offer(Some(text), rank),
            Field::Referer => values.referer.offer(Some(text), rank),
            Field::Request => values.line.offer(Some(text), rank),
            Field::Headers | Field::Tls => {}
        }
    }
}

impl<'l> DeserializeSeed<'l> for Value<'_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Value<'_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'l str) -> Result<(), E> {
        self.text(Cow::Borrowed(text));
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text(Cow::Owned(text.to_owned()));
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        let Self { values, field, rank } = self;
        match field {
            Field::Time => values.time.offer(time::whole(number), rank),
            Field::Bytes => values.bytes.offer(Some(number), rank),
            // Servers log 0 if they sent no response.
            Field::Status => match u16::try_from(number) {
                Ok(0) => {}
                Ok(status @ 100..=999) => values.status.offer(Some(status), rank),
                _ => values.broken = Some(LogRule::Status),
            },
            _ => {}
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        match self.field {
            Field::Status => self.values.broken = Some(LogRule::Status),
            Field::Bytes => self.values.broken = Some(LogRule::Bytes),
            _ => {}
        }
        Ok(())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        match self.field {
            Field::Time => self.values.time.offer(time::fractional(number), self.rank),
            Field::Status => self.values.broken = Some(LogRule::Status),
            Field::Bytes => self.values.broken = Some(LogRule::Bytes),
            _ => {}
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        let level = match self.field {
            Field::Request => Level::Request,
            Field::Headers => Level::Headers,
            other => {
                if other == Field::Tls {
                    self.values.scheme.offer(Some("https"), self.rank);
                }
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(());
            }
        };
        Object { values: self.values, level }.visit_map(map)
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut values: A) -> Result<(), A::Error> {
        // If a header is repeated, the first value wins.
        values.next_element_seed(self)?;
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
