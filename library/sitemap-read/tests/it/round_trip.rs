//! Tests that the reader returns what the writer wrote.

use std::borrow::Cow;

use proptest::prelude::*;
use sitemap_core::extension::news::{Access, Genre};
use sitemap_core::extension::video::{
    Gallery, Id, IdKind, Platform, Platforms, Price, PriceKind, Relationship, Resolution, Restriction,
    Segment, TvShow, TvShowKind, Uploader,
};
use sitemap_core::extension::{Element, Hreflang, Namespace, Publication, VideoSource};
use sitemap_core::{
    Alternate, ChangeFreq, Entry, Extensions, Image, IndexWriter, LastMod, Loc, News, Priority, Site,
    SitemapWriter, Video, WriteOptions,
};
use sitemap_read::{Item, ReadOptions, SitemapReader};

fn loc() -> impl Strategy<Value = Loc<'static>> {
    "[a-zA-Z0-9/&'?=<>\" ü%#~-]{0,40}".prop_filter_map("no address", |path| {
        Loc::parse(format!("https://example.com/p{path}").trim_end().to_owned()).ok()
    })
}

fn lastmod() -> impl Strategy<Value = LastMod> {
    prop_oneof![
        (1..9999_i32).prop_map(|year| LastMod::parse(&format!("{year:04}")).unwrap()),
        (1..9999_i32, 1..13_u8).prop_map(|(y, m)| LastMod::parse(&format!("{y:04}-{m:02}")).unwrap()),
        full_date(),
        (day(), "T(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9](Z|[+-]0[0-9]:[0-5][0-9])")
            .prop_map(|(day, time)| LastMod::parse(&format!("{day}{time}")).unwrap()),
    ]
}

fn day() -> impl Strategy<Value = LastMod> {
    (1..9999_i32, 1..13_u8, 1..29_u8).prop_map(|(y, m, d)| LastMod::date(y, m, d).unwrap())
}

fn full_date() -> impl Strategy<Value = LastMod> {
    prop_oneof![
        day(),
        (day(), "T(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]0[0-9]:[0-5][0-9])")
            .prop_map(|(day, time)| LastMod::parse(&format!("{day}{time}")).unwrap()),
    ]
}

/// Returns non-empty strings without white space at either end, which the reader would trim.
fn text() -> impl Strategy<Value = String> {
    "[a-z<>&\"'\\]][a-zA-Z <>&\"'\\]ü\u{1F600}\r\n\t;#]{0,20}[a-z<>&\"';]"
}

fn option<S: Strategy>(of: S) -> impl Strategy<Value = Option<S::Value>>
where
    S::Value: Clone + std::fmt::Debug,
{
    prop::option::of(of)
}

fn image() -> impl Strategy<Value = Image<'static>> {
    (loc(), option(text()), option(text()), option(text()), option(loc())).prop_map(
        |(loc, caption, place, title, license)| {
            let mut image = Image::new(loc);
            if let Some(caption) = caption {
                image = image.with_caption(caption).unwrap();
            }
            if let Some(place) = place {
                image = image.with_geo_location(place).unwrap();
            }
            if let Some(title) = title {
                image = image.with_title(title).unwrap();
            }
            if let Some(license) = license {
                image = image.with_license(license);
            }
            image
        },
    )
}

fn alternate() -> impl Strategy<Value = Alternate<'static>> {
    (prop::sample::select(vec!["en", "de-AT", "zh-Hant-TW", "x-default"]), loc())
        .prop_map(|(tag, href)| Alternate::new(Hreflang::parse(tag).unwrap(), href))
}

fn news() -> impl Strategy<Value = News<'static>> {
    (
        (text(), prop::sample::select(vec!["en", "zh-cn", "deu"])),
        prop_oneof![full_date(), Just(LastMod::parse("2024-03-09T10:00Z").unwrap())],
        text(),
        option(prop::sample::select(Access::ALL)),
        prop::sample::subsequence(Genre::ALL, 0..Genre::ALL.len()),
        option(text()),
        prop::collection::vec("[A-Z]{2,6}:[A-Z0-9]{1,5}", 0..5),
    )
        .prop_map(|((name, language), date, title, access, genres, keywords, tickers)| {
            let publication = Publication::new(name.replace(['(', ')'], ""), language).unwrap();
            let mut news =
                News::new(publication, date, title).unwrap().with_access(access).with_genres(genres);
            if let Some(keywords) = keywords {
                news = news.with_keywords(keywords).unwrap();
            }
            news.with_stock_tickers(tickers).unwrap()
        })
}

fn relationship() -> impl Strategy<Value = Relationship> {
    prop::sample::select(Relationship::ALL)
}

#[allow(clippy::too_many_lines)] // one line per value
fn video() -> impl Strategy<Value = Video<'static>> {
    let basics = (loc(), text(), text(), loc(), option(loc()), any::<bool>());
    let numbers = (
        option(1..28_800_u32),
        option(0..50_000_u32),
        option(any::<u64>()),
        option(full_seconds()),
        option(full_seconds()),
    );
    let flags = (option(any::<bool>()), option(any::<bool>()), option(any::<bool>()), option(any::<bool>()));
    let lists = (
        prop::collection::vec(text(), 0..3),
        option((relationship(), prop::collection::vec("[A-Z]{2}", 1..4))),
        option((relationship(), prop::sample::subsequence(Platform::ALL, 1..3))),
        option((text(), any::<bool>())),
        prop::collection::vec((prop::sample::select(IdKind::ALL), text()), 0..2),
        prop::collection::vec((loc(), option(1..28_800_u32)), 0..2),
    );
    let deprecated = (
        option(text()),
        option((loc(), option(text()))),
        prop::collection::vec(
            (
                option(Just(("1.99", "EUR"))),
                prop::sample::select(PriceKind::ALL),
                option(prop::sample::select(Resolution::ALL)),
            ),
            0..2,
        ),
        option((
            text(),
            prop::sample::select(TvShowKind::ALL),
            option(text()),
            option(1..9_u32),
            option(1..9_u32),
            option(full_seconds()),
        )),
        option(text()),
    );
    (basics, numbers, flags, lists, deprecated).prop_map(|(basics, numbers, flags, lists, deprecated)| {
        let (thumbnail, title, description, source, second, is_player) = basics;
        let page = Loc::parse("https://example.com/the-page").unwrap();
        let has_player = is_player || second.is_some();
        let source = if is_player { VideoSource::Player(source) } else { VideoSource::Content(source) };
        let mut video = Video::new(thumbnail, title, description, source).unwrap();
        if let Some(second) = second {
            video = if is_player { video.with_content_loc(second) } else { video.with_player_loc(second) };
        }
        let (duration, rating, views, expires, published) = numbers;
        if let Some(duration) = duration {
            video = video.with_duration(duration).unwrap();
        }
        if let Some(rating) = rating {
            video = video.with_rating(f64::from(rating) / 10_000.0).unwrap();
        }
        if let Some(date) = expires {
            video = video.with_expiration_date(date).unwrap();
        }
        if let Some(date) = published {
            video = video.with_publication_date(date).unwrap();
        }
        video = video
            .with_view_count(views)
            .with_family_friendly(flags.0)
            .with_requires_subscription(flags.1)
            .with_live(flags.2);
        let (tags, countries, platforms, uploader, ids, segments) = lists;
        for tag in tags {
            video = video.with_tag(tag).unwrap();
        }
        if let Some((relationship, countries)) = countries {
            video = video.with_restriction(Restriction::new(relationship, countries).unwrap());
        }
        if let Some((relationship, platforms)) = platforms {
            video = video.with_platforms(Platforms::new(relationship, platforms).unwrap());
        }
        if let Some((name, has_info)) = uploader {
            let uploader = Uploader::new(name).unwrap();
            video = video.with_uploader(if has_info { uploader.with_info(page) } else { uploader });
        }
        for (kind, text) in ids {
            video = video.with_id(Id::new(kind, text).unwrap());
        }
        for (loc, duration) in segments.into_iter().filter(|_| has_player) {
            let segment = Segment::new(loc);
            video = video.with_content_segment(match duration {
                Some(duration) => segment.with_duration(duration).unwrap(),
                None => segment,
            });
        }
        let (category, gallery, prices, show, autoplay) = deprecated;
        if let Some(category) = category {
            video = video.with_category(category).unwrap();
        }
        if let Some((loc, title)) = gallery {
            let gallery = Gallery::new(loc);
            video = video.with_gallery(match title {
                Some(title) => gallery.with_title(title).unwrap(),
                None => gallery,
            });
        }
        for (amount, kind, resolution) in prices {
            let price = match amount {
                Some((amount, currency)) => Price::new(amount, currency).unwrap().with_kind(kind),
                None => Price::unknown(kind),
            };
            video = video
                .with_price(resolution.map_or(price.clone(), |resolution| price.with_resolution(resolution)));
        }
        if let Some((title, kind, episode, season, number, date)) = show {
            let mut show = TvShow::new(title, kind).unwrap();
            if let Some(episode) = episode {
                show = show.with_episode_title(episode).unwrap();
            }
            if let Some(season) = season {
                show = show.with_season_number(season).unwrap();
            }
            if let Some(number) = number {
                show = show.with_episode_number(number).unwrap();
            }
            if let Some(date) = date {
                show = show.with_premier_date(date).unwrap();
            }
            video = video.with_tv_show(show);
        }
        if let (Some(autoplay), true) = (autoplay, has_player) {
            video = video.with_autoplay(autoplay).unwrap();
        }
        if let (Some(allow), true) = (flags.3, has_player) {
            video = video.with_allow_embed(allow);
        }
        video
    })
}

/// Returns dates with seconds or without a time. Videos don't allow a time without seconds.
fn full_seconds() -> impl Strategy<Value = LastMod> {
    full_date()
}

fn element() -> impl Strategy<Value = Element<'static>> {
    let leaf = (
        "[a-z]{1,5}",
        prop::collection::btree_map("[a-z]{1,4}", text(), 0..3),
        option(text()),
        option(text()),
    )
        .prop_map(|(name, attributes, qualified, text)| {
            let mut element = Element::new(namespace(), name).unwrap();
            for (name, value) in attributes.into_iter().filter(|(name, _)| name != "xmlns") {
                element = element.with_attribute(name, value).unwrap();
            }
            if let Some(value) = qualified {
                let of_xml = element.with_qualified_attribute(Namespace::xml(), "lang", value.clone());
                element = of_xml.unwrap().with_qualified_attribute(namespace(), "a", value).unwrap();
            }
            match text {
                Some(text) => element.with_text(text).unwrap(),
                None => element,
            }
        });
    leaf.prop_recursive(3, 8, 3, |inner| {
        ("[a-z]{1,5}", prop::collection::vec(inner, 1..3)).prop_map(|(name, children)| {
            children.into_iter().fold(Element::new(namespace(), name).unwrap(), |element, child| {
                element.with_child(child).unwrap()
            })
        })
    })
}

fn namespace() -> Namespace<'static> {
    Namespace::new("x", "urn:example:x").unwrap()
}

fn entry() -> impl Strategy<Value = Entry<'static>> {
    (
        (
            loc(),
            option(lastmod()),
            option(prop::sample::select(&ChangeFreq::ALL[..])),
            option(0..=10_000_u16),
        ),
        prop::collection::vec(alternate(), 0..3),
        prop::collection::vec(image(), 0..3),
        prop::collection::vec(video(), 0..2),
        option(news()),
        prop::collection::vec(element(), 0..2),
    )
        .prop_map(
            |((loc, lastmod, changefreq, priority), alternates, images, videos, news, elements)| {
                let priority = priority.map(|n| Priority::new(f64::from(n) / 10_000.0).unwrap());
                let mut entry =
                    Entry::new(loc).with_lastmod(lastmod).with_changefreq(changefreq).with_priority(priority);
                // An empty list is read back as no list, so only set non-empty lists.
                if !alternates.is_empty() {
                    entry = entry.with_alternates(Cow::Owned(alternates));
                }
                if !images.is_empty() {
                    entry = entry.with_images(images);
                }
                if !videos.is_empty() {
                    entry = entry.with_videos(videos);
                }
                if !elements.is_empty() {
                    entry = entry.with_elements(elements);
                }
                if news.is_some() { entry.with_news(news) } else { entry }
            },
        )
}

fn read(xml: &[u8], options: ReadOptions) -> Vec<Entry<'static>> {
    let mut reader = SitemapReader::from_slice_with(xml, options.keep_elements(true).strict(true));
    let mut entries = Vec::new();
    while let Some(item) =
        reader.next().unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(xml)))
    {
        let Item::Page(page) = item else { panic!("the item is not a page") };
        entries.push(page.into_entry().into_owned());
    }
    let findings: Vec<_> = reader.drain_findings().collect();
    assert!(findings.is_empty(), "{findings:?}\n{}", String::from_utf8_lossy(xml));
    entries
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_with_every_extension(entries in prop::collection::vec(entry(), 1..4)) {
        let options = WriteOptions::new()
            .extensions(Extensions::ALTERNATES | Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS)
            .namespace(namespace())
            .deprecated(true);
        let site = Site::new("https://example.com").unwrap();
        let mut writer = SitemapWriter::with_options(site, Vec::new(), options);
        let mut written = Vec::new();
        for entry in entries {
            // The writer rejects an entry if the media file or player of a video has the page's URL.
            if writer.add(&entry).is_ok() {
                written.push(entry);
            }
        }
        let (xml, _) = writer.finish().unwrap();
        prop_assert_eq!(&read(&xml, ReadOptions::new()), &written);
        prop_assert_eq!(&read(&xml, ReadOptions::new().without_fast_path()), &written);
    }

    #[test]
    fn indexes(children in prop::collection::vec((loc(), option(lastmod())), 1..9)) {
        let mut writer = IndexWriter::new(Site::new("https://example.com").unwrap(), Vec::new());
        for (loc, lastmod) in &children {
            writer.add(loc.as_str(), *lastmod).unwrap();
        }
        let (xml, _) = writer.finish().unwrap();
        let mut reader = SitemapReader::from_slice(&xml);
        for (loc, lastmod) in &children {
            let item = reader.next().unwrap().unwrap();
            prop_assert_eq!(item.loc(), loc);
            prop_assert_eq!(item.lastmod(), *lastmod);
        }
        prop_assert!(reader.next().unwrap().is_none());
        prop_assert_eq!(reader.findings_total(), 0);
    }
}
