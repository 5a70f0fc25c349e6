//! Updates of sets that other programs have modified.

use crate::support::{builder, remove, start, update};
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{Memory, Site, SitemapSet, Storage as _};
use sitemap_update::{Rebucket, UpdateError};

#[test]
fn a_changed_or_missing_file_is_an_error_and_nothing_is_published() {
    let (memory, _) = start(&builder(), 1);
    let site = Site::new("https://example.com").unwrap();
    let name = PublishedShards::read(&memory, &site).unwrap().section("posts")[0].name().to_owned();
    let (index, bytes) = (memory.get("sitemap.xml"), memory.get(&name).unwrap());
    let mut flipped = bytes.to_vec();
    flipped[200] ^= 1;
    for damage in [Some(flipped), Some(bytes[..100].to_vec()), Some([&bytes[..], b"\n"].concat()), None] {
        match damage {
            Some(bytes) => memory.put(&name, &bytes).unwrap(),
            None => memory.remove(&name).unwrap(),
        }
        let message = format!(
            "file `{name}` is missing or was changed by another program; publish all pages of the set again"
        );
        let error = update([remove(1)]).attempts(2).commit_to(memory.clone()).unwrap_err();
        assert_eq!(error.to_string(), message);
        let error = Rebucket::new(&builder().storage(memory.clone()), 2)
            .attempts(2)
            .pause(std::time::Duration::ZERO)
            .commit()
            .unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(memory.get("sitemap.xml"), index);
    }
}

#[test]
fn a_missing_or_damaged_set_is_not_updated() {
    let memory = Memory::new();
    assert!(matches!(update([remove(1)]).commit_to(memory.clone()).unwrap_err(), UpdateError::NoSet));
    let mut options = SitemapSet::builder(Site::new("https://example.com").unwrap());
    options = options.max_shrink(sitemap_core::publish::ShrinkLimit::OFF);
    let mut run = options.storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add("/a").unwrap();
    run.commit().unwrap();
    memory.put(".sitemap-manifest.jsonl", b"damaged").unwrap();
    let error = update([remove(1)]).commit_to(memory).unwrap_err();
    assert!(
        error.to_string().contains("`.sitemap-manifest.jsonl` is damaged or of another version"),
        "{error}"
    );
}
