//! Finds the attribute or the fields with a given role. Reports an error if a role that a page has once is given twice.

use super::plan::{Origin, Source};
use crate::model::container::Record;
use crate::model::field::Field;
use crate::model::role::Role;
use crate::model::settings::Settings;
use crate::report::errors::Errors;

pub(crate) fn with_role<'a>(record: &'a Record<'a>, role: Role) -> impl Iterator<Item = &'a Field<'a>> {
    record
        .fields
        .iter()
        .filter(move |field| field.role == Some(role) || (role == Role::Param && field.param.is_some()))
}

/// Returns the source of a role: a field, else the record's attribute, else that of the enum. Reports an error if both a
/// field and the record's attribute have the role.
pub(super) fn source<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    role: Role,
    errors: &mut Errors,
) -> Option<Source<'a>> {
    let (settings, name) = (&record.settings, role.name());
    let own = settings.given.get(name);
    if let Some(field) = with_role(record, role).next() {
        if let Some(own) = own {
            let (noun, other, remedy) = (record.noun(), &field.name, remedy_for(field));
            errors.at(
                own,
                format!("`{name}` is given twice, on the {noun} and by the field `{other}`; {remedy}"),
            );
        }
        return Some(Source::Value(Origin::Field(field)));
    }
    let settings = if own.is_some() { settings } else { defaults? };
    settings.role(role).map(Source::shared)
}

/// Returns the remedy for the error that a value is given twice. `field` is one of the two places that give the value.
pub(crate) fn remedy_for(field: &Field<'_>) -> String {
    if field.is_implicit {
        format!(
            "keep one, or mark the field `{}` with `#[sitemap(skip)]` if it means something else",
            field.name
        )
    } else {
        "keep one".to_owned()
    }
}

/// Reports an error if two fields have a role that only one field may have.
pub(super) fn report_shared_roles(record: &Record<'_>, errors: &mut Errors) {
    for (index, field) in record.fields.iter().enumerate() {
        let Some(role) = field.role.filter(|role| role.is_single()) else { continue };
        let Some(first) = record.fields[..index].iter().find(|first| first.role == Some(role)) else {
            continue;
        };
        // If the first of the two fields has the role only by its name, the user may not have meant that role. The
        // error is then reported at the first field, otherwise at the second.
        let (at, remedy) =
            if first.is_implicit { (first, remedy_for(first)) } else { (field, remedy_for(field)) };
        errors.at(
            &at.role_source,
            format!(
                "`{}` is given twice, by the fields `{}` and `{}`; {remedy}",
                role.name(),
                first.name,
                field.name
            ),
        );
    }
}
