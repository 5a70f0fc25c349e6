//! The locales of a record's pages.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::LitStr;

use super::plan::{Localization, Source};
use super::roles::{source, with_role};
use crate::model::container::Record;
use crate::model::role::Role;
use crate::model::settings::Settings;
use crate::report::errors::Errors;
use crate::syntax::value::Constant;

/// The locales of a record's pages and the attribute that sets them.
#[derive(Clone, Copy)]
pub(crate) struct Locale<'a> {
    pub(crate) localization: Localization<'a>,
    /// The `locales` attribute of the struct, the variant or a field. `None` if the attribute is on the whole enum,
    /// because not every variant has to use the enum's locales.
    pub(crate) own: Option<&'a Ident>,
}

pub(super) fn localization<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Option<Locale<'a>> {
    let settings = &record.settings;
    let locales = source(record, defaults, Role::Locales, errors);
    let own = match with_role(record, Role::Locales).next() {
        Some(field) => field.role_source.as_ref(),
        None => settings.given.get("locales"),
    };
    let Some(locales) = locales else {
        if let (None, Some(x_default)) = (own, settings.given.get("x_default")) {
            errors.at(x_default, "`x_default` is given without `locales`; add `locales = [\"en\", …]`");
        }
        return None;
    };
    check_x_default(locales, settings.x_default.as_ref(), errors);
    let inherited = || defaults.filter(|_| own.is_none())?.x_default.as_ref();
    let x_default = settings.x_default.as_ref().or_else(inherited);
    Some(Locale { localization: Localization { locales, x_default }, own })
}

/// Reports an `x_default` that is missing from a literal list of locales. Constants are checked by the compiler, and
/// the locales of a field or method may differ from record to record.
fn check_x_default(locales: Source<'_>, x_default: Option<&LitStr>, errors: &mut Errors) {
    let (Source::Constant(Constant::Locales(list)), Some(x_default)) = (locales, x_default) else { return };
    let found = x_default.value();
    if !list.is_empty() && !list.iter().any(|locale| locale.value() == found) {
        let known: Vec<_> = list.iter().map(|locale| locale.to_token_stream().to_string()).collect();
        errors.at(
            x_default,
            format!("`x_default` {found:?} is not one of the `locales`; use one of {}", known.join(", ")),
        );
    }
}
