//! The model of a type that derives one of the traits. It contains one record for a struct, and one record per variant
//! for an enum.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::ext::IdentExt;
use syn::{Attribute, Data, DataEnum, DeriveInput, LitStr, Path, parse_quote};

use super::field::{self, Field};
use super::place::Place;
use super::role::Role;
use super::settings::{Loc, Settings};
use crate::report::errors::Errors;
use crate::text::fields::Fields;
use crate::text::template::Template;

pub(crate) struct Container<'a> {
    pub(crate) input: &'a DeriveInput,
    /// The path to `sitemap-core`.
    pub(crate) krate: Path,
    /// The section that the type's records belong to.
    pub(crate) section: Option<LitStr>,
    pub(crate) body: Body<'a>,
}

pub(crate) enum Body<'a> {
    Struct(Record<'a>),
    Enum {
        settings: Settings,
        variants: Vec<Record<'a>>,
    },
    /// A type that the macro does not support. The error has already been reported.
    Other(Settings),
}

/// A struct or variant that becomes a page.
pub(crate) struct Record<'a> {
    pub(crate) ident: &'a Ident,
    /// The name in error messages: `Post` or `Route::Post`.
    pub(crate) title: String,
    pub(crate) is_variant: bool,
    pub(crate) settings: Settings,
    pub(crate) fields: Vec<Field<'a>>,
    /// True if an attribute is invalid. Missing values are not reported then, because that attribute may have been
    /// meant to set them.
    pub(crate) has_errors: bool,
}

impl<'a> Container<'a> {
    pub(crate) fn read(input: &'a DeriveInput, errors: &mut Errors) -> Self {
        let body = match &input.data {
            Data::Struct(data) => {
                let fields = (&data.fields, Place::StructField);
                Body::Struct(Record::read(&input.ident, (&input.attrs, Place::Struct), fields, errors))
            }
            Data::Enum(data) => Self::read_enum(input, data, errors),
            Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "`SitemapEntry` cannot be derived for a union; use a struct or an enum",
                );
                Body::Other(Settings::default())
            }
        };
        Self::new(input, body)
    }

    fn read_enum(input: &'a DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Body<'a> {
        let before = errors.found().len();
        let names = field::names(data.variants.iter().map(|variant| &variant.fields));
        let settings = Settings::read(&input.attrs, Place::Enum, Fields(&names), errors);
        if let Some(loc) = settings.given.get("loc")
            && !matches!(settings.loc, Some(Loc::Method(_)))
        {
            errors.at(
                loc,
                "a URL template is not allowed on an enum; move it to a variant, or name a function, as in \
                 `loc = Self::path`",
            );
        }
        let has_errors = errors.found().len() > before;
        let read = |variant: &'a syn::Variant| {
            let fields = (&variant.fields, Place::VariantField);
            let record = Record::read(&variant.ident, (&variant.attrs, Place::Variant), fields, errors);
            Record {
                title: format!("{}::{}", input.ident.unraw(), record.title),
                is_variant: true,
                has_errors: has_errors || record.has_errors,
                ..record
            }
        };
        let mut variants: Vec<_> = data.variants.iter().map(read).collect();
        name_pages(&settings, &mut variants, errors);
        Body::Enum { settings, variants }
    }

    /// Parses the struct of a `SitemapPart`.
    pub(crate) fn read_part(input: &'a DeriveInput, errors: &mut Errors) -> Self {
        let attributes = (input.attrs.as_slice(), Place::Part);
        let (token, noun) = match &input.data {
            Data::Struct(data) => {
                let fields = (&data.fields, Place::PartField);
                return Self::new(
                    input,
                    Body::Struct(Record::read(&input.ident, attributes, fields, errors)),
                );
            }
            Data::Enum(data) => (data.enum_token.to_token_stream(), "an enum"),
            Data::Union(data) => (data.union_token.to_token_stream(), "a union"),
        };
        let settings = Settings::read(&input.attrs, Place::Part, Fields(&[]), errors);
        errors.at(token, format!("`SitemapPart` cannot be derived for {noun}; use a struct"));
        Self::new(input, Body::Other(settings))
    }

    fn new(input: &'a DeriveInput, mut body: Body<'a>) -> Self {
        let settings = match &mut body {
            Body::Struct(Record { settings, .. }) | Body::Enum { settings, .. } | Body::Other(settings) => {
                settings
            }
        };
        let (krate, section) = (settings.krate.take(), settings.section.take());
        Self { input, krate: krate.unwrap_or_else(|| parse_quote!(::sitemap_core)), section, body }
    }
}

impl<'a> Record<'a> {
    /// Parses a struct, or a variant as if it were a struct.
    fn read(
        ident: &'a Ident,
        (attributes, place): (&[Attribute], Place),
        (fields, field_place): (&'a syn::Fields, Place),
        errors: &mut Errors,
    ) -> Self {
        let before = errors.found().len();
        let names = field::names([fields]);
        let settings = Settings::read(attributes, place, Fields(&names), errors);
        let fields = Field::read_all(fields, field_place, errors);
        let has_errors = errors.found().len() > before;
        Self { ident, title: ident.unraw().to_string(), is_variant: false, settings, fields, has_errors }
    }

    pub(crate) fn has_locales(&self) -> bool {
        self.settings.given.get("locales").is_some()
            || self.fields.iter().any(|field| field.role == Some(Role::Locales))
    }

    pub(crate) fn is_unit(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns "struct" or "variant", for error messages.
    pub(crate) const fn noun(&self) -> &'static str {
        if self.is_variant { "variant" } else { "struct" }
    }
}

/// Gives each unit variant without a URL template one that is derived from its name.
fn name_pages(settings: &Settings, variants: &mut [Record<'_>], errors: &mut Errors) {
    let Some(rename_all) = settings.given.get("rename_all") else { return };
    let mut unused = true;
    for Record { ident, settings: own, fields, .. } in variants {
        let has_page = ["loc", "transparent", "skip"].iter().any(|name| own.given.get(name).is_some());
        if has_page || !fields.is_empty() {
            continue;
        }
        unused = false;
        own.given.add(&Ident::new("loc", rename_all.span()), errors);
        let path = settings.rename_all.map(|case| format!("/{}", case.apply(&ident.unraw().to_string())));
        own.loc = path.map(|path| Loc::Template(LitStr::new(&path, ident.span()), Template::of_path(&path)));
    }
    if unused {
        errors.at(
            rename_all,
            "no variant uses `rename_all`, which names the pages of variants without fields and `loc`; remove it",
        );
    }
}
