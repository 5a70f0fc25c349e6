//! Tests of the entries of derived structs.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, clippy::ref_option_ref)] // `with` passes references to fields

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::{error, locs, site, summary};
use sitemap_core::{ChangeFreq, LastMod, Loc, Priority, Site, SitemapEntry, entries_of};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", changefreq = "weekly", priority = 0.8, skip_if = Post::is_draft)]
struct Post {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
    draft: bool,
}

impl Post {
    fn is_draft(&self) -> bool {
        self.draft
    }
}

#[test]
fn template_constants_and_a_date() {
    let updated_at = "2026-01-31T10:00:00Z".parse().ok();
    let post = Post { slug: "hello world".into(), updated_at, draft: false };
    assert_eq!(summary(&post), "https://example.com/posts/hello%20world 2026-01-31T10:00:00Z weekly 0.8");
    let undated = Post { slug: "x".into(), updated_at: None, draft: false };
    assert_eq!(summary(&undated), "https://example.com/posts/x - weekly 0.8");
}

#[test]
fn skip_if_on_the_container_leaves_the_record_out() {
    assert!(locs(&Post { slug: "x".into(), updated_at: None, draft: true }).is_empty());
}

#[test]
fn fields_have_roles_by_their_names() {
    #[derive(SitemapEntry)]
    struct Page {
        loc: String,
        lastmod: SystemTime,
        changefreq: Option<ChangeFreq>,
        priority: f32,
    }
    let page = Page {
        loc: "/about".into(),
        lastmod: UNIX_EPOCH + Duration::from_secs(86_400),
        changefreq: Some(ChangeFreq::Never),
        priority: 0.25,
    };
    assert_eq!(summary(&page), "https://example.com/about 1970-01-02T00:00:00Z never 0.25");
}

#[test]
fn skip_takes_the_role_of_a_name_away() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/queue/{priority}/{loc}", priority = 1)]
    struct Task {
        #[sitemap(skip)]
        priority: u8,
        #[sitemap(skip)]
        loc: &'static str,
        #[sitemap(skip)]
        _lastmod: (),
    }
    let task = Task { priority: 7, loc: "x", _lastmod: () };
    assert_eq!(summary(&task), "https://example.com/queue/7/x - - 1.0");
}

#[test]
fn a_loc_field_takes_urls_and_paths() {
    #[derive(SitemapEntry)]
    struct Link<T> {
        #[sitemap(loc)]
        target: T,
    }
    assert_eq!(locs(&Link { target: "/a b" }), ["https://example.com/a%20b"]);
    assert_eq!(
        locs(&Link { target: Loc::parse("https://example.com/x").unwrap() }),
        ["https://example.com/x"]
    );
    assert_eq!(
        error(&Link { target: "about".to_owned() }),
        "`loc` must be an absolute URL or a path on the site, found \"about\"; start it with `https://`, `http://` or a single `/`"
    );
}

#[test]
fn every_constant_may_be_a_literal() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/", lastmod = "2024-03", changefreq = "yearly", priority = 0)]
    struct Home;
    assert_eq!(summary(&Home), "https://example.com/ 2024-03 yearly 0.0");

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/", lastmod = "2024-03-09T16:05:30.25-08:00", priority = -0.0)]
    struct Precise {}
    assert_eq!(summary(&Precise {}), "https://example.com/ 2024-03-09T16:05:30.25-08:00 - 0.0");
}

#[test]
fn every_constant_may_be_an_expression() {
    const CHANGED: LastMod = match LastMod::parse("2026-01-31") {
        Ok(lastmod) => lastmod,
        Err(_) => panic!("not a date"),
    };

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/", lastmod = CHANGED, changefreq = ChangeFreq::Daily, priority = Config::WEIGHT / 2.0)]
    struct Home;

    struct Config;
    impl Config {
        const WEIGHT: f64 = 0.5;
    }
    assert_eq!(summary(&Home), "https://example.com/ 2026-01-31 daily 0.25");
}

#[test]
fn constants_may_belong_to_the_type_itself() {
    trait Weighted {
        const WEIGHT: f64;
    }
    struct Heavy;
    impl Weighted for Heavy {
        const WEIGHT: f64 = 1.0;
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/", priority = T::WEIGHT, changefreq = Self::FREQUENCY)]
    struct Home<T: Weighted>(#[sitemap(skip)] std::marker::PhantomData<T>);

    impl<T: Weighted> Home<T> {
        const FREQUENCY: ChangeFreq = ChangeFreq::Hourly;
    }
    assert_eq!(summary(&Home::<Heavy>(std::marker::PhantomData)), "https://example.com/ - hourly 1.0");
}

#[test]
fn with_converts_for_every_role() {
    mod convert {
        use sitemap_core::value::LastModError;
        use sitemap_core::{ChangeFreq, LastMod};

        pub(super) fn path(number: &u32) -> String {
            format!("/items/{number}")
        }
        pub(super) fn date(text: &str) -> Result<LastMod, LastModError> {
            text.parse()
        }
        pub(super) fn frequency(days: &u32) -> Option<ChangeFreq> {
            (*days < 8).then_some(ChangeFreq::Weekly)
        }
        pub(super) fn stars(stars: &u8) -> f64 {
            f64::from(*stars) / 5.0
        }
        pub(super) fn is_gone(deleted: &Option<u64>) -> bool {
            deleted.is_some()
        }
    }

    #[derive(SitemapEntry)]
    struct Item<'a> {
        #[sitemap(loc, with = convert::path)]
        id: u32,
        #[sitemap(lastmod, with = convert::date)]
        changed: &'a str,
        #[sitemap(changefreq, with = convert::frequency)]
        every: u32,
        #[sitemap(priority, with = convert::stars)]
        stars: u8,
        #[sitemap(skip_if, with = convert::is_gone)]
        deleted_at: Option<u64>,
    }
    let mut item = Item { id: 7, changed: "2026", every: 7, stars: 4, deleted_at: None };
    assert_eq!(summary(&item), "https://example.com/items/7 2026 weekly 0.8");
    item.changed = "soon";
    let start = "`changed` of `Item` at \"https://example.com/items/7\": `lastmod` must be a W3C datetime";
    assert!(error(&item).starts_with(start), "{}", error(&item));
    item.deleted_at = Some(1);
    assert!(locs(&item).is_empty());
}

#[test]
fn with_may_lend_from_the_field() {
    struct Title {
        slug: String,
    }
    impl Title {
        fn slug(&self) -> &str {
            &self.slug
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{title}?q={query}")]
    struct Page {
        #[sitemap(param, with = Title::slug)]
        title: Title,
        #[sitemap(param, with = or_empty)]
        query: Option<&'static str>,
    }
    fn or_empty<'a>(text: &Option<&'a str>) -> &'a str {
        text.unwrap_or_default()
    }
    let page = Page { title: Title { slug: "a/b".into() }, query: Some("c d") };
    assert_eq!(locs(&page), ["https://example.com/a%2Fb?q=c%20d"]);
}

#[test]
fn skip_if_on_bool_fields() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}")]
    struct Item {
        id: u8,
        #[sitemap(skip_if)]
        hidden: bool,
        #[sitemap(skip_if)]
        sold: bool,
    }
    assert_eq!(locs(&Item { id: 1, hidden: false, sold: false }), ["https://example.com/1"]);
    assert!(locs(&Item { id: 1, hidden: true, sold: false }).is_empty());
    assert!(locs(&Item { id: 1, hidden: false, sold: true }).is_empty());
}

#[test]
fn tuple_structs_name_their_fields_by_number() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}/{1}")]
    struct Archive(u16, u8, #[sitemap(priority)] Priority);
    assert_eq!(summary(&Archive(2026, 1, Priority::MAX)), "https://example.com/2026/1 - - 1.0");
}

#[test]
fn transparent_takes_the_pages_of_the_only_field() {
    #[derive(SitemapEntry)]
    #[sitemap(transparent)]
    struct Wrapper(Post);

    #[derive(SitemapEntry)]
    #[sitemap(transparent, skip_if = Self::is_empty)]
    struct Wrapped<T: AsRef<str>> {
        loc: T,
    }
    impl<T: AsRef<str>> Wrapped<T> {
        fn is_empty(&self) -> bool {
            self.loc.as_ref().is_empty()
        }
    }
    let post = Post { slug: "a".into(), updated_at: None, draft: false };
    assert_eq!(locs(&Wrapper(post)), ["https://example.com/posts/a"]);
    assert_eq!(locs(&Wrapped { loc: "/a" }), ["https://example.com/a"]);
    assert!(locs(&Wrapped { loc: "" }).is_empty());
}

#[test]
fn raw_identifiers_stand_in_templates_without_their_prefix() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{type}/{r}")]
    struct Entry {
        r#type: &'static str,
        r#r: u8,
    }
    assert_eq!(locs(&Entry { r#type: "a", r: 1 }), ["https://example.com/a/1"]);
}

#[test]
fn attributes_may_be_split_and_conditional() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}")]
    #[cfg_attr(all(), sitemap(priority = 0.5,))]
    #[sitemap()]
    struct Item {
        id: u8,
        #[cfg(any())]
        #[sitemap(lastmod)]
        gone: Missing,
        #[cfg_attr(all(), sitemap(changefreq))]
        often: ChangeFreq,
    }
    assert_eq!(summary(&Item { id: 1, often: ChangeFreq::Always }), "https://example.com/1 - always 0.5");
}

#[test]
fn attributes_may_come_from_a_macro() {
    macro_rules! page {
        ($name:ident, $path:literal, $priority:expr, $field:ident: $ty:ty) => {
            #[derive(SitemapEntry)]
            #[sitemap(loc = $path, priority = $priority)]
            struct $name {
                $field: $ty,
                #[sitemap(skip_if)]
                hidden: bool,
            }
        };
    }
    page!(Item, "/items/{id}", 0.75, id: u64);
    assert_eq!(summary(&Item { id: 3, hidden: false }), "https://example.com/items/3 - - 0.75");
}

#[test]
fn base_makes_a_template_absolute() {
    #[derive(SitemapEntry)]
    #[sitemap(base = "HTTPS://Example.com:443/shop/", loc = "/items/{id}")]
    struct Item {
        id: u8,
    }
    let staging = Site::new("https://staging.example").unwrap();
    assert_eq!(locs(&Item { id: 1 }), ["https://example.com/shop/items/1"]);
    assert!(entries_of(&Item { id: 1 }, &staging).unwrap_err().to_string().starts_with("`loc` is not under"));

    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com/a/{id}")]
    struct Absolute {
        id: u8,
    }
    assert_eq!(locs(&Absolute { id: 1 }), ["https://example.com/a/1"]);
}

#[test]
fn a_rooted_template_counts_from_the_site() {
    let site = Site::new("https://staging.example/app/").unwrap();
    let post = Post { slug: "a".into(), updated_at: None, draft: false };
    assert_eq!(entries_of(&post, &site).unwrap()[0].loc().as_str(), "https://staging.example/app/posts/a");
}

#[test]
fn generic_records_get_bounds_on_their_fields() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}/{slugs}")]
    struct Item<'a, Id, D, const N: usize>
    where
        D: Clone,
    {
        id: &'a Id,
        #[sitemap(param, with = join)]
        slugs: [&'a str; N],
        #[sitemap(lastmod)]
        date: Option<D>,
        #[sitemap(skip)]
        _other: Option<Box<dyn Fn(Id)>>,
    }
    fn join<const N: usize>(slugs: &[&str; N]) -> String {
        slugs.join("-")
    }
    let item = Item { id: &5_u8, slugs: ["a", "b"], date: Some(UNIX_EPOCH), _other: None };
    assert_eq!(summary(&item), "https://example.com/5/a-b 1970-01-01T00:00:00Z - -");
}

#[test]
fn one_field_may_be_value_and_placeholder() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/day/{lastmod}/{lastmod}")]
    struct Day {
        lastmod: Date,
    }
    struct Date(u8);
    impl sitemap_core::UrlParam for Date {
        fn write_param(&self, out: &mut sitemap_core::record::ParamWriter<'_>) {
            out.write_fmt(format_args!("{:02}", self.0));
        }
    }
    impl sitemap_core::value::ToLastMod for Date {
        fn to_last_mod(&self) -> Result<Option<LastMod>, sitemap_core::value::LastModError> {
            LastMod::date(2026, 1, self.0).map(Some)
        }
    }
    assert_eq!(summary(&Day { lastmod: Date(9) }), "https://example.com/day/09/09 2026-01-09 - -");
}

#[test]
fn a_bad_value_is_an_error_and_no_page() {
    let post = Post { slug: String::new(), updated_at: None, draft: false };
    assert!(error(&post).starts_with("the value for `{slug}` in the URL template is empty"));
    let post = Post { slug: "..".into(), updated_at: None, draft: false };
    assert!(error(&post).starts_with("the value for `{slug}` creates a `.`, `..` or empty path segment"));
    assert!(entries_of(&post, &site()).is_err());
}
