//! Search engines, and the rules that are true for single ones only.

use std::fmt;
use std::str::FromStr;

use crate::rule::Rule;

/// A search engine whose own rules can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Google, Self::Bing, Self::Yandex];

    /// `google`, `bing` or `yandex`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Bing => "bing",
            Self::Yandex => "yandex",
        }
    }

    pub(super) const fn name(self) -> &'static str {
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
    type Err = UnknownEngine;

    /// Reads a name in any case.
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let found = Self::ALL.into_iter().find(|engine| engine.as_str().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownEngine(name.into()))
    }
}

/// A text that names no search engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(Box<str>);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown search engine; use google, bing or yandex, found {:?}", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

/// A set of engines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Engines([bool; 3]);

impl Engines {
    pub(super) fn add(&mut self, engine: Engine) {
        self.0[engine as usize] = true;
    }

    pub(super) fn has(self, engine: Engine) -> bool {
        self.0[engine as usize]
    }

    /// Those asked for that the rule is about, by their names.
    pub(super) fn names(self, rule: Rule) -> String {
        let engines = rule.engines().iter().filter(|&&engine| self.has(engine));
        engines.map(|engine| engine.name()).collect::<Vec<_>>().join(" and ")
    }
}

impl Rule {
    /// The engines that the rule is about; none if it is about all.
    ///
    /// Such a rule is checked only for the engines [asked for](super::CheckOptions::engine).
    #[must_use]
    pub const fn engines(self) -> &'static [Engine] {
        match self {
            Self::HintsIgnored => &[Engine::Google, Engine::Bing],
            Self::ChildOutside | Self::FeedAtom03 | Self::TextName | Self::RootPrefixed => &[Engine::Google],
            Self::LocTooLongYandex
            | Self::ValueTooLongYandex
            | Self::FeedUnsupported
            | Self::CrossSubmission
            | Self::HreflangIgnored => &[Engine::Yandex],
            _ => &[],
        }
    }
}
