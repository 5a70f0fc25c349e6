//! A field: its name, its type and its role in a page.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Fields, Member, Type};

use super::given::Given;
use super::role::Role;
use crate::report::errors::Errors;
use crate::syntax::value::Callable;

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    /// The field's name in templates: without `r#`, or the index in a tuple.
    pub(crate) name: String,
    pub(crate) ty: &'a Type,
    pub(crate) role: Option<Role>,
    /// True if the field has its role only because of its name.
    pub(crate) is_implicit: bool,
    /// The identifier behind the field's role: the name of an attribute, or the field's own name.
    pub(crate) role_source: Option<Ident>,
    /// The `param` attribute of a field that also has another role.
    pub(crate) param: Option<Ident>,
    /// The names of the modifiers.
    pub(crate) given: Given,
    /// The function that converts the field.
    pub(crate) with: Option<Callable>,
    /// The time zone for times without an offset, in minutes east of UTC.
    pub(crate) zone: Option<i16>,
    /// For a number since 1970, how many make a second.
    pub(crate) unix: Option<i64>,
}

/// Returns the names of the fields, spelled as in `Field::name`.
pub(crate) fn names<'f>(fields: impl IntoIterator<Item = &'f Fields>) -> Vec<String> {
    fields
        .into_iter()
        .flat_map(|fields| fields.iter().enumerate())
        .map(|(index, field)| name(index, field))
        .collect()
}

pub(super) fn name(index: usize, field: &syn::Field) -> String {
    field.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string())
}

impl Field<'_> {
    pub(super) fn add_role(&mut self, role: Role, name: Ident, errors: &mut Errors) {
        match self.role {
            Some(other) if other == role => {
                errors.at(&name, format!("`{name}` is given twice; remove one"));
            }
            // A field can be a value of the page and fill a placeholder as well.
            Some(other) if role == Role::Param && other.may_be_param() && self.param.is_none() => {
                self.param = Some(name);
            }
            Some(Role::Param) if role.may_be_param() => {
                self.param = self.role_source.replace(name);
                self.role = Some(role);
            }
            Some(other) => {
                let (field, other) = (&self.name, other.name());
                errors.at(
                    &name,
                    format!("field `{field}` has two sitemap roles, `{other}` and `{name}`; keep one"),
                );
            }
            None => {
                self.role = Some(role);
                self.role_source = Some(name);
            }
        }
    }

    /// Returns the identifier behind the field's role `param`.
    pub(crate) fn param_source(&self) -> Option<&Ident> {
        self.param.as_ref().or(self.role_source.as_ref())
    }
}
