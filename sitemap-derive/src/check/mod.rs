//! Checks a whole record: each role is used at most once, there is exactly one location, and no attribute is unused.

pub(crate) mod duplicates;
mod locales;
pub(crate) mod location;
pub(crate) mod plan;
mod roles;

use proc_macro2::Ident;

use locales::localization;
use location::location;
use plan::{BASIC, Content, EXTENSIONS, Origin, Page, Plan, Values};
use roles::{report_shared_roles, source, with_role};

use crate::model::attributes::Attribute;
use crate::model::container::Record;
use crate::model::field::Field;
use crate::model::place::Place;
use crate::model::role::Role;
use crate::model::settings::Settings;
use crate::report::errors::Errors;
use crate::syntax::value::Shared;

/// The roles that decide whether a record is listed, each with the value that skips the record.
const CONDITIONS: [(Role, bool); 2] = [(Role::SkipIf, true), (Role::ListIf, false)];

/// Plans the pages of a struct or variant. `defaults` are the settings of the variant's enum. Returns `None` if an
/// error makes a plan impossible.
pub(crate) fn plan<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Option<Plan<'a>> {
    let settings = &record.settings;
    if let Some(skip) = settings.given.get("skip") {
        report_conflicts(skip, settings, errors);
        report_roles(skip, record, errors);
        return Some(Plan { skip_if: Vec::new(), content: Content::Nothing });
    }
    let conditions = [defaults, Some(settings)].into_iter().flatten();
    let conditions =
        conditions.flat_map(|settings| CONDITIONS.map(|(role, skips)| (settings.role(role), skips)));
    let mut skip_if: Vec<_> = conditions
        .filter_map(|(value, skips)| match value? {
            Shared::Method(path) => Some((Origin::Method(path), skips)),
            Shared::Constant(_) => None,
        })
        .collect();
    if let Some(transparent) = settings.given.get("transparent") {
        let field = only_field(record, transparent, errors)?;
        return Some(Plan { skip_if, content: Content::Transparent(field) });
    }
    for (role, skips) in CONDITIONS {
        skip_if.extend(with_role(record, role).map(|field| (Origin::Field(field), skips)));
    }

    report_shared_roles(record, errors);
    let localization = localization(record, defaults, errors);
    let location = location(record, defaults, localization, errors);
    let values = values(record, defaults, errors);
    let (location, locales) = location?;
    if locales.is_some()
        && let Some(name) = alternates_of(record)
    {
        errors.at(
            name,
            "`alternates` conflicts with `locales`, which already links the pages of a record; remove one of the two",
        );
    }
    Some(Plan { skip_if, content: Content::Page(Page { location, locales, values }) })
}

/// Returns the attribute that sets a record's alternates.
fn alternates_of<'a>(record: &'a Record<'a>) -> Option<&'a Ident> {
    let field = with_role(record, Role::Alternates).next();
    field.and_then(|field| field.role_source.as_ref()).or_else(|| record.settings.given.get("alternates"))
}

/// Finds the attribute or field behind each value, such as `lastmod`, of a struct, a variant or a part.
fn values<'a>(record: &'a Record<'a>, defaults: Option<&'a Settings>, errors: &mut Errors) -> Values<'a> {
    let basic = BASIC.map(|role| (role, source(record, defaults, role, errors))).into();
    let extensions = EXTENSIONS.into_iter();
    let extensions =
        extensions.filter_map(|role| Some((role, source(record, defaults, role, errors)?))).collect();
    Values { basic, extensions, parts: with_role(record, Role::Flatten).collect() }
}

/// Finds the attribute or field behind each value of a part. Reports an error if the part has no values.
pub(crate) fn part<'a>(record: &'a Record<'a>, errors: &mut Errors) -> Option<Values<'a>> {
    report_shared_roles(record, errors);
    let before = errors.found().len();
    for field in with_role(record, Role::Loc) {
        errors.at(
            &field.member,
            "the field `loc` is not allowed in a `SitemapPart`, which has no page of its own; \
             derive `SitemapEntry`, or mark the field with `#[sitemap(skip)]`",
        );
    }
    let values = values(record, None, errors);
    let is_given = |role: Role| {
        record.settings.given.get(role.name()).is_some() || with_role(record, role).next().is_some()
    };
    if BASIC.into_iter().any(is_given) || !values.parts.is_empty() {
        return Some(values);
    }
    if record.has_errors || errors.found().len() > before {
        return None;
    }
    errors.at(
        record.ident,
        format!(
            "`{}` has no value for a sitemap entry; mark a field with `lastmod`, `changefreq` or `priority`",
            record.title
        ),
    );
    None
}

fn only_field<'a>(record: &'a Record<'a>, transparent: &Ident, errors: &mut Errors) -> Option<&'a Field<'a>> {
    report_conflicts(transparent, &record.settings, errors);
    report_roles(transparent, record, errors);
    let [field] = record.fields.as_slice() else {
        let (noun, count) = (record.noun(), record.fields.len());
        errors.at(
            transparent,
            format!("`transparent` is on a {noun} with {count} fields; give the {noun} exactly one field"),
        );
        return None;
    };
    Some(field)
}

/// Reports settings that `transparent` or `skip` makes useless.
fn report_conflicts(marker: &Ident, settings: &Settings, errors: &mut Errors) {
    let attribute = Attribute::find(Place::Variant, &marker.to_string());
    let useless =
        attribute.into_iter().flat_map(|attribute| attribute.conflicts.with.iter().copied().flatten());
    for name in useless.filter_map(|name| settings.given.get(name)) {
        report_conflict(name, marker, errors);
    }
}

/// Reports the roles of fields that `transparent` or `skip` makes useless.
fn report_roles(marker: &Ident, record: &Record<'_>, errors: &mut Errors) {
    for field in record.fields.iter().filter(|field| !field.is_implicit) {
        if let Some(name) = &field.role_source {
            report_conflict(name, marker, errors);
        }
    }
}

fn report_conflict(name: &Ident, marker: &Ident, errors: &mut Errors) {
    let attribute = Attribute::find(Place::Variant, &marker.to_string());
    let reason = attribute.map_or("", |attribute| attribute.conflicts.reason);
    errors.at(name, format!("`{name}` conflicts with `{marker}`, which {reason}; remove one of the two"));
}
