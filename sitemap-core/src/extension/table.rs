//! Tables that describe extension elements: one row for each value that an element can contain.
//!
//! The writer, the reader, the element order check and the JSON code all use these rows. To add a value to an
//! extension, add a row to its table, a setter and a getter.

/// An extension element and the values that it can contain.
#[derive(Debug)]
pub struct Table {
    /// The element's name with its prefix, such as `video:uploader`.
    pub element: &'static str,
    /// The fields, one for each possible value, in schema order. A field number is an index into this slice.
    pub fields: &'static [Field],
    /// The numbers of a group of fields, of which at least one must have a value. Empty if the element has no such
    /// rule.
    pub one_of: &'static [u8],
    /// Two bit sets: the numbers of the required fields, and the numbers in `one_of`.
    pub(super) masks: (u64, u64),
}

/// A row of a table: a value that an element can contain, and the rules for it.
#[derive(Debug)]
pub struct Field {
    /// The name in errors: `video:title` for an element, `video:uploader info` for an attribute.
    pub name: &'static str,
    /// The name without the prefix and, for an attribute, without the name of its element.
    local: &'static str,
    /// The name in JSON.
    pub json: &'static str,
    /// Where the value is in the element, such as in a child element or an attribute.
    pub place: Place,
    /// The kind of the value, such as a URL or a date.
    pub kind: Kind,
    /// The maximum number of values for this field in one element.
    pub most: usize,
    /// True if the value is required.
    pub is_required: bool,
    /// True if search engines no longer read the value. The reader keeps deprecated values, but they are written only
    /// on request.
    pub is_deprecated: bool,
    /// The index of another field that must be set whenever this one is.
    pub needs: Option<u8>,
}

/// The place of a value in its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A child element.
    Child,
    /// An attribute.
    Attribute,
    /// An attribute of the child element with this name. It is not written if there is no such child.
    AttributeOf(&'static str),
    /// The element's own text.
    Text,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A string with at most this many characters.
    Text(usize),
    /// A string that must have this form.
    Form(Form),
    /// A URL.
    Loc,
    /// A whole number.
    Number {
        /// The smallest number allowed.
        least: u64,
        /// The largest number allowed.
        most: u64,
        /// The remedy in errors, such as `use at least 1`.
        remedy: &'static str,
    },
    /// A number from 0.0 to 5.0.
    Rating,
    /// A date with a year, a month and a day.
    Date {
        /// True if a time may have hours and minutes without seconds.
        minutes: bool,
    },
    /// `yes` or `no`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Several words or strings, written as one string.
    List(List),
    /// An element with its own values.
    Group(&'static Table),
    /// A value that the reader skips.
    Ignored,
}

/// A form that a string must have, such as a decimal number.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Returns `true` if a string has this form.
    pub takes: fn(&str) -> bool,
    /// The remedy in errors, such as `write a decimal number like 1.99`.
    pub remedy: &'static str,
}

/// The rules for a list that is written as one string.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The separator between items.
    pub separator: &'static str,
    /// The kind of item.
    pub item: Item,
    /// The maximum number of items.
    pub most: usize,
}

/// The kind of item in a [`List`].
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// One of these words.
    Word(&'static [&'static str]),
    /// A string that must have this form.
    Form(Form),
}

impl Table {
    /// Finds the field of a child element, together with its number. `local` is the child's name without the prefix.
    #[must_use]
    pub fn child(&self, local: &[u8]) -> Option<(u8, &'static Field)> {
        self.child_from(0, local)
    }

    /// Like [`child`](Self::child), but starts the search at field number `first`. Documents usually follow the
    /// schema's order, so the search is short if it starts at the field of the previous child.
    #[must_use]
    #[inline]
    pub fn child_from(&self, first: u8, local: &[u8]) -> Option<(u8, &'static Field)> {
        let is_it =
            |field: &&'static Field| field.local.as_bytes() == local && matches!(field.place, Place::Child);
        let first = usize::from(first).min(self.fields.len());
        let (before, after) = self.fields.split_at(first);
        let numbered = |start: usize, fields: &'static [Field]| {
            let at = fields.iter().position(|field| is_it(&field))?;
            Some((u8::try_from(start + at).ok()?, &fields[at]))
        };
        numbered(first, after).or_else(|| numbered(0, before))
    }

    /// Finds a field by its name in JSON, together with its number.
    #[must_use]
    pub fn json(&self, name: &str) -> Option<(u8, &'static Field)> {
        self.find(|field| field.json == name && !matches!(field.kind, Kind::Ignored))
    }

    fn find(&self, matches: impl Fn(&Field) -> bool) -> Option<(u8, &'static Field)> {
        (0..).zip(self.fields).find(|(_, field)| matches(field))
    }

    /// Returns the name of the element that contains the value of a field: the element that this table describes, or
    /// one of its children.
    #[must_use]
    pub fn element_of(&self, field: &Field) -> &'static str {
        match field.place {
            Place::Child => field.name,
            Place::AttributeOf(child) => child,
            Place::Attribute | Place::Text => self.element,
        }
    }
}

impl Field {
    /// Creates a field for a child element. `name` is the child's name with the prefix.
    pub(super) const fn child(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Child, kind)
    }

    /// Creates a field for an attribute. `name` is the element's name, a space and the attribute's name.
    pub(super) const fn attribute(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Attribute, kind)
    }

    /// Creates a field for an attribute of a child element. The field is in the parent's table, because the child has
    /// no table of its own.
    pub(super) const fn attribute_of(child: &'static str, name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::AttributeOf(child), kind)
    }

    /// Creates a field for the text of an element. `name` is the element's name.
    pub(super) const fn text(name: &'static str, json: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Text, kind).json(json)
    }

    const fn new(name: &'static str, place: Place, kind: Kind) -> Self {
        Self {
            name,
            local: local_of(name),
            json: local_of(name),
            place,
            kind,
            most: 1,
            is_required: false,
            is_deprecated: false,
            needs: None,
        }
    }

    pub(super) const fn json(mut self, json: &'static str) -> Self {
        self.json = json;
        self
    }

    pub(super) const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    pub(super) const fn deprecated(mut self) -> Self {
        self.is_deprecated = true;
        self
    }

    pub(super) const fn needs(mut self, field: u8) -> Self {
        self.needs = Some(field);
        self
    }

    /// Allows up to `most` values, which are a list in JSON.
    pub(super) const fn repeated(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Returns the name that identifies the field within its element.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.place {
            Place::Child => self.name,
            Place::Attribute | Place::AttributeOf(_) => self.local(),
            Place::Text => self.json,
        }
    }

    /// Returns the local name: `title` for the element `video:title`, and `info` for the attribute `info` of the
    /// element `video:uploader`.
    #[must_use]
    pub const fn local(&self) -> &'static str {
        self.local
    }
}

const fn local_of(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b':' && bytes[start - 1] != b' ' {
        start -= 1;
    }
    name.split_at(start).1
}

/// Returns two bit sets: the numbers of the required fields, and the numbers in `one_of`.
pub(super) const fn masks(fields: &[Field], one_of: &[u8]) -> (u64, u64) {
    assert!(fields.len() <= 64, "a set of bits has 64 of them");
    let (mut required, mut any, mut at) = (0, 0, 0);
    while at < fields.len() {
        if fields[at].is_required {
            required |= 1 << at;
        }
        at += 1;
    }
    at = 0;
    while at < one_of.len() {
        any |= 1 << one_of[at];
        at += 1;
    }
    (required, any)
}

/// Defines a module with an element's table and a constant for each field number.
macro_rules! table {
    ($module:ident = $element:literal { $($field:ident = $row:expr),+ $(,)? } $($one_of:ident)|*) => {
        #[allow(dead_code)] // the reader skips some rows, so no method uses their numbers
        pub(crate) mod $module {
            #[allow(clippy::wildcard_imports)] // the rows use the imports of the file around the table
            use super::*;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Row { $($field),+ }

            $(pub(crate) const $field: u8 = Row::$field as u8;)+

            pub(crate) static TABLE: Table = Table {
                element: $element,
                fields: &[$($row),+],
                one_of: &[$($one_of),*],
                masks: $crate::extension::table::masks(&[$($row),+], &[$($one_of),*]),
            };
        }
    };
}

pub(super) use table;
