//! The cases of `rename_all`, which turn a variant's name into a path.

/// A way to join the words of a name, such as kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Kebab,
    Snake,
    Lower,
    Camel,
    Pascal,
}

impl Case {
    /// The cases, with their names in `rename_all`.
    pub(crate) const NAMES: &[(&'static str, Self)] = &[
        ("kebab-case", Self::Kebab),
        ("snake_case", Self::Snake),
        ("lowercase", Self::Lower),
        ("camelCase", Self::Camel),
        ("PascalCase", Self::Pascal),
    ];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, case)| *case)
    }

    /// Converts a variant's name to this case.
    pub(crate) fn apply(self, variant: &str) -> String {
        let words = words(variant);
        match self {
            Self::Kebab => words.join("-"),
            Self::Snake => words.join("_"),
            Self::Lower => words.concat(),
            Self::Camel => {
                let (first, rest) = words.split_at(words.len().min(1));
                first.iter().cloned().chain(rest.iter().map(|word| capitalised(word))).collect()
            }
            Self::Pascal => variant.to_owned(),
        }
    }
}

/// Splits a name into words at its capitals, and returns the words in lowercase. A run of capitals is one word:
/// `FAQPage` consists of `faq` and `page`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let after_small = at > 0 && !letters[at - 1].is_uppercase();
        let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = letter.is_uppercase() && (after_small || before_small);
        if (letter == '_' || starts_word) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter != '_' {
            word.extend(letter.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_capitals() {
        for (name, kebab) in [
            ("About", "about"),
            ("ContactUs", "contact-us"),
            ("FAQ", "faq"),
            ("FAQPage", "faq-page"),
            ("OurFAQ", "our-faq"),
            ("Page2", "page2"),
            ("Web2Print", "web2-print"),
            ("Terms_Of_Use", "terms-of-use"),
            ("ÜberUns", "über-uns"),
            ("A", "a"),
        ] {
            assert_eq!(Case::Kebab.apply(name), kebab);
        }
    }

    #[test]
    fn each_case_writes_words_in_its_way() {
        for (case, written) in [
            ("kebab-case", "contact-us"),
            ("snake_case", "contact_us"),
            ("lowercase", "contactus"),
            ("camelCase", "contactUs"),
            ("PascalCase", "ContactUs"),
        ] {
            assert_eq!(Case::from_name(case).map(|case| case.apply("ContactUs")).as_deref(), Some(written));
        }
        assert_eq!(Case::from_name("Kebab"), None);
    }
}
