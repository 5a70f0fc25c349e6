//! Errors about unknown names that suggest the most similar known name.

/// Returns an error about an unknown name. Suggests the most similar known name, or gives the remedy if none is
/// similar.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
    remedy: &str,
) -> String {
    let hint =
        most_similar(name, known).map_or(remedy.to_owned(), |known| format!("did you mean `{known}`?"));
    format!("unknown {what} `{name}`; {hint}")
}

/// Returns the most similar name, if it differs by no more than a typo or two.
pub(crate) fn most_similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |text: &str| text.to_lowercase().replace('_', "-");
    let name = plain(name);
    let distance = |known: &str| strsim::osa_distance(&name, &plain(known));
    let (best, distance) =
        known.map(|known| (known, distance(known))).min_by_key(|(_, distance)| *distance)?;
    (distance <= (best.len() / 3).clamp(1, 3)).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let unknown =
            |name| unknown("key", name, ["strict", "max-findings", "at"].into_iter(), "see the list");
        assert_eq!(unknown("stric"), "unknown key `stric`; did you mean `strict`?");
        assert_eq!(unknown("max_findings"), "unknown key `max_findings`; did you mean `max-findings`?");
        assert_eq!(unknown("Strict"), "unknown key `Strict`; did you mean `strict`?");
        assert_eq!(unknown("atx"), "unknown key `atx`; did you mean `at`?");
        assert_eq!(unknown("colour"), "unknown key `colour`; see the list");
        assert_eq!(unknown(""), "unknown key ``; see the list");
    }
}
