//! The names of a record's fields, for the remedies in error messages.

use crate::report::suggest::nearest;

#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a [String]);

impl<'a> Fields<'a> {
    pub(crate) fn contains(self, name: &str) -> bool {
        self.0.iter().any(|field| field == name)
    }

    /// Returns the field with this name, or else one with a similar name.
    pub(crate) fn similar(self, name: &str) -> Option<&'a str> {
        let snake = name.replace('-', "_");
        let exact = self.0.iter().map(String::as_str).find(|field| *field == name || *field == snake);
        exact.or_else(|| nearest(name, self.0.iter().map(String::as_str)))
    }

    /// Returns a field that is probably a date.
    pub(crate) fn date(self) -> Option<&'a str> {
        const WORDS: [&str; 7] = ["publish", "create", "update", "modif", "date", "day", "time"];
        let is_date = |field: &&str| WORDS.iter().any(|word| field.contains(word));
        self.0.iter().map(String::as_str).find(is_date)
    }

    /// Returns "`{a}`" for a single field, and "one of `{a}`, `{b}`" for several. Returns `None` if there are no
    /// fields.
    pub(crate) fn placeholders(self) -> Option<String> {
        match self.0 {
            [] => None,
            [field] => Some(format!("`{{{field}}}`")),
            fields => Some(format!("one of `{{{}}}`", fields.join("}`, `{"))),
        }
    }
}
