//! Tests of images.

use super::*;

#[test]
fn an_image_is_a_url_that_may_be_on_another_host() {
    let images = vec![
        Image::new(loc("https://cdn.example.net/a.jpg?w=1&h=2")),
        Image::new(loc("https://example.com/it's.jpg")),
    ];
    assert_eq!(
        written(&entry().with_images(images)),
        "<image:image><image:loc>https://cdn.example.net/a.jpg?w=1&amp;h=2</image:loc></image:image>\
         <image:image><image:loc>https://example.com/it&apos;s.jpg</image:loc></image:image>"
    );
}

#[test]
fn a_page_has_at_most_1000_images() {
    let images = |count| vec![Image::new(loc("https://example.com/a.jpg")); count];
    let options = || WriteOptions::new().extensions(Extensions::IMAGES);
    assert!(document(options(), &entry().with_images(images(1_000))).is_ok());
    let error = document(options(), &entry().with_images(images(1_001))).unwrap_err();
    assert_eq!(error.to_string(), "`image:image` occurs 1001 times in one entry; use at most 1000");
    assert!(error.is_invalid_record());
    assert!(sitemap_core::entries_of(&entry().with_images(images(1_001)), &site()).is_err());
}

#[test]
fn deprecated_values_of_images_are_kept_and_written_on_request_only() {
    let image = Image::new(loc("https://example.com/a.jpg"))
        .with_license(loc("https://example.com/l"))
        .with_title("<T>")
        .unwrap()
        .with_geo_location("Limerick, Ireland")
        .unwrap()
        .with_caption("\"C\" & D")
        .unwrap();
    assert_eq!((image.caption(), image.title()), (Some("\"C\" & D"), Some("<T>")));
    assert_eq!(image.geo_location(), Some("Limerick, Ireland"));
    assert_eq!(image.license().unwrap().as_str(), "https://example.com/l");
    let entry = entry().with_images(vec![image]);
    assert_eq!(
        written(&entry),
        "<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>"
    );
    assert_eq!(
        written_with(WriteOptions::new().deprecated(true), &entry),
        "<image:image><image:loc>https://example.com/a.jpg</image:loc>\
         <image:caption>&quot;C&quot; &amp; D</image:caption>\
         <image:geo_location>Limerick, Ireland</image:geo_location>\
         <image:title>&lt;T&gt;</image:title>\
         <image:license>https://example.com/l</image:license></image:image>"
    );
}
