//! What is to be written for a record, once all of it is known to fit together.

use syn::{ExprPath, LitStr};

use crate::attribute::value::{Constant, Locales};
use crate::model::field::{Field, Role};
use crate::text::template::Place;

pub(crate) struct Plan<'a> {
    pub(crate) skip_if: Vec<Condition<'a>>,
    pub(crate) content: Content<'a>,
}

pub(crate) enum Condition<'a> {
    /// A function of the whole record.
    Asked(&'a ExprPath),
    /// A `bool` field.
    Field(&'a Field<'a>),
}

pub(crate) enum Content<'a> {
    Nothing,
    /// The pages of the only field.
    Transparent(&'a Field<'a>),
    Page(Page<'a>),
}

pub(crate) struct Page<'a> {
    pub(crate) address: Address<'a>,
    pub(crate) locales: Option<Localization<'a>>,
    pub(crate) values: Values<'a>,
}

/// What a page has besides its address.
pub(crate) struct Values<'a> {
    pub(crate) lastmod: Source<'a>,
    pub(crate) changefreq: Source<'a>,
    pub(crate) priority: Source<'a>,
    pub(crate) attached: Vec<(&'a Field<'a>, Extension)>,
    pub(crate) parts: Vec<&'a Field<'a>>,
}

/// What a field can add to a page, and how the library names what belongs to it.
#[derive(Clone, Copy)]
pub(crate) struct Extension {
    pub(crate) role: Role,
    /// In `Extensions`.
    pub(crate) constant: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) setter: &'static str,
    /// The trait of types that can be this value.
    pub(crate) wanted: &'static str,
    pub(crate) converter: &'static str,
}

impl Extension {
    pub(crate) const ALL: [Self; 4] = [
        Self {
            role: Role::Alternates,
            constant: "ALTERNATES",
            variable: "__alternates",
            setter: "with_alternates",
            wanted: "ToAlternates",
            converter: "to_alternates",
        },
        Self {
            role: Role::Images,
            constant: "IMAGES",
            variable: "__images",
            setter: "with_images",
            wanted: "ToImages",
            converter: "to_images",
        },
        Self {
            role: Role::Videos,
            constant: "VIDEOS",
            variable: "__videos",
            setter: "with_videos",
            wanted: "ToVideos",
            converter: "to_videos",
        },
        Self {
            role: Role::News,
            constant: "NEWS",
            variable: "__news",
            setter: "with_news",
            wanted: "ToNews",
            converter: "to_news",
        },
    ];
}

pub(crate) enum Address<'a> {
    Field(&'a Field<'a>),
    Template { absolute: bool, parts: Vec<Part<'a>> },
}

pub(crate) enum Part<'a> {
    Text(String),
    /// `None` for the page's locale.
    Value(String, Place, Option<&'a Field<'a>>),
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    None,
    Constant(&'a Constant),
    Field(&'a Field<'a>),
}

#[derive(Clone, Copy)]
pub(crate) struct Localization<'a> {
    pub(crate) locales: LocaleSource<'a>,
    pub(crate) x_default: Option<&'a LitStr>,
}

#[derive(Clone, Copy)]
pub(crate) enum LocaleSource<'a> {
    Constant(&'a Locales),
    Field(&'a Field<'a>),
}

impl<'a> Plan<'a> {
    /// All fields that the code for the record reads.
    pub(crate) fn fields(&self) -> Vec<&'a Field<'a>> {
        let mut fields = Vec::new();
        for condition in &self.skip_if {
            if let Condition::Field(field) = condition {
                fields.push(*field);
            }
        }
        match &self.content {
            Content::Nothing => {}
            Content::Transparent(field) => fields.push(field),
            Content::Page(page) => page.add_fields(&mut fields),
        }
        let mut seen = Vec::new();
        fields.retain(|field| {
            let new = !seen.contains(&field.name);
            seen.push(field.name.clone());
            new
        });
        fields
    }
}

/// One of the three values, and how the library names what belongs to it.
pub(crate) struct Kind {
    pub(crate) variable: &'static str,
    pub(crate) setter: &'static str,
    pub(crate) ty: &'static str,
    /// The trait of types that can be this value.
    pub(crate) wanted: &'static str,
    pub(crate) converter: &'static str,
}

impl<'a> Values<'a> {
    pub(crate) fn by_kind(&self) -> impl Iterator<Item = (Source<'a>, Kind)> + use<'a> {
        let kind = |variable, setter, ty, wanted, converter| Kind { variable, setter, ty, wanted, converter };
        [
            (self.lastmod, kind("__lastmod", "with_lastmod", "LastMod", "ToLastMod", "to_last_mod")),
            (
                self.changefreq,
                kind("__changefreq", "with_changefreq", "ChangeFreq", "ToChangeFreq", "to_change_freq"),
            ),
            (self.priority, kind("__priority", "with_priority", "Priority", "ToPriority", "to_priority")),
        ]
        .into_iter()
    }
}

impl<'a> Page<'a> {
    fn add_fields(&self, fields: &mut Vec<&'a Field<'a>>) {
        match &self.address {
            Address::Field(field) => fields.push(field),
            Address::Template { parts, .. } => {
                for part in parts {
                    if let Part::Value(_, _, Some(field)) = part {
                        fields.push(field);
                    }
                }
            }
        }
        if let Some(Localization { locales: LocaleSource::Field(field), .. }) = self.locales {
            fields.push(field);
        }
        for source in [self.values.lastmod, self.values.changefreq, self.values.priority] {
            if let Source::Field(field) = source {
                fields.push(field);
            }
        }
        fields.extend(self.values.attached.iter().map(|(field, _)| field));
        fields.extend(&self.values.parts);
    }
}
