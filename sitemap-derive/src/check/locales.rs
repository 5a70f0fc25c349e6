//! The locales of a record's pages.

use proc_macro2::Ident;
use quote::ToTokens as _;

use super::plan::{LocaleSource, Localization, Origin};
use super::roles::with_role;
use crate::attribute::value::{Given, Locales};
use crate::model::container::Record;
use crate::model::field::Role;
use crate::model::settings::Settings;
use crate::report::errors::Errors;

/// The locales of a record's pages and the attribute that gives them.
#[derive(Clone, Copy)]
pub(crate) struct Locale<'a> {
    pub(crate) localization: Localization<'a>,
    /// The `locales` attribute of the struct, the variant or a field. `None` if the attribute is on the whole enum,
    /// where a variant need not use the locales.
    pub(crate) own: Option<&'a Ident>,
}

pub(super) fn localization<'a>(
    record: &'a Record<'a>,
    defaults: Option<&'a Settings>,
    errors: &mut Errors,
) -> Option<Locale<'a>> {
    let settings = &record.settings;
    let field = with_role(record, Role::Locales).next();
    let own_x_default = settings.x_default.as_ref();
    let x_default = own_x_default.and_then(|given| given.value.as_ref());
    if let (Some(own), Some(field)) = (&settings.locales, field) {
        let noun = record.noun();
        errors.at(
            &own.name,
            format!("`locales` is given twice, on the {noun} and by the field `{}`; keep one", field.name),
        );
    }
    if let Some(field) = field {
        let localization = Localization { locales: LocaleSource::Value(Origin::Field(field)), x_default };
        return Some(Locale { localization, own: field.role_source.as_ref() });
    }
    if let Some(own) = &settings.locales {
        let locales = own.value.as_ref()?;
        check_x_default(locales, own_x_default, errors);
        let localization = Localization { locales: source(locales), x_default };
        return Some(Locale { localization, own: Some(&own.name) });
    }
    let Some(Given { value: Some(locales), .. }) = defaults.and_then(|defaults| defaults.locales.as_ref())
    else {
        if let Some(own) = own_x_default {
            errors.at(&own.name, "`x_default` is given without `locales`; add `locales = [\"en\", …]`");
        }
        return None;
    };
    check_x_default(locales, own_x_default, errors);
    let inherited = defaults.and_then(|defaults| defaults.x_default.as_ref()?.value.as_ref());
    let localization = Localization { locales: source(locales), x_default: x_default.or(inherited) };
    Some(Locale { localization, own: None })
}

const fn source(locales: &Locales) -> LocaleSource<'_> {
    match locales {
        Locales::Method(path) => LocaleSource::Value(Origin::Method(path)),
        Locales::List(_) | Locales::Expr(_) => LocaleSource::Constant(locales),
    }
}

/// Reports an `x_default` that is not in a literal list of locales. The compiler checks constants. The locales of a
/// field or method may differ from record to record.
pub(crate) fn check_x_default(
    locales: &Locales,
    x_default: Option<&Given<syn::LitStr>>,
    errors: &mut Errors,
) {
    let (Locales::List(list), Some(x_default)) = (locales, x_default.and_then(|given| given.value.as_ref()))
    else {
        return;
    };
    let found = x_default.value();
    if !list.is_empty() && !list.iter().any(|locale| locale.value() == found) {
        let known: Vec<_> = list.iter().map(|locale| locale.to_token_stream().to_string()).collect();
        errors.at(
            x_default,
            format!("`x_default` {found:?} is not one of the `locales`; use one of {}", known.join(", ")),
        );
    }
}
