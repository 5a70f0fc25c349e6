//! The languages and countries of language tags.
//!
//! The lists are those of the IANA Language Subtag Registry of 2021-08-06, without ranges for private use. `languages2`
//! and `countries` have two letters, `languages3` three.
//!
//! Source: <https://www.iana.org/assignments/language-subtag-registry>.

const LANGUAGES: Pairs = Pairs::new(include_bytes!("subtags/languages2.txt"));
const COUNTRIES: Pairs = Pairs::new(include_bytes!("subtags/countries.txt"));
/// Languages with three letters, in order, each followed by a space or line break.
const LANGUAGES_3: &[u8] = include_bytes!("subtags/languages3.txt");

/// Codes of countries that are often written instead of the language.
const LANGUAGE_OF: [(&str, &str); 12] = [
    ("at", "de"),
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gb", "en"),
    ("gr", "el"),
    ("jp", "ja"),
    ("mx", "es"),
    ("ua", "uk"),
    ("us", "en"),
    ("vn", "vi"),
    ("tw", "zh-TW"),
];

/// Two codes that name the same language, or a language and a part of it.
const SAME: [(&str, &str); 6] =
    [("nb", "no"), ("nn", "no"), ("iw", "he"), ("in", "id"), ("ji", "yi"), ("fil", "tl")];

/// A set of codes with two letters.
struct Pairs([u32; 26]);

impl Pairs {
    /// Reads codes in lower or upper case, each followed by a space or line break.
    const fn new(codes: &[u8]) -> Self {
        let mut pairs = [0; 26];
        let mut at = 0;
        while at + 2 < codes.len() {
            let (first, second) = (codes[at] | 0x20, codes[at + 1] | 0x20);
            pairs[(first - b'a') as usize] |= 1 << (second - b'a');
            at += 3;
        }
        Self(pairs)
    }

    fn has(&self, first: u8, second: u8) -> bool {
        let index = |letter: u8| (letter | 0x20).wrapping_sub(b'a');
        let (first, second) = (index(first), index(second));
        second < 26 && self.0.get(usize::from(first)).is_some_and(|pairs| pairs >> second & 1 == 1)
    }
}

fn is_language(code: &str) -> bool {
    match *code.as_bytes() {
        [first, second] => LANGUAGES.has(first, second),
        [first, second, third] => {
            let code = [first, second, third].map(|letter| letter | 0x20);
            LANGUAGES_3.as_chunks::<4>().0.binary_search_by(|known| known[..3].cmp(&code)).is_ok()
        }
        _ => false,
    }
}

fn is_country(code: &str) -> bool {
    matches!(*code.as_bytes(), [first, second] if COUNTRIES.has(first, second))
}

/// Returns what is wrong with a tag that names an unknown language or country, and what to write instead.
#[inline]
pub(super) fn mistake(tag: &str) -> Option<String> {
    let mut parts = tag.split('-');
    let language = parts.next()?;
    let country = parts.find(|part| part.len() == 2);
    let is_known = is_language(language) && country.is_none_or(is_country);
    (!is_known && tag != "x-default").then(|| explain(language, country))
}

#[cold]
fn explain(language: &str, country: Option<&str>) -> String {
    if is_language(language) {
        return format!("there is no country `{}`", country.unwrap_or_default().to_ascii_uppercase());
    }
    let named = language.to_ascii_lowercase();
    let remedy = match (LANGUAGE_OF.iter().find(|(country, _)| *country == named), country) {
        (_, Some(country)) if is_language(country) && is_country(language) => {
            format!("; write `{}-{}`", country.to_ascii_lowercase(), language.to_ascii_uppercase())
        }
        (Some((_, language)), _) => format!("; write `{language}`, the language"),
        (None, _) => String::new(),
    };
    format!("there is no language `{named}`{remedy}")
}

/// Returns the language of a tag, or `None` for `x-default`. Languages that share pages have the same name.
pub(super) fn language(tag: &str) -> Option<[u8; 3]> {
    let code = tag.split('-').next().filter(|_| tag != "x-default")?.to_ascii_lowercase();
    let code = SAME.iter().find(|(other, _)| *other == code).map_or(&*code, |(_, name)| name);
    let mut name = [0; 3];
    name.iter_mut().zip(code.bytes()).for_each(|(to, from)| *to = from);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_and_countries_of_the_registry() {
        for tag in ["en", "EN-gb", "zh-Hant-TW", "fil", "zzj", "aaa", "x-default", "sr-Latn", "no"] {
            assert_eq!(mistake(tag), None, "{tag}");
        }
        for (tag, expected) in [
            ("jp", "there is no language `jp`; write `ja`, the language"),
            ("us-EN", "there is no language `us`; write `en-US`"),
            ("xx", "there is no language `xx`"),
            ("zzz", "there is no language `zzz`"),
            ("en-xx", "there is no country `XX`"),
            ("zh-Hans-zz", "there is no country `ZZ`"),
        ] {
            assert_eq!(mistake(tag).as_deref(), Some(expected), "{tag}");
        }
    }

    #[test]
    fn the_lists_are_in_order() {
        for list in
            [LANGUAGES_3, include_bytes!("subtags/languages2.txt"), include_bytes!("subtags/countries.txt")]
        {
            assert!(
                list.split(|byte| !byte.is_ascii_alphabetic()).filter(|code| !code.is_empty()).is_sorted()
            );
        }
    }
}
