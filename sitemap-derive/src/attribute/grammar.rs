//! The attributes that are allowed on a struct, an enum, a variant and a field.

use crate::report::suggest::did_you_mean;

/// The kind of item that an attribute is written on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Struct,
    Enum,
    Variant,
    StructField,
    VariantField,
    Part,
    PartField,
}

impl Place {
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Struct => &[
                "loc",
                "base",
                "lastmod",
                "changefreq",
                "priority",
                "images",
                "videos",
                "news",
                "alternates",
                "skip_if",
                "locales",
                "x_default",
                "transparent",
                "section",
                "crate",
            ],
            Self::Enum => &[
                "rename_all",
                "loc",
                "base",
                "lastmod",
                "changefreq",
                "priority",
                "images",
                "videos",
                "news",
                "alternates",
                "skip_if",
                "locales",
                "x_default",
                "section",
                "crate",
            ],
            Self::Variant => &[
                "loc",
                "lastmod",
                "changefreq",
                "priority",
                "images",
                "videos",
                "news",
                "alternates",
                "skip_if",
                "locales",
                "x_default",
                "transparent",
                "skip",
            ],
            Self::StructField | Self::VariantField => &[
                "loc",
                "lastmod",
                "changefreq",
                "priority",
                "param",
                "images",
                "videos",
                "news",
                "alternates",
                "locales",
                "flatten",
                "skip_if",
                "skip",
                "with",
                "zone",
            ],
            Self::Part => &["lastmod", "changefreq", "priority", "crate"],
            Self::PartField => &["lastmod", "changefreq", "priority", "flatten", "skip", "with", "zone"],
        }
    }

    pub(crate) fn allows(self, name: &str) -> bool {
        self.names().contains(&name)
    }

    /// Returns the noun, with its article, that names this place in messages.
    const fn noun(self) -> &'static str {
        match self {
            Self::Struct | Self::Part => "a struct",
            Self::Enum => "an enum",
            Self::Variant => "a variant",
            Self::StructField | Self::VariantField | Self::PartField => "a field",
        }
    }

    /// Returns the other places where the user may have wanted an attribute, the likeliest first.
    const fn alternatives(self) -> &'static [(Self, &'static str)] {
        match self {
            Self::Struct => &[(Self::StructField, "a field")],
            Self::Enum => &[(Self::Variant, "a variant"), (Self::VariantField, "a field")],
            Self::Variant => &[(Self::Enum, "the enum"), (Self::VariantField, "a field")],
            Self::StructField => &[(Self::Struct, "the struct")],
            Self::VariantField => &[(Self::Variant, "the variant"), (Self::Enum, "the enum")],
            Self::Part => &[(Self::PartField, "a field")],
            Self::PartField => &[(Self::Part, "the struct")],
        }
    }

    /// Returns the message for an attribute that is not allowed in this place.
    pub(crate) fn unknown(self, name: &str) -> String {
        let noun = self.noun();
        if let Some((_, there)) = self.alternatives().iter().find(|(other, _)| other.allows(name)) {
            return format!("sitemap attribute `{name}` is not allowed on {noun}; move it to {there}");
        }
        if self.is_in_part() && (Self::Struct.allows(name) || Self::StructField.allows(name)) {
            return format!(
                "sitemap attribute `{name}` is not allowed in a `SitemapPart`, which has no page of its own; \
                 derive `SitemapEntry` instead"
            );
        }
        let remedy = self
            .omission(name)
            .or_else(|| did_you_mean(name, self.names().iter().copied(), '`'))
            .or_else(|| self.elsewhere(name))
            .unwrap_or_else(|| format!("; use one of `{}`", self.names().join("`, `")));
        format!("unknown sitemap attribute `{name}` on {noun}{remedy}")
    }

    /// Returns the remedy for words that other libraries use to leave something out.
    fn omission(self, name: &str) -> Option<String> {
        const WORDS: [&str; 8] =
            ["exclude", "ignore", "hidden", "hide", "omit", "noindex", "no_index", "skip_when"];
        let remedy = match self {
            Self::Struct | Self::Enum => "did you mean `skip_if`?",
            Self::Variant => "did you mean `skip`?",
            Self::StructField | Self::VariantField => {
                "write `skip_if` to leave the record out, or `skip` to leave the field unused"
            }
            Self::Part | Self::PartField => return None,
        };
        WORDS.contains(&name).then(|| format!("; {remedy}"))
    }

    /// Returns the remedy for a name that is similar to an attribute of another place.
    fn elsewhere(self, name: &str) -> Option<String> {
        self.alternatives().iter().find_map(|(other, there)| {
            let known = did_you_mean(name, other.names().iter().copied(), '`')?;
            Some(format!("{} on {there}?", known.trim_end_matches('?')))
        })
    }

    /// Returns true if any place allows the attribute.
    pub(crate) fn any_allows(name: &str) -> bool {
        [Self::Struct, Self::Enum, Self::Variant, Self::StructField]
            .into_iter()
            .any(|place| place.allows(name))
    }

    const fn is_in_part(self) -> bool {
        matches!(self, Self::Part | Self::PartField)
    }
}
