//! Tests of values that the user's functions compute: methods named in attributes, and `with` functions.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::unused_self, clippy::unnecessary_wraps)] // methods have the signatures that attributes allow
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)] // `with` passes references to fields

use std::borrow::Cow;
use std::num::{ParseFloatError, ParseIntError};
use std::rc::Rc;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sitemap_core::extension::{ExtensionError, Publication, VideoSource};
use sitemap_core::record::ToVideos;
use sitemap_core::{
    ChangeFreq, Error, ErrorKind, Extensions, Image, LastMod, News, Priority, Site, SitemapEntry,
    SitemapPart, StaticPages, Video,
};

use crate::support::{all, error, locs, one, site, summary};

#[derive(SitemapEntry)]
#[sitemap(
    loc = Self::path,
    lastmod = Self::modified,
    changefreq = Self::frequency,
    priority = weight,
    images = Self::images,
    news = Self::news,
    alternates = Self::versions,
    skip_if = Self::is_hidden,
)]
struct Post {
    slug: Option<&'static str>,
    views: Option<u32>,
}

impl Post {
    fn path(&self) -> Option<String> {
        self.slug.map(|slug| format!("/posts/{slug}"))
    }

    fn modified(&self) -> Result<Option<LastMod>, sitemap_core::value::LastModError> {
        self.views.map(|year| LastMod::date(i32::try_from(year).unwrap(), 1, 2)).transpose()
    }

    fn frequency(&self) -> Option<ChangeFreq> {
        self.views.map(|_| ChangeFreq::Daily)
    }

    fn images(&self) -> [String; 1] {
        [format!("/img/{}.jpg", self.slug.unwrap_or_default())]
    }

    fn news(&self) -> Result<Option<News<'_>>, Error> {
        let Some(slug) = self.slug.filter(|slug| slug.starts_with('n')) else { return Ok(None) };
        Ok(Some(News::new(Publication::new("N", "en")?, LastMod::date(2026, 1, 1)?, slug)?))
    }

    fn versions(&self) -> Vec<(&'static str, &'static str)> {
        vec![("de", "/de")]
    }

    fn is_hidden(&self) -> bool {
        self.slug == Some("hidden")
    }
}

fn weight(post: &Post) -> Result<f64, ParseFloatError> {
    post.slug.unwrap_or_default().trim_start_matches(char::is_alphabetic).parse()
}

#[test]
fn a_method_gives_a_value_of_any_role() {
    let post = Post { slug: Some("a0.25"), views: Some(2026) };
    assert_eq!(summary(&post), "https://example.com/posts/a0.25 2026-01-02 daily 0.25");
    assert_eq!(one(&post).images()[0].loc().unwrap(), "https://example.com/img/a0.25.jpg");
    assert_eq!(one(&post).alternates()[0].href(), "https://example.com/de");
    assert_eq!(one(&post).news(), None);
    assert_eq!(one(&Post { slug: Some("n1"), views: None }).news().unwrap().title(), "n1");
    assert_eq!(summary(&Post { slug: Some("n1"), views: None }), "https://example.com/posts/n1 - - 1.0");
    assert_eq!(Post::EXTENSIONS, Extensions::IMAGES | Extensions::NEWS | Extensions::ALTERNATES);
}

#[test]
fn without_a_location_the_record_is_left_out() {
    assert_eq!(all(&Post { slug: None, views: None }), []);
    assert_eq!(all(&Post { slug: Some("hidden"), views: None }), []);
}

#[test]
fn an_error_of_another_library_names_the_record_the_method_and_its_cause() {
    let failed = sitemap_core::entries_of(&Post { slug: Some("a"), views: None }, &site()).unwrap_err();
    assert_eq!(
        failed.to_string(),
        "`weight` of `Post` at \"https://example.com/posts/a\": cannot parse float from empty string"
    );
    assert!(failed.is_invalid_record());
    let ErrorKind::Field { record: "Post", field: "weight", cause, .. } = failed.into_kind() else {
        panic!("another kind")
    };
    assert!(matches!(cause.kind(), ErrorKind::Other(cause) if cause.is::<ParseFloatError>()));
    // The same check for an error of this library.
    let failed = sitemap_core::entries_of(&Post { slug: Some("a1"), views: Some(0) }, &site()).unwrap_err();
    let ErrorKind::Field { record: "Post", page: Some(page), cause, .. } = failed.into_kind() else {
        panic!("another kind")
    };
    assert_eq!(&*page, "https://example.com/posts/a1");
    assert!(matches!(cause.kind(), ErrorKind::LastMod(_)));
}

#[test]
fn a_method_on_an_enum_applies_to_all_variants() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = Self::path, priority = Self::weight, locales = Self::locales)]
    #[allow(dead_code)] // `Admin` has no page
    enum Route {
        Home,
        #[sitemap(lastmod = Self::modified)]
        Post(u32),
        #[sitemap(loc = "/own", priority = 1.0)]
        Own,
        #[sitemap(loc = "/{locale}/translated")]
        Translated,
        #[sitemap(skip)]
        Admin,
    }
    impl Route {
        fn path(&self) -> Cow<'static, str> {
            match self {
                Self::Post(id) => format!("/posts/{id}").into(),
                _ => "/".into(),
            }
        }
        fn weight(&self) -> Option<f32> {
            matches!(self, Self::Home).then_some(0.5)
        }
        fn modified(&self) -> LastMod {
            LastMod::date(2026, 1, 31).unwrap()
        }
        fn locales(&self) -> impl Iterator<Item = &'static str> {
            ["en", "de"].into_iter()
        }
    }
    assert_eq!(summary(&Route::Home), "https://example.com/ - - 0.5");
    assert_eq!(summary(&Route::Post(3)), "https://example.com/posts/3 2026-01-31 - -");
    assert_eq!(summary(&Route::Own), "https://example.com/own - - 1.0");
    assert_eq!(
        locs(&Route::Translated),
        ["https://example.com/en/translated", "https://example.com/de/translated"]
    );
    assert_eq!(Route::PAGES.len(), 3);
}

#[test]
fn with_may_skip_and_fail_with_any_error() {
    fn id(text: &str) -> Result<Option<u32>, ParseIntError> {
        if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
    }
    fn date(text: &str) -> Result<DateTime<Utc>, chrono::ParseError> {
        text.parse()
    }
    fn rare(text: &str) -> Option<ChangeFreq> {
        text.parse().ok()
    }
    fn gone(text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| format!("{text} is not a truth"))
    }
    fn languages(text: &str) -> Result<Vec<String>, Box<dyn std::error::Error + Send + Sync>> {
        if text.is_empty() { Err("no languages".into()) } else { Ok(vec![text.to_owned()]) }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/{id}")]
    struct Row {
        #[sitemap(param, with = id)]
        id: &'static str,
        #[sitemap(lastmod, with = date)]
        date: &'static str,
        #[sitemap(changefreq, with = rare)]
        rare: &'static str,
        #[sitemap(skip_if, with = gone)]
        gone: &'static str,
        #[sitemap(locales, with = languages)]
        languages: &'static str,
    }
    let row = |id, date, rare, gone, languages| Row { id, date, rare, gone, languages };
    let good = row("7", "2026-01-31T00:00:00Z", "daily", "false", "en");
    assert_eq!(summary(&good), "https://example.com/en/7 2026-01-31T00:00:00Z daily -");
    let date = "2026-01-31T00:00:00Z";
    assert_eq!(all(&row("", date, "", "false", "en")), []);
    assert_eq!(all(&row("7", "", "", "true", "en")), []);
    assert_eq!(error(&row("x", date, "", "false", "en")), "`id` of `Row`: invalid digit found in string");
    assert_eq!(
        error(&row("7", "soon", "", "false", "en")),
        "`date` of `Row` at \"https://example.com/en/7\": input contains invalid characters"
    );
    assert_eq!(error(&row("7", date, "", "maybe", "en")), "`gone` of `Row`: maybe is not a truth");
    assert_eq!(error(&row("7", date, "", "false", "")), "`languages` of `Row`: no languages");
}

#[test]
fn one_field_may_have_a_role_and_be_a_param() {
    fn tenth(number: &u8) -> f64 {
        f64::from(*number) / 10.0
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}/{1}")]
    struct Both(#[sitemap(priority, param, with = tenth)] u8, #[sitemap(param, changefreq)] Word);

    struct Word(&'static str);
    impl sitemap_core::UrlParam for Word {
        fn write_param(&self, out: &mut sitemap_core::record::ParamWriter<'_>) {
            out.write_str(self.0);
        }
    }
    impl sitemap_core::value::ToChangeFreq for Word {
        fn to_change_freq(&self) -> Result<Option<ChangeFreq>, sitemap_core::value::ChangeFreqError> {
            self.0.parse().map(Some)
        }
    }
    assert_eq!(summary(&Both(2, Word("daily"))), "https://example.com/2/daily - daily 0.2");
}

mod pointers {
    use super::*;

    #[derive(Clone, SitemapPart)]
    struct Part {
        priority: Arc<f64>,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug}/{id}/{kind}/{title}")]
    struct Record<'r> {
        slug: Arc<String>,
        id: Box<u32>,
        kind: &'r &'r str,
        title: Rc<Cow<'r, str>>,
        lastmod: Option<Box<DateTime<Utc>>>,
        changefreq: Rc<Option<ChangeFreq>>,
        #[sitemap(flatten)]
        part: Option<Arc<Part>>,
        #[sitemap(flatten)]
        boxed: Box<Part>,
        #[sitemap(flatten)]
        lent: &'r Part,
        #[sitemap(images)]
        photos: Arc<[String]>,
        #[sitemap(alternates)]
        versions: Rc<Vec<(&'static str, &'static str)>>,
        #[sitemap(skip_if)]
        hidden: Arc<bool>,
    }

    #[derive(SitemapEntry)]
    struct Page {
        #[sitemap(loc)]
        url: Arc<url::Url>,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}")]
    struct Localized {
        #[sitemap(locales)]
        languages: Arc<[String]>,
    }

    #[test]
    fn stand_for_their_values() {
        let part = Part { priority: Arc::new(0.5) };
        let record = Record {
            slug: Arc::new("a".to_owned()),
            id: Box::new(1),
            kind: &"k",
            title: Rc::new("t".into()),
            lastmod: Some(Box::new("2026-01-31T00:00:00Z".parse().unwrap())),
            changefreq: Rc::new(Some(ChangeFreq::Never)),
            part: None,
            boxed: Box::new(part.clone()),
            lent: &part,
            photos: Arc::new(["/a.jpg".to_owned(), "https://cdn.example/b.jpg".to_owned()]),
            versions: Rc::new(vec![("de", "/de")]),
            hidden: Arc::new(false),
        };
        assert_eq!(summary(&record), "https://example.com/a/1/k/t 2026-01-31T00:00:00Z never 0.5");
        let images: Vec<_> =
            one(&record).images().iter().map(|image| image.loc().unwrap().to_string()).collect();
        assert_eq!(images, ["https://example.com/a.jpg", "https://cdn.example/b.jpg"]);
        assert_eq!(
            locs(&Page { url: Arc::new("https://example.com/x".parse().unwrap()) }),
            ["https://example.com/x"]
        );
        assert_eq!(locs(&Localized { languages: Arc::new(["en".to_owned()]) }), ["https://example.com/en"]);
    }
}

#[test]
fn paths_of_images_and_videos_are_resolved_against_the_site() {
    struct Clip(&'static str);

    impl ToVideos for Clip {
        fn to_videos<'a>(&'a self, site: &Site, out: &mut Vec<Video<'a>>) -> Result<(), Error> {
            let source = VideoSource::Content(site.resolve(format!("{}.mp4", self.0))?);
            out.push(Video::new(site.resolve(format!("{}.jpg", self.0))?, "T", "D", source)?);
            Ok(())
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/clips")]
    struct Page {
        #[sitemap(videos)]
        clips: Vec<Clip>,
        #[sitemap(images)]
        photo: &'static str,
    }
    let page = |clip, photo| Page { clips: vec![Clip(clip)], photo };
    let entries =
        sitemap_core::entries_of(&page("/v/1", "/i.jpg"), &Site::new("https://example.com/shop").unwrap())
            .unwrap();
    assert_eq!(entries[0].videos()[0].thumbnail_loc().unwrap(), "https://example.com/shop/v/1.jpg");
    assert_eq!(entries[0].images()[0].loc().unwrap(), "https://example.com/shop/i.jpg");
    assert_eq!(
        error(&page("/v/1", "i.jpg")),
        "`photo` of `Page` at \"https://example.com/clips\": `loc` must be an absolute URL or a path on the site, found \"i.jpg\"; start it with \
         `https://`, `http://` or a single `/`"
    );
    assert!(
        error(&page("v", "/i.jpg"))
            .starts_with("`clips` of `Page` at \"https://example.com/clips\": `loc` must be"),
        "{}",
        error(&page("v", "/i"))
    );
}

mod constants {
    use super::*;

    const SINGLE: f32 = 0.25;
    const READY: Priority = Priority::MAX;
    const ARRAY: [&str; 2] = ["en", "de"];
    const SLICE: &[&str] = &["en", "de"];
    const LENT: &[&str; 2] = &["en", "de"];

    macro_rules! summary_of {
        ($($attribute:tt)*) => {{
            #[derive(SitemapEntry)]
            #[sitemap(loc = "/", $($attribute)*)]
            struct Home;
            #[allow(dead_code)]
            impl Home {
                const WEIGHT: f64 = 0.75;
                const CHANGED: LastMod = match LastMod::date(2026, 1, 31) {
                    Ok(date) => date,
                    Err(_) => panic!(),
                };
            }
            summary(&Home)
        }};
    }

    macro_rules! locales_of {
        ($locales:expr) => {{
            #[derive(SitemapEntry)]
            #[sitemap(loc = "/{locale}", locales = $locales, x_default = "de")]
            struct Home;
            locs(&Home)
        }};
    }

    #[test]
    fn of_several_types() {
        assert_eq!(summary_of!(priority = SINGLE), "https://example.com/ - - 0.25");
        assert_eq!(summary_of!(priority = READY), "https://example.com/ - - 1.0");
        assert_eq!(summary_of!(priority = Self::WEIGHT), "https://example.com/ - - 0.75");
        assert_eq!(summary_of!(priority = 1.0 / 4.0), "https://example.com/ - - 0.25");
        assert_eq!(summary_of!(lastmod = Self::CHANGED), "https://example.com/ 2026-01-31 - -");
        let expected = ["https://example.com/en", "https://example.com/de"];
        assert_eq!(locales_of!(ARRAY), expected);
        assert_eq!(locales_of!(SLICE), expected);
        assert_eq!(locales_of!(LENT), expected);
    }
}

#[test]
fn an_article_of_a_method_may_be_a_type_of_the_user() {
    struct Story(&'static str);
    impl<'a> TryFrom<&'a Story> for News<'a> {
        type Error = ExtensionError;
        fn try_from(story: &'a Story) -> Result<Self, ExtensionError> {
            News::new(Publication::new("N", "en")?, LastMod::date(2026, 1, 1).unwrap(), story.0)
        }
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/", news = Self::story, images = Self::image)]
    struct Page(#[sitemap(skip)] &'static str);
    impl Page {
        fn story(&self) -> Option<Story> {
            Some(Story(self.0))
        }
        fn image(&self) -> Option<Image<'static>> {
            None
        }
    }
    assert_eq!(one(&Page("t")).news().unwrap().title(), "t");
}

/// Tests what a direct call accepts: a reference that the compiler coerces, and a generic argument that becomes a
/// reference.
#[test]
fn a_function_takes_what_a_reference_to_the_field_becomes() {
    fn of_any(value: impl AsRef<str>) -> usize {
        value.as_ref().len()
    }
    fn borrowed(text: &String) -> &str {
        text
    }
    fn early<'a: 'a>(text: &'a String) -> &'a str {
        text
    }
    fn slice(bytes: &[u8]) -> usize {
        bytes.len()
    }
    fn shown(value: &dyn std::fmt::Display) -> String {
        value.to_string()
    }
    fn pointer(_: *const String) -> &'static str {
        "pointer"
    }
    struct Wrapped<'a>(&'a str);
    impl sitemap_core::UrlParam for Wrapped<'_> {
        fn write_param(&self, out: &mut sitemap_core::record::ParamWriter<'_>) {
            out.write_str(self.0);
        }
    }
    const POINTER: fn(&str) -> usize = str::len;
    static OBJECT: &(dyn Fn(&str) -> usize + Sync) = &str::len;

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{10}/{11}/{12}/{13}")]
    struct Page<T: ToString>(
        #[sitemap(param, with = str::trim)] String,
        #[sitemap(param, with = of_any)] String,
        #[sitemap(param, with = borrowed)] String,
        #[sitemap(param, with = early)] String,
        #[sitemap(param, with = slice)] [u8; 3],
        #[sitemap(param, with = shown)] f32,
        #[sitemap(param, with = pointer)] String,
        #[sitemap(param, with = Wrapped)] Rc<String>,
        #[sitemap(param, with = POINTER)] &'static str,
        #[sitemap(param, with = OBJECT)] Arc<String>,
        #[sitemap(param, with = ToString::to_string)] T,
        #[sitemap(param, with = <[u8]>::first)] Vec<u8>,
        #[sitemap(param, with = Clone::clone)] u8,
        #[sitemap(param, with = String::from)] String,
    );
    let text = || "abc".to_owned();
    let page = Page(
        " x ".into(),
        text(),
        text(),
        text(),
        [1, 2, 3],
        0.5,
        text(),
        Rc::new(text()),
        "abcd",
        Arc::new(text()),
        'c',
        vec![9],
        8,
        "z".into(),
    );
    assert_eq!(locs(&page), ["https://example.com/x/3/abc/abc/3/0.5/pointer/abc/4/3/c/9/8/z"]);
}
