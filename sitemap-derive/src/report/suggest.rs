//! Suggests the known name that is closest to a misspelt one.

/// Pairs of names: one that is common in other libraries or databases, and the attribute with the same meaning.
const SYNONYMS: &[(&str, &str)] = &[
    ("url", "loc"),
    ("uri", "loc"),
    ("path", "loc"),
    ("route", "loc"),
    ("href", "loc"),
    ("link", "loc"),
    ("location", "loc"),
    ("permalink", "loc"),
    ("template", "loc"),
    ("last_modified", "lastmod"),
    ("lastmodified", "lastmod"),
    ("last_mod", "lastmod"),
    ("modified", "lastmod"),
    ("modified_at", "lastmod"),
    ("updated", "lastmod"),
    ("updated_at", "lastmod"),
    ("date", "lastmod"),
    ("freq", "changefreq"),
    ("frequency", "changefreq"),
    ("change_frequency", "changefreq"),
    ("changefrequency", "changefreq"),
    ("weight", "priority"),
    ("languages", "locales"),
    ("langs", "locales"),
    ("lang", "locales"),
    ("hreflang", "alternates"),
    ("photos", "images"),
    ("root", "base"),
    ("origin", "base"),
    ("parameter", "param"),
];

/// Returns the suffix `; did you mean …?` for an error message, if a known name resembles the unknown one.
pub(crate) fn did_you_mean<'n>(
    found: &str,
    names: impl IntoIterator<Item = &'n str> + Clone,
    quote: char,
) -> Option<String> {
    let synonym = SYNONYMS.iter().find(|(other, _)| found.eq_ignore_ascii_case(other));
    let synonym = synonym.and_then(|(_, name)| names.clone().into_iter().find(|known| known == name));
    synonym.or_else(|| nearest(found, names)).map(|name| format!("; did you mean {quote}{name}{quote}?"))
}

/// Returns the suffix for an error message about an unknown string: a suggestion if a known string is similar,
/// otherwise the list of all known strings.
pub(crate) fn did_you_mean_text(
    found: &str,
    known: impl IntoIterator<Item = &'static str> + Clone,
) -> String {
    did_you_mean(found, known.clone(), '"').unwrap_or_else(|| {
        let known: Vec<_> = known.into_iter().map(|text| format!("{text:?}")).collect();
        format!("; use one of {}", known.join(", "))
    })
}

/// Returns the known name with the smallest edit distance to `found`. Returns `None` if the distance is too large for a
/// typo.
pub(crate) fn nearest<'n>(found: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let found = found.to_lowercase();
    let allowed = match found.chars().count() {
        0..=2 => 1,
        3..=8 => 2,
        _ => 3,
    };
    names
        .into_iter()
        .map(|name| (distance(&found, &name.to_lowercase()), name))
        // If every character differs, the user didn't mistype this name.
        .filter(|&(edits, name)| edits <= allowed && edits < name.chars().count())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, name)| name)
}

/// Returns the minimum number of insertions, deletions, replacements and swaps of adjacent characters that turn one
/// string into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(from != to);
            let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                edits = edits.min(before_last[j - 1] + 1);
            }
            row.push(edits);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_with_swaps_as_one() {
        assert_eq!(distance("", ""), 0);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("wekly", "weekly"), 1);
        assert_eq!(distance("slgu", "slug"), 1);
        assert_eq!(distance("prioirty", "priority"), 1);
        assert_eq!(distance("yearly", "hourly"), 3);
    }

    #[test]
    fn only_typing_errors_get_a_suggestion() {
        assert_eq!(nearest("Weekly", ["daily", "weekly"]), Some("weekly"));
        assert_eq!(nearest("lastmodified", ["lastmod", "loc"]), None);
        assert_eq!(nearest("id", ["to", "is"]), Some("is"));
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("id", []), None);
    }
}
