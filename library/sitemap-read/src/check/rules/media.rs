//! The rules for a page's images, videos and news.

use sitemap_core::reading::{Fields, check_video, image_fields, video_fields};
use sitemap_core::value::Precision;
use sitemap_core::{LastMod, News};

use super::dates::is_after;
use super::visit::Visit;
use crate::check::sink::Sink;
use crate::read::{PageItem, Span, quoted};
use crate::rule::Rule;

/// The state of these rules for one file: the number of news articles so far, and which of the once-per-file rules have
/// already been reported.
#[derive(Debug, Default)]
pub(super) struct Media {
    articles: u64,
    reported_image: bool,
    reported_video: bool,
    reported_dialect: bool,
}

impl Media {
    /// Checks the images, videos and news of a page.
    #[inline]
    pub(super) fn page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        if sitemap_core::reading::has_extensions(visit.item.entry()) {
            self.extended(visit);
        }
    }

    fn extended(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let (page, now, is_v0_84) = (visit.item, visit.facts.now, visit.facts.is_v0_84);
        let sink = &mut visit.sink();
        if is_v0_84 && !self.reported_dialect {
            self.reported_dialect = true;
            sink.add(Rule::ExtensionDialect, page.extension_span());
        }
        self.images(page, sink);
        self.videos(page, now, sink);
        if let Some(news) = page.entry().news() {
            self.news(page, news, now, sink);
        }
    }

    fn images(&mut self, page: &PageItem<'_>, sink: &mut Sink<'_>) {
        if self.reported_image {
            return;
        }
        let images = page.entry().images().iter().map(image_fields).enumerate();
        let mut images = images.filter_map(|(number, fields)| Some((number, fields?)));
        if let Some((number, fields)) = images.find(|(_, fields)| has_deprecated(fields)) {
            self.reported_image = true;
            sink.add(Rule::ImageDeprecated, first_deprecated(page, fields, number));
        }
    }

    fn videos(&mut self, page: &PageItem<'_>, now: Option<i64>, sink: &mut Sink<'_>) {
        let entry = page.entry();
        let mut groups = None;
        let mut places = || page.groups("video:video", entry.videos().len());
        for (number, video) in entry.videos().iter().enumerate() {
            if let Err(error) = check_video(video, entry.loc()) {
                let is_kept = sink.keeps(Rule::VideoConflict);
                let span =
                    if is_kept { groups.get_or_insert_with(&mut places).span(number) } else { page.span() };
                sink.add_with(Rule::VideoConflict, span, || error.to_string());
            }
            if let Some(date) =
                video.expiration_date().filter(|date| now.is_some_and(|now| is_over(*date, now)))
            {
                let span = if sink.keeps(Rule::VideoExpired) {
                    groups.get_or_insert_with(&mut places).span_within(number, "video:expiration_date")
                } else {
                    page.span()
                };
                sink.add_found(Rule::VideoExpired, span, &date.to_string());
            }
            let fields = video_fields(video);
            if !self.reported_video && has_deprecated(fields) {
                self.reported_video = true;
                sink.add(Rule::VideoDeprecated, first_deprecated(page, fields, number));
            }
        }
    }

    fn news(&mut self, page: &PageItem<'_>, news: &News<'_>, now: Option<i64>, sink: &mut Sink<'_>) {
        self.articles += 1;
        if self.articles == News::MAX_PER_FILE + 1 {
            sink.add(Rule::NewsTooMany, page.tag_span("news:news", 0));
        }
        let Some(date) = news.publication_date() else {
            return;
        };
        let span = || page.tag_span("news:publication_date", 0);
        if date.precision() == Precision::Minute {
            sink.add_found(Rule::NewsDateMinutes, span(), &date.to_string());
        }
        let Some(now) = now else {
            return;
        };
        if is_after(date, now) {
            sink.add_found(Rule::NewsFuture, span(), &date.to_string());
        }
        let fresh = i64::try_from(News::FRESH.as_secs()).unwrap_or(i64::MAX);
        let oldest = LastMod::from_timestamp(now.saturating_sub(fresh));
        if oldest.is_ok_and(|oldest| sitemap_core::reading::is_news_before(news, oldest)) {
            sink.add_with(Rule::NewsTooOld, span(), || {
                format!(
                    "the news article was published more than two days ago, found {}",
                    quoted(&date.to_string())
                )
            });
        }
    }
}

/// Returns `true` if the date is in the past in every time zone.
fn is_over(date: LastMod, now: i64) -> bool {
    const LATEST_DAY_END: i64 = 86_400 + 12 * 3_600;
    let later = if date.precision() <= Precision::Day { LATEST_DAY_END } else { 0 };
    date.timestamp() + later < now
}

fn has_deprecated(fields: &Fields<'_>) -> bool {
    fields.iter().any(|(field, _)| field.is_deprecated)
}

/// Returns the span of the first element that holds a deprecated image or video value. `number` is the index of the
/// image or video in the page, starting at 0.
fn first_deprecated(page: &PageItem<'_>, fields: &Fields<'_>, number: usize) -> Span {
    let table = fields.table();
    let deprecated = fields.iter().filter(|(field, _)| field.is_deprecated);
    let spans =
        deprecated.map(|(field, _)| page.tag_span_within(table.element, number, table.element_of(field)));
    spans.filter(|span| *span != page.span()).min_by_key(|span| span.start).unwrap_or_else(|| page.span())
}
