//! The settings of a struct, an enum or a variant, from its attributes.

use syn::{LitStr, Path};

use super::given::Given;
use super::role::Role;
use crate::report::errors::Errors;
use crate::report::suggest::did_you_mean_text;
use crate::syntax::attr::Attr;
use crate::syntax::value::{self, Callable, Shared};
use crate::text::case::Case;
use crate::text::fields::Fields;
use crate::text::section::is_section_name;
use crate::text::template::{self, Template};

/// The values of the attributes. A value is `None` if its attribute is missing or invalid; `given` tells the two cases
/// apart.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) given: Given,
    pub(crate) krate: Option<Path>,
    pub(crate) section: Option<LitStr>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) base: Option<String>,
    pub(crate) loc: Option<Loc>,
    pub(crate) x_default: Option<LitStr>,
    pub(crate) roles: Vec<(Role, Shared)>,
}

/// Where a record's URL comes from.
pub(crate) enum Loc {
    Template(LitStr, Template),
    /// A function that computes the URL of each record.
    Method(Callable),
}

impl Settings {
    pub(crate) fn role(&self, role: Role) -> Option<&Shared> {
        self.roles.iter().find(|(other, _)| *other == role).map(|(_, value)| value)
    }

    pub(crate) fn template(&self) -> Option<(&LitStr, &Template)> {
        match &self.loc {
            Some(Loc::Template(literal, template)) => Some((literal, template)),
            _ => None,
        }
    }
}

impl Loc {
    pub(crate) fn read(attr: Attr, fields: Fields<'_>, errors: &mut Errors) -> Option<Self> {
        if let Some(path) = value::loc_method(&attr) {
            return Some(Self::Method(path));
        }
        let text = value::text(attr, "a URL template like `loc = \"/posts/{slug}\"`", errors)?;
        let template = checked(&text, template::scan(&text.value(), fields), errors)?;
        Some(Self::Template(text, template))
    }
}

/// Reports the problems of a string, and returns the value if there are none.
fn checked<T>(text: &LitStr, result: Result<T, Vec<String>>, errors: &mut Errors) -> Option<T> {
    result.map_err(|problems| problems.iter().for_each(|problem| errors.at(text, problem))).ok()
}

pub(super) fn base(attr: Attr, errors: &mut Errors) -> Option<String> {
    let text = value::text(attr, "`base = \"https://example.com\"`", errors)?;
    checked(&text, template::scan_base(&text.value()), errors)
}

pub(super) fn section(attr: Attr, errors: &mut Errors) -> Option<LitStr> {
    let text = value::text(attr, "`section = \"posts\"`", errors)?;
    if is_section_name(&text.value()) {
        return Some(text);
    }
    errors.at(
        &text,
        format!(
            "the section name {:?} cannot be part of a file name; use 1 to 100 of the characters `A-Z a-z 0-9 - _`",
            text.value()
        ),
    );
    None
}

pub(super) fn rename_all(attr: Attr, errors: &mut Errors) -> Option<Case> {
    let text = value::text(attr, "`rename_all = \"kebab-case\"`", errors)?;
    let found = text.value();
    let case = Case::from_name(&found);
    if case.is_none() {
        let remedy = did_you_mean_text(&found, Case::NAMES.iter().map(|(name, _)| *name));
        errors.at(&text, format!("unknown case {found:?} for `rename_all`{remedy}"));
    }
    case
}
