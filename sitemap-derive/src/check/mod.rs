//! Judges a record as a whole: every role at most once, one location, no leftovers.

pub(crate) mod address;
mod locales;
pub(crate) mod plan;
mod roles;

use proc_macro2::Ident;

use address::address;
use locales::localization;
use plan::{Condition, Content, Extension, Page, Plan, Source, Values};
use roles::{refuse_shared_roles, remedy_for, with_role};

use crate::attribute::value::{Constant, Given};
use crate::model::container::Record;
use crate::model::field::{Field, Role};
use crate::model::settings::Settings;
use crate::report::errors::Errors;

/// `defaults` are the enum's settings for its variants. `None` if something was reported that leaves
/// nothing to plan.
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
        .map(Condition::Asked)
        .collect();
    if let Some(skip) = &settings.skip {
        refuse_beside(skip, settings, "a skipped variant has no page", errors);
        if let Some(transparent) = &settings.transparent {
            errors.at(transparent, "`transparent` beside `skip`; remove one of the two");
        }
        return Some(Plan { skip_if: Vec::new(), content: Content::Nothing });
    }
    if let Some(transparent) = &settings.transparent {
        let field = only_field(record, transparent, errors)?;
        return Some(Plan { skip_if, content: Content::Transparent(field) });
    }
    skip_if.extend(with_role(record, Role::SkipIf).map(Condition::Field));

    refuse_shared_roles(record, errors);
    let localization = localization(record, defaults, errors);
    let address = address(record, defaults, localization, errors);
    let values = values(record, defaults, errors);
    let (address, locales) = address?;
    if locales.is_some()
        && let Some(field) = with_role(record, Role::Alternates).next()
    {
        errors.at(
            &field.said_by,
            "`alternates` beside `locales`, which link a record's pages to each other; remove one of the two",
        );
    }
    Some(Plan { skip_if, content: Content::Page(Page { address, locales, values }) })
}

/// The dates and hints of a struct, a variant or a part.
pub(crate) fn values<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Values<'a> {
    let mut one = |role: Role, get: fn(&Settings) -> Option<&Given<Constant>>| {
        let own = get(&record.settings);
        let field = with_role(record, role).next();
        if let (Some(own), Some(field)) = (own, field) {
            let remedy = remedy_for(field);
            errors.at(
                &own.name,
                format!(
                    "`{}` given twice, on the {} and by the field `{}`; {remedy}",
                    role.name(),
                    record.noun(),
                    field.name
                ),
            );
        }
        match (field, own.or_else(|| get(defaults?))) {
            (Some(field), _) => Source::Field(field),
            (None, Some(Given { value: Some(constant), .. })) => Source::Constant(constant),
            (None, _) => Source::None,
        }
    };
    Values {
        lastmod: one(Role::LastMod, |settings| settings.lastmod.as_ref()),
        changefreq: one(Role::ChangeFreq, |settings| settings.changefreq.as_ref()),
        priority: one(Role::Priority, |settings| settings.priority.as_ref()),
        attached: Extension::ALL
            .into_iter()
            .filter_map(|extension| Some((with_role(record, extension.role).next()?, extension)))
            .collect(),
        parts: with_role(record, Role::Flatten).collect(),
    }
}

/// The values of a part, which must be more than none.
pub(crate) fn part<'a>(record: &'a Record<'a>, errors: &mut Errors) -> Option<Values<'a>> {
    refuse_shared_roles(record, errors);
    for field in with_role(record, Role::Loc) {
        errors.at(
            &field.member,
            "field `loc` in a `SitemapPart`, which has no page of its own; \
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
    if record.is_unclear {
        return None;
    }
    errors.at(
        record.ident,
        format!(
            "`{}` fills nothing of a sitemap entry; mark a field with `lastmod`, `changefreq` or `priority`",
            record.title
        ),
    );
    None
}

fn only_field<'a>(record: &'a Record<'a>, transparent: &Ident, errors: &mut Errors) -> Option<&'a Field<'a>> {
    let what = format!("`transparent` takes everything from the {}'s field", record.noun());
    refuse_beside(transparent, &record.settings, &what, errors);
    for field in record.fields.iter().filter(|field| !field.is_implicit) {
        if let Some(role) = field.role {
            errors.at(
                &field.said_by,
                format!("`{}` beside `transparent`; {what}, so remove one of the two", role.name()),
            );
        }
    }
    let [field] = record.fields.as_slice() else {
        errors
            .at(transparent, format!("`transparent` needs exactly one field, found {}", record.fields.len()));
        return None;
    };
    Some(field)
}

/// What has no meaning on a record without a page of its own.
fn refuse_beside(marker: &Ident, settings: &Settings, why: &str, errors: &mut Errors) {
    let names = [
        name_of(settings.loc.as_ref()),
        name_of(settings.base.as_ref()),
        name_of(settings.lastmod.as_ref()),
        name_of(settings.changefreq.as_ref()),
        name_of(settings.priority.as_ref()),
        name_of(settings.locales.as_ref()),
        name_of(settings.x_default.as_ref()),
    ];
    let skip_if = name_of(settings.skip_if.as_ref()).filter(|_| marker == "skip");
    for name in names.into_iter().chain([skip_if]).flatten() {
        errors.at(name, format!("`{name}` beside `{marker}`; {why}, so remove one of the two"));
    }
}

fn name_of<T>(given: Option<&Given<T>>) -> Option<&Ident> {
    given.map(|given| &given.name)
}
