//! The plan for a valid record. `emit` turns it into code.

use syn::LitStr;

use crate::model::field::Field;
use crate::model::role::Role;
use crate::syntax::value::{Callable, Constant, Shared};
use crate::text::path::Step;
use crate::text::placeholder::DateItem;
use crate::text::template::Place;

/// Where a value comes from: a field or a function.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Field(&'a Field<'a>),
    /// A function that takes the whole record.
    Method(&'a Callable),
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
    /// A record is skipped if one of these values equals its `bool`.
    pub(crate) skip_if: Vec<(Origin<'a>, bool)>,
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

/// Where the page's values other than its URL come from.
pub(crate) struct Values<'a> {
    /// One entry for each role in [`BASIC`], in the same order.
    pub(crate) basic: Vec<(Role, Option<Source<'a>>)>,
    pub(crate) extensions: Vec<(Role, Source<'a>)>,
    pub(crate) parts: Vec<&'a Field<'a>>,
}

/// The roles whose values are allowed in every sitemap, in the order of the elements in the sitemap schema.
pub(crate) const BASIC: [Role; 3] = [Role::LastMod, Role::ChangeFreq, Role::Priority];

/// The roles whose values need an XML namespace.
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
    /// Text after an optional query pair, without its leading separator.
    Joined(String),
    /// A query pair that is omitted if its value is `None`. The string is the text between the separator and the value,
    /// such as `page=`.
    Optional(String, Value<'a>),
}

/// The value that replaces a placeholder.
pub(crate) struct Value<'a> {
    /// The placeholder without braces, for runtime errors.
    pub(crate) name: String,
    pub(crate) start: Start<'a>,
    /// The fields and methods on the path from the start to the value.
    pub(crate) steps: &'a [Step],
    /// The date format. Empty if the value is not formatted as a date.
    pub(crate) date: &'a [DateItem],
    /// The template literal. The compiler reports errors in the steps here.
    pub(crate) template: &'a LitStr,
}

/// Where the path to a placeholder's value starts.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    /// The page's locale. The path has no further steps.
    Locale,
    Field(&'a Field<'a>),
    /// The record itself. The first step calls one of its methods.
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
    /// Returns the fields that the record's code reads, without duplicates.
    pub(crate) fn fields(&self) -> Vec<&'a Field<'a>> {
        let mut fields = Vec::new();
        for (condition, _) in &self.skip_if {
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
