//! Tests of entries in JSON.

use sitemap_core::{Entry, Site};

/// An entry with every value. Its keys are in serialization order.
const RICH: &str = r#"{
    "loc": "https://example.com/a?b&c",
    "lastmod": "2026-01",
    "changefreq": "daily",
    "priority": 0.8,
    "alternates": [{"hreflang": "de-AT", "href": "https://example.com/de"}],
    "images": [
        {"loc": "https://example.com/1.jpg"},
        {
            "loc": "https://example.com/2.jpg",
            "caption": "Caption",
            "geo_location": "Limerick, Ireland",
            "title": "Title",
            "license": "https://example.com/licence"
        }
    ],
    "videos": [{
        "thumbnail_loc": "https://example.com/t.jpg",
        "title": "Title",
        "description": "Description",
        "content_loc": "https://example.com/v.mp4",
        "player_loc": "https://example.com/player",
        "allow_embed": true,
        "autoplay": "ap=1",
        "duration": 600,
        "expiration_date": "2027-01-31",
        "rating": 4.25,
        "content_segments": [
            {"loc": "https://example.com/s1"},
            {"loc": "https://example.com/s2", "duration": 30}
        ],
        "view_count": 12345,
        "publication_date": "2026-01-31T10:00:00Z",
        "tags": ["one", "two"],
        "category": "Category",
        "family_friendly": false,
        "restriction": {"relationship": "allow", "countries": ["DE", "AT"]},
        "gallery": {"loc": "https://example.com/g", "title": "Gallery"},
        "prices": [
            {"amount": "1.99", "currency": "EUR", "type": "rent", "resolution": "hd"},
            {"type": "purchase"}
        ],
        "requires_subscription": true,
        "uploader": {"name": "Uploader", "info": "https://example.com/u"},
        "tv_show": {
            "show_title": "Show",
            "video_type": "clip",
            "episode_title": "Episode",
            "season_number": 2,
            "episode_number": 7,
            "premier_date": "2026-01-31"
        },
        "platforms": {"relationship": "deny", "platforms": ["web", "tv"]},
        "live": false,
        "ids": [{"type": "tms:series", "id": "1"}, {"type": "url", "id": "2"}]
    }],
    "news": {
        "publication": {"name": "The Example Times", "language": "en"},
        "access": "Subscription",
        "genres": ["Blog", "Opinion"],
        "publication_date": "2026-01-31T10:00Z",
        "title": "Title",
        "keywords": "a, b",
        "stock_tickers": ["NASDAQ:GOOG"]
    },
    "elements": [{
        "namespace": "urn:example:x",
        "prefix": "x",
        "name": "note",
        "attributes": {"b": "1", "a": "2"},
        "qualified": [{
            "namespace": "http://www.w3.org/XML/1998/namespace",
            "prefix": "xml",
            "name": "lang",
            "value": "en"
        }],
        "content": ["text", {"namespace": "urn:example:x", "prefix": "x", "name": "child"}]
    }]
}"#;

#[test]
fn an_entry_with_all_values_keeps_them_through_json() {
    let entry: Entry<'_> = serde_json::from_str(RICH).unwrap();
    let json = serde_json::to_string(&entry).unwrap();
    // Remove the white space between keys and values. No value contains the replaced sequences.
    let compact = RICH.lines().map(str::trim).collect::<String>();
    let compact = compact.replace("\": ", "\":").replace("\", \"", "\",\"").replace("}, {", "},{");
    assert_eq!(json, compact.replace("\", {", "\",{"));
    let again: Entry<'_> = serde_json::from_str(&json).unwrap();
    assert_eq!(again, entry);
    // Strings with escapes can't be borrowed from the input, so they are copied.
    let escaped = json.replace('/', "\\/");
    assert_eq!(serde_json::from_str::<Entry<'_>>(&escaped).unwrap(), entry);
}

#[test]
fn null_means_that_a_value_is_absent() {
    let json = r#"{"loc": "https://example.com/", "lastmod": null, "priority": null, "news": null,
        "alternates": null, "images": null, "elements": null, "videos": [{
        "thumbnail_loc": "https://example.com/t.jpg", "title": "T", "description": "D",
        "player_loc": "https://example.com/p", "duration": null, "tags": null, "uploader": null}]}"#;
    let entry: Entry<'_> = serde_json::from_str(json).unwrap();
    assert_eq!((entry.lastmod(), entry.priority(), entry.news()), (None, None, None));
    let video = &entry.videos()[0];
    assert_eq!((video.duration(), video.tags().count(), video.uploader()), (None, 0, None));
}

#[test]
fn errors_name_the_field() {
    let video = |values: &str| {
        format!(
            r#"{{"loc": "https://example.com/", "videos": [{{"thumbnail_loc": "https://example.com/t.jpg",
               "title": "T", "description": "D"{values}}}]}}"#
        )
    };
    for (json, expected) in [
        (
            r#"{"loc": "https://example.com/", "lastMod": "2026"}"#.to_owned(),
            "unknown field `lastMod`, expected one of `loc`, `lastmod`, `changefreq`, `priority`, `alternates`, \
             `images`, `videos`, `news`, `elements` at line 1",
        ),
        (r#"{"lastmod": "2026"}"#.to_owned(), "missing field `loc` at line 1"),
        (
            r#"{"loc": "/a"}"#.to_owned(),
            "`loc` must be an absolute URL, found \"/a\"; start it with `https://` or `http://`",
        ),
        (r#"{"loc": "https://a.example/", "loc": "https://b.example/"}"#.to_owned(), "duplicate field `loc`"),
        (
            r#"{"loc": "https://a.example/", "images": [{"loc": "https://a.example/1"}], "images": []}"#
                .to_owned(),
            "duplicate field `images`",
        ),
        (
            r#"{"loc": "https://a.example/", "priority": null, "priority": 1}"#.to_owned(),
            "duplicate field `priority`",
        ),
        (
            r#"{"loc": "https://example.com/", "images": [{"caption": "C"}]}"#.to_owned(),
            "`image:image` has no `image:loc`; add one",
        ),
        (
            r#"{"loc": "https://example.com/", "images": [{"loc": "https://example.com/1", "src": "2"}]}"#
                .to_owned(),
            "unknown field `src`, expected one of `loc`, `caption`, `geo_location`, `title`, `license`",
        ),
        (video(""), "`video:video` has no `video:content_loc` or `video:player_loc`; add one"),
        (
            video(r#", "player_loc": "https://example.com/p", "duration": 0"#),
            "`video:duration` is 0; use 1 to 28800 seconds",
        ),
        (
            video(
                r#", "player_loc": "https://example.com/p", "prices": [{"currency": "EUR", "type": "rent"}]"#,
            ),
            "`video:price` has no `amount`; add one",
        ),
        (
            video(r#", "player_loc": "https://example.com/p", "ids": [{"type": "isbn", "id": "1"}]"#),
            "`video:id type` is \"isbn\"; use one of `tms:series`, `tms:program`, `rovi:series`, `rovi:program`, \
             `freebase`, `url`",
        ),
        (
            video(r#", "player_loc": "https://example.com/p", "live": "yes""#),
            "`video:live`: invalid type: string \"yes\", expected a boolean",
        ),
        (
            video(r#", "player_loc": "https://example.com/p", "duration": 1, "duration": 2"#),
            "duplicate field `duration`",
        ),
    ] {
        let error = serde_json::from_str::<Entry<'_>>(&json).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_path_is_relative_to_the_site() {
    use serde::de::DeserializeSeed as _;
    let site = Site::new("https://example.com/shop").unwrap();
    let mut json = serde_json::Deserializer::from_str(r#"{"loc": "/items/1"}"#);
    assert_eq!(site.deserialize(&mut json).unwrap().loc(), "https://example.com/shop/items/1");
}
