//! The search engines that have their own rules.

use std::fmt;
use std::str::FromStr;

use super::unknown::UnknownName;

/// A search engine that has its own rules. See [`CheckOptions::engine`](crate::CheckOptions::engine).
///
/// ```
/// use sitemap_read::{Engine, Rule};
///
/// assert_eq!("Yandex".parse::<Engine>()?, Engine::Yandex);
/// assert_eq!(Engine::Yandex.to_string(), "yandex");
/// assert_eq!(Rule::LocTooLongYandex.engines(), [Engine::Yandex]);
/// # Ok::<(), sitemap_read::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Google.
    Google,
    /// Microsoft Bing.
    Bing,
    /// Yandex.
    Yandex,
}

impl Engine {
    /// All search engines.
    pub const ALL: [Self; 3] = [Self::Google, Self::Bing, Self::Yandex];

    /// Returns `google`, `bing` or `yandex`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Bing => "bing",
            Self::Yandex => "yandex",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Bing => "Bing",
            Self::Yandex => "Yandex",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Engine {
    type Err = UnknownName;

    /// Parses the name of a search engine, ignoring case.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownName`] if the string is not the name of a search engine.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|engine| engine.as_str().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownName {
            of: "search engine",
            name: name.into(),
            remedy: "use `google`, `bing` or `yandex`",
        })
    }
}

/// A set of search engines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Engines([bool; 3]);

impl Engines {
    pub(crate) fn add(&mut self, engine: Engine) {
        self.0[engine as usize] = true;
    }

    pub(crate) fn has(self, engine: Engine) -> bool {
        self.0[engine as usize]
    }

    /// Returns the names of the given engines that are in the set, such as `Google and Bing`.
    pub(crate) fn names(self, engines: &[Engine]) -> String {
        let engines = engines.iter().filter(|&&engine| self.has(engine));
        engines.map(|engine| engine.name()).collect::<Vec<_>>().join(" and ")
    }
}
