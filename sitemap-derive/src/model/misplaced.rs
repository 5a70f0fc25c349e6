//! The error messages for an attribute that does not exist or is in the wrong place.

use super::attributes::Attribute;
use super::place::Place;
use crate::report::suggest::did_you_mean;

impl Place {
    fn allows(self, name: &str) -> bool {
        Attribute::find(self, name).is_some()
    }

    fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        Attribute::all_on(self).map(|attribute| attribute.name)
    }

    /// Returns the error message for an attribute that is not allowed in this place.
    pub(crate) fn unknown(self, name: &str) -> String {
        let noun = self.noun();
        if name == "skip" && matches!(self, Self::Struct | Self::Enum) {
            return format!(
                "sitemap attribute `skip` is not allowed on {noun}; skip some of its records with `skip_if`"
            );
        }
        if let Some((_, there)) = self.alternatives().iter().find(|(other, _)| other.allows(name)) {
            return format!("sitemap attribute `{name}` is not allowed on {noun}; move it to {there}");
        }
        if self.is_in_part() && (Self::Struct.allows(name) || Self::StructField.allows(name)) {
            return format!(
                "sitemap attribute `{name}` is not allowed in a `SitemapPart`, which has no page of its own; \
                 derive `SitemapEntry` instead"
            );
        }
        if Attribute::exists(name) {
            return format!("sitemap attribute `{name}` is not allowed on {noun}; remove it");
        }
        let remedy = self
            .omission(name)
            .or_else(|| did_you_mean(name, self.names(), '`'))
            .or_else(|| self.elsewhere(name))
            .unwrap_or_else(|| format!("; use one of `{}`", self.names().collect::<Vec<_>>().join("`, `")));
        format!("unknown sitemap attribute `{name}` on {noun}{remedy}")
    }

    /// Returns the remedy for a word that other libraries use for skipping.
    fn omission(self, name: &str) -> Option<String> {
        const WORDS: &[&str] = &["exclude", "ignore", "hidden", "hide", "omit", "noindex", "no_index"];
        let remedy = match self {
            Self::Struct | Self::Enum => "did you mean `skip_if`?",
            Self::Variant => "did you mean `skip`?",
            Self::StructField | Self::VariantField => {
                "write `skip_if` to skip the record, or `skip` to leave the field unused"
            }
            Self::Part | Self::PartField => return None,
        };
        WORDS.contains(&name).then(|| format!("; {remedy}"))
    }

    /// Returns the remedy for a name that resembles an attribute of another place.
    fn elsewhere(self, name: &str) -> Option<String> {
        self.alternatives().iter().find_map(|(other, there)| {
            let known = did_you_mean(name, other.names(), '`')?;
            Some(format!("{} on {there}?", known.trim_end_matches('?')))
        })
    }
}
