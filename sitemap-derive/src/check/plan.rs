//! The plan for a valid record, from which `emit` writes code.

use syn::{ExprPath, LitStr};

use crate::attribute::value::{Constant, Locales};
use crate::model::field::{Field, Role};
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
    /// The values of which each leaves the record out if it is `true`.
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
    pub(crate) lastmod: Source<'a>,
    pub(crate) changefreq: Source<'a>,
    pub(crate) priority: Source<'a>,
    pub(crate) extensions: Vec<(Origin<'a>, Extension)>,
    pub(crate) parts: Vec<&'a Field<'a>>,
}

/// An extension that a field can add to a page, with the names that the generated code uses for it.
#[derive(Clone, Copy)]
pub(crate) struct Extension {
    pub(crate) role: Role,
    /// The name of the extension's constant on `Extensions`.
    pub(crate) constant: &'static str,
    pub(crate) variable: &'static str,
    /// The name of the method of `Entry` that sets the extension's values.
    pub(crate) setter: &'static str,
    /// The name of the trait that converts a field to the extension's values.
    pub(crate) trait_name: &'static str,
    /// The name of the trait's conversion method.
    pub(crate) converter: &'static str,
}

impl Extension {
    pub(crate) const ALL: [Self; 4] = [
        Self {
            role: Role::Alternates,
            constant: "ALTERNATES",
            variable: "alternates",
            setter: "with_alternates",
            trait_name: "ToAlternates",
            converter: "to_alternates",
        },
        Self {
            role: Role::Images,
            constant: "IMAGES",
            variable: "images",
            setter: "with_images",
            trait_name: "ToImages",
            converter: "to_images",
        },
        Self {
            role: Role::Videos,
            constant: "VIDEOS",
            variable: "videos",
            setter: "with_videos",
            trait_name: "ToVideos",
            converter: "to_videos",
        },
        Self {
            role: Role::News,
            constant: "NEWS",
            variable: "news",
            setter: "with_news",
            trait_name: "ToNews",
            converter: "to_news",
        },
    ];
}

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
    /// A pair of the query that is left out if its value is `None`: the text from the separator to the value, and the
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
    /// The record itself, of which the next step calls a method.
    Record,
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    None,
    Constant(&'a Constant),
    Value(Origin<'a>),
}

#[derive(Clone, Copy)]
pub(crate) struct Localization<'a> {
    pub(crate) locales: LocaleSource<'a>,
    pub(crate) x_default: Option<&'a LitStr>,
}

#[derive(Clone, Copy)]
pub(crate) enum LocaleSource<'a> {
    Constant(&'a Locales),
    Value(Origin<'a>),
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

/// The names that the generated code uses for `lastmod`, `changefreq` or `priority`.
pub(crate) struct ValueNames {
    pub(crate) variable: &'static str,
    /// The name of the method of `Entry` that sets the value.
    pub(crate) setter: &'static str,
    pub(crate) ty: &'static str,
    /// The name of the trait that converts a field to the value.
    pub(crate) trait_name: &'static str,
    /// The name of the trait's conversion method.
    pub(crate) converter: &'static str,
}

impl<'a> Values<'a> {
    /// Returns the source and the names of each value, in the order of the elements in the sitemap schema.
    pub(crate) fn with_names(&self) -> impl Iterator<Item = (Source<'a>, ValueNames)> + use<'a> {
        let names = |variable, setter, ty, trait_name, converter| ValueNames {
            variable,
            setter,
            ty,
            trait_name,
            converter,
        };
        [
            (self.lastmod, names("lastmod", "with_lastmod", "LastMod", "ToLastMod", "to_last_mod")),
            (
                self.changefreq,
                names("changefreq", "with_changefreq", "ChangeFreq", "ToChangeFreq", "to_change_freq"),
            ),
            (self.priority, names("priority", "with_priority", "Priority", "ToPriority", "to_priority")),
        ]
        .into_iter()
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
        if let Some(Localization { locales: LocaleSource::Value(origin), .. }) = self.locales {
            fields.extend(origin.field());
        }
        for source in [self.values.lastmod, self.values.changefreq, self.values.priority] {
            if let Source::Value(origin) = source {
                fields.extend(origin.field());
            }
        }
        fields.extend(self.values.extensions.iter().filter_map(|(origin, _)| origin.field()));
        fields.extend(&self.values.parts);
    }
}
