//! Finds where a record's URL comes from: a template, a field or a function.

use syn::LitStr;

use super::locales::Locale;
use super::plan::{BASIC, EXTENSIONS, Localization, Location, Origin, Part, Start, Value};
use super::roles::{remedy_for, with_role};
use crate::model::container::Record;
use crate::model::field::Field;
use crate::model::role::Role;
use crate::model::settings::{Loc, Settings};
use crate::report::errors::Errors;
use crate::report::suggest::did_you_mean;
use crate::text::dates;
use crate::text::fields::Fields;
use crate::text::locale::means_locale;
use crate::text::placeholder::Placeholder;
use crate::text::template::{self, Template};

pub(crate) fn location<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    locale: Option<Locale<'a>>,
    errors: &mut Errors,
) -> Option<(Location<'a>, Option<Localization<'a>>)> {
    let (settings, field) = (&record.settings, with_role(record, Role::Loc).next());
    let own = settings.given.get("loc");
    if let (Some(own), Some(field)) = (own, field) {
        let problem = "the location is given twice, by";
        let (name, remedy) = (&field.name, remedy_for(field));
        if let Some(Loc::Method(_)) = settings.loc {
            errors.at(own, format!("{problem} a function and the field `{name}`; {remedy}"));
        } else {
            errors.at(
                &field.role_source,
                format!("{problem} the URL template and the field `{name}`; {remedy}"),
            );
        }
    }
    let loc = if own.is_some() { settings.loc.as_ref() } else { defaults.and_then(|all| all.loc.as_ref()) };
    let origin = match (loc, field) {
        (Some(Loc::Template(literal, template)), _) if own.is_some() => {
            return from_template(record, defaults, literal, template, locale, errors);
        }
        (None, _) if own.is_some() => return None,
        (_, Some(field)) => Origin::Field(field),
        (Some(Loc::Method(method)), None) => Origin::Method(method),
        (Some(Loc::Template(..)) | None, None) => {
            if !record.has_errors {
                report_no_location(record, errors);
            }
            return None;
        }
    };
    report_missing_template(record, locale, errors);
    Some((Location::Value(origin), None))
}

fn report_no_location(record: &Record<'_>, errors: &mut Errors) {
    let message = if record.is_variant {
        format!(
            "variant `{}` has no page; write a URL template like `#[sitemap(loc = \"/about\")]`, \
             or mark the variant with `transparent` or `skip`",
            record.ident
        )
    } else {
        format!(
            "`{}` has no sitemap location; mark a field with `#[sitemap(loc)]`, \
             or write a URL template like `#[sitemap(loc = \"/posts/{{slug}}\")]`",
            record.title
        )
    };
    errors.at(record.ident, message);
}

/// Reports attributes that have no effect without a URL template.
fn report_missing_template(record: &Record<'_>, locale: Option<Locale<'_>>, errors: &mut Errors) {
    if let Some(base) = record.settings.given.get("base") {
        errors.at(
            base,
            "`base` is given without a URL template; remove it, as `Site` is the base of the paths in a `loc` field",
        );
    }
    if let Some(own) = locale.and_then(|locale| locale.own) {
        errors
            .at(own, "`locales` is given without a URL template; write one like `loc = \"/{locale}/posts\"`");
    }
    for field in with_role(record, Role::Param) {
        errors.at(
            field.param_source(),
            "`param` is given without a URL template; write one like `loc = \"/posts/{slug}\"`, or remove `param`",
        );
    }
}

fn report_unused_param(field: &Field<'_>, errors: &mut Errors) {
    let name = &field.name;
    errors.at(
        field.param_source(),
        format!(
            "the URL template has no `{{{name}}}` for the `param` field `{name}`; add it, or remove `param`"
        ),
    );
}

fn from_template<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    literal: &'a LitStr,
    template: &'a Template,
    locale: Option<Locale<'a>>,
    errors: &mut Errors,
) -> Option<(Location<'a>, Option<Localization<'a>>)> {
    if let Some(base) = record.settings.given.get("base").filter(|_| template.absolute) {
        errors.at(base, "`base` conflicts with an absolute URL template; remove one of the two");
    }
    let has_locale = template.placeholders().any(is_locale);
    let is_named_otherwise =
        |name: &str| means_locale(name) && record.fields.iter().all(|field| field.name != name);
    let mut first_steps = template.placeholders().filter_map(|placeholder| placeholder.steps.first());
    let is_misspelt = first_steps.any(|step| is_named_otherwise(&step.name));
    if let Some(own) = locale.and_then(|locale| locale.own).filter(|_| !has_locale && !is_misspelt) {
        errors.at(own, "the URL template has no `{locale}` for `locales`; add it, as in `/{locale}/posts`");
    }
    let settings = if record.is_variant { defaults } else { Some(&record.settings) };
    let settings = settings.filter(|settings| !template.absolute && settings.given.get("base").is_some());
    let base = settings.map(|settings| settings.base.as_deref().unwrap_or_default());
    let mut parts: Vec<_> = base.map(|base| Part::Text(base.to_owned())).into_iter().collect();
    let mut complete = true;
    for part in &template.parts {
        match part {
            template::Part::Text(text) => match parts.last_mut() {
                Some(Part::Text(before)) => before.push_str(text),
                _ => parts.push(Part::Text(text.clone())),
            },
            template::Part::Value(placeholder, place) => {
                match value(record, placeholder, locale.is_some(), literal, errors) {
                    Some(value) => parts.push(Part::Value(value, *place)),
                    None => complete = false,
                }
            }
            template::Part::Joined(text) => parts.push(Part::Joined(text.clone())),
            template::Part::Optional(key, placeholder) => {
                match value(record, placeholder, locale.is_some(), literal, errors) {
                    Some(value) => parts.push(Part::Optional(key.clone(), value)),
                    None => complete = false,
                }
            }
        }
    }
    // A misspelt placeholder may be meant for the field.
    let is_certain = complete && !record.has_errors;
    for field in with_role(record, Role::Param).filter(|field| is_certain && field.role != Some(Role::Loc)) {
        if !template.placeholders().any(|placeholder| placeholder.as_field() == Some(&field.name)) {
            report_unused_param(field, errors);
        }
    }
    let localization = locale.filter(|_| has_locale).map(|locale| locale.localization);
    let absolute = template.absolute || base.is_some();
    complete.then_some((Location::Template { absolute, parts }, localization))
}

/// Returns the value that replaces a placeholder, or `None` after an error.
fn value<'a>(
    record: &'a Record<'a>,
    placeholder: &'a Placeholder,
    localized: bool,
    literal: &'a LitStr,
    errors: &mut Errors,
) -> Option<Value<'a>> {
    let field = record.fields.iter().find(|field| placeholder.field() == Some(&field.name));
    let (start, steps) = if localized && is_locale(placeholder) {
        if let Some(field) = field.filter(|field| !matches!(field.role, Some(Role::Skip | Role::Locales))) {
            errors.at(
                &field.member,
                "`{locale}` names both the page's locale and the field `locale`; \
                 rename the field, or mark it with `#[sitemap(skip)]`",
            );
        }
        (Start::Locale, &[][..])
    } else if let Some(field) = field {
        (Start::Field(field), placeholder.steps.get(1..).unwrap_or_default())
    } else if let Some(name) = placeholder.field() {
        report_no_field(record, name, literal, errors);
        return None;
    } else {
        (Start::Record, placeholder.steps.as_slice())
    };
    Some(Value { name: placeholder.name(), start, steps, date: &placeholder.date, template: literal })
}

/// Returns true for `{locale}`, which becomes the page's locale if the record has locales.
fn is_locale(placeholder: &Placeholder) -> bool {
    placeholder.as_field() == Some("locale") && placeholder.date.is_empty() && !placeholder.optional
}

fn report_no_field(record: &Record<'_>, name: &str, literal: &LitStr, errors: &mut Errors) {
    if name == "locale" && record.has_errors {
        return;
    }
    let fields: Vec<_> = record.fields.iter().map(|field| field.name.as_str()).collect();
    let is_index = name.starts_with(|ch: char| ch.is_ascii_digit());
    let date = Fields(&record.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>())
        .date()
        .map(str::to_owned);
    let similar = if means_locale(name) { None } else { did_you_mean(name, fields.iter().copied(), '`') };
    let remedy = similar.unwrap_or_else(|| match (fields.as_slice(), date.zip(dates::meant(name))) {
        _ if name != "locale" && means_locale(name) && record.has_locales() => {
            "; write `{locale}`".to_owned()
        }
        _ if name != "locale" && means_locale(name) => {
            "; write `{locale}`, and add `locales = [\"en\", …]`, or add the field".to_owned()
        }
        (_, Some((date, part))) => {
            format!("; write `{{{date}:{part}}}` for a date")
        }
        _ if name == "locale" => "; add `locales = [\"en\", …]`, or a field `locale`".to_owned(),
        ([], _) => format!("; the {} has no fields, so add the field", record.noun()),
        (fields, _) if is_index => format!("; use one of `{{{}}}`", fields.join("}`, `{")),
        (fields, _) => {
            format!("; use one of `{{{}}}`, or call a method with `{{{name}()}}`", fields.join("}`, `{"))
        }
    });
    errors.at(literal, format!("no field `{name}` on `{}` for this URL template{remedy}", record.title));
}

/// Reports each enum attribute that no variant uses.
pub(crate) fn report_unused_defaults(settings: &Settings, variants: &[Record<'_>], errors: &mut Errors) {
    // If a variant has an error, we don't know which attributes it uses.
    let is_unclear = |variant: &Record<'_>| {
        variant.has_errors || variant.settings.given.get("loc").is_some() && variant.settings.loc.is_none()
    };
    if variants.iter().any(is_unclear) {
        return;
    }
    let templates = || variants.iter().filter_map(|variant| variant.settings.template());
    let mut report = |name: &str, is_unused: bool, message: &str| {
        if let Some(name) = settings.given.get(name).filter(|_| is_unused) {
            errors.at(name, message);
        }
    };
    report(
        "base",
        templates().all(|(_, template)| template.absolute),
        "no variant uses `base`; remove it, or write a URL template that starts with `/`",
    );
    let has = |variant: &Record<'_>, name: &str| variant.settings.given.get(name).is_some();
    let pages = || variants.iter().filter(|variant| !has(variant, "skip") && !has(variant, "transparent"));
    for role in BASIC.iter().chain(&EXTENSIONS).chain(&[Role::Loc]) {
        let sets_own =
            |variant: &Record<'_>| has(variant, role.name()) || with_role(variant, *role).next().is_some();
        let name = role.name();
        report(name, pages().all(sets_own), &format!("no variant uses the enum's `{name}`; remove it"));
    }
    report(
        "locales",
        !templates().any(|(_, template)| template.placeholders().any(is_locale)),
        "no variant uses `locales`; remove it, or write `{locale}` in a URL template",
    );
    report(
        "x_default",
        settings.given.get("locales").is_none(),
        "`x_default` is given without `locales`; add `locales = [\"en\", …]`",
    );
}
