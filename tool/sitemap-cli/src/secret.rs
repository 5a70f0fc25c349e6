//! Hides secrets in messages.

use std::borrow::Cow;

/// Replaces user names and passwords of URLs in a string with `***`.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        // A user name and password may contain quotes and spaces, so these don't end it.
        let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
        shown.push_str(before);
        shown.push_str("://");
        rest = match authority.rfind('@') {
            Some(at) => {
                shown.push_str("***");
                &after[at..]
            }
            None => after,
        };
    }
    if shown.is_empty() {
        return Cow::Borrowed(text);
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_names_and_passwords_are_masked() {
        for (text, shown) in [
            ("no URL", "no URL"),
            ("cannot read `https://example.com/a@b`: x", "cannot read `https://example.com/a@b`: x"),
            ("`https://u:p@example.com/` and http://u@b/", "`https://***@example.com/` and http://***@b/"),
            ("https://u:p@ss@example.com", "https://***@example.com"),
            ("ftp://u:p@[broken", "ftp://***@[broken"),
            ("`https://u:it's \"p`w@example.com/`: x", "`https://***@example.com/`: x"),
        ] {
            assert_eq!(masked(text), shown);
        }
    }
}
