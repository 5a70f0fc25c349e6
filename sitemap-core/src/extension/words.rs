//! Values that can only be one of a few fixed words.

/// Defines an enum for the words that an element or attribute can contain.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $name:ident of $element:literal {
            $(#[$first_doc:meta])* $first:ident = $first_word:literal
            $(, $(#[$doc:meta])* $variant:ident = $word:literal)* $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(#[$first_doc])*
            $first,
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All variants, in schema order.
            pub const ALL: &'static [Self] = &[Self::$first $(, Self::$variant)*];

            pub(crate) const WORDS: &'static [&'static str] = &[$first_word $(, $word)*];

            pub(super) fn known(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }

            /// Returns the word as it appears in a sitemap.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl From<$name> for $crate::extension::fields::Value<'_> {
            fn from(word: $name) -> Self {
                Self::Text(std::borrow::Cow::Borrowed(word.as_str()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::extension::ExtensionError;

            /// Parses a word. It must be spelled exactly as in the schema.
            ///
            /// # Errors
            ///
            /// Returns an [`ExtensionError`](crate::extension::ExtensionError) for any other string.
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::known(word).ok_or_else(|| {
                    $crate::extension::ExtensionError::new(
                        $element,
                        $crate::extension::ExtensionErrorKind::Invalid,
                        format!("is {}", $crate::extension::error::excerpt(word)),
                        concat!("use one of `", $first_word, "`" $(, ", `", $word, "`")*),
                    )
                })
            }
        }
    };
}

pub(super) use words;
