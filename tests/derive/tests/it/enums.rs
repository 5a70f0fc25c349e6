//! Tests of the entries and static pages of derived enums.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, clippy::ref_option_ref)] // `with` passes references to fields

use crate::support::{locs, site, summary};
use sitemap_core::{ChangeFreq, Site, SitemapEntry, StaticPages, entries_of};

struct Post {
    slug: &'static str,
}

impl SitemapEntry for Post {
    fn write_entries(&self, out: &mut sitemap_core::EntryWriter<'_>) -> Result<(), sitemap_core::Error> {
        self.slug.write_entries(out)
    }
}

#[derive(SitemapEntry)]
#[sitemap(changefreq = "weekly", priority = 0.5)]
enum Route {
    #[sitemap(loc = "/", priority = 1.0)]
    Home,
    #[sitemap(loc = "/about", changefreq = ChangeFreq::Yearly)]
    About,
    #[sitemap(loc = "/users/{name}")]
    User {
        name: String,
        #[sitemap(priority)]
        weight: Option<f64>,
        #[sitemap(skip_if)]
        hidden: bool,
    },
    #[sitemap(loc = "/archive/{0}/{1}")]
    Archive(u16, u8),
    #[sitemap(transparent)]
    Post(Post),
    Link {
        #[sitemap(loc, with = rooted)]
        target: &'static str,
        #[sitemap(changefreq)]
        often: ChangeFreq,
    },
    #[sitemap(skip)]
    Admin,
    #[sitemap(skip)]
    Login {
        #[allow(dead_code)]
        next: String,
    },
    #[sitemap(loc = "https://example.com/elsewhere")]
    Elsewhere {},
    #[sitemap(loc = "/empty")]
    Empty(),
}

fn rooted(path: &str) -> String {
    format!("/{path}")
}

#[test]
fn every_variant_is_a_page_of_its_own() {
    let user = |hidden| Route::User { name: "ann/b".into(), weight: Some(0.75), hidden };
    assert_eq!(summary(&Route::Home), "https://example.com/ - weekly 1.0");
    assert_eq!(summary(&Route::About), "https://example.com/about - yearly 0.5");
    assert_eq!(summary(&user(false)), "https://example.com/users/ann%2Fb - weekly 0.75");
    assert_eq!(summary(&Route::Archive(2026, 1)), "https://example.com/archive/2026/1 - weekly 0.5");
    assert_eq!(summary(&Route::Elsewhere {}), "https://example.com/elsewhere - weekly 0.5");
    let link = Route::Link { target: "x", often: ChangeFreq::Never };
    assert_eq!(summary(&link), "https://example.com/x - never 0.5");
    assert!(locs(&user(true)).is_empty());
}

#[test]
fn a_transparent_variant_delegates_and_takes_no_default() {
    assert_eq!(summary(&Route::Post(Post { slug: "/p" })), "https://example.com/p - - -");
}

#[test]
fn a_skipped_variant_has_no_page() {
    assert!(locs(&Route::Admin).is_empty());
    assert!(locs(&Route::Login { next: String::new() }).is_empty());
}

#[test]
fn static_pages_are_the_variants_without_fields() {
    let pages: Vec<_> = Route::PAGES.iter().flat_map(locs).collect();
    assert_eq!(
        pages,
        [
            "https://example.com/",
            "https://example.com/about",
            "https://example.com/elsewhere",
            "https://example.com/empty"
        ]
    );
}

#[test]
fn skip_if_of_an_enum_and_of_a_variant() {
    #[derive(SitemapEntry, Clone, Copy, PartialEq)]
    #[sitemap(skip_if = Self::is_old)]
    enum Page {
        #[sitemap(loc = "/new")]
        New,
        #[sitemap(loc = "/old")]
        Old,
        #[sitemap(loc = "/n/{0}", skip_if = Page::is_odd)]
        Numbered(u8),
    }
    impl Page {
        fn is_old(&self) -> bool {
            *self == Self::Old
        }
        fn is_odd(&self) -> bool {
            matches!(self, Self::Numbered(number) if number % 2 == 1)
        }
    }
    assert_eq!(locs(&Page::New), ["https://example.com/new"]);
    assert!(locs(&Page::Old).is_empty());
    assert_eq!(locs(&Page::Numbered(2)), ["https://example.com/n/2"]);
    assert!(locs(&Page::Numbered(1)).is_empty());
}

#[test]
fn an_enums_base_is_for_all_its_paths() {
    #[derive(SitemapEntry)]
    #[sitemap(base = "https://shop.example/b")]
    enum Shop {
        #[sitemap(loc = "/")]
        Home,
        #[sitemap(loc = "/{sku}")]
        Item { sku: u32 },
        #[sitemap(loc = "https://other.example/x")]
        Other,
    }
    let site = Site::new("https://shop.example").unwrap().also_list("https://other.example").unwrap();
    let pages = [Shop::Home, Shop::Item { sku: 5 }, Shop::Other];
    let locs: Vec<_> =
        pages.iter().map(|page| entries_of(page, &site).unwrap()[0].loc().as_str().to_owned()).collect();
    assert_eq!(locs, ["https://shop.example/b/", "https://shop.example/b/5", "https://other.example/x"]);
}

#[test]
fn generic_enums_have_bounds_and_no_static_pages() {
    #[derive(SitemapEntry)]
    enum Page<'a, T, Inner> {
        #[sitemap(loc = "/{0}")]
        One(&'a T),
        #[sitemap(transparent)]
        Inner(Inner),
        #[sitemap(loc = "/")]
        Home,
    }
    assert_eq!(locs(&Page::<_, &str>::One(&1)), ["https://example.com/1"]);
    assert_eq!(locs(&Page::<u8, _>::Inner("/x")), ["https://example.com/x"]);
    assert_eq!(locs(&Page::<u8, &str>::Home), ["https://example.com/"]);
}

#[test]
fn an_enum_without_variants_can_be_a_record() {
    #[derive(SitemapEntry)]
    enum Never {}
    fn of(never: Option<&Never>) -> usize {
        never.map_or(0, |never| entries_of(never, &site()).unwrap().len())
    }
    assert_eq!(of(None), 0);
}

#[test]
fn raw_names_of_variants_and_fields() {
    #[derive(SitemapEntry)]
    enum Kind {
        #[sitemap(loc = "/{type}")]
        r#Box { r#type: u8 },
        #[sitemap(loc = "/r")]
        r#Unit,
    }
    assert_eq!(locs(&Kind::r#Box { r#type: 1 }), ["https://example.com/1"]);
    assert_eq!(Kind::PAGES.len(), 1);
}

#[test]
fn variants_name_their_pages() {
    #[derive(SitemapEntry)]
    #[sitemap(rename_all = "kebab-case", base = "https://example.com/shop/de", changefreq = "monthly")]
    #[allow(dead_code)]
    enum Page {
        #[sitemap(loc = "/")]
        Home,
        ContactUs,
        #[sitemap(priority = 0.3)]
        ÜberUns,
        r#Type {},
        #[sitemap(skip)]
        Admin,
        #[sitemap(loc = "/users/{0}")]
        User(u32),
    }

    let pages: Vec<_> = Page::PAGES.iter().map(summary).collect();
    assert_eq!(
        pages,
        [
            "https://example.com/shop/de/ - monthly -",
            "https://example.com/shop/de/contact-us - monthly -",
            "https://example.com/shop/de/%C3%BCber-uns - monthly 0.3",
            "https://example.com/shop/de/type - monthly -",
        ]
    );
}

#[test]
fn urls_that_only_look_the_same_are_different_pages() {
    #[derive(SitemapEntry)]
    #[sitemap(locales = ["en"])]
    enum Route {
        #[sitemap(loc = "/a")]
        One,
        #[sitemap(loc = "/a/")]
        Two,
        #[sitemap(loc = "/A")]
        Three,
        #[sitemap(loc = "https://example.com/a")]
        Four,
        #[sitemap(loc = "/a", skip_if = Self::is_hidden)]
        Five,
        #[sitemap(loc = "/{locale}/a")]
        Six,
        #[sitemap(loc = "/{locale}/a", locales = ["de"])]
        Seven,
        #[sitemap(loc = "/{0}")]
        Eight(u8),
        #[sitemap(loc = "/{0}")]
        Nine(char),
    }
    impl Route {
        const fn is_hidden(&self) -> bool {
            matches!(self, Self::Five)
        }
    }
    assert_eq!(Route::PAGES.iter().flat_map(locs).count(), 6);
    assert_eq!(locs(&Route::Eight(1)), ["https://example.com/1"]);
    assert_eq!(locs(&Route::Nine('a')), ["https://example.com/a"]);
}
