//! Reads arbitrary bytes as robots.txt, and merges a site's `Sitemap:` line into it. Neither may panic. Merging a
//! second time must change nothing, and the `Sitemap:` lines of other sites must stay.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_core::robots::{merge, sitemaps};
use sitemap_core::{Loc, Site};

fuzz_target!(|data: &[u8]| {
    for sitemap in sitemaps(data) {
        let _ = sitemap.loc();
    }
    let Ok(text) = str::from_utf8(data) else { return };
    let site = Site::new("https://example.com").expect("a valid site");
    let own = [Loc::parse("https://example.com/sitemap.xml").expect("a valid URL")];
    let merged = merge(text, &site, &own);
    assert_eq!(merge(&merged, &site, &own), merged);
    let is_own = |value: &str| Loc::parse(value).is_ok_and(|loc| loc.as_str().starts_with(site.base()));
    let foreign = |text: &str| -> Vec<String> {
        let values = sitemaps(text.as_bytes()).map(|sitemap| sitemap.value().to_owned());
        values.filter(|value| !is_own(value)).collect()
    };
    assert_eq!(foreign(&merged), foreign(text));
    assert!(sitemaps(merged.as_bytes()).any(|sitemap| sitemap.value() == own[0].as_str()));
});
