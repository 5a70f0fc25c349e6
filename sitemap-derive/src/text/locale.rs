//! Checks a record's locales. `Hreflang` in `sitemap-core` accepts the same locales; a fuzz target compares the two.

/// Codes that Google ignores: they are reserved in ISO 3166, but are not countries.
const NOT_COUNTRIES: &[(&str, &str)] = &[
    ("UK", "write `GB`"),
    ("EU", "write a country, or the language alone"),
    ("UN", "write a country, or the language alone"),
];

/// Returns true for a name that probably means the placeholder `{locale}`.
pub(crate) fn means_locale(name: &str) -> bool {
    const WORDS: [&str; 7] = ["locale", "locales", "lang", "language", "lng", "hreflang", "languages"];
    WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Returns an error message if a locale does not have the form that Google requires: an ISO 639 language, an optional
/// ISO 15924 script, and an optional ISO 3166-1 alpha-2 country.
pub(crate) fn problem(tag: &str) -> Option<String> {
    if tag.eq_ignore_ascii_case("x-default") {
        return Some(
            "\"x-default\" is not a locale; write `x_default = \"en\"` next to `locales`".to_owned(),
        );
    }
    if tag.contains('_') {
        return Some(format!("locale {tag:?} is written with `_`; write {:?}", tag.replace('_', "-")));
    }
    let country = tag.rsplit('-').next().filter(|_| tag.contains('-')).unwrap_or_default();
    if let Some((_, remedy)) = NOT_COUNTRIES.iter().find(|(code, _)| country.eq_ignore_ascii_case(code)) {
        return Some(format!("locale {tag:?} has `{country}` in place of a country; {remedy}"));
    }
    let mut subtags = tag.split('-');
    let language = subtags.next().unwrap_or_default();
    let is_letters = |tag: &str| tag.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut next = subtags.next();
    if next.is_some_and(|script| script.len() == 4 && is_letters(script)) {
        next = subtags.next();
    }
    if next.is_some_and(|region| region.len() == 2 && is_letters(region)) {
        next = subtags.next();
    }
    if (2..=3).contains(&language.len()) && is_letters(language) && next.is_none() {
        return None;
    }
    Some(format!(
        "locale {tag:?} is not a language with an optional script and country; \
         write one like \"en\", \"pt-BR\" or \"zh-Hant\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_with_an_optional_script_and_country() {
        for tag in ["en", "EN", "fil", "pt-BR", "zh-Hant", "zh-Hans-TW", "en-GB"] {
            assert_eq!(problem(tag), None, "{tag}");
        }
        for tag in [
            "",
            "e",
            "engl",
            "en_US",
            "en-",
            "en-U",
            "es-419",
            "en-US-Latn",
            "en-UK",
            "de-eu",
            "zh-Hant-UN",
            "x-default",
        ] {
            assert!(problem(tag).is_some(), "{tag}");
        }
    }
}
