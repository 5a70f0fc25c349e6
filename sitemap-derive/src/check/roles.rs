//! Finds the fields that have a role, and reports two fields with a role that only one field may have.

use crate::model::container::Record;
use crate::model::field::{Field, Role};
use crate::report::errors::Errors;

pub(crate) fn with_role<'a>(record: &'a Record<'a>, role: Role) -> impl Iterator<Item = &'a Field<'a>> {
    record.fields.iter().filter(move |field| field.role == Some(role))
}

/// Returns the remedy in the error message for a value that is given twice, once by this field.
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

/// Reports two fields with a role that only one field may have.
pub(super) fn report_shared_roles(record: &Record<'_>, errors: &mut Errors) {
    for (index, field) in record.fields.iter().enumerate() {
        let Some(role) = field.role.filter(|role| role.is_single()) else { continue };
        let Some(first) = record.fields[..index].iter().find(|first| first.role == Some(role)) else {
            continue;
        };
        // If the first of the two fields has the role only by its name, the error is reported there, because the user
        // may not have meant that role.
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
