//! The settings of a struct, an enum or a variant, from its attributes.

use proc_macro2::Ident;
use syn::{Attribute, ExprPath, LitStr, Path};

use crate::attribute::attr::{self, Attr, Value};
use crate::attribute::grammar::Place;
use crate::attribute::value::{self, Constant, Given, Locales};
use crate::model::field::Role;
use crate::report::errors::Errors;
use crate::report::suggest::did_you_mean;
use crate::text::case::Case;
use crate::text::fields::Fields;
use crate::text::section::is_section_name;
use crate::text::template::{self, Template};

#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) krate: Option<Given<Path>>,
    pub(crate) section: Option<Given<LitStr>>,
    pub(crate) rename_all: Option<Given<Case>>,
    pub(crate) base: Option<Given<String>>,
    pub(crate) loc: Option<Given<(LitStr, Template)>>,
    /// The function that gives the location of each record.
    pub(crate) loc_method: Option<Given<ExprPath>>,
    pub(crate) lastmod: Option<Given<Constant>>,
    pub(crate) changefreq: Option<Given<Constant>>,
    pub(crate) priority: Option<Given<Constant>>,
    pub(crate) images: Option<Given<ExprPath>>,
    pub(crate) videos: Option<Given<ExprPath>>,
    pub(crate) news: Option<Given<ExprPath>>,
    pub(crate) alternates: Option<Given<ExprPath>>,
    pub(crate) skip_if: Option<Given<ExprPath>>,
    pub(crate) locales: Option<Given<Locales>>,
    pub(crate) x_default: Option<Given<LitStr>>,
    pub(crate) transparent: Option<Ident>,
    pub(crate) skip: Option<Ident>,
}

impl Settings {
    /// Reads the attributes of a struct, an enum or a variant. `fields` are the names of its fields, for the remedies
    /// of errors.
    pub(crate) fn read(
        attributes: &[Attribute],
        place: Place,
        fields: Fields<'_>,
        errors: &mut Errors,
    ) -> Self {
        let mut settings = Self::default();
        for attr in attr::read(attributes, errors) {
            let name = attr.name.to_string();
            if place.allows(&name) {
                settings.set(&name, attr, fields, errors);
            } else {
                errors.at(&attr.name, place.unknown(&name));
            }
        }
        settings
    }

    fn set(&mut self, name: &str, attr: Attr, fields: Fields<'_>, errors: &mut Errors) {
        let attr =
            if Role::from_name(name).is_some() { value::without_field(attr, fields, errors) } else { attr };
        // Without this attribute, the field that it names can give the value.
        if matches!(attr.value, Value::Reported) && name != "loc" {
            return;
        }
        match name {
            "crate" => give(&mut self.krate, attr, errors, value::crate_path),
            "section" => give(&mut self.section, attr, errors, section),
            "rename_all" => give(&mut self.rename_all, attr, errors, rename_all),
            "base" => give(&mut self.base, attr, errors, base),
            "loc" => match value::loc_method(&attr).cloned() {
                Some(path) => give(&mut self.loc_method, attr, errors, |_, _| Some(path)),
                None => give(&mut self.loc, attr, errors, |attr, errors| loc(attr, fields, errors)),
            },
            "lastmod" => give(&mut self.lastmod, attr, errors, value::lastmod),
            "changefreq" => give(&mut self.changefreq, attr, errors, value::changefreq),
            "priority" => give(&mut self.priority, attr, errors, value::priority),
            "images" => give(&mut self.images, attr, errors, value::method),
            "videos" => give(&mut self.videos, attr, errors, value::method),
            "news" => give(&mut self.news, attr, errors, value::method),
            "alternates" => give(&mut self.alternates, attr, errors, value::method),
            "skip_if" => give(&mut self.skip_if, attr, errors, |attr, errors| {
                value::path(attr, "`skip_if = Self::is_draft`", errors)
            }),
            "locales" => give(&mut self.locales, attr, errors, value::locales),
            "x_default" => give(&mut self.x_default, attr, errors, |attr, errors| {
                value::text(attr, "`x_default = \"en\"`", errors)
            }),
            "transparent" => set_flag(&mut self.transparent, attr, errors),
            "skip" => set_flag(&mut self.skip, attr, errors),
            _ => {}
        }
    }
}

impl Settings {
    /// Returns the attribute that names the function for a role, if the role is one of an extension.
    pub(crate) fn extension(&self, role: Role) -> Option<&Given<ExprPath>> {
        match role {
            Role::Images => self.images.as_ref(),
            Role::Videos => self.videos.as_ref(),
            Role::News => self.news.as_ref(),
            Role::Alternates => self.alternates.as_ref(),
            _ => None,
        }
    }
}

fn give<T>(
    slot: &mut Option<Given<T>>,
    attr: Attr,
    errors: &mut Errors,
    read: impl FnOnce(Attr, &mut Errors) -> Option<T>,
) {
    let name = attr.name.clone();
    let value = read(attr, errors);
    if slot.is_some() {
        errors.at(&name, format!("`{name}` is given twice; remove one"));
    } else {
        *slot = Some(Given { name, value });
    }
}

fn set_flag(slot: &mut Option<Ident>, attr: Attr, errors: &mut Errors) {
    value::flag(&attr, &format!("write `{}` alone", attr.name), errors);
    if slot.is_some() {
        errors.at(&attr.name, format!("`{}` is given twice; remove one", attr.name));
    } else {
        *slot = Some(attr.name);
    }
}

fn loc(attr: Attr, fields: Fields<'_>, errors: &mut Errors) -> Option<(LitStr, Template)> {
    let text = value::text(attr, "a URL template like `loc = \"/posts/{slug}\"`", errors)?;
    match template::scan(&text.value(), fields) {
        Ok(template) => Some((text, template)),
        Err(problems) => {
            for problem in problems {
                errors.at(&text, problem);
            }
            None
        }
    }
}

fn base(attr: Attr, errors: &mut Errors) -> Option<String> {
    let text = value::text(attr, "`base = \"https://example.com\"`", errors)?;
    match template::scan_base(&text.value()) {
        Ok(base) => Some(base),
        Err(problems) => {
            for problem in problems {
                errors.at(&text, problem);
            }
            None
        }
    }
}

fn section(attr: Attr, errors: &mut Errors) -> Option<LitStr> {
    let text = value::text(attr, "`section = \"posts\"`", errors)?;
    if is_section_name(&text.value()) {
        return Some(text);
    }
    errors.at(
        &text,
        format!(
            "the section name {:?} cannot be part of a file name; use 1 to 100 of the characters `A-Z a-z 0-9 - _`",
            text.value()
        ),
    );
    None
}

fn rename_all(attr: Attr, errors: &mut Errors) -> Option<Case> {
    let text = value::text(attr, "`rename_all = \"kebab-case\"`", errors)?;
    let found = text.value();
    let case = Case::from_name(&found);
    if case.is_none() {
        let names = Case::NAMES.iter().map(|(name, _)| *name);
        let remedy = did_you_mean(&found, names.clone(), '"').unwrap_or_else(|| {
            let names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
            format!("; use one of {}", names.join(", "))
        });
        errors.at(&text, format!("unknown case {found:?} for `rename_all`{remedy}"));
    }
    case
}
