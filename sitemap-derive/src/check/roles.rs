//! Finds the fields with a given role. Reports an error if two fields have a role that only one field may have.

use crate::model::container::Record;
use crate::model::field::{Field, Role};
use crate::report::errors::Errors;

pub(crate) fn with_role<'a>(record: &'a Record<'a>, role: Role) -> impl Iterator<Item = &'a Field<'a>> {
    record
        .fields
        .iter()
        .filter(move |field| field.role == Some(role) || (role == Role::Param && field.param.is_some()))
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
