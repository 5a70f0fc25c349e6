//! Converts extensions to and from objects, in JSON and other formats. The keys of an object come from the element's
//! table.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::element::{Element, Namespace, Node};
use super::fields::{Fields, Value, from_ten_thousandths, split};
use super::group::Group;
use super::image::Image;
use super::news::News;
use super::table::{Field, Kind, Table};
use super::video::Video;
use super::{Alternate, Hreflang};
use crate::value::serde::text;
use crate::value::{LastMod, Loc};

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_into(&mut map)?;
        map.end()
    }
}

impl Fields<'_> {
    fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for (at, field) in (0..).zip(self.table().fields) {
            let mut values = self.all(at).map(|value| FieldValue { field, value });
            if field.most > 1 {
                let values: Vec<_> = values.collect();
                if !values.is_empty() {
                    map.serialize_entry(field.json, &values)?;
                }
            } else if let Some(value) = values.next() {
                map.serialize_entry(field.json, &value)?;
            }
        }
        Ok(())
    }
}

/// One value to serialize, with its field.
struct FieldValue<'f, 'a> {
    field: &'static Field,
    value: &'f Value<'a>,
}

impl Serialize for FieldValue<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.value, self.field.kind) {
            (Value::Text(text) | Value::Invalid(text), Kind::List(list)) => {
                serializer.collect_seq(split(list, text))
            }
            (Value::Text(text) | Value::Invalid(text), _) => serializer.serialize_str(text),
            (Value::Loc(loc), _) => loc.serialize(serializer),
            (Value::Number(number), Kind::Rating) => serializer.serialize_f64(from_ten_thousandths(*number)),
            (Value::Number(number), _) => serializer.serialize_u64(*number),
            (Value::Date(date), _) => date.serialize(serializer),
            (Value::Flag(flag), _) => serializer.serialize_bool(*flag),
            (Value::Group(fields), _) => fields.serialize(serializer),
        }
    }
}

/// Deserializes the values of an element.
struct FieldsOf(&'static Table);

impl<'de> DeserializeSeed<'de> for FieldsOf {
    type Value = Fields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FieldsOf {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the values of `{}`", self.0.element)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::new(self.0);
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let Some((at, field)) = self.0.json(&key.0) else {
                let known = self.0.fields.iter().filter(|field| !matches!(field.kind, Kind::Ignored));
                return Err(unknown(&key.0, known.map(|field| field.json)));
            };
            if fields.get(at).is_some() {
                return Err(A::Error::duplicate_field(field.json));
            }
            map.next_value_seed(ValueOf { fields: &mut fields, at, field })?;
        }
        // Missing values are reported later: by `Fields::add` for child elements, and by `Group::from_fields` for all
        // other elements.
        Ok(fields)
    }
}

#[cold]
pub(crate) fn unknown<E: Error>(key: &str, known: impl IntoIterator<Item = &'static str>) -> E {
    let known: Vec<_> = known.into_iter().collect();
    E::custom(format_args!("unknown field `{key}`, expected one of `{}`", known.join("`, `")))
}

/// A string that is deserialized without a check, such as the key of an object.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer, "a string").map(Self)
    }
}

/// Deserializes the value or values of one field and adds them to an element. Null adds nothing.
struct ValueOf<'f, 'de> {
    fields: &'f mut Fields<'de>,
    at: u8,
    field: &'static Field,
}

impl<'de> DeserializeSeed<'de> for ValueOf<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for ValueOf<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of `{}`", self.field.name)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.field.most > 1 || matches!(self.field.kind, Kind::List(_)) {
            return deserializer.deserialize_seq(self);
        }
        let value = OneValue(self.field).deserialize(deserializer)?;
        self.fields.add(self.at, value).map_err(D::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self { fields, at, field } = self;
        if let Kind::List(list) = field.kind {
            let mut items = Vec::new();
            while let Some(Key(item)) = seq.next_element()? {
                items.push(item);
            }
            return fields.add_list(at, field, list, items).map_err(A::Error::custom);
        }
        while let Some(value) = seq.next_element_seed(OneValue(field))? {
            fields.add(at, value).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// Deserializes one value of a field. Whether the field allows the value is checked later, by `Fields::add`.
struct OneValue(&'static Field);

impl<'de> DeserializeSeed<'de> for OneValue {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        let field = self.0;
        // The format's own error does not name the field, for example if it finds a string instead of a number.
        let named = |error: D::Error| D::Error::custom(format_args!("`{}`: {error}", field.name));
        Ok(match field.kind {
            Kind::Loc => Value::Loc(Loc::deserialize(deserializer).map_err(named)?),
            Kind::Number { .. } => Value::Number(u64::deserialize(deserializer).map_err(named)?),
            Kind::Rating => {
                let rating = f64::deserialize(deserializer).map_err(named)?;
                Value::rating(field, rating).map_err(D::Error::custom)?
            }
            Kind::Date { .. } => Value::Date(LastMod::deserialize(deserializer).map_err(named)?),
            Kind::Flag => Value::Flag(bool::deserialize(deserializer).map_err(named)?),
            Kind::Group(table) => Value::Group(FieldsOf(table).deserialize(deserializer)?),
            // Lists and ignored fields never get here: `ValueOf` reads lists itself, and ignored fields have no key in
            // an object.
            Kind::Text(_) | Kind::Form(_) | Kind::Word(_) | Kind::List(_) | Kind::Ignored => {
                Value::Text(text(deserializer, "a string")?)
            }
        })
    }
}

impl Serialize for Image<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(loc) = self.loc() {
            map.serialize_entry("loc", loc)?;
        }
        if let Some(others) = self.others() {
            others.serialize_into(&mut map)?;
        }
        map.end()
    }
}

impl Serialize for Video<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl Serialize for News<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

macro_rules! deserialize_groups {
    ($($name:ident),+) => {$(
        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = FieldsOf(<$name<'de>>::TABLE).deserialize(deserializer)?;
                <$name<'de>>::from_fields(fields).map_err(D::Error::custom)
            }
        }
    )+};
}

deserialize_groups!(Image, Video, News);

impl Serialize for Hreflang<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Hreflang<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Hreflang::parse(text(deserializer, "a language tag")?).map_err(D::Error::custom)
    }
}

/// The serialized form of an [`Alternate`].
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct AlternateParts<'a> {
    #[serde(borrow)]
    hreflang: Hreflang<'a>,
    #[serde(borrow)]
    href: Loc<'a>,
}

impl Serialize for Alternate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("hreflang", self.hreflang())?;
        map.serialize_entry("href", self.href())?;
        map.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Alternate<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let AlternateParts { hreflang, href } = AlternateParts::<'de>::deserialize(deserializer)?;
        Ok(Alternate::new(hreflang, href))
    }
}

/// The serialized form of an [`Element`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ElementParts<'a> {
    #[serde(borrow)]
    namespace: Cow<'a, str>,
    #[serde(borrow)]
    prefix: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Pairs::is_empty")]
    attributes: Pairs<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    qualified: Vec<QualifiedParts<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    content: Vec<NodeParts<'a>>,
}

/// The serialized form of an attribute in a namespace.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct QualifiedParts<'a> {
    #[serde(borrow)]
    namespace: Cow<'a, str>,
    #[serde(borrow)]
    prefix: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    value: Cow<'a, str>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum NodeParts<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    #[serde(borrow)]
    Element(ElementParts<'a>),
}

/// Attributes without a namespace, serialized as an object. The keys keep the order of the attributes.
#[derive(Default)]
struct Pairs<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Pairs<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor).map(Pairs)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Vec<(Cow<'de, str>, Cow<'de, str>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with attribute names and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((Key(name), Key(value))) = map.next_entry()? {
            pairs.push((name, value));
        }
        Ok(pairs)
    }
}

impl<'a> ElementParts<'a> {
    fn of(element: &'a Element<'_>) -> Self {
        let attributes = element.attributes().map(|(name, value)| (name.into(), value.into()));
        Self {
            namespace: element.namespace().uri().into(),
            prefix: element.namespace().prefix().into(),
            name: element.name().into(),
            attributes: Pairs(attributes.collect()),
            qualified: element.qualified_attributes().map(QualifiedParts::of).collect(),
            content: element.content().iter().map(NodeParts::of).collect(),
        }
    }

    fn element(self) -> Result<Element<'a>, super::ExtensionError> {
        let mut element = Element::new(Namespace::new(self.prefix, self.namespace)?, self.name)?;
        for (name, value) in self.attributes.0 {
            element = element.with_attribute(name, value)?;
        }
        for QualifiedParts { namespace, prefix, name, value } in self.qualified {
            let is_xml = namespace == Namespace::xml().uri();
            let namespace = if is_xml { Namespace::xml() } else { Namespace::new(prefix, namespace)? };
            element = element.with_qualified_attribute(namespace, name, value)?;
        }
        for node in self.content {
            element = match node {
                NodeParts::Text(text) => element.with_text(text)?,
                NodeParts::Element(child) => element.with_child(child.element()?)?,
            };
        }
        Ok(element)
    }
}

impl<'a> QualifiedParts<'a> {
    fn of((namespace, name, value): (&'a Namespace<'_>, &'a str, &'a str)) -> Self {
        Self {
            namespace: namespace.uri().into(),
            prefix: namespace.prefix().into(),
            name: name.into(),
            value: value.into(),
        }
    }
}

impl<'a> NodeParts<'a> {
    fn of(node: &'a Node<'_>) -> Self {
        match node {
            Node::Text(text) => Self::Text(Cow::Borrowed(text)),
            Node::Element(element) => Self::Element(ElementParts::of(element)),
        }
    }
}

impl Serialize for Element<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ElementParts::of(self).serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Element<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ElementParts::<'de>::deserialize(deserializer)?.element().map_err(D::Error::custom)
    }
}
