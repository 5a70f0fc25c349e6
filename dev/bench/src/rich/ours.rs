//! This project's `SitemapReader`, which checks every value.

use sitemap_read::{Item, ReadOptions, SitemapReader};

use super::tally::Tally;
use crate::Result;

/// Reads from memory.
pub fn slice(bytes: &[u8]) -> Result<Tally> {
    read(SitemapReader::from_slice(bytes))
}

/// Reads from memory with the general parser only.
pub fn general(bytes: &[u8]) -> Result<Tally> {
    read(SitemapReader::from_slice_with(bytes, ReadOptions::new().without_fast_path()))
}

fn read(mut reader: SitemapReader<'_>) -> Result<Tally> {
    let mut tally = Tally::default();
    while let Some(item) = reader.next()? {
        let Item::Page(page) = item else { return Err("found a `<sitemap>` element in a urlset".into()) };
        let entry = page.entry();
        tally.entries += 1;
        tally.text(entry.loc().as_str());
        tally.value(entry.lastmod().is_some());
        tally.value(entry.changefreq().is_some());
        tally.value(entry.priority().is_some());
        for alternate in entry.alternates() {
            tally.text(alternate.hreflang().as_str());
            tally.text(alternate.href().as_str());
        }
        for image in entry.images() {
            let texts = [image.loc().map(sitemap_core::Loc::as_str), image.caption(), image.title()];
            texts.into_iter().flatten().for_each(|text| tally.text(text));
        }
        for video in entry.videos() {
            tally.text(video.thumbnail_loc().ok_or("found a video without a thumbnail")?.as_str());
            tally.text(video.title());
            tally.text(video.description());
            let urls = [video.content_loc(), video.player_loc()];
            urls.into_iter().flatten().for_each(|loc| tally.text(loc.as_str()));
            video.tags().for_each(|tag| tally.text(tag));
            tally.value(video.duration().is_some());
            tally.value(video.publication_date().is_some());
            tally.value(video.family_friendly().is_some());
        }
        if let Some(news) = entry.news() {
            let publication = news.publication();
            tally.text(publication.name());
            tally.text(publication.language());
            tally.text(news.title());
            tally.value(news.publication_date().is_some());
        }
    }
    if reader.findings_total() > 0 {
        return Err(
            format!("found defects in a correct document: {:?}", reader.drain_findings().next()).into()
        );
    }
    Ok(tally)
}
