//! A field: its name, its type and its role in a page.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{ExprPath, Fields, Index, Member, Type};

use crate::attribute::attr;
use crate::attribute::grammar::Place;
use crate::attribute::value::{self, Given};
use crate::report::errors::Errors;

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    /// The name by which a template refers to the field: without `r#`; in a tuple, the field's number.
    pub(crate) name: String,
    pub(crate) ty: &'a Type,
    pub(crate) role: Option<Role>,
    /// True if the field has its role by its name alone.
    pub(crate) is_implicit: bool,
    /// The identifier that gives the field its role: the name of an attribute, or the field's own name.
    pub(crate) role_source: Option<Ident>,
    /// The attribute `param` of a field that also has another role.
    pub(crate) param: Option<Ident>,
    pub(crate) with: Option<Given<ExprPath>>,
    /// The zone of a time without an offset, in minutes east of UTC.
    pub(crate) zone: Option<Given<i16>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Loc,
    LastMod,
    ChangeFreq,
    Priority,
    Param,
    Images,
    Videos,
    News,
    Alternates,
    Locales,
    Flatten,
    SkipIf,
    Skip,
}

impl Role {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "loc" => Self::Loc,
            "lastmod" => Self::LastMod,
            "changefreq" => Self::ChangeFreq,
            "priority" => Self::Priority,
            "param" => Self::Param,
            "images" => Self::Images,
            "videos" => Self::Videos,
            "news" => Self::News,
            "alternates" => Self::Alternates,
            "locales" => Self::Locales,
            "flatten" => Self::Flatten,
            "skip_if" => Self::SkipIf,
            "skip" => Self::Skip,
            _ => return None,
        })
    }

    /// Returns the role that a field has by its name alone.
    fn implicit(name: &str) -> Option<Self> {
        Self::from_name(name)
            .filter(|role| matches!(role, Self::Loc | Self::LastMod | Self::ChangeFreq | Self::Priority))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::LastMod => "lastmod",
            Self::ChangeFreq => "changefreq",
            Self::Priority => "priority",
            Self::Param => "param",
            Self::Images => "images",
            Self::Videos => "videos",
            Self::News => "news",
            Self::Alternates => "alternates",
            Self::Locales => "locales",
            Self::Flatten => "flatten",
            Self::SkipIf => "skip_if",
            Self::Skip => "skip",
        }
    }

    /// Returns true if a field with this role may also have the role `param`.
    const fn may_be_param(self) -> bool {
        !matches!(self, Self::Param | Self::Flatten | Self::Skip)
    }

    /// Returns true if only one field of a page may have this role.
    pub(crate) const fn is_single(self) -> bool {
        !matches!(self, Self::Param | Self::Flatten | Self::SkipIf | Self::Skip)
    }
}

/// Returns the names of fields, as `Field::name` spells them.
pub(crate) fn names<'f>(fields: impl IntoIterator<Item = &'f Fields>) -> Vec<String> {
    fields
        .into_iter()
        .flat_map(|fields| fields.iter().enumerate())
        .map(|(index, field)| name(index, field))
        .collect()
}

fn name(index: usize, field: &syn::Field) -> String {
    field.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string())
}

impl<'a> Field<'a> {
    pub(crate) fn read_all(fields: &'a Fields, place: Place, errors: &mut Errors) -> Vec<Self> {
        fields.iter().enumerate().map(|(index, field)| Self::read(index, field, place, errors)).collect()
    }

    fn read(index: usize, field: &'a syn::Field, place: Place, errors: &mut Errors) -> Self {
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
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
            with: None,
            zone: None,
        };
        this.read_attributes(&field.attrs, place, errors);
        if this.role.is_none()
            && let Some(role) = Role::implicit(&this.name)
        {
            this.role = Some(role);
            this.is_implicit = true;
            this.role_source.clone_from(&field.ident);
        }
        this.check_with(errors);
        this.check_zone(errors);
        this
    }

    fn read_attributes(&mut self, attributes: &[syn::Attribute], place: Place, errors: &mut Errors) {
        for attr in attr::read(attributes, errors) {
            let name = attr.name.to_string();
            if !place.allows(&name) {
                errors.at(&attr.name, place.unknown(&name));
            } else if let Some(role) = Role::from_name(&name) {
                value::flag(&attr, role.value_remedy(), errors);
                match self.role {
                    Some(other) if other == role => {
                        errors.at(&attr.name, format!("`{name}` is given twice; remove one"));
                    }
                    // A field may be a value of the page and also fill a placeholder.
                    Some(other) if role == Role::Param && other.may_be_param() && self.param.is_none() => {
                        self.param = Some(attr.name);
                    }
                    Some(Role::Param) if role.may_be_param() => {
                        self.param = self.role_source.replace(attr.name);
                        self.role = Some(role);
                    }
                    Some(other) => errors.at(
                        &attr.name,
                        format!(
                            "field `{}` has two sitemap roles, `{}` and `{name}`; keep one",
                            self.name,
                            other.name()
                        ),
                    ),
                    None => {
                        self.role = Some(role);
                        self.role_source = Some(attr.name);
                    }
                }
            } else if name == "zone" {
                if self.zone.is_some() {
                    errors.at(&attr.name, "`zone` is given twice; remove one");
                } else {
                    self.zone = Some(Given { name: attr.name.clone(), value: value::zone(attr, errors) });
                }
            } else if self.with.is_some() {
                errors.at(&attr.name, "`with` is given twice; remove one");
            } else {
                let name = attr.name.clone();
                self.with =
                    Some(Given { name, value: value::path(attr, "`with = path::to::function`", errors) });
            }
        }
    }

    /// Returns the identifier that gives the field the role `param`.
    pub(crate) fn param_source(&self) -> Option<&Ident> {
        self.param.as_ref().or(self.role_source.as_ref())
    }

    /// Returns the path of the `with` function.
    pub(crate) fn conversion(&self) -> Option<&ExprPath> {
        self.with.as_ref()?.value.as_ref()
    }

    /// Returns the zone of a time without an offset, in minutes east of UTC.
    pub(crate) fn offset(&self) -> Option<i16> {
        self.zone.as_ref()?.value
    }

    fn check_zone(&self, errors: &mut Errors) {
        let Some(zone) = &self.zone else { return };
        if self.role != Some(Role::LastMod) {
            errors.at(
                &zone.name,
                "`zone` is given without `lastmod`; write `#[sitemap(lastmod, zone = \"UTC\")]`, or remove `zone`",
            );
        } else if self.with.is_some() {
            errors.at(
                &zone.name,
                "`zone` conflicts with `with`; remove one of the two, and let the function return a time with its zone",
            );
        }
    }

    fn check_with(&self, errors: &mut Errors) {
        let Some(with) = &self.with else { return };
        let message = match self.role {
            None => {
                "`with` is given without a role; add the role of the converted value, \
                 as in `#[sitemap(lastmod, with = path)]` or `#[sitemap(param, with = path)]`"
            }
            Some(Role::Skip) => "`with` conflicts with `skip`; remove one of the two",
            Some(Role::Flatten) => {
                "`with` conflicts with `flatten`, which uses the field as it is; \
                 remove `with`, and implement `SitemapPart` for the field's type"
            }
            Some(_) => return,
        };
        errors.at(&with.name, message);
    }
}

impl Role {
    /// Returns the remedy for an attribute `role = value` on a field, where only `role` is allowed.
    const fn value_remedy(self) -> &'static str {
        match self {
            Self::Loc => "write a URL template on the struct or variant",
            Self::LastMod | Self::ChangeFreq | Self::Priority | Self::Locales => {
                "write a value for all records on the struct or variant"
            }
            Self::SkipIf => "write `skip_if` alone for a `bool`, or `skip_if, with = path` for a function",
            Self::Param => "write a conversion as `param, with = path`",
            Self::Images | Self::Videos | Self::News | Self::Alternates | Self::Flatten | Self::Skip => {
                "write the name alone"
            }
        }
    }
}
