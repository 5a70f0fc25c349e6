//! Parses the attributes of types and fields according to the table in `attributes`.

use proc_macro2::{Ident, Span};
use syn::{Fields, Index, Member};

use super::attributes::{ATTRIBUTES, Attribute, OnField, OnType};
use super::field::{Field, name};
use super::given::Given;
use super::place::Place;
use super::role::Role;
use super::settings::Settings;
use crate::report::errors::Errors;
use crate::syntax::attr::{self, Attr, Value};
use crate::syntax::value;
use crate::text::fields::Fields as Names;

impl Settings {
    /// Parses the attributes of a struct, an enum or a variant. `fields` are the names of its fields, for the remedies
    /// in error messages.
    pub(crate) fn read(
        attributes: &[syn::Attribute],
        place: Place,
        fields: Names<'_>,
        errors: &mut Errors,
    ) -> Self {
        let mut settings = Self::default();
        for attr in attr::read(attributes, Attribute::exists, errors) {
            let name = attr.name.to_string();
            match Attribute::find(place, &name) {
                Some(attribute) => settings.set(attribute, attr, fields, errors),
                None => errors.at(&attr.name, place.unknown(&name)),
            }
        }
        settings
    }

    fn set(&mut self, attribute: &Attribute, attr: Attr, fields: Names<'_>, errors: &mut Errors) {
        let is_role = !matches!(attribute.on_field, OnField::NotAllowed);
        let attr = if is_role {
            let needs_function = matches!(
                attribute.on_type,
                OnType::Role(
                    Role::Images | Role::Videos | Role::News | Role::Alternates | Role::SkipIf | Role::ListIf,
                    _
                )
            );
            let attr = value::without_field(attr, fields, errors);
            value::without_misspelt_function(attr, needs_function, errors)
        } else {
            attr
        };
        // We skip this attribute, so that the field that it names can supply the value.
        if matches!(attr.value, Value::Reported) && attribute.name != "loc" {
            return;
        }
        if !self.given.add(&attr.name, errors) {
            return;
        }
        match &attribute.on_type {
            OnType::Role(role, read) => {
                self.roles.extend(read(attr, errors).map(|value| (*role, value)));
            }
            OnType::Setting(read) => read(self, attr, fields, errors),
            OnType::Flag => {
                value::flag(&attr, &format!("write `{}` alone", attr.name), errors);
            }
            OnType::NotAllowed => {}
        }
    }
}

impl<'a> Field<'a> {
    pub(crate) fn read_all(fields: &'a Fields, place: Place, errors: &mut Errors) -> Vec<Self> {
        fields.iter().enumerate().map(|(index, field)| Self::read(index, field, place, errors)).collect()
    }

    fn read(index: usize, field: &'a syn::Field, place: Place, errors: &mut Errors) -> Self {
        let member = match &field.ident {
            // The name may be a keyword in the edition of this crate.
            Some(ident) => Member::Named(Ident::new_raw(&name(index, field), ident.span())),
            None => Member::Unnamed(Index {
                index: index.try_into().unwrap_or(u32::MAX),
                span: Span::call_site(),
            }),
        };
        let mut this = Self {
            member,
            name: name(index, field),
            ty: &field.ty,
            role: None,
            is_implicit: false,
            role_source: None,
            param: None,
            given: Given::default(),
            with: None,
            zone: None,
            unix: None,
        };
        let before = errors.found().len();
        this.read_attributes(&field.attrs, place, errors);
        let has_errors = errors.found().len() > before;
        if this.role.is_none()
            && let Some(role) = Role::implicit(&this.name)
        {
            this.role = Some(role);
            this.is_implicit = true;
            this.role_source.clone_from(&field.ident);
        }
        for attribute in ATTRIBUTES {
            if let OnField::Modifier(_, problem) = attribute.on_field
                && let Some(name) = this.given.get(attribute.name)
                && let Some(problem) = problem(&this)
                && !has_errors
            {
                errors.at(name, problem);
            }
        }
        this
    }

    fn read_attributes(&mut self, attributes: &[syn::Attribute], place: Place, errors: &mut Errors) {
        for attr in attr::read(attributes, Attribute::exists, errors) {
            let name = attr.name.to_string();
            match Attribute::find(place, &name).map(|attribute| &attribute.on_field) {
                Some(OnField::Role(role, value_remedy)) => {
                    // With a wrong value, the attribute may be meant for another item.
                    if value::flag(&attr, value_remedy, errors) {
                        self.add_role(*role, attr.name, errors);
                    }
                }
                Some(OnField::Modifier(read, _)) => {
                    if self.given.add(&attr.name, errors) {
                        read(self, attr, errors);
                    }
                }
                Some(OnField::NotAllowed) | None => errors.at(&attr.name, place.unknown(&name)),
            }
        }
    }
}
