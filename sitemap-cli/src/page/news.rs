//! `news:news` as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sitemap_core::extension::ExtensionError;
use sitemap_core::extension::news::{Access, Genre};
use sitemap_core::{Error, LastMod};

use super::shown;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct News<'a> {
    #[serde(borrow)]
    publication: Publication<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    access: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    genres: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    publication_date: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    keywords: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    stock_tickers: Vec<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Publication<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    language: Cow<'a, str>,
}

impl<'a> News<'a> {
    pub(super) fn of(news: &'a sitemap_core::News<'_>) -> Self {
        let publication = news.publication();
        Self {
            publication: Publication {
                name: publication.name().into(),
                language: publication.language().into(),
            },
            access: news.access().map(|access| access.as_str().into()),
            genres: news.genres().iter().map(|genre| genre.as_str().into()).collect(),
            publication_date: shown(news.publication_date()),
            title: news.title().into(),
            keywords: news.keywords().map(Cow::Borrowed),
            stock_tickers: news.stock_tickers().map(Cow::Borrowed).collect(),
        }
    }

    pub(super) fn news(&self) -> Result<sitemap_core::News<'_>, Error> {
        let publication =
            sitemap_core::extension::Publication::new(&*self.publication.name, &*self.publication.language)?;
        let date = LastMod::parse(&self.publication_date)?;
        let genres = self.genres.iter().map(|genre| genre.parse::<Genre>());
        let mut news = sitemap_core::News::new(publication, date, &*self.title)?
            .with_access(self.access.as_deref().map(str::parse::<Access>).transpose()?)
            .with_genres(genres.collect::<Result<Vec<_>, ExtensionError>>()?);
        if let Some(keywords) = self.keywords.as_deref() {
            news = news.with_keywords(keywords)?;
        }
        Ok(news.with_stock_tickers(self.stock_tickers.iter().map(AsRef::<str>::as_ref))?)
    }
}
