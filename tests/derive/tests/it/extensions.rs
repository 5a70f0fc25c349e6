//! Tests of fields that contain images, videos, news and alternates.

#![allow(clippy::items_after_statements)] // tests declare records next to the expected results
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)] // `with` passes references to fields

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::support::{all, error, one};
use sitemap_core::extension::{ExtensionError, Hreflang, Publication, VideoSource};
use sitemap_core::value::LocError;
use sitemap_core::{
    Alternate, Error, ErrorKind, Extensions, Image, LastMod, Loc, News, SitemapEntry, SitemapWriter, Video,
};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Photo {
    url: String,
}

impl<'a> TryFrom<&'a Photo> for Image<'a> {
    type Error = LocError;

    fn try_from(photo: &'a Photo) -> Result<Self, LocError> {
        Loc::parse(&photo.url).map(Self::new)
    }
}

fn photo(name: &str) -> Photo {
    Photo { url: format!("https://example.com/{name}.jpg") }
}

/// Returns the file names of the images on a record's only page.
fn images(record: &impl SitemapEntry) -> Vec<String> {
    let name =
        |image: &Image<'_>| image.loc().unwrap().as_str().rsplit('/').next().unwrap_or_default().to_owned();
    one(record).images().iter().map(name).collect()
}

fn written<T: SitemapEntry>(record: &T) -> String {
    let mut sitemap = SitemapWriter::new(crate::support::site(), Vec::new());
    sitemap.add(record).unwrap();
    String::from_utf8(sitemap.finish().unwrap().0).unwrap()
}

macro_rules! images_of {
    ($($ty:ty = $value:expr => [$($name:literal),*]),+ $(,)?) => {$({
        #[derive(SitemapEntry)]
        #[sitemap(loc = "/x")]
        struct Record<'r> {
            #[sitemap(images)]
            images: $ty,
            #[sitemap(skip)]
            _lifetime: &'r (),
        }
        let record = Record { images: $value, _lifetime: &() };
        let expected: &[&str] = &[$($name),*];
        assert_eq!(images(&record), expected, stringify!($ty));
    })+};
}

#[test]
fn images_of_one_value_or_any_collection_of_them() {
    let (a, b) = (photo("a"), photo("b"));
    images_of! {
        Photo = a.clone() => ["a.jpg"],
        &'r Photo = &a => ["a.jpg"],
        Option<Photo> = Some(a.clone()) => ["a.jpg"],
        Option<Photo> = None => [],
        Option<&'r Photo> = Some(&a) => ["a.jpg"],
        Vec<Photo> = vec![a.clone(), b.clone()] => ["a.jpg", "b.jpg"],
        &'r Vec<Photo> = &vec![b.clone()] => ["b.jpg"],
        Vec<&'r Photo> = vec![&b, &a] => ["b.jpg", "a.jpg"],
        Vec<Option<Photo>> = vec![None, Some(a.clone())] => ["a.jpg"],
        Option<Vec<Photo>> = Some(vec![a.clone()]) => ["a.jpg"],
        &'r [Photo] = std::slice::from_ref(&a) => ["a.jpg"],
        Box<[Photo]> = Box::new([a.clone()]) => ["a.jpg"],
        [Photo; 2] = [a.clone(), b.clone()] => ["a.jpg", "b.jpg"],
        [Photo; 0] = [] => [],
        VecDeque<Photo> = VecDeque::from([a.clone()]) => ["a.jpg"],
        BTreeSet<Photo> = BTreeSet::from([b.clone(), a.clone()]) => ["a.jpg", "b.jpg"],
        String = a.url.clone() => ["a.jpg"],
        &'r str = &a.url => ["a.jpg"],
        Option<String> = None => [],
        Vec<String> = vec![a.url.clone()] => ["a.jpg"],
        Vec<&'r str> = vec![&a.url] => ["a.jpg"],
        Arc<str> = a.url.as_str().into() => ["a.jpg"],
        std::borrow::Cow<'r, str> = a.url.as_str().into() => ["a.jpg"],
        Loc<'r> = Loc::parse(&a.url).unwrap() => ["a.jpg"],
        Vec<Loc<'static>> = vec![a.url.parse().unwrap()] => ["a.jpg"],
        Image<'static> = Image::new(a.url.parse().unwrap()) => ["a.jpg"],
        Image<'r> = Image::new(Loc::parse(&a.url).unwrap()) => ["a.jpg"],
        Vec<Image<'r>> = vec![Image::new(Loc::parse(&a.url).unwrap())] => ["a.jpg"],
        Option<Image<'r>> = None => [],
    }
}

#[test]
fn images_are_written_and_declared() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/posts/{id}", priority = 0.5)]
    struct Post {
        id: u32,
        #[sitemap(images)]
        photos: Vec<Photo>,
    }
    assert_eq!(Post::EXTENSIONS, Extensions::IMAGES);
    assert_eq!(
        written(&Post { id: 1, photos: vec![photo("a&b"), photo("c")] }),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
         <url><loc>https://example.com/posts/1</loc><priority>0.5</priority>\
         <image:image><image:loc>https://example.com/a&amp;b.jpg</image:loc></image:image>\
         <image:image><image:loc>https://example.com/c.jpg</image:loc></image:image></url>\n\
         </urlset>\n"
    );
    let bad = Post { id: 1, photos: vec![photo("a"), Photo { url: "b.jpg".to_owned() }] };
    let expected = "`photos` of `Post` at \"https://example.com/posts/1\": `loc` must be an absolute URL";
    assert!(error(&bad).starts_with(expected), "{}", error(&bad));
}

#[test]
fn an_invalid_value_of_a_page_with_translations_names_the_first_of_them() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/posts/{id}", locales = ["en", "de"])]
    struct Post {
        id: u32,
        #[sitemap(images)]
        photos: Vec<Photo>,
    }
    let bad = Post { id: 1, photos: vec![Photo { url: "b.jpg".to_owned() }] };
    let expected = "`photos` of `Post` at \"https://example.com/en/posts/1\": `loc` must be an absolute URL";
    assert!(error(&bad).starts_with(expected), "{}", error(&bad));
    let good = Post { id: 1, photos: vec![photo("a")] };
    assert_eq!(written(&good).matches("<image:loc>https://example.com/a.jpg</image:loc>").count(), 2);
}

struct Clip {
    name: &'static str,
    seconds: u32,
}

impl<'a> TryFrom<&'a Clip> for Video<'a> {
    type Error = Error;

    fn try_from(clip: &'a Clip) -> Result<Self, Error> {
        let loc = |end| Loc::parse(format!("https://media.example.com/{}.{end}", clip.name));
        let source = VideoSource::Content(loc("mp4")?);
        Ok(Video::new(loc("jpg")?, clip.name, "A clip", source)?.with_duration(clip.seconds)?)
    }
}

#[test]
fn videos_of_a_type_that_may_be_invalid() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/clips")]
    struct Page {
        #[sitemap(videos)]
        clips: Vec<Clip>,
    }
    let page = Page { clips: vec![Clip { name: "a", seconds: 60 }, Clip { name: "b", seconds: 1 }] };
    assert_eq!(Page::EXTENSIONS, Extensions::VIDEOS);
    let durations: Vec<_> = one(&page).videos().iter().map(Video::duration).collect();
    assert_eq!(durations, [Some(60), Some(1)]);
    assert_eq!(
        error(&Page { clips: vec![Clip { name: "a", seconds: 0 }] }),
        "`clips` of `Page` at \"https://example.com/clips\": `video:duration` is 0; use 1 to 28800 seconds"
    );
}

struct Article {
    title: String,
    published: LastMod,
}

impl<'a> TryFrom<&'a Article> for News<'a> {
    type Error = ExtensionError;

    fn try_from(article: &'a Article) -> Result<Self, ExtensionError> {
        News::new(Publication::new("The Example Times", "en")?, article.published, &article.title)
    }
}

fn article() -> Article {
    Article { title: "News".to_owned(), published: LastMod::date(2026, 1, 31).unwrap() }
}

#[test]
fn news_of_one_value_or_an_option() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct Always {
        #[sitemap(news)]
        article: Article,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/b")]
    struct Sometimes<'r> {
        #[sitemap(news)]
        article: Option<&'r Article>,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/c")]
    struct Ready<'r> {
        #[sitemap(news)]
        news: News<'r>,
    }
    assert_eq!(Sometimes::EXTENSIONS, Extensions::NEWS);
    let article = article();
    assert_eq!(one(&Sometimes { article: Some(&article) }).news().unwrap().title(), "News");
    assert_eq!(one(&Sometimes { article: None }).news(), None);
    assert_eq!(one(&Ready { news: News::try_from(&article).unwrap() }).news().unwrap().title(), "News");
    assert_eq!(one(&Always { article }).news().unwrap().publication().name(), "The Example Times");
    let error = error(&Always {
        article: Article { title: " ".to_owned(), published: LastMod::date(2026, 1, 1).unwrap() },
    });
    assert_eq!(
        error,
        "`article` of `Always` at \"https://example.com/a\": `news:title` is \" \", which is blank; write a text or leave the value out"
    );
}

#[test]
fn alternates_of_pairs_maps_and_types() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/en")]
    struct Pairs {
        #[sitemap(alternates)]
        versions: Vec<(&'static str, String)>,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/en")]
    struct Map {
        #[sitemap(alternates)]
        versions: BTreeMap<String, String>,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/en")]
    struct Ready {
        #[sitemap(alternates)]
        versions: [Alternate<'static>; 1],
    }
    let tags = |record: &dyn Fn() -> Vec<Alternate<'static>>| -> Vec<String> {
        record().iter().map(|alternate| format!("{} {}", alternate.hreflang(), alternate.href())).collect()
    };
    assert_eq!(Pairs::EXTENSIONS, Extensions::ALTERNATES);
    let pairs = Pairs {
        versions: vec![
            ("en", "https://example.com/en".to_owned()),
            ("x-default", "https://example.com/".to_owned()),
        ],
    };
    assert_eq!(
        tags(&|| one(&pairs).alternates().to_vec()),
        ["en https://example.com/en", "x-default https://example.com/"]
    );
    let map = Map { versions: BTreeMap::from([("de".to_owned(), "https://example.de/".to_owned())]) };
    assert_eq!(tags(&|| one(&map).alternates().to_vec()), ["de https://example.de/"]);
    let ready = Ready {
        versions: [Alternate::new(
            Hreflang::parse("fr").unwrap(),
            Loc::parse("https://example.fr/").unwrap(),
        )],
    };
    assert_eq!(tags(&|| one(&ready).alternates().to_vec()), ["fr https://example.fr/"]);
    let bad = Pairs { versions: vec![("en_US", "https://example.com/".to_owned())] };
    let expected = "`versions` of `Pairs` at \"https://example.com/en\": `hreflang` is \"en_US\"";
    assert!(error(&bad).starts_with(expected), "{}", error(&bad));
}

mod conversions {
    use super::*;

    pub(super) struct Gallery(pub(super) Vec<Photo>);

    pub(super) fn photos(gallery: &Gallery) -> &[Photo] {
        &gallery.0
    }

    pub(super) fn first(gallery: &Gallery) -> Option<Image<'_>> {
        gallery.0.first().and_then(|photo| Image::try_from(photo).ok())
    }

    pub(super) fn fallible(gallery: &Gallery) -> Result<Vec<Image<'_>>, LocError> {
        gallery.0.iter().map(Image::try_from).collect()
    }

    pub(super) fn news(title: &str) -> Result<Option<News<'_>>, Error> {
        if title.is_empty() {
            return Ok(None);
        }
        Ok(Some(News::new(Publication::new("N", "en")?, LastMod::date(2026, 1, 31)?, title)?))
    }
}

#[test]
fn a_function_may_convert_and_fail() {
    use conversions::{Gallery, fallible, first, news, photos};

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct All {
        #[sitemap(images, with = photos)]
        gallery: Gallery,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct First {
        #[sitemap(images, with = first)]
        gallery: Gallery,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct Checked {
        #[sitemap(images, with = fallible)]
        gallery: Gallery,
        #[sitemap(news, with = news)]
        title: String,
    }
    let gallery = || Gallery(vec![photo("a"), photo("b")]);
    assert_eq!(images(&All { gallery: gallery() }), ["a.jpg", "b.jpg"]);
    assert_eq!(images(&First { gallery: gallery() }), ["a.jpg"]);
    let checked = Checked { gallery: gallery(), title: "T".to_owned() };
    assert_eq!(Checked::EXTENSIONS, Extensions::IMAGES | Extensions::NEWS);
    assert_eq!(images(&checked), ["a.jpg", "b.jpg"]);
    assert_eq!(one(&checked).news().unwrap().title(), "T");
    let bad = Gallery(vec![photo("a"), Photo { url: String::new() }]);
    let start = "`gallery` of `Checked` at \"https://example.com/a\": `loc` ";
    assert!(error(&Checked { gallery: bad, title: String::new() }).starts_with(start));
}

#[test]
fn enums_declare_what_any_variant_may_use() {
    #[derive(SitemapEntry)]
    enum Route {
        #[sitemap(loc = "/")]
        Home,
        #[sitemap(loc = "/photos/{id}")]
        Photos {
            id: u32,
            #[sitemap(images)]
            photos: Vec<Photo>,
        },
        #[sitemap(loc = "/clips/{0}")]
        Clips(u32, #[sitemap(videos)] Option<Clip>, #[sitemap(news)] Option<Article>),
    }
    assert_eq!(Route::EXTENSIONS, Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS);
    assert_eq!(images(&Route::Photos { id: 1, photos: vec![photo("a")] }), ["a.jpg"]);
    assert_eq!(
        one(&Route::Clips(1, Some(Clip { name: "a", seconds: 9 }), Some(article()))).videos().len(),
        1
    );
    assert_eq!(one(&Route::Home).extensions(), Extensions::NONE);
}

#[test]
fn every_locale_has_the_records_images_and_news() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{locale}/a", locales = ["en", "de"])]
    struct Post {
        #[sitemap(images)]
        photos: Vec<Photo>,
        #[sitemap(news)]
        article: Article,
    }
    let entries = all(&Post { photos: vec![photo("a")], article: article() });
    assert_eq!(Post::EXTENSIONS, Extensions::ALTERNATES | Extensions::IMAGES | Extensions::NEWS);
    for entry in &entries {
        assert_eq!((entry.images().len(), entry.alternates().len()), (1, 2));
        assert_eq!(entry.news().unwrap().title(), "News");
    }
    assert_eq!(entries.len(), 2);
}

#[test]
fn a_record_without_values_has_no_extensions() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct Post {
        #[sitemap(images)]
        photos: Vec<Photo>,
    }
    assert_eq!(one(&Post { photos: Vec::new() }).extensions(), Extensions::NONE);
}

#[test]
fn generic_records_take_the_bound_that_their_author_writes() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct Post<P>
    where
        for<'a> Image<'a>: TryFrom<&'a P, Error: Into<Error>>,
    {
        #[sitemap(images)]
        photos: Vec<P>,
    }
    assert_eq!(images(&Post { photos: vec![photo("a")] }), ["a.jpg"]);
}

#[test]
fn an_error_type_of_the_user_becomes_an_error_of_the_record() {
    #[derive(Debug)]
    struct Broken;

    impl From<Broken> for Error {
        fn from(_: Broken) -> Self {
            Error::other("no image")
        }
    }

    struct Scan;

    impl TryFrom<&Scan> for Image<'_> {
        type Error = Broken;

        fn try_from(_: &Scan) -> Result<Self, Broken> {
            Err(Broken)
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a")]
    struct Post {
        #[sitemap(images)]
        scan: Scan,
    }
    let error = sitemap_core::entries_of(&Post { scan: Scan }, &crate::support::site()).unwrap_err();
    assert_eq!(error.to_string(), "`scan` of `Post` at \"https://example.com/a\": no image");
    let ErrorKind::Field { record: "Post", field: "scan", page: Some(_), cause } = error.into_kind() else {
        panic!("no field")
    };
    assert!(matches!(cause.kind(), ErrorKind::Other(_)));
}
