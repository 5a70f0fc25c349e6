//! Reports two enum variants with the same URL.

use std::ptr;

use super::plan::{Content, Localization, Location, Part, Plan, Source, Start};
use crate::model::container::Record;
use crate::report::errors::Errors;
use crate::text::url::comparable;

/// Reports each variant whose URL an earlier variant already uses. URLs with placeholders are not compared.
pub(crate) fn report_same_urls(variants: &[(&Record<'_>, Plan<'_>)], errors: &mut Errors) {
    let mut seen: Vec<(&Record<'_>, Url<'_>)> = Vec::new();
    for (record, plan) in variants {
        let Some(url) = Url::of(plan) else { continue };
        let first = seen.iter().find(|(_, other)| other.is_same(&url));
        if let (Some((first, _)), Some((literal, _))) = (first, record.settings.template()) {
            errors.at(
                literal,
                format!(
                    "`{}` has the same URL as `{}`; change one of the two, or mark a variant with `#[sitemap(skip)]`",
                    record.title, first.title
                ),
            );
        } else {
            seen.push((record, url));
        }
    }
}

/// The URL of a variant whose template contains no placeholder except `{locale}`.
struct Url<'a> {
    is_absolute: bool,
    /// The literal text before, between and after the `{locale}` placeholders.
    texts: Vec<String>,
    locales: Option<Localization<'a>>,
}

impl<'a> Url<'a> {
    /// Returns `None` if the URL depends on the record, or if a condition can skip the page.
    fn of(plan: &Plan<'a>) -> Option<Self> {
        let Content::Page(page) = &plan.content else { return None };
        let Location::Template { absolute, parts } = &page.location else { return None };
        if !plan.skip_if.is_empty() {
            return None;
        }
        let mut texts = vec![String::new()];
        for part in parts {
            match part {
                Part::Text(text) => texts.last_mut()?.push_str(text),
                Part::Value(value, _) if matches!(value.start, Start::Locale) => texts.push(String::new()),
                Part::Value(..) | Part::Joined(_) | Part::Optional(..) => return None,
            }
        }
        let texts = texts.iter().map(|text| comparable(text)).collect();
        Some(Self { is_absolute: *absolute, texts, locales: page.locales })
    }

    fn is_same(&self, other: &Self) -> bool {
        let is_same_list = match (&self.locales, &other.locales) {
            (None, None) => true,
            (Some(one), Some(other)) => is_same_source(one.locales, other.locales),
            _ => false,
        };
        self.is_absolute == other.is_absolute && self.texts == other.texts && is_same_list
    }
}

/// Returns true if both variants use the enum's `locales`. If they use other lists, the lists may contain different
/// locales.
fn is_same_source(one: Source<'_>, other: Source<'_>) -> bool {
    match (one, other) {
        (Source::Constant(one), Source::Constant(other)) => ptr::eq(one, other),
        _ => false,
    }
}
