//! The elements of extensions as tables: one row for each value that an element can hold.
//!
//! Writing, reading, checking the order of elements, and JSON all follow these rows. A new value needs a row here
//! in its extension's table, and a method that sets and one that returns it.

/// An element of an extension, and the values that it can hold.
#[derive(Debug)]
pub struct Table {
    /// The element's name with its prefix, as in `video:uploader`.
    pub element: &'static str,
    /// In the order of the schema.
    pub fields: &'static [Field],
    /// At least one of these fields must be set; empty if there is no such rule.
    pub one_of: &'static [u8],
}

/// A value that an element can hold.
#[derive(Debug)]
pub struct Field {
    /// The name in errors: `video:title` of an element, `video:uploader info` of an attribute.
    pub name: &'static str,
    /// The name in JSON.
    pub json: &'static str,
    /// Where in the element the value is.
    pub place: Place,
    /// What values it takes.
    pub kind: Kind,
    /// How many times it can be set.
    pub most: usize,
    /// Whether the element needs it.
    pub is_required: bool,
    /// Whether search engines no longer read it. Such values are kept when read, and written only on request.
    pub is_deprecated: bool,
    /// Another field that must be set if this one is.
    pub needs: Option<u8>,
}

/// Where in its element a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In an element of its own.
    Child,
    /// In an attribute.
    Attribute,
    /// In an attribute of the child with this name, without which it is not written.
    AttributeOf(&'static str),
    /// The element's own text.
    Text,
}

/// What values a field takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text of at most so many characters.
    Text(usize),
    /// A text of a certain form.
    Form(Form),
    /// A URL.
    Loc,
    /// A whole number.
    Number {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
        /// The rule in words, from "must" on.
        expected: &'static str,
    },
    /// A number from 0.0 to 5.0.
    Rating,
    /// A date that names a day; with `minutes`, its time may lack seconds.
    Date {
        /// Whether hours and minutes are enough.
        minutes: bool,
    },
    /// `yes` or `no`.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Several words or texts.
    List(List),
    /// An element with values of its own.
    Group(&'static Table),
    /// A value that is not read.
    Ignored,
}

/// The form of a text.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Whether a text has the form.
    pub takes: fn(&str) -> bool,
    /// The rule in words, from "must" on.
    pub expected: &'static str,
}

/// A list in one text.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// What separates the items.
    pub separator: &'static str,
    /// What an item can be.
    pub item: Item,
    /// The longest list.
    pub most: usize,
}

/// An item of a [`List`].
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// One of some words.
    Word(&'static [&'static str]),
    /// A text of a certain form.
    Form(Form),
}

impl Table {
    /// Returns the child element with this name, which has no prefix.
    #[must_use]
    pub fn child(&self, local: &[u8]) -> Option<(u8, &'static Field)> {
        self.find(|field| field.place == Place::Child && field.local().as_bytes() == local)
    }

    /// Returns the field with this name in JSON.
    #[must_use]
    pub fn json(&self, name: &str) -> Option<(u8, &'static Field)> {
        self.find(|field| field.json == name && !matches!(field.kind, Kind::Ignored))
    }

    fn find(&self, is: impl Fn(&Field) -> bool) -> Option<(u8, &'static Field)> {
        (0..).zip(self.fields).find(|(_, field)| is(field))
    }

    /// Returns the element that a field is in or is.
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
    /// A child element by its name with the prefix.
    pub(super) const fn child(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Child, kind)
    }

    /// An attribute; its name is that of the element, a blank, and its own.
    pub(super) const fn attribute(name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Attribute, kind)
    }

    /// An attribute of a child element that has no table of its own.
    pub(super) const fn attribute_of(child: &'static str, name: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::AttributeOf(child), kind)
    }

    /// The element's text, by the element's name and the one in JSON.
    pub(super) const fn text(name: &'static str, json: &'static str, kind: Kind) -> Self {
        Self::new(name, Place::Text, kind).json(json)
    }

    const fn new(name: &'static str, place: Place, kind: Kind) -> Self {
        Self {
            name,
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

    /// Allows several values; JSON has a list of them.
    pub(super) const fn repeated(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Returns the name that distinguishes the field within its element.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.place {
            Place::Child => self.name,
            Place::Attribute | Place::AttributeOf(_) => self.local(),
            Place::Text => self.json,
        }
    }

    /// Returns the name without the prefix, or that of the attribute alone.
    #[must_use]
    pub const fn local(&self) -> &'static str {
        local_of(self.name)
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

/// Declares the table of an element in a module with the number of each field as a constant.
macro_rules! table {
    ($module:ident = $element:literal { $($field:ident = $row:expr),+ $(,)? } $($one_of:ident)|*) => {
        #[allow(dead_code)] // a row that is not read has no methods
        pub(crate) mod $module {
            #[allow(clippy::wildcard_imports)] // of the file that the table is in
            use super::*;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Row { $($field),+ }

            $(pub(crate) const $field: u8 = Row::$field as u8;)+

            pub(crate) static TABLE: Table = Table {
                element: $element,
                fields: &[$($row),+],
                one_of: &[$($one_of),*],
            };
        }
    };
}

pub(super) use table;
