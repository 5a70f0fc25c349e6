//! Suggests the known name that is closest to a misspelt one.

/// The attributes, each with names that have the same meaning in other libraries, frameworks and databases.
const SYNONYMS: &[(&str, &str)] = &[
    ("loc", "url uri path route href link location permalink template canonical slug address"),
    (
        "lastmod",
        "last_modified lastmodified last_mod modified modified_at updated updated_at date created created_at published_at \
         timestamp time datetime mtime last_update last_updated lastupdate changed changed_at",
    ),
    (
        "changefreq",
        "freq frequency change_frequency changefrequency update_freq update_frequency interval refresh",
    ),
    ("priority", "weight prio rank importance"),
    ("locales", "languages langs lang language i18n"),
    ("alternates", "hreflang translations"),
    ("images", "photos photo img imgs picture pictures thumbnail"),
    ("videos", "clips"),
    ("news", "article"),
    ("base", "root origin host domain base_url site"),
    ("param", "parameter segment placeholder query arg"),
    (
        "with",
        "deserialize_with serialize_with convert convert_with map via from try_from into function getter parse",
    ),
    ("zone", "tz timezone time_zone offset"),
    (
        "skip_if",
        "draft is_draft unlisted private disabled deleted archived skip_when skip_serializing_if exclude_if",
    ),
    (
        "list_if",
        "only_if when filter condition if enabled active visible public include_if skip_unless published",
    ),
    ("flatten", "inline embed nested"),
    ("section", "group name"),
    ("yearly", "annually annual"),
    ("hourly", "minutely"),
    ("monthly", "fortnightly biweekly quarterly"),
];

/// Returns the suffix `; did you mean …?` for an error message, if a known name resembles the unknown one.
pub(crate) fn did_you_mean<'n>(
    found: &str,
    names: impl IntoIterator<Item = &'n str> + Clone,
    quote: char,
) -> Option<String> {
    let is_meant = |others: &str| others.split_whitespace().any(|other| found.eq_ignore_ascii_case(other));
    let mut synonyms = SYNONYMS.iter().filter(|(_, others)| is_meant(others));
    let synonym = synonyms.find_map(|(name, _)| names.clone().into_iter().find(|known| known == name));
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
        0..=4 => 1,
        5..=8 => 2,
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
