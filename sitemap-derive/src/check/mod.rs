//! Checks a whole record: each role at most once, exactly one location, no unused attribute.

pub(crate) mod duplicates;
mod locales;
pub(crate) mod location;
pub(crate) mod plan;
mod roles;

use proc_macro2::Ident;

use locales::localization;
use location::location;
use plan::{Content, Extension, Origin, Page, Plan, Source, Values};
use roles::{remedy_for, report_shared_roles, with_role};

use crate::attribute::value::{Constant, Given};
use crate::model::container::Record;
use crate::model::field::{Field, Role};
use crate::model::settings::Settings;
use crate::report::errors::Errors;

/// Plans the pages of a struct or variant. `defaults` are the settings of the enum that contains the variant. Returns
/// `None` after an error that makes a plan impossible.
pub(crate) fn plan<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Option<Plan<'a>> {
    let settings = &record.settings;
    let mut skip_if: Vec<_> = [defaults, Some(settings)]
        .into_iter()
        .flatten()
        .filter_map(|settings| settings.skip_if.as_ref()?.value.as_ref())
        .map(Origin::Method)
        .collect();
    if let Some(skip) = &settings.skip {
        report_conflicts(skip, settings, "leaves the variant out", errors);
        if let Some(transparent) = &settings.transparent {
            errors.at(transparent, "`transparent` conflicts with `skip`; remove one of the two");
        }
        return Some(Plan { skip_if: Vec::new(), content: Content::Nothing });
    }
    if let Some(transparent) = &settings.transparent {
        let field = only_field(record, transparent, errors)?;
        return Some(Plan { skip_if, content: Content::Transparent(field) });
    }
    skip_if.extend(with_role(record, Role::SkipIf).map(Origin::Field));

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

/// Returns the attribute that gives a record its alternates.
fn alternates_of<'a>(record: &'a Record<'a>) -> Option<&'a Ident> {
    let field = with_role(record, Role::Alternates).next();
    field
        .and_then(|field| field.role_source.as_ref())
        .or_else(|| name_of(record.settings.alternates.as_ref()))
}

/// For a struct, a variant or a part: finds the attribute or field that gives each value, such as `lastmod`.
pub(crate) fn values<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Values<'a> {
    let mut source = |role: Role, get: fn(&Settings) -> Option<&Given<Constant>>| {
        let own = get(&record.settings);
        let field = field_or_own(record, role, own, errors);
        match (field, own.or_else(|| get(defaults?))) {
            (Some(field), _) => Source::Value(Origin::Field(field)),
            (None, Some(Given { value: Some(Constant::Method(path)), .. })) => {
                Source::Value(Origin::Method(path))
            }
            (None, Some(Given { value: Some(constant), .. })) => Source::Constant(constant),
            (None, _) => Source::None,
        }
    };
    Values {
        lastmod: source(Role::LastMod, |settings| settings.lastmod.as_ref()),
        changefreq: source(Role::ChangeFreq, |settings| settings.changefreq.as_ref()),
        priority: source(Role::Priority, |settings| settings.priority.as_ref()),
        extensions: Extension::ALL
            .into_iter()
            .filter_map(|extension| {
                let role = extension.role;
                let own = record.settings.extension(role);
                if let Some(field) = field_or_own(record, role, own, errors) {
                    return Some((Origin::Field(field), extension));
                }
                let given = own.or_else(|| defaults?.extension(role))?;
                Some((Origin::Method(given.value.as_ref()?), extension))
            })
            .collect(),
        parts: with_role(record, Role::Flatten).collect(),
    }
}

/// Returns the field with a role. Reports an error if an attribute of the record, `own`, has the same role.
fn field_or_own<'a, T>(
    record: &'a Record<'a>,
    role: Role,
    own: Option<&Given<T>>,
    errors: &mut Errors,
) -> Option<&'a Field<'a>> {
    let field = with_role(record, role).next()?;
    if let Some(own) = own {
        let remedy = remedy_for(field);
        errors.at(
            &own.name,
            format!(
                "`{}` is given twice, on the {} and by the field `{}`; {remedy}",
                role.name(),
                record.noun(),
                field.name
            ),
        );
    }
    Some(field)
}

/// Finds the attribute or field that gives each value of a part. Reports an error if the part has no values.
pub(crate) fn part<'a>(record: &'a Record<'a>, errors: &mut Errors) -> Option<Values<'a>> {
    report_shared_roles(record, errors);
    for field in with_role(record, Role::Loc) {
        errors.at(
            &field.member,
            "the field `loc` is not allowed in a `SitemapPart`, which has no page of its own; \
             derive `SitemapEntry`, or mark the field with `#[sitemap(skip)]`",
        );
    }
    let values = values(record, None, errors);
    let given = |role: Role, own: bool| own || with_role(record, role).next().is_some();
    let settings = &record.settings;
    if given(Role::LastMod, settings.lastmod.is_some())
        || given(Role::ChangeFreq, settings.changefreq.is_some())
        || given(Role::Priority, settings.priority.is_some())
        || given(Role::Flatten, false)
    {
        return Some(values);
    }
    if record.has_errors {
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
    let effect = format!("publishes only the pages of the {}'s field", record.noun());
    report_conflicts(transparent, &record.settings, &effect, errors);
    for field in record.fields.iter().filter(|field| !field.is_implicit) {
        if let Some(role) = field.role {
            errors.at(
                &field.role_source,
                format!(
                    "`{}` conflicts with `transparent`, which {effect}; remove one of the two",
                    role.name()
                ),
            );
        }
    }
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

/// Reports settings that have no effect together with `transparent` or `skip`.
fn report_conflicts(marker: &Ident, settings: &Settings, effect: &str, errors: &mut Errors) {
    let names = [
        name_of(settings.loc.as_ref()),
        name_of(settings.loc_method.as_ref()),
        name_of(settings.base.as_ref()),
        name_of(settings.lastmod.as_ref()),
        name_of(settings.changefreq.as_ref()),
        name_of(settings.priority.as_ref()),
        name_of(settings.images.as_ref()),
        name_of(settings.videos.as_ref()),
        name_of(settings.news.as_ref()),
        name_of(settings.alternates.as_ref()),
        name_of(settings.locales.as_ref()),
        name_of(settings.x_default.as_ref()),
    ];
    let skip_if = name_of(settings.skip_if.as_ref()).filter(|_| marker == "skip");
    for name in names.into_iter().chain([skip_if]).flatten() {
        errors.at(name, format!("`{name}` conflicts with `{marker}`, which {effect}; remove one of the two"));
    }
}

fn name_of<T>(given: Option<&Given<T>>) -> Option<&Ident> {
    given.map(|given| &given.name)
}
