//! Support for user-defined constants in attributes: values that all records of a type share, checked at compile time.
//!
//! A constant may have one of several types, but trait methods can't be called in constants. So [`Constant`] has
//! inherent methods with the same name for each of these types. For all other types, the compiler finds the methods of
//! [`not_constant`]. No type meets their bounds, so the compiler reports an error.

use crate::extension::is_locale;
use crate::value::{ChangeFreq, LastMod, Priority};

/// A user-defined constant.
#[derive(Debug)]
pub struct Constant<T>(pub T);

impl Constant<LastMod> {
    pub const fn __lastmod(self) -> LastMod {
        self.0
    }
}

impl Constant<ChangeFreq> {
    pub const fn __changefreq(self) -> ChangeFreq {
        self.0
    }
}

impl Constant<Priority> {
    pub const fn __priority(self) -> Priority {
        self.0
    }
}

impl Constant<f64> {
    #[track_caller]
    #[allow(clippy::panic, clippy::missing_panics_doc)] // the panic is a compile error
    pub const fn __priority(self) -> Priority {
        match Priority::new(self.0) {
            Ok(priority) => priority,
            Err(_) => panic!("`priority` is out of range; use a number from 0.0 to 1.0"),
        }
    }
}

impl Constant<f32> {
    /// Takes a reference. That makes the compiler prefer the `f64` method for expressions such as `1.0 / 3.0`, which
    /// can be `f32` or `f64`.
    #[track_caller]
    pub const fn __priority(&self) -> Priority {
        Constant(self.0 as f64).__priority()
    }
}

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty => |$given:ident| $slice:expr),+ $(,)?) => {$(
        impl<$($generics)*> Constant<$list> {
            #[track_caller]
            pub const fn __locales(self, x_default: Option<&str>) -> &'static [&'static str] {
                let $given = self.0;
                check_locales($slice, x_default)
            }
        }
    )+};
}

lists! {
    [] &'static &'static [&'static str] => |list| *list,
    [const N: usize] &'static &'static [&'static str; N] => |list| *list,
    [const N: usize] &'static [&'static str; N] => |list| list,
}

#[track_caller]
#[allow(clippy::panic)] // the panic is a compile error
const fn check_locales(list: &'static [&'static str], x_default: Option<&str>) -> &'static [&'static str] {
    assert!(!list.is_empty(), "`locales` is empty; name at least one locale, as in `[\"en\", \"de\"]`");
    let mut at = 0;
    while at < list.len() {
        assert!(
            is_locale(list[at]),
            "one of the `locales` is not a language with an optional script and country; write locales like \"en\", \
             \"pt-BR\" or \"zh-Hant\""
        );
        assert!(!contains(list, at, list[at]), "one of the `locales` is given twice; remove one");
        at += 1;
    }
    if let Some(locale) = x_default {
        assert!(
            contains(list, list.len(), locale),
            "`x_default` is not one of the `locales`; use one of them"
        );
    }
    list
}

/// Returns `true` if a locale is among the first `len` locales of a list.
const fn contains(list: &[&str], len: usize, locale: &str) -> bool {
    let mut at = 0;
    while at < len {
        if list[at].eq_ignore_ascii_case(locale) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the value of a literal that the derive macro has already checked.
#[allow(clippy::panic, clippy::missing_panics_doc)] // the derive refuses such a literal
pub const fn literal_lastmod(text: &str) -> LastMod {
    match LastMod::parse(text) {
        Ok(lastmod) => lastmod,
        Err(_) => panic!("`lastmod` is not a W3C datetime"),
    }
}

/// A type that can be a `lastmod` constant. No type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a constant sitemap `lastmod`",
    label = "not a `LastMod`",
    note = "write a string like \"2026-01-31\", a constant `LastMod`, or a function, as in `lastmod = Self::modified`"
)]
pub trait LastModConstant {}

/// A type that can be a `changefreq` constant. No type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a constant sitemap `changefreq`",
    label = "not a `ChangeFreq`",
    note = "write a string like \"weekly\", a constant `ChangeFreq`, or a function, as in `changefreq = Self::frequency`"
)]
pub trait ChangeFreqConstant {}

/// A type that can be a `priority` constant. No type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a constant sitemap `priority`",
    label = "not a priority",
    note = "write a number like 0.8, a constant `f64`, `f32` or `Priority`, or a function, as in `priority = Self::weight`"
)]
pub trait PriorityConstant {}

/// A type that can be a `locales` constant. No type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as constant sitemap `locales`",
    label = "not a list of `&str`",
    note = "write a list like [\"en\", \"de\"], a constant `&[&str]` or `[&str; N]`, or a function, as in `locales = Self::locales`"
)]
pub trait LocalesConstant {}

/// The methods of [`Constant`] for types that cannot be such a constant.
#[allow(clippy::unimplemented)] // no type meets the bounds
pub mod not_constant {
    use super::{
        ChangeFreq, ChangeFreqConstant, Constant, LastMod, LastModConstant, LocalesConstant, Priority,
        PriorityConstant,
    };

    pub trait NotLastMod<T>: Sized {
        fn __lastmod(&mut self) -> LastMod
        where
            T: LastModConstant;
    }

    impl<T> NotLastMod<T> for Constant<T> {
        fn __lastmod(&mut self) -> LastMod
        where
            T: LastModConstant,
        {
            unimplemented!()
        }
    }

    pub trait NotChangeFreq<T>: Sized {
        fn __changefreq(&mut self) -> ChangeFreq
        where
            T: ChangeFreqConstant;
    }

    impl<T> NotChangeFreq<T> for Constant<T> {
        fn __changefreq(&mut self) -> ChangeFreq
        where
            T: ChangeFreqConstant,
        {
            unimplemented!()
        }
    }

    pub trait NotPriority<T>: Sized {
        fn __priority(&mut self) -> Priority
        where
            T: PriorityConstant;
    }

    impl<T> NotPriority<T> for Constant<T> {
        fn __priority(&mut self) -> Priority
        where
            T: PriorityConstant,
        {
            unimplemented!()
        }
    }

    pub trait NotLocales<T>: Sized {
        fn __locales(&mut self, x_default: Option<&str>) -> &'static [&'static str]
        where
            T: LocalesConstant;
    }

    impl<T> NotLocales<T> for Constant<T> {
        fn __locales(&mut self, _: Option<&str>) -> &'static [&'static str]
        where
            T: LocalesConstant,
        {
            unimplemented!()
        }
    }
}

/// Functions named like the variables in derived code. Derived code imports them to hide user-defined constants with
/// the same names, because a `let` can shadow a function but not a constant.
pub mod names {
    macro_rules! names {
        ($($name:ident)+) => {$(pub const fn $name() {})+};
    }

    names! {
        __sitemap_value __sitemap_error __sitemap_function __sitemap_entry __sitemap_out __sitemap_url __sitemap_start __sitemap_pages
        __sitemap_locale __sitemap_loc __sitemap_lastmod __sitemap_changefreq __sitemap_priority __sitemap_images
        __sitemap_videos __sitemap_news __sitemap_alternates __sitemap_images_returned __sitemap_videos_returned
        __sitemap_news_returned __sitemap_alternates_returned
    }
}
