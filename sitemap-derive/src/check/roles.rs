//! Finds the attribute or the fields with a given role. Reports an error if a role that is allowed once per page is
//! used twice.

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

/// Returns the source of a role. A field wins over the enum's attribute, and so does the record's own attribute.
/// Reports an error if a field and the record's own attribute both have the role.
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

/// Returns the remedy for a value that is set twice. `field` is one of the two places.
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

/// Reports an error if two fields share a role that only one field may have.
pub(super) fn report_shared_roles(record: &Record<'_>, errors: &mut Errors) {
    for (index, field) in record.fields.iter().enumerate() {
        let Some(role) = field.role.filter(|role| role.is_single()) else { continue };
        let Some(first) = record.fields[..index].iter().find(|first| first.role == Some(role)) else {
            continue;
        };
        // If the first field has the role only because of its name, the user may not have meant that role. In that
        // case, the error points to the first field, otherwise to the second.
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
