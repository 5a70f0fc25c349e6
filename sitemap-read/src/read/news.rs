//! `news:news`, from the tree of its markup.

use super::date;
use super::extend::Part;
use crate::rule::Rule;
use sitemap_core::LastMod;
use sitemap_core::News;
use sitemap_core::extension::Publication;

pub(super) fn news<'t>(part: &mut Part<'_, 't>) -> Option<News<'t>> {
    let children = part.children();
    let mut publication = None;
    let mut published = None;
    let mut title = None;
    for &child in &children {
        let mut child = part.child(child);
        match child.local() {
            b"publication" => publication = publication.or_else(|| read_publication(&mut child)),
            b"publication_date" => published = published.or_else(|| read_date(&mut child)),
            b"title" => title = title.or_else(|| child.value()),
            _ => {}
        }
    }
    let publication = part.require(publication, "news:publication")?;
    let published = part.require(published, "news:publication_date")?;
    let title = part.require(title, "news:title")?;
    let mut news = part.check(News::new(publication, published, title))?;
    for child in children {
        let mut child = part.child(child);
        match child.local() {
            b"access" => {
                if let Some(word) = child.value() {
                    let access = child.check(word.parse());
                    news = news.with_access(access);
                }
            }
            b"genres" => {
                if let Some(list) = child.value() {
                    let genres: Vec<_> =
                        list.split(',').filter_map(|word| child.check(word.trim().parse())).collect();
                    news = news.with_genres(genres);
                }
            }
            b"keywords" => {
                if let Some(value) = child.value() {
                    child.set(&mut news, |news| news.with_keywords(value));
                }
            }
            b"stock_tickers" => {
                if let Some(list) = child.value() {
                    let tickers: Vec<_> = list
                        .split(',')
                        .map(|ticker| ticker.trim().to_owned())
                        .filter(|t| !t.is_empty())
                        .collect();
                    child.set(&mut news, |news| news.with_stock_tickers(tickers));
                }
            }
            // Read above; and one that the schema dropped long ago, which is harmless.
            b"publication" | b"publication_date" | b"title" | b"geo_locations" => {}
            _ => child.note(Rule::ElementUnknown),
        }
    }
    Some(news)
}

fn read_publication<'t>(part: &mut Part<'_, 't>) -> Option<Publication<'t>> {
    let mut name = None;
    let mut language = None;
    for child in part.children() {
        let mut child = part.child(child);
        match child.local() {
            b"name" => name = name.or_else(|| child.value()),
            b"language" => language = language.or_else(|| child.value()),
            _ => child.note(Rule::ElementUnknown),
        }
    }
    let name = part.require(name, "news:name")?;
    let language = part.require(language, "news:language")?;
    part.check(Publication::new(name, language))
}

/// A date as lenient as a page's own.
pub(super) fn read_date(part: &mut Part<'_, '_>) -> Option<LastMod> {
    let text = part.value()?;
    let Some((date, rule)) = date::parse(&text) else {
        part.note(Rule::LastModInvalid);
        return None;
    };
    if let Some(rule) = rule {
        part.note(rule);
    }
    Some(date)
}
