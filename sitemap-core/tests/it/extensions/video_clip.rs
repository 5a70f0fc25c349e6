//! Tests of videos.

use super::*;

#[test]
fn a_video_has_a_media_file_or_a_player_or_both() {
    assert_eq!(written(&entry().with_videos(vec![video()])), video_with(""));
    let source = VideoSource::Player(loc("https://example.com/p?v=1&w=2"));
    let player = Video::new(loc("https://example.com/t.jpg"), "T", "D", source).unwrap();
    assert_eq!(
        written(&entry().with_videos(vec![player.clone()])),
        "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
         <video:title>T</video:title><video:description>D</video:description>\
         <video:player_loc>https://example.com/p?v=1&amp;w=2</video:player_loc></video:video>"
    );
    let both = player.with_content_loc(loc("https://example.com/v.mp4"));
    assert!(written(&entry().with_videos(vec![both])).contains(
        "<video:content_loc>https://example.com/v.mp4</video:content_loc>\
         <video:player_loc>https://example.com/p?v=1&amp;w=2</video:player_loc>"
    ));
}

#[test]
fn a_video_is_not_the_page_that_it_is_on() {
    for video in [
        video().with_player_loc(loc("https://example.com/")),
        video().with_content_loc(loc("https://example.com/")),
    ] {
        let error = sitemap_core::entries_of(&entry().with_videos(vec![video]), &site()).unwrap_err();
        let sitemap_core::ErrorKind::Extension(error) = error.kind() else { panic!("{error}") };
        assert_eq!(error.kind(), ExtensionErrorKind::Conflict);
        assert!(
            error.to_string().ends_with(
                "is \"https://example.com/\", the URL of the page that the video is on; use the URL of the media \
                 file or player"
            ),
            "{error}"
        );
    }
}

#[test]
fn a_video_title_has_100_characters_and_a_description_2048() {
    let make = |title: usize, description: usize| {
        let source = VideoSource::Content(loc("https://example.com/v.mp4"));
        Video::new(loc("https://example.com/t.jpg"), "ü".repeat(title), "ü".repeat(description), source)
    };
    assert!(make(100, 2_048).is_ok());
    assert_eq!(refused(make(101, 1)), "`video:title` has 101 characters; use at most 100");
    assert_eq!(refused(make(1, 2_049)), "`video:description` has 2049 characters; use at most 2048");
    assert!(refused(make(0, 1)).starts_with("`video:title` is \"\", which is blank;"));
}

#[test]
fn a_duration_is_1_to_28800_seconds() {
    assert_eq!(
        written(&entry().with_videos(vec![video().with_duration(28_800).unwrap()])),
        video_with("<video:duration>28800</video:duration>")
    );
    assert!(video().with_duration(1).is_ok());
    assert_eq!(refused(video().with_duration(0)), "`video:duration` is 0; use 1 to 28800 seconds");
    assert!(video().with_duration(28_801).is_err());
}

#[test]
fn a_rating_is_0_to_5() {
    for (rating, text) in
        [(0.0, "0.0"), (-0.0, "0.0"), (4.25, "4.25"), (4.1, "4.1"), (5.0, "5.0"), (0.0001, "0.0001")]
    {
        assert_eq!(
            written(&entry().with_videos(vec![video().with_rating(rating).unwrap()])),
            video_with(&format!("<video:rating>{text}</video:rating>"))
        );
    }
    for rating in [-0.1, 5.1, f64::NAN, f64::INFINITY] {
        assert!(video().with_rating(rating).is_err());
    }
    assert_eq!(refused(video().with_rating(6.0)), "`video:rating` is 6.0; use a number from 0.0 to 5.0");
}

#[test]
fn dates_of_videos_are_days_or_times_with_seconds() {
    let dated = video()
        .with_publication_date(date("2026-01-31"))
        .unwrap()
        .with_expiration_date(date("2026-02-01T00:00:00+01:00"))
        .unwrap();
    assert_eq!(
        written(&entry().with_videos(vec![dated])),
        video_with(
            "<video:expiration_date>2026-02-01T00:00:00+01:00</video:expiration_date>\
             <video:publication_date>2026-01-31</video:publication_date>"
        )
    );
    for form in ["2026", "2026-01", "2026-01-31T08:15Z"] {
        assert!(video().with_publication_date(date(form)).is_err(), "{form}");
        assert!(video().with_expiration_date(date(form)).is_err(), "{form}");
    }
}

#[test]
fn a_video_has_at_most_32_tags() {
    let tagged = |count| (0..count).try_fold(video(), |video, n| video.with_tag(format!("t{n}")));
    assert_eq!(tagged(32).unwrap().tags().count(), 32);
    assert_eq!(refused(tagged(33)), "`video:tag` occurs 33 times in one `video:video`; use at most 32");
    assert_eq!(
        written(&entry().with_videos(vec![video().with_tag("a & b").unwrap().with_tag("c").unwrap()])),
        video_with("<video:tag>a &amp; b</video:tag><video:tag>c</video:tag>")
    );
}

#[test]
fn yes_and_no_are_written_in_lower_case() {
    let answered = video().with_live(true).with_requires_subscription(false).with_family_friendly(true);
    assert_eq!(
        written(&entry().with_videos(vec![answered])),
        video_with(
            "<video:family_friendly>yes</video:family_friendly>\
             <video:requires_subscription>no</video:requires_subscription><video:live>yes</video:live>"
        )
    );
}

#[test]
fn restrictions_and_platforms_are_lists_with_a_relationship() {
    let restricted = video()
        .with_platforms(Platforms::new(Relationship::Deny, [Platform::Tv, Platform::Mobile]).unwrap())
        .with_restriction(Restriction::new(Relationship::Allow, ["DE", "AT"]).unwrap());
    assert_eq!(
        written(&entry().with_videos(vec![restricted])),
        video_with(
            "<video:restriction relationship=\"allow\">DE AT</video:restriction>\
             <video:platform relationship=\"deny\">tv mobile</video:platform>"
        )
    );
    for country in ["de", "DEU", "D", "", "D1", "ÄÖ"] {
        assert!(Restriction::new(Relationship::Allow, [country]).is_err(), "{country:?}");
    }
    assert_eq!(
        refused(Restriction::new(Relationship::Allow, ["de"])),
        "`video:restriction` has the item \"de\"; write each country as two upper-case letters, like `DE`"
    );
    assert_eq!(
        refused(Platforms::new(Relationship::Allow, [])),
        "`video:platform` is an empty list; add an item or leave the element out"
    );
    assert!(Restriction::new(Relationship::Deny, [""; 0]).is_err());
}

#[test]
fn an_uploader_has_255_characters_and_a_page_on_the_same_domain() {
    assert!(Uploader::new("x".repeat(255)).is_ok());
    assert_eq!(
        refused(Uploader::new("x".repeat(256))),
        "`video:uploader` has 256 characters; use at most 255"
    );
    let by = |url| {
        let uploader = Uploader::new("A & B").unwrap().with_info(loc(url));
        entry().with_videos(vec![video().with_uploader(uploader)])
    };
    assert_eq!(
        written(&by("https://example.com/by?a=1&b=2")),
        video_with("<video:uploader info=\"https://example.com/by?a=1&amp;b=2\">A &amp; B</video:uploader>")
    );
    let error = sitemap_core::entries_of(&by("https://example.org/by"), &site()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`video:uploader info` is \"https://example.org/by\", which is not on the host of the video's page; use a \
         URL on the page's host or leave `info` out"
    );
}

#[test]
fn segments_need_a_player() {
    let segment = Segment::new(loc("https://example.com/1.mp4")).with_duration(60).unwrap();
    let segmented = video().with_content_segment(segment);
    let player = segmented.clone().with_player_loc(loc("https://example.com/p"));
    assert!(written(&entry().with_videos(vec![player])).contains(
        "<video:content_segment_loc duration=\"60\">https://example.com/1.mp4</video:content_segment_loc>"
    ));
    let error = sitemap_core::entries_of(&entry().with_videos(vec![segmented]), &site()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`video:content_segment_loc` is \"https://example.com/1.mp4\", but the video has no `video:player_loc`; add \
         `video:player_loc`, or use `video:content_loc` instead of segments"
    );
}

#[test]
fn deprecated_values_of_videos_are_kept_and_written_on_request_only() {
    let show = TvShow::new("Show", TvShowKind::Clip)
        .unwrap()
        .with_premier_date(date("2026-01-01"))
        .unwrap()
        .with_episode_number(2)
        .unwrap()
        .with_season_number(1)
        .unwrap()
        .with_episode_title("Episode")
        .unwrap();
    let old = video()
        .with_player_loc(loc("https://example.com/p"))
        .with_tv_show(show)
        .with_price(
            Price::new("1.99", "EUR").unwrap().with_kind(PriceKind::Rent).with_resolution(Resolution::Hd),
        )
        .with_price(Price::unknown(PriceKind::Purchase))
        .with_gallery(Gallery::new(loc("https://example.com/g")).with_title("G \"1\"").unwrap())
        .with_category("Cooking")
        .unwrap()
        .with_autoplay("ap=1")
        .unwrap()
        .with_allow_embed(false);
    let player = "<video:player_loc>https://example.com/p</video:player_loc>";
    assert_eq!(old.category(), Some("Cooking"));
    let entry = entry().with_videos(vec![old]);
    assert_eq!(written(&entry), video_with(player));
    assert_eq!(
        written_with(WriteOptions::new().deprecated(true), &entry),
        video_with(
            "<video:player_loc allow_embed=\"no\" autoplay=\"ap=1\">https://example.com/p</video:player_loc>\
             <video:category>Cooking</video:category>\
             <video:gallery_loc title=\"G &quot;1&quot;\">https://example.com/g</video:gallery_loc>\
             <video:price currency=\"EUR\" type=\"rent\" resolution=\"hd\">1.99</video:price>\
             <video:price type=\"purchase\"></video:price>\
             <video:tvshow><video:show_title>Show</video:show_title><video:video_type>clip</video:video_type>\
             <video:episode_title>Episode</video:episode_title><video:season_number>1</video:season_number>\
             <video:episode_number>2</video:episode_number><video:premier_date>2026-01-01</video:premier_date>\
             </video:tvshow>"
        )
    );
}

#[test]
fn invalid_deprecated_values_are_refused() {
    assert!(video().with_category("x".repeat(256)).is_ok());
    assert!(video().with_category("x".repeat(257)).is_err());
    for (amount, currency) in
        [("", "EUR"), (".", "EUR"), ("1,99", "EUR"), ("-1", "EUR"), ("1.9.9", "EUR"), ("1", "eur"), ("1", "")]
    {
        assert!(Price::new(amount, currency).is_err(), "{amount:?} {currency:?}");
    }
    let show = || TvShow::new("S", TvShowKind::Full).unwrap();
    assert_eq!(refused(show().with_season_number(0)), "`video:season_number` is 0; use 1 to 4294967295");
    assert!(show().with_episode_number(0).is_err());
}

#[test]
fn ids_name_their_catalogue() {
    let id = Id::new(IdKind::TmsSeries, "1234").unwrap();
    assert_eq!(
        written(&entry().with_videos(vec![video().with_id(id)])),
        video_with("<video:id type=\"tms:series\">1234</video:id>")
    );
}
