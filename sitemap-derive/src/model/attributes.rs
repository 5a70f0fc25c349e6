//! The table of all attributes: where each is allowed, and how it is parsed. To add an attribute, add a row here.
//! Unless the attribute is a role, also add a field to [`Settings`] or [`Field`].

use super::field::Field;
use super::place::Place::{self, Enum, Part, PartField, Struct, StructField, Variant, VariantField};
use super::role::Role;
use super::settings::{Loc, Settings, base, rename_all, section};
use crate::report::errors::Errors;
use crate::syntax::attr::Attr;
use crate::syntax::value::{self, Shared};
use crate::text::fields::Fields;

/// One row of the table.
pub(crate) struct Attribute {
    pub(crate) name: &'static str,
    pub(crate) places: &'static [Place],
    /// The way the attribute is parsed on a struct, an enum or a variant.
    pub(crate) on_type: OnType,
    /// The attribute's meaning on a field.
    pub(crate) on_field: OnField,
    /// The attributes that have no effect if this one is set on the same struct or variant, and the reason.
    pub(crate) conflicts: Conflicts,
}

pub(crate) struct Conflicts {
    pub(crate) with: &'static [&'static [&'static str]],
    pub(crate) reason: &'static str,
}

pub(crate) enum OnType {
    NotAllowed,
    /// A name without a value.
    Flag,
    /// A role's value that all records share, or a function that computes it for each record.
    Role(Role, fn(Attr, &mut Errors) -> Option<Shared>),
    Setting(fn(&mut Settings, Attr, Fields<'_>, &mut Errors)),
}

pub(crate) enum OnField {
    NotAllowed,
    /// A name without a value. The string is the remedy to show if there is a value.
    Role(Role, &'static str),
    /// Modifies the field's role. The second function returns a reason if the field cannot have this attribute.
    Modifier(fn(&mut Field<'_>, Attr, &mut Errors), fn(&Field<'_>) -> Option<&'static str>),
}

const ANYWHERE: &[Place] = &[Struct, Enum, Variant, StructField, VariantField, Part, PartField];
const OF_A_PAGE: &[Place] = &[Struct, Enum, Variant, StructField, VariantField];
const ON_FIELDS: &[Place] = &[StructField, VariantField, PartField];

/// The attributes that describe the page of a struct or variant.
const VALUES: &[&str] = &[
    "loc",
    "base",
    "lastmod",
    "changefreq",
    "priority",
    "images",
    "videos",
    "news",
    "alternates",
    "locales",
    "x_default",
];

const NONE: Attribute = Attribute {
    name: "",
    places: &[],
    on_type: OnType::NotAllowed,
    on_field: OnField::NotAllowed,
    conflicts: Conflicts { with: &[], reason: "" },
};

const ALONE: &str = "write the name alone";
const ON_THE_STRUCT: &str = "write a value for all records on the struct or variant";

pub(crate) const ATTRIBUTES: &[Attribute] = &[
    Attribute {
        name: "rename_all",
        places: &[Enum],
        on_type: OnType::Setting(|settings, attr, _, errors| {
            settings.rename_all = rename_all(attr, errors);
        }),
        ..NONE
    },
    Attribute {
        name: Role::Loc.name(),
        places: OF_A_PAGE,
        on_type: OnType::Setting(|settings, attr, fields, errors| {
            settings.loc = Loc::read(attr, fields, errors);
        }),
        on_field: OnField::Role(Role::Loc, "write a URL template on the struct or variant"),
        ..NONE
    },
    Attribute {
        name: "base",
        places: &[Struct, Enum],
        on_type: OnType::Setting(|settings, attr, _, errors| settings.base = base(attr, errors)),
        ..NONE
    },
    Attribute {
        name: Role::LastMod.name(),
        places: ANYWHERE,
        on_type: OnType::Role(Role::LastMod, value::lastmod),
        on_field: OnField::Role(Role::LastMod, ON_THE_STRUCT),
        ..NONE
    },
    Attribute {
        name: Role::ChangeFreq.name(),
        places: ANYWHERE,
        on_type: OnType::Role(Role::ChangeFreq, value::changefreq),
        on_field: OnField::Role(Role::ChangeFreq, ON_THE_STRUCT),
        ..NONE
    },
    Attribute {
        name: Role::Priority.name(),
        places: ANYWHERE,
        on_type: OnType::Role(Role::Priority, value::priority),
        on_field: OnField::Role(Role::Priority, ON_THE_STRUCT),
        ..NONE
    },
    Attribute {
        name: Role::Param.name(),
        places: &[StructField, VariantField],
        on_field: OnField::Role(
            Role::Param,
            "name the field itself in the URL template, and write a conversion as `param, with = path`",
        ),
        ..NONE
    },
    Attribute {
        name: Role::Images.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::Images, value::method),
        on_field: OnField::Role(Role::Images, ALONE),
        ..NONE
    },
    Attribute {
        name: Role::Videos.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::Videos, value::method),
        on_field: OnField::Role(Role::Videos, ALONE),
        ..NONE
    },
    Attribute {
        name: Role::News.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::News, value::method),
        on_field: OnField::Role(Role::News, ALONE),
        ..NONE
    },
    Attribute {
        name: Role::Alternates.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::Alternates, value::method),
        on_field: OnField::Role(Role::Alternates, ALONE),
        ..NONE
    },
    Attribute {
        name: Role::Locales.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::Locales, value::locales),
        on_field: OnField::Role(Role::Locales, ON_THE_STRUCT),
        ..NONE
    },
    Attribute {
        name: "x_default",
        places: &[Struct, Enum, Variant],
        on_type: OnType::Setting(|settings, attr, _, errors| {
            settings.x_default = value::text(attr, "`x_default = \"en\"`", errors);
        }),
        ..NONE
    },
    Attribute {
        name: Role::Flatten.name(),
        places: ON_FIELDS,
        on_field: OnField::Role(Role::Flatten, ALONE),
        ..NONE
    },
    Attribute {
        name: Role::SkipIf.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::SkipIf, value::condition),
        on_field: OnField::Role(
            Role::SkipIf,
            "write `skip_if` alone for a `bool`, or `skip_if, with = path` for a function",
        ),
        ..NONE
    },
    Attribute {
        name: Role::ListIf.name(),
        places: OF_A_PAGE,
        on_type: OnType::Role(Role::ListIf, value::condition),
        on_field: OnField::Role(
            Role::ListIf,
            "write `list_if` alone for a `bool`, or `list_if, with = path` for a function",
        ),
        ..NONE
    },
    Attribute {
        name: "transparent",
        places: &[Struct, Variant],
        on_type: OnType::Flag,
        conflicts: Conflicts { with: &[VALUES], reason: "publishes only the field's pages" },
        ..NONE
    },
    Attribute {
        name: Role::Skip.name(),
        places: &[Variant, StructField, VariantField, PartField],
        on_type: OnType::Flag,
        on_field: OnField::Role(Role::Skip, ALONE),
        conflicts: Conflicts {
            with: &[VALUES, &["skip_if", "list_if", "transparent"]],
            reason: "gives the variant no page",
        },
    },
    Attribute {
        name: "with",
        places: ON_FIELDS,
        on_field: OnField::Modifier(
            |field, attr, errors| field.with = value::conversion(attr, errors),
            |field| match field.role {
                None => Some(
                    "`with` is given without a role; add the role of the converted value, \
                     as in `#[sitemap(lastmod, with = path)]` or `#[sitemap(param, with = path)]`",
                ),
                Some(Role::Skip) => Some("`with` conflicts with `skip`; remove one of the two"),
                Some(Role::Flatten) => Some(
                    "`with` conflicts with `flatten`, which uses the field as it is; \
                     remove `with`, and implement `SitemapPart` for the field's type",
                ),
                Some(_) => None,
            },
        ),
        ..NONE
    },
    Attribute {
        name: "zone",
        places: ON_FIELDS,
        on_field: OnField::Modifier(
            |field, attr, errors| field.zone = value::zone(attr, errors),
            |field| match field.role {
                Some(Role::LastMod) if field.given.get("with").is_some() => Some(
                    "`zone` conflicts with `with`; remove one of the two, \
                     and let the function return a time with its zone",
                ),
                Some(Role::LastMod) => None,
                _ => Some(
                    "`zone` is given without `lastmod`; write `#[sitemap(lastmod, zone = \"UTC\")]`, or remove `zone`",
                ),
            },
        ),
        ..NONE
    },
    Attribute {
        name: "unix",
        places: ON_FIELDS,
        on_field: OnField::Modifier(
            |field, attr, errors| field.unix = value::unix(attr, errors),
            |field| match field.role {
                Some(Role::LastMod)
                    if field.given.get("with").is_some() || field.given.get("zone").is_some() =>
                {
                    Some("`unix` conflicts with `with` and `zone`; keep one of them")
                }
                Some(Role::LastMod) => None,
                _ => Some(
                    "`unix` is given without `lastmod`; write `#[sitemap(lastmod, unix)]`, or remove `unix`",
                ),
            },
        ),
        ..NONE
    },
    Attribute {
        name: "section",
        places: &[Struct, Enum],
        on_type: OnType::Setting(|settings, attr, _, errors| {
            settings.section = section(attr, errors);
        }),
        ..NONE
    },
    Attribute {
        name: "crate",
        places: &[Struct, Enum, Part],
        on_type: OnType::Setting(|settings, attr, _, errors| {
            settings.krate = value::crate_path(attr, errors);
        }),
        ..NONE
    },
];

impl Attribute {
    /// Returns the attributes that are allowed in this place.
    pub(crate) fn all_on(place: Place) -> impl Iterator<Item = &'static Self> + Clone {
        ATTRIBUTES.iter().filter(move |attribute| attribute.places.contains(&place))
    }

    /// Returns the attribute with this name if it is allowed in this place.
    pub(crate) fn find(place: Place, name: &str) -> Option<&'static Self> {
        Self::all_on(place).find(|attribute| attribute.name == name)
    }

    /// Returns true if the table contains an attribute with this name.
    pub(crate) fn exists(name: &str) -> bool {
        ATTRIBUTES.iter().any(|attribute| attribute.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_has_a_meaning_exactly_where_it_is_allowed() {
        for attribute in ATTRIBUTES {
            let is_on = |places: &[Place]| attribute.places.iter().any(|place| places.contains(place));
            let name = attribute.name;
            let has_type_meaning = !matches!(attribute.on_type, OnType::NotAllowed);
            let has_field_meaning = !matches!(attribute.on_field, OnField::NotAllowed);
            assert_eq!(is_on(&[Struct, Enum, Variant, Part]), has_type_meaning, "{name}");
            assert_eq!(is_on(&[StructField, VariantField, PartField]), has_field_meaning, "{name}");
            assert!(
                attribute.conflicts.with.iter().copied().flatten().all(|other| Attribute::exists(other)),
                "{name}"
            );
        }
    }
}
