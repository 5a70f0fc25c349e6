//! The model of a derived type: one record for a struct, one for each variant of an enum.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, LitStr, Path, parse_quote};

use super::field::{self, Field};
use super::place::Place;
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
        let before = errors.found().len();
        let (krate, section, body) = match &input.data {
            Data::Struct(data) => {
                let names = field::names([&data.fields]);
                let mut settings = Settings::read(&input.attrs, Place::Struct, Fields(&names), errors);
                let (krate, section) = (settings.krate.take(), settings.section.take());
                let fields = Field::read_all(&data.fields, Place::StructField, errors);
                let has_errors = errors.found().len() > before;
                let record =
                    Record { ident: &input.ident, title, is_variant: false, settings, fields, has_errors };
                (krate, section, Body::Struct(record))
            }
            Data::Enum(data) => {
                let names = field::names(data.variants.iter().map(|variant| &variant.fields));
                let mut settings = Settings::read(&input.attrs, Place::Enum, Fields(&names), errors);
                let (krate, section) = (settings.krate.take(), settings.section.take());
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
                    let before = errors.found().len();
                    let names = field::names([&variant.fields]);
                    Record {
                        ident: &variant.ident,
                        title: format!("{title}::{}", variant.ident.unraw()),
                        is_variant: true,
                        settings: Settings::read(&variant.attrs, Place::Variant, Fields(&names), errors),
                        fields: Field::read_all(&variant.fields, Place::VariantField, errors),
                        has_errors: has_errors || errors.found().len() > before,
                    }
                };
                let mut variants: Vec<_> = data.variants.iter().map(read).collect();
                name_pages(&settings, &mut variants, errors);
                (krate, section, Body::Enum { variants, settings })
            }
            Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "`SitemapEntry` cannot be derived for a union; use a struct or an enum",
                );
                (None, None, Body::Other)
            }
        };
        let krate = krate.unwrap_or_else(default_crate);
        Self { input, krate, section, body }
    }

    /// Reads the struct of a `SitemapPart`.
    pub(crate) fn read_part(input: &'a DeriveInput, errors: &mut Errors) -> Self {
        let before = errors.found().len();
        let names = match &input.data {
            Data::Struct(data) => field::names([&data.fields]),
            Data::Enum(_) | Data::Union(_) => Vec::new(),
        };
        let mut settings = Settings::read(&input.attrs, Place::Part, Fields(&names), errors);
        let krate = settings.krate.take().unwrap_or_else(default_crate);
        let body = match &input.data {
            Data::Struct(data) => Body::Struct(Record {
                ident: &input.ident,
                title: input.ident.unraw().to_string(),
                is_variant: false,
                settings,
                fields: Field::read_all(&data.fields, Place::PartField, errors),
                has_errors: errors.found().len() > before,
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
        Self { input, krate, section: None, body }
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

/// Gives each unit variant that has no URL template one that is made from its name.
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

fn default_crate() -> Path {
    parse_quote!(::sitemap_core)
}
