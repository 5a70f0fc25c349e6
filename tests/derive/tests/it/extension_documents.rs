//! Tests of documents and sets with extensions.

use crate::support::site;
use sitemap_core::extension::news::{Access, Genre};
use sitemap_core::extension::video::{
    Gallery, Id, IdKind, Platform, Platforms, Price, PriceKind, Relationship, Resolution, Restriction,
    Segment, TvShow, TvShowKind, Uploader,
};
use sitemap_core::extension::{Element, Hreflang, Namespace, Publication, VideoSource};
use sitemap_core::record::{AlternateGroup, AlternateGroups};
use sitemap_core::{
    Alternate, ChangeFreq, Entry, Error, Extensions, Image, LastMod, Loc, News, Priority, SitemapSet,
    SitemapWriter, Video, WriteOptions,
};
use sitemap_tests::Schemas;

fn loc(url: &str) -> Loc<'_> {
    Loc::parse(url).unwrap()
}

fn date(text: &str) -> LastMod {
    text.parse().unwrap()
}

fn page_map() -> Namespace<'static> {
    Namespace::new("pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0").unwrap()
}

fn mobile() -> Namespace<'static> {
    Namespace::new("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0").unwrap()
}

fn full_video() -> Result<Video<'static>, Error> {
    let show = TvShow::new("Show", TvShowKind::Clip)?
        .with_episode_title("Episode")?
        .with_season_number(1)?
        .with_episode_number(2)?
        .with_premier_date(date("2026-01-01"))?;
    let source = VideoSource::Content(loc("https://media.example.com/1.mp4"));
    Ok(Video::new(loc("https://example.com/1.jpg"), "Grilling <steaks>", "How & \"why\"", source)?
        .with_player_loc(loc("https://example.com/player?v=1&w=2"))
        .with_duration(600)?
        .with_expiration_date(date("2027-01-31T12:00:00+01:00"))?
        .with_rating(4.2)?
        .with_content_segment(Segment::new(loc("https://media.example.com/1a.mp4")).with_duration(300)?)
        .with_content_segment(Segment::new(loc("https://media.example.com/1b.mp4")))
        .with_view_count(12_345)
        .with_publication_date(date("2026-01-31"))?
        .with_tag("steak")?
        .with_tag("summer")?
        .with_family_friendly(true)
        .with_restriction(Restriction::new(Relationship::Allow, ["DE", "AT"])?)
        .with_requires_subscription(false)
        .with_uploader(Uploader::new("GrillyMcGrillerson")?.with_info(loc("https://example.com/by")))
        .with_platforms(Platforms::new(Relationship::Deny, [Platform::Web, Platform::Tv])?)
        .with_live(false)
        .with_id(Id::new(IdKind::Url, "https://example.com/1")?)
        .with_allow_embed(true)
        .with_autoplay("ap=1")?
        .with_category("Cooking")?
        .with_gallery(Gallery::new(loc("https://example.com/g")).with_title("Gallery")?)
        .with_price(Price::new("1.99", "EUR")?.with_kind(PriceKind::Rent).with_resolution(Resolution::Hd))
        .with_price(Price::unknown(PriceKind::Purchase))
        .with_tv_show(show))
}

fn full_news() -> Result<News<'static>, Error> {
    Ok(News::new(Publication::new("The Example Times", "en")?, date("2026-01-31T08:15:30Z"), "A & B merge")?
        .with_access(Access::Subscription)
        .with_genres([Genre::PressRelease, Genre::Opinion])
        .with_keywords("business, merger")?
        .with_stock_tickers(["NASDAQ:A", "NYSE:B"])?)
}

fn page_map_of_a_recipe() -> Result<Element<'static>, Error> {
    let name = Element::new(page_map(), "Attribute")?.with_attribute("name", "title")?.with_text("A < B")?;
    let size = Element::new(page_map(), "Attribute")?
        .with_attribute("name", "size")?
        .with_attribute("value", "\"2\"")?;
    let object = Element::new(page_map(), "DataObject")?
        .with_attribute("type", "recipe")?
        .with_attribute("id", "1")?
        .with_child(name)?
        .with_child(size)?;
    Ok(Element::new(page_map(), "PageMap")?.with_child(object)?)
}

/// Returns an entry with every value of every extension.
fn full_entry() -> Result<Entry<'static>, Error> {
    let image = Image::new(loc("https://cdn.example.net/1.jpg"))
        .with_caption("Caption")?
        .with_geo_location("Limerick, Ireland")?
        .with_title("Title")?
        .with_license(loc("https://example.com/license"));
    Ok(Entry::new(loc("https://example.com/a?b=1&c=2"))
        .with_lastmod(date("2026-01-31T08:15:30Z"))
        .with_changefreq(ChangeFreq::Hourly)
        .with_priority(Priority::MAX)
        .with_alternates(vec![
            Alternate::parse("en", "https://example.com/a?b=1&c=2")?,
            Alternate::parse("zh-Hant-TW", "https://example.com/tw")?,
            Alternate::parse("x-default", "https://example.com/")?,
        ])
        .with_images(vec![image, Image::new(loc("https://example.com/2.jpg"))])
        .with_videos(vec![full_video()?, full_video()?])
        .with_news(full_news()?)
        .with_elements(vec![Element::new(mobile(), "mobile")?, page_map_of_a_recipe()?]))
}

fn full_document(options: WriteOptions) -> Result<String, Error> {
    let all = Extensions::ALTERNATES | Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS;
    let options = options.extensions(all).namespace(mobile()).namespace(page_map());
    let mut sitemap = SitemapWriter::with_options(site(), Vec::new(), options);
    sitemap.add_all([full_entry()?, Entry::new(loc("https://example.com/plain"))])?;
    Ok(String::from_utf8(sitemap.finish()?.0).unwrap())
}

/// Validates a document against the schemas of the protocol and of all extensions.
fn validate(schemas: &Schemas, xml: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("sitemap.xml");
    std::fs::write(&file, xml).unwrap();
    schemas.validate("all.xsd", &file)
}

#[test]
fn a_document_with_every_extension_at_once_is_valid_by_the_schemas() {
    let Some(schemas) = Schemas::find() else { return };
    for deprecated in [false, true] {
        let xml = full_document(WriteOptions::new().deprecated(deprecated)).unwrap();
        assert_eq!(validate(&schemas, &xml), Ok(()), "{xml}");
    }
}

#[test]
fn the_schemas_reject_invalid_values() {
    let Some(schemas) = Schemas::find() else { return };
    let xml = full_document(WriteOptions::new()).unwrap();
    for (right, wrong) in [
        ("<video:duration>600<", "<video:duration>28801<"),
        ("<news:language>en<", "<news:language>EN<"),
        ("<image:loc>https://cdn.example.net/1.jpg</image:loc>", ""),
        ("<pagemap:Attribute name=\"title\">", "<pagemap:Attribute>"),
    ] {
        assert!(xml.contains(right), "{right}");
        assert!(validate(&schemas, &xml.replace(right, wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn every_extension_at_once_byte_for_byte() {
    assert_eq!(
        full_document(WriteOptions::new()).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\" \
         xmlns:pagemap=\"http://www.google.com/schemas/sitemap-pagemap/1.0\">\n\
         <url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2026-01-31T08:15:30Z</lastmod>\
         <changefreq>hourly</changefreq><priority>1.0</priority>\
         <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a?b=1&amp;c=2\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"zh-Hant-TW\" href=\"https://example.com/tw\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/\"/>\
         <image:image><image:loc>https://cdn.example.net/1.jpg</image:loc></image:image>\
         <image:image><image:loc>https://example.com/2.jpg</image:loc></image:image>"
            .to_owned()
            + VIDEO
            + VIDEO
            + "<news:news><news:publication><news:name>The Example Times</news:name>\
         <news:language>en</news:language></news:publication><news:access>Subscription</news:access>\
         <news:genres>PressRelease, Opinion</news:genres>\
         <news:publication_date>2026-01-31T08:15:30Z</news:publication_date>\
         <news:title>A &amp; B merge</news:title><news:keywords>business, merger</news:keywords>\
         <news:stock_tickers>NASDAQ:A, NYSE:B</news:stock_tickers></news:news>\
         <mobile:mobile/>\
         <pagemap:PageMap><pagemap:DataObject type=\"recipe\" id=\"1\">\
         <pagemap:Attribute name=\"title\">A &lt; B</pagemap:Attribute>\
         <pagemap:Attribute name=\"size\" value=\"&quot;2&quot;\"/></pagemap:DataObject></pagemap:PageMap>\
         </url>\n\
         <url><loc>https://example.com/plain</loc></url>\n\
         </urlset>\n"
    );
}

const VIDEO: &str = "<video:video><video:thumbnail_loc>https://example.com/1.jpg</video:thumbnail_loc>\
    <video:title>Grilling &lt;steaks&gt;</video:title>\
    <video:description>How &amp; &quot;why&quot;</video:description>\
    <video:content_loc>https://media.example.com/1.mp4</video:content_loc>\
    <video:player_loc>https://example.com/player?v=1&amp;w=2</video:player_loc>\
    <video:duration>600</video:duration>\
    <video:expiration_date>2027-01-31T12:00:00+01:00</video:expiration_date>\
    <video:rating>4.2</video:rating>\
    <video:content_segment_loc duration=\"300\">https://media.example.com/1a.mp4</video:content_segment_loc>\
    <video:content_segment_loc>https://media.example.com/1b.mp4</video:content_segment_loc>\
    <video:view_count>12345</video:view_count>\
    <video:publication_date>2026-01-31</video:publication_date>\
    <video:tag>steak</video:tag><video:tag>summer</video:tag>\
    <video:family_friendly>yes</video:family_friendly>\
    <video:restriction relationship=\"allow\">DE AT</video:restriction>\
    <video:requires_subscription>no</video:requires_subscription>\
    <video:uploader info=\"https://example.com/by\">GrillyMcGrillerson</video:uploader>\
    <video:platform relationship=\"deny\">web tv</video:platform>\
    <video:live>no</video:live>\
    <video:id type=\"url\">https://example.com/1</video:id></video:video>";

#[test]
fn a_section_of_news_is_split_at_1000() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = SitemapSet::builder(site())
        .extensions(Extensions::NEWS)
        .news_since(date("2026-01-30"))
        .open(dir.path())
        .and_then(|set| set.replace())
        .unwrap();
    let article = |n: u32, day: &str| {
        let news = News::new(Publication::new("N", "en").unwrap(), date(day), "T").unwrap();
        Entry::new(loc(&format!("https://example.com/{n}")).into_owned()).with_news(news)
    };
    let mut section = run.section("news").unwrap();
    section.add_all((0..2_500).map(|n| article(n, "2026-01-31"))).unwrap();
    section.add_all((2_500..2_510).map(|n| article(n, "2026-01-01"))).unwrap();
    let summary = run.commit().unwrap();
    assert_eq!(summary.urls(), 2_510);
    for (n, urls, news) in [(1, 1_000, 1_000), (2, 1_000, 1_000), (3, 510, 500)] {
        let xml = std::fs::read_to_string(dir.path().join(format!("sitemap-news-{n}.xml"))).unwrap();
        assert_eq!((xml.matches("<url>").count(), xml.matches("<news:news>").count()), (urls, news), "{n}");
    }
    assert!(!dir.path().join("sitemap-news-4.xml").exists());
}

#[test]
fn a_publisher_declares_other_namespaces_in_all_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut run =
        SitemapSet::builder(site()).namespace(mobile()).open(dir.path()).unwrap().replace().unwrap();
    run.section("plain").unwrap().add("/plain").unwrap();
    let element = Element::new(mobile(), "mobile").unwrap();
    let page = Entry::new(loc("https://example.com/m")).with_elements(vec![element]);
    run.section("mobile").unwrap().add(&page).unwrap();
    run.commit().unwrap();
    let schemas = Schemas::find();
    for section in ["plain", "mobile"] {
        let xml = std::fs::read_to_string(dir.path().join(format!("sitemap-{section}-1.xml"))).unwrap();
        assert!(xml.contains("xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\""), "{xml}");
        assert_eq!(schemas.as_ref().map_or(Ok(()), |schemas| validate(schemas, &xml)), Ok(()));
    }
}

fn hreflang(tag: &str) -> Hreflang<'_> {
    Hreflang::parse(tag).unwrap()
}

/// Returns one string per page, in the form `loc: hreflang=href …`.
fn links(groups: impl IntoIterator<Item = AlternateGroup>) -> Vec<String> {
    let entries = groups.into_iter().flat_map(|group| crate::support::all(&group));
    let link = |alternate: &Alternate<'_>| format!(" {}={}", alternate.hreflang(), alternate.href());
    entries
        .map(|entry| format!("{}:{}", entry.loc(), entry.alternates().iter().map(link).collect::<String>()))
        .collect()
}

#[test]
fn grouped_pages_link_to_each_other_and_to_themselves() {
    let mut groups = AlternateGroups::new().x_default(hreflang("en"));
    for (key, tag, url) in [
        ("a", "en", "https://e.com/a"),
        ("b", "de", "https://e.com/b"),
        ("a", "de", "https://e.de/a"),
        ("a", "fr-CA", "https://e.ca/a"),
    ] {
        groups.add(key, hreflang(tag), loc(url)).unwrap();
    }
    let all = " en=https://e.com/a de=https://e.de/a fr-CA=https://e.ca/a x-default=https://e.com/a";
    let expected = [
        format!("https://e.com/a:{all}"),
        format!("https://e.de/a:{all}"),
        format!("https://e.ca/a:{all}"),
        "https://e.com/b: de=https://e.com/b".to_owned(),
    ];
    let site = sitemap_core::Site::new("https://e.com").unwrap();
    let site = site.also_list("https://e.de").unwrap().also_list("https://e.ca").unwrap();
    let entries: Vec<_> =
        groups.into_iter().flat_map(|group| sitemap_core::entries_of(&group, &site).unwrap()).collect();
    let link = |alternate: &Alternate<'_>| format!(" {}={}", alternate.hreflang(), alternate.href());
    let found: Vec<_> = entries
        .iter()
        .map(|entry| format!("{}:{}", entry.loc(), entry.alternates().iter().map(link).collect::<String>()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_page_of_its_own_may_be_the_x_default() {
    let mut group = AlternateGroup::new().x_default(hreflang("en"));
    group.add(hreflang("x-default"), loc("https://example.com/")).unwrap();
    group.add(hreflang("en"), loc("https://example.com/en")).unwrap();
    let all = " x-default=https://example.com/ en=https://example.com/en";
    assert_eq!(
        links([group]),
        [format!("https://example.com/:{all}"), format!("https://example.com/en:{all}")]
    );
}

#[test]
fn a_group_keeps_what_its_entries_have_and_refuses_a_language_twice() {
    let mut group = AlternateGroup::new();
    group
        .add(hreflang("en"), Entry::new(loc("https://example.com/en")).with_priority(Priority::MIN))
        .unwrap();
    let error = group.add(hreflang("EN"), loc("https://example.com/other")).unwrap_err();
    assert!(error.is_invalid_record(), "{error}");
    assert_eq!(
        error.to_string(),
        "two translations of a page have the language \"EN\"; give each translation its own language"
    );
    assert_eq!(crate::support::one(&group).priority(), Some(Priority::MIN));
    assert_eq!(crate::support::one(&group).alternates().len(), 1);
}
