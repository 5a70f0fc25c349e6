//! The plan for a valid record, from which `emit` writes code.

use syn::{ExprPath, LitStr};

use crate::model::field::Field;
use crate::model::role::Role;
use crate::syntax::value::{Constant, Shared};
use crate::text::path::Step;
use crate::text::placeholder::DateItem;
use crate::text::template::Place;

/// The part of a record that gives a value.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Field(&'a Field<'a>),
    /// A function that takes the whole record.
    Method(&'a ExprPath),
}

impl<'a> Origin<'a> {
    pub(crate) const fn field(self) -> Option<&'a Field<'a>> {
        match self {
            Self::Field(field) => Some(field),
            Self::Method(_) => None,
        }
    }
}

pub(crate) struct Plan<'a> {
    /// If any of these values is `true`, the record has no page.
    pub(crate) skip_if: Vec<Origin<'a>>,
    pub(crate) content: Content<'a>,
}

pub(crate) enum Content<'a> {
    Nothing,
    /// The only field of a transparent record. The field's pages become the pages of the record.
    Transparent(&'a Field<'a>),
    Page(Page<'a>),
}

pub(crate) struct Page<'a> {
    pub(crate) location: Location<'a>,
    pub(crate) locales: Option<Localization<'a>>,
    pub(crate) values: Values<'a>,
}

/// The sources of the values that a page has in addition to its URL.
pub(crate) struct Values<'a> {
    /// Those of [`BASIC`], in this order.
    pub(crate) basic: Vec<(Role, Option<Source<'a>>)>,
    pub(crate) extensions: Vec<(Role, Source<'a>)>,
    pub(crate) parts: Vec<&'a Field<'a>>,
}

/// The roles of the values that every sitemap may have, in the order of the elements in the sitemap schema.
pub(crate) const BASIC: [Role; 3] = [Role::LastMod, Role::ChangeFreq, Role::Priority];

/// The roles of the values that need a namespace.
pub(crate) const EXTENSIONS: [Role; 4] = [Role::Alternates, Role::Images, Role::Videos, Role::News];

pub(crate) enum Location<'a> {
    /// A value that is the whole URL, or a path on the site.
    Value(Origin<'a>),
    Template {
        absolute: bool,
        parts: Vec<Part<'a>>,
    },
}

pub(crate) enum Part<'a> {
    Text(String),
    Value(Value<'a>, Place),
    /// Text that follows an optional pair in the query, without its separator.
    Joined(String),
    /// A pair of the query that is omitted if its value is `None`: the text between the separator and the value, and the
    /// value.
    Optional(String, Value<'a>),
}

/// The value that replaces a placeholder.
pub(crate) struct Value<'a> {
    /// The placeholder without braces, for messages at run time.
    pub(crate) name: String,
    pub(crate) start: Start<'a>,
    /// The fields and methods that lead from the start to the value.
    pub(crate) steps: &'a [Step],
    /// The format of a date. Empty for values of other kinds.
    pub(crate) date: &'a [DateItem],
    /// The template, where the compiler reports errors in the steps.
    pub(crate) template: &'a LitStr,
}

/// The start of the path to a placeholder's value.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    /// The locale of the page. There are no further steps.
    Locale,
    Field(&'a Field<'a>),
    /// The record itself. The next step calls one of its methods.
    Record,
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Constant(&'a Constant),
    Value(Origin<'a>),
}

impl<'a> Source<'a> {
    pub(crate) const fn shared(value: &'a Shared) -> Self {
        match value {
            Shared::Constant(constant) => Self::Constant(constant),
            Shared::Method(path) => Self::Value(Origin::Method(path)),
        }
    }

    pub(crate) const fn field(self) -> Option<&'a Field<'a>> {
        match self {
            Self::Constant(_) => None,
            Self::Value(origin) => origin.field(),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Localization<'a> {
    pub(crate) locales: Source<'a>,
    pub(crate) x_default: Option<&'a LitStr>,
}

impl<'a> Plan<'a> {
    /// Returns the fields that the code for the record reads, without duplicates.
    pub(crate) fn fields(&self) -> Vec<&'a Field<'a>> {
        let mut fields = Vec::new();
        for condition in &self.skip_if {
            fields.extend(condition.field());
        }
        match &self.content {
            Content::Nothing => {}
            Content::Transparent(field) => fields.push(field),
            Content::Page(page) => page.add_fields(&mut fields),
        }
        let mut seen = Vec::new();
        fields.retain(|field| {
            let is_new = !seen.contains(&field.name);
            seen.push(field.name.clone());
            is_new
        });
        fields
    }
}

impl<'a> Page<'a> {
    fn add_fields(&self, fields: &mut Vec<&'a Field<'a>>) {
        match &self.location {
            Location::Value(origin) => fields.extend(origin.field()),
            Location::Template { parts, .. } => {
                for part in parts {
                    if let Part::Value(value, _) | Part::Optional(_, value) = part
                        && let Start::Field(field) = value.start
                    {
                        fields.push(field);
                    }
                }
            }
        }
        fields.extend(self.locales.and_then(|localization| localization.locales.field()));
        let sources = self.values.basic.iter().filter_map(|(_, source)| *source);
        let sources = sources.chain(self.values.extensions.iter().map(|(_, source)| *source));
        fields.extend(sources.filter_map(Source::field));
        fields.extend(&self.values.parts);
    }
}
