//! Tests the rules about images, videos and news.

use super::{NOTHING, found, found_with, now, options, urlset};

fn page(rest: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/a</loc>\n{rest}\n</url>"))
}

#[test]
fn too_many_images() {
    let with = |count: usize| {
        let image = |number| {
            format!("<image:image><image:loc>https://example.com/{number}.jpg</image:loc></image:image>\n")
        };
        found(page(&(0..count).map(image).collect::<String>()))
    };
    assert_eq!(with(1_000), NOTHING);
    assert_eq!(with(1_001), ["too-many-images 1003:1"]);
}

#[test]
fn image_deprecated_once_a_document() {
    let image = |more: &str| {
        format!("<image:image><image:loc>https://example.com/a.jpg</image:loc>{more}</image:image>")
    };
    let title = image("<image:title>A</image:title>");
    assert_eq!(found(page(&format!("{title}\n{title}"))), ["image-deprecated 3:62"]);
    assert_eq!(found(page(&image(""))), NOTHING);
}

fn video(content: &str, more: &str) -> String {
    page(&video_element(content, more))
}

fn video_element(content: &str, more: &str) -> String {
    format!(
        "<video:video>\n<video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\n\
         <video:title>T</video:title>\n<video:description>D</video:description>\n\
         <video:content_loc>{content}</video:content_loc>\n{more}</video:video>"
    )
}

#[test]
fn video_conflict() {
    assert_eq!(found(video("https://example.com/a", "")), ["video-conflict 3:1"]);
    assert_eq!(found(video("https://example.com/a.mp4", "")), NOTHING);
}

#[test]
fn video_deprecated_once_a_document() {
    let price = "<video:price currency=\"EUR\">1.99</video:price>\n";
    assert_eq!(found(video("https://example.com/a.mp4", price)), ["video-deprecated 8:1"]);
    let live = "<video:live>no</video:live>\n";
    assert_eq!(found(video("https://example.com/a.mp4", live)), NOTHING);
}

#[test]
fn video_deprecated_marks_the_deprecated_value() {
    let player = "<video:player_loc>https://example.com/p</video:player_loc>\n";
    let category = "<video:category>C</video:category>\n";
    let with = |more: &str| found(video("https://example.com/a.mp4", more));
    assert_eq!(with(&format!("{player}{category}")), ["video-deprecated 9:1"]);
    let autoplay = player.replace("_loc>h", "_loc autoplay=\"a=1\">h");
    assert_eq!(with(&format!("{autoplay}{category}")), ["video-deprecated 8:1"]);
    // Both videos have a player, but only the second has the deprecated attribute.
    let element = |more: &str| video_element("https://example.com/a.mp4", more);
    let document = page(&format!("{}\n{}", element(player), element(&autoplay)));
    assert_eq!(found(document), ["video-deprecated 15:1"]);
}

#[test]
fn image_deprecated_marks_the_deprecated_value() {
    let image = |more: &str| {
        format!("<image:image><image:loc>https://example.com/a.jpg</image:loc>\n{more}</image:image>\n")
    };
    let title = "<image:title>A</image:title>\n";
    let document = page(&format!("{}{}", image(""), image(title)));
    assert_eq!(found(document), ["image-deprecated 6:1"]);
}

#[test]
fn video_expired() {
    let with = |date: &str| {
        let expires = format!("<video:expiration_date>{date}</video:expiration_date>\n");
        found_with(now("2026-01-31T12:00:00Z"), video("https://example.com/a.mp4", &expires))
    };
    assert_eq!(with("2026-01-31T11:59:59Z"), ["video-expired 8:1"]);
    assert_eq!(with("2026-01-31T12:00:01Z"), NOTHING);
    assert_eq!(with("2026-01-29"), ["video-expired 8:1"]);
    assert_eq!(with("2026-01-31"), NOTHING);
}

#[test]
fn xsd_order_within_extensions() {
    let early =
        "<video:duration>60</video:duration>\n<video:player_loc>https://example.com/p</video:player_loc>\n";
    assert_eq!(found(video("https://example.com/a.mp4", early)), ["xsd-order 9:1"]);
    let late =
        "<video:player_loc>https://example.com/p</video:player_loc>\n<video:duration>60</video:duration>\n";
    assert_eq!(found(video("https://example.com/a.mp4", late)), NOTHING);
}

#[test]
fn extension_dialect() {
    let with = |namespace: &str| {
        found(format!(
            "<urlset xmlns=\"{namespace}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
             <url><loc>https://example.com/</loc>\n\
             <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url>\n</urlset>"
        ))
    };
    assert_eq!(with("http://www.google.com/schemas/sitemap/0.84"), ["extension-dialect 3:1"]);
    assert_eq!(with("http://www.sitemaps.org/schemas/sitemap/0.9"), NOTHING);
}

fn news(date: &str) -> String {
    format!(
        "<news:news>\n<news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\n\
         <news:publication_date>{date}</news:publication_date>\n<news:title>T</news:title>\n</news:news>"
    )
}

#[test]
fn news_too_old() {
    let with = |date: &str| found_with(now("2026-01-31T12:00:00Z"), page(&news(date)));
    assert_eq!(with("2026-01-29T11:59:59Z"), ["news-too-old 5:1"]);
    assert_eq!(with("2026-01-29T12:00:00Z"), NOTHING);
    assert_eq!(with("2026-01-28"), ["news-too-old 5:1"]);
    assert_eq!(with("2026-01-29"), NOTHING);
    assert_eq!(found(page(&news("2016-01-29"))), NOTHING, "the rule ran without a current time");
}

#[test]
fn news_future() {
    let with = |date: &str| found_with(now("2026-01-31T12:00:00Z"), page(&news(date)));
    assert_eq!(with("2026-01-31T12:00:01Z"), ["news-future 5:1"]);
    assert_eq!(with("2026-01-31"), NOTHING);
}

#[test]
fn news_date_minutes() {
    assert_eq!(found(page(&news("2026-01-31T12:00Z"))), ["news-date-minutes 5:1"]);
    assert_eq!(found(page(&news("2026-01-31T12:00:00Z"))), NOTHING);
}

#[test]
fn news_too_many() {
    let of = |count: usize| {
        let article = |number| {
            format!(
                "<url><loc>https://example.com/{number}</loc>{}</url>\n",
                news("2026-01-31").replace('\n', "")
            )
        };
        found(urlset(&(0..count).map(article).collect::<String>()))
    };
    assert_eq!(of(1_000), NOTHING);
    assert_eq!(of(1_001), ["news-too-many 1002:41"]);
}

#[test]
fn repaired_values_name_the_right_form() {
    let video = |more: &str| {
        page(&format!(
            "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
             <video:title>T</video:title><video:description>D</video:description>\
             <video:content_loc>https://example.com/v.mp4</video:content_loc>{more}</video:video>"
        ))
    };
    let messages = |document: &str| -> Vec<String> {
        let report = super::report(options(), document);
        report.findings().map(|(_, finding)| format!("{}: {}", finding.rule(), finding.message())).collect()
    };
    for (more, message) in [
        (
            "<video:requires_subscription>1</video:requires_subscription>",
            "extension-flag: a value is neither `yes` nor `no`, but is read as one of them, found \"1\"; write \"yes\"",
        ),
        (
            "<video:publication_date>2020-01-31 14:47:52</video:publication_date>",
            "lastmod-blank: a date contains a blank, found \"2020-01-31 14:47:52\"; write \"2020-01-31T14:47:52Z\"",
        ),
        (
            "<video:player_loc>https://example.com/my player</video:player_loc>",
            "loc-not-encoded: a URL has characters that must be percent-encoded, found \
             \"https://example.com/my player\"; write \"https://example.com/my%20player\"",
        ),
    ] {
        assert_eq!(messages(&video(more)), [message]);
    }
    assert_eq!(messages(&video("<video:live>no</video:live>")), [""; 0]);
    let image = |loc: &str| {
        page(&format!("<image:image><image:loc>https://example.com/{loc}</image:loc></image:image>"))
    };
    assert_eq!(found(image("a b.png")), ["loc-not-encoded 3:14"]);
    assert_eq!(found(image("a%20b.png")), NOTHING);
}

#[test]
fn a_news_sitemap_repeats_pages_of_other_files() {
    let article = page(&news("2026-01-31"));
    let check = |files: &[&str]| {
        let mut checker = sitemap_read::Checker::new(options());
        for (number, file) in files.iter().enumerate() {
            checker.check_slice(&format!("{number}.xml"), file.as_bytes()).unwrap();
        }
        super::lines(&checker.finish(), true)
    };
    assert_eq!(check(&[&page(""), &article]), NOTHING);
    assert_eq!(check(&[&article, &page("")]), NOTHING);
    assert_eq!(check(&[&article, &page(""), &article]), ["2.xml:page-in-two-files 2:11"]);
}
