//! The rules for a page's images, videos and news.

use crate::read::{PageItem, Span};
use crate::rule::Rule;
use sitemap_core::__read::{Fields, Group as _, Table, check_video, image_fields, video_fields};
use sitemap_core::value::Precision;
use sitemap_core::{Entry, Image, LastMod, News, Video};

use super::page::is_after;
use super::sink::{Sink, quoted};

/// The number of news articles counted so far in one file. For rules that are reported once per file, also whether they
/// were already reported.
#[derive(Debug, Default)]
pub(super) struct Attachments {
    articles: u64,
    reported_image: bool,
    reported_video: bool,
    reported_dialect: bool,
}

impl Attachments {
    /// Checks the images, videos and news of a page, but not its language versions.
    pub(super) fn check(
        &mut self,
        page: &PageItem<'_>,
        now: Option<i64>,
        is_v0_84: bool,
        sink: &mut Sink<'_>,
    ) {
        let entry = page.entry();
        if is_v0_84 && !self.reported_dialect {
            self.reported_dialect = true;
            sink.add(Rule::ExtensionDialect, page.extension_span());
        }
        self.images(page, sink);
        self.videos(page, now, sink);
        if let Some(news) = entry.news() {
            self.news(page, news, now, sink);
        }
    }

    fn images(&mut self, page: &PageItem<'_>, sink: &mut Sink<'_>) {
        let mut images = page.entry().images().iter().filter_map(image_fields);
        if !self.reported_image && images.any(has_deprecated) {
            self.reported_image = true;
            sink.add(Rule::ImageDeprecated, first_deprecated(page, Image::TABLE));
        }
    }

    fn videos(&mut self, page: &PageItem<'_>, now: Option<i64>, sink: &mut Sink<'_>) {
        let entry = page.entry();
        for (number, video) in entry.videos().iter().enumerate() {
            if let Err(error) = check_video(video, entry.loc()) {
                let is_kept = sink.keeps(Rule::VideoConflict);
                let span = if is_kept { page.tag_span("video:video", number) } else { page.span() };
                sink.add_with(Rule::VideoConflict, span, || error.to_string());
            }
            if let Some(date) =
                video.expiration_date().filter(|date| now.is_some_and(|now| is_over(*date, now)))
            {
                let date_of = |number| page.tag_span_within("video:video", number, "video:expiration_date");
                let span = if sink.keeps(Rule::VideoExpired) { date_of(number) } else { page.span() };
                sink.add_found(Rule::VideoExpired, span, &date.to_string());
            }
            if !self.reported_video && has_deprecated(video_fields(video)) {
                self.reported_video = true;
                sink.add(Rule::VideoDeprecated, first_deprecated(page, Video::TABLE));
            }
        }
    }

    fn news(&mut self, page: &PageItem<'_>, news: &News<'_>, now: Option<i64>, sink: &mut Sink<'_>) {
        self.articles += 1;
        if self.articles == News::MAX_PER_FILE + 1 {
            sink.add(Rule::NewsTooMany, page.tag_span("news:news", 0));
        }
        let date = news.publication_date();
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
        if oldest.is_ok_and(|oldest| sitemap_core::__read::is_news_before(news, oldest)) {
            sink.add_with(Rule::NewsTooOld, span(), || {
                format!(
                    "the news article was published more than two days ago, found {}",
                    quoted(&date.to_string())
                )
            });
        }
    }
}

/// Returns `true` if the date is past in every time zone.
fn is_over(date: LastMod, now: i64) -> bool {
    const LATEST_DAY_END: i64 = 86_400 + 12 * 3_600;
    let later = if date.precision() <= Precision::Day { LATEST_DAY_END } else { 0 };
    date.timestamp() + later < now
}

fn has_deprecated(fields: &Fields<'_>) -> bool {
    fields.iter().any(|(field, _)| field.is_deprecated)
}

/// Returns the span of the first deprecated element in the page's entry.
fn first_deprecated(page: &PageItem<'_>, table: &Table) -> Span {
    let deprecated = table.fields.iter().filter(|field| field.is_deprecated);
    let spans = deprecated.map(|field| page.tag_span(table.element_of(field), 0));
    spans.filter(|span| *span != page.span()).min_by_key(|span| span.start).unwrap_or_else(|| page.span())
}

/// Returns `true` if the entry has extensions.
#[inline]
pub(super) fn has_any(entry: &Entry<'_>) -> bool {
    sitemap_core::__read::has_extensions(entry)
}
