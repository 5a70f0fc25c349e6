//! Tests that generated code compiles in unusual surroundings: without a prelude, next to items with the same names as
//! in the generated code, under strict lints, and through a re-export.

#![no_implicit_prelude]
#![deny(warnings, unused_qualifications, unused_lifetimes, single_use_lifetimes, missing_docs)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

pub extern crate sitemap_core as renamed;

use ::renamed::{SitemapEntry, SitemapPart};

/// Items that use names from the prelude and from the generated code, but mean something else.
#[allow(dead_code, non_camel_case_types, non_upper_case_globals, missing_docs, unreachable_pub)]
mod shadows {
    pub struct Option;
    pub struct Result;
    pub struct String;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct Vec;
    pub struct Entry;
    pub struct Error;
    pub struct f64;
    pub struct bool;
    pub struct str;
    pub trait Into {}
    pub trait AsRef {}
    pub mod core {}
    pub mod std {}
    pub mod sitemap_core {}
    pub const url: u8 = 0;
    pub const out: u8 = 0;
    pub const entry: u8 = 0;
    pub const pages: u8 = 0;
    pub const locale: u8 = 0;
    pub const lastmod: u8 = 0;
    pub const value: u8 = 0;
    pub const fn with() {}
    pub const __sitemap_out: u8 = 0;
    pub const __sitemap_entry: u8 = 0;
    pub const __sitemap_url: u8 = 0;
    pub const __sitemap_value: u8 = 0;
    pub const __sitemap_error: u8 = 0;
    pub const __sitemap_function: u8 = 0;
    pub const __sitemap_pages: u8 = 0;
    pub const __sitemap_locale: u8 = 0;
    pub const __sitemap_lastmod: u8 = 0;
    pub const __sitemap_changefreq: u8 = 0;
    pub const __sitemap_priority: u8 = 0;
    pub const __sitemap_param_page: u8 = 0;
    pub const __sitemap_field_url: u8 = 0;
    pub struct __sitemap_field_out;
    pub static __sitemap_field_entry: u8 = 0;
}

#[allow(clippy::wildcard_imports, unused_imports, missing_docs, unreachable_pub)]
mod used {
    use super::shadows::*;
    use super::{SitemapEntry, SitemapPart};

    type Date = ::core::option::Option<::renamed::LastMod>;

    #[derive(SitemapEntry)]
    #[sitemap(
        crate = ::renamed,
        loc = "/{slug}/{*rest}?page={page}",
        changefreq = "weekly",
        priority = WEIGHT,
        skip_if = Post::is_hidden,
    )]
    pub struct Post<'a> {
        pub slug: &'a ::core::primitive::str,
        pub rest: &'static ::core::primitive::str,
        #[sitemap(param, with = double)]
        pub page: u8,
        #[deprecated]
        pub lastmod: Date,
        #[sitemap(flatten)]
        pub part: Part<Date>,
        #[sitemap(skip_if)]
        pub draft: ::core::primitive::bool,
    }

    const WEIGHT: ::core::primitive::f64 = 0.5;

    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn double(number: &u8) -> u8 {
        *number * 2
    }

    impl Post<'_> {
        const fn is_hidden(&self) -> ::core::primitive::bool {
            self.page > 100
        }
    }

    #[derive(SitemapPart)]
    #[sitemap(crate = ::renamed, changefreq = ::renamed::ChangeFreq::Daily)]
    pub struct Part<T> {
        pub lastmod: T,
        #[sitemap(priority)]
        pub weight: ::core::option::Option<::core::primitive::f64>,
    }

    #[derive(SitemapEntry)]
    #[sitemap(crate = ::renamed, locales = ["en", "de"], lastmod = "2026")]
    #[deprecated]
    pub enum Route {
        #[sitemap(loc = "/{locale}/about")]
        #[deprecated]
        About,
        #[sitemap(loc = "/{url}/{out}/{entry}")]
        #[deprecated]
        All {
            url: u8,
            #[deprecated]
            out: u8,
            entry: u8,
        },
    }

    /// A trait with the names of the methods that derived code calls.
    #[allow(dead_code)]
    pub trait Methods: ::core::marker::Sized {
        fn text(self) {}
        fn loc(self) {}
        fn push(self) {}
        fn call(self) {}
        fn into_option(self) {}
        fn into_result(self) {}
        fn literal(&self) {}
        fn joined(&self) {}
        fn give_back(&self) {}
        fn site(&self) {}
        fn write(&self) {}
        fn add(&self) {}
        fn visit(&self) {}
        fn priority(&self) {}
    }

    impl<T> Methods for T {}

    #[derive(SitemapEntry)]
    #[sitemap(crate = ::renamed)]
    pub enum Search<'a, T> {
        #[sitemap(loc = "/{part.kind}/{query()}/{day:%Y/%m}?out={out?}&url={url}&entry={last():%d?}")]
        Results { part: &'a Kind<T>, day: ::renamed::LastMod, out: ::core::option::Option<T>, url: u8 },
    }

    impl<T> Search<'_, T> {
        const fn query(&self) -> &'static ::core::primitive::str {
            let Self::Results { url: number, .. } = self;
            if *number > 0 { "q" } else { "" }
        }

        const fn last(&self) -> ::core::option::Option<::renamed::LastMod> {
            let Self::Results { day, url: number, .. } = self;
            if *number > 0 { ::core::option::Option::Some(*day) } else { ::core::option::Option::None }
        }
    }

    pub struct Kind<T> {
        pub kind: u8,
        pub other: T,
    }

    #[derive(SitemapEntry)]
    #[sitemap(crate = ::renamed, transparent)]
    pub struct Wrapper<'a, const N: ::core::primitive::usize>(pub &'a Post<'a>);
}

#[::core::prelude::v1::test]
#[allow(deprecated)]
fn everything_is_found_by_its_absolute_path() {
    use ::core::assert_eq;
    use ::core::iter::Iterator;
    use ::core::option::Option::{None, Some};
    use ::renamed::{Site, StaticPages, entries_of};
    use ::std::vec::Vec;

    fn locs<T: SitemapEntry>(record: &T) -> Vec<::std::string::String> {
        let found = entries_of(record, &Site::new("https://example.com").unwrap()).unwrap();
        found.iter().map(|entry| ::std::string::ToString::to_string(entry.loc())).collect()
    }
    let part = used::Part { lastmod: None, weight: Some(0.25) };
    let post = used::Post { slug: "a", rest: "b/c", page: 2, lastmod: None, part, draft: false };
    assert_eq!(locs(&post), ["https://example.com/a/b/c?page=4"]);
    assert_eq!(locs(&used::Wrapper::<1>(&post)), ["https://example.com/a/b/c?page=4"]);
    assert_eq!(locs(&used::Route::About), ["https://example.com/en/about", "https://example.com/de/about"]);
    assert_eq!(locs(&used::Route::All { url: 1, out: 2, entry: 3 }), ["https://example.com/1/2/3"]);
    assert_eq!(used::Route::PAGES.len(), 1);
    let part = used::Kind { kind: 1, other: 'x' };
    let day = ::renamed::LastMod::date(2026, 1, 31).unwrap();
    let search = used::Search::Results { part: &part, day, out: Some(part.other), url: 2 };
    assert_eq!(locs(&search), ["https://example.com/1/q/2026/01?out=x&url=2&entry=31"]);
}

#[::core::prelude::v1::test]
fn inside_functions_and_macros() {
    macro_rules! record {
        ($krate:ident, $name:ident { $($field:ident: $ty:ty),* }, $template:expr) => {{
            #[derive(SitemapEntry)]
            #[sitemap(crate = ::$krate, loc = $template)]
            struct $name {
                id: u8,
                $($field: $ty,)*
            }
            ::renamed::entries_of(
                &$name { id: 1, $($field: 2,)* },
                &::renamed::Site::new("https://example.com").unwrap(),
            )
            .unwrap()
            .remove(0)
        }};
    }
    let entry = record!(renamed, Page { id2: u8 }, "/{id}/{id2}");
    ::core::assert_eq!(entry.loc().as_str(), "https://example.com/1/2");
}

/// A facade that re-exports the library, and a macro that refers to the library with `$crate`.
pub mod facade {
    pub use ::renamed as sitemap;

    /// Defines a record with one page.
    #[macro_export]
    macro_rules! facade_page {
        ($name:ident, $path:literal) => {
            #[derive($crate::facade::sitemap::SitemapEntry)]
            #[sitemap(
                                                                crate = $crate::facade::sitemap,
                                                                loc = concat!($path, "?page={page?}"),
                                                                priority = WEIGHT,
                                                                skip_if = Self::is_hidden,
                                                                section = "pages"
                                                            )]
            struct $name {
                page: ::core::option::Option<u8>,
                #[sitemap(lastmod, with = ::core::clone::Clone::clone)]
                changed: ::renamed::LastMod,
            }

            const WEIGHT: f64 = 0.5;

            impl $name {
                const fn is_hidden(&self) -> bool {
                    self.page.is_some()
                }
            }
        };
    }
}

#[::core::prelude::v1::test]
fn through_a_facade() {
    facade_page!(About, "/about");
    let site = facade::sitemap::Site::new("https://example.com").unwrap();
    let about = About { page: ::core::option::Option::None, changed: "2026".parse().unwrap() };
    let entries = facade::sitemap::entries_of(&about, &site).unwrap();
    ::core::assert_eq!(entries[0].loc().as_str(), "https://example.com/about");
}
