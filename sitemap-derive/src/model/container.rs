//! The model of a derived type: one record for a struct, one for each variant of an enum.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Path, parse_quote};

use crate::attribute::grammar::Place;
use crate::model::field::Field;
use crate::model::settings::Settings;
use crate::report::errors::Errors;

pub(crate) struct Container<'a> {
    pub(crate) input: &'a DeriveInput,
    /// The path to `sitemap-core`.
    pub(crate) krate: Path,
    pub(crate) body: Body<'a>,
}

pub(crate) enum Body<'a> {
    Struct(Record<'a>),
    Enum {
        settings: Settings,
        variants: Vec<Record<'a>>,
    },
    /// A type that the macro does not support. The error has been reported.
    Other,
}

/// A struct or a variant, from which a page is made.
pub(crate) struct Record<'a> {
    pub(crate) ident: &'a Ident,
    /// The name for messages: `Post` or `Route::Post`.
    pub(crate) title: String,
    pub(crate) is_variant: bool,
    pub(crate) settings: Settings,
    pub(crate) fields: Vec<Field<'a>>,
    /// True if an attribute is invalid. Missing values are then not reported, because the attribute may be meant to
    /// give them.
    pub(crate) has_errors: bool,
}

impl<'a> Container<'a> {
    pub(crate) fn read(input: &'a DeriveInput, errors: &mut Errors) -> Self {
        let title = input.ident.unraw().to_string();
        let before = errors.count();
        let (krate, body) = match &input.data {
            Data::Struct(data) => {
                let mut settings = Settings::read(&input.attrs, Place::Struct, errors);
                let krate = settings.krate.take();
                let fields = Field::read_all(&data.fields, Place::StructField, errors);
                let has_errors = errors.count() > before;
                let record =
                    Record { ident: &input.ident, title, is_variant: false, settings, fields, has_errors };
                (krate, Body::Struct(record))
            }
            Data::Enum(data) => {
                let mut settings = Settings::read(&input.attrs, Place::Enum, errors);
                let krate = settings.krate.take();
                let has_errors = errors.count() > before;
                let variants = data.variants.iter().map(|variant| {
                    let before = errors.count();
                    Record {
                        ident: &variant.ident,
                        title: format!("{title}::{}", variant.ident.unraw()),
                        is_variant: true,
                        settings: Settings::read(&variant.attrs, Place::Variant, errors),
                        fields: Field::read_all(&variant.fields, Place::VariantField, errors),
                        has_errors: has_errors || errors.count() > before,
                    }
                });
                (krate, Body::Enum { variants: variants.collect(), settings })
            }
            Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "`SitemapEntry` cannot be derived for a union; use a struct or an enum",
                );
                (None, Body::Other)
            }
        };
        let krate = krate.and_then(|given| given.value).unwrap_or_else(default_crate);
        Self { input, krate, body }
    }

    /// Reads the struct of a `SitemapPart`.
    pub(crate) fn read_part(input: &'a DeriveInput, errors: &mut Errors) -> Self {
        let before = errors.count();
        let mut settings = Settings::read(&input.attrs, Place::Part, errors);
        let krate = settings.krate.take().and_then(|given| given.value).unwrap_or_else(default_crate);
        let body = match &input.data {
            Data::Struct(data) => Body::Struct(Record {
                ident: &input.ident,
                title: input.ident.unraw().to_string(),
                is_variant: false,
                settings,
                fields: Field::read_all(&data.fields, Place::PartField, errors),
                has_errors: errors.count() > before,
            }),
            Data::Enum(data) => {
                errors.at(data.enum_token, "`SitemapPart` cannot be derived for an enum; use a struct");
                Body::Other
            }
            Data::Union(data) => {
                errors.at(data.union_token, "`SitemapPart` cannot be derived for a union; use a struct");
                Body::Other
            }
        };
        Self { input, krate, body }
    }
}

impl Record<'_> {
    pub(crate) fn is_unit(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns "struct" or "variant", for messages.
    pub(crate) const fn noun(&self) -> &'static str {
        if self.is_variant { "variant" } else { "struct" }
    }
}

fn default_crate() -> Path {
    parse_quote!(::sitemap_core)
}
