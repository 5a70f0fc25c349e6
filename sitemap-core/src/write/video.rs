//! `video:video`, in the order of its schema.

use std::fmt;

use super::buffer::Buffer;
use super::markup::{
    close, open, push_element_of_text, push_loc, push_named_attribute, push_optional, push_shown,
};
use crate::extension::Video;
use crate::extension::video::{Platform, TvShow};

pub(super) fn push_video(out: &mut Buffer, video: &Video<'_>, deprecated: bool) {
    out.append(b"<video:video>");
    push_loc(out, "video:thumbnail_loc", video.thumbnail_loc());
    push_element_of_text(out, "video:title", video.title());
    push_element_of_text(out, "video:description", video.description());
    if let Some(loc) = video.content_loc() {
        push_loc(out, "video:content_loc", loc);
    }
    push_player(out, video, deprecated);
    push_shown(out, "video:duration", video.duration());
    push_shown(out, "video:expiration_date", video.expiration_date());
    push_shown(out, "video:rating", video.rating().map(Decimal));
    for segment in video.content_segments() {
        open(out, "video:content_segment_loc");
        if let Some(duration) = segment.duration() {
            push_named_attribute(out, "duration", &duration.to_string());
        }
        close(out, "video:content_segment_loc", segment.loc().as_str());
    }
    push_shown(out, "video:view_count", video.view_count());
    push_shown(out, "video:publication_date", video.publication_date());
    for tag in video.tags() {
        push_element_of_text(out, "video:tag", tag);
    }
    if deprecated {
        push_optional(out, "video:category", video.category());
    }
    push_yes_no(out, "video:family_friendly", video.family_friendly());
    if let Some(restriction) = video.restriction() {
        open(out, "video:restriction");
        push_named_attribute(out, "relationship", restriction.relationship().as_str());
        close(out, "video:restriction", restriction.list());
    }
    if deprecated {
        push_gallery_and_prices(out, video);
    }
    push_yes_no(out, "video:requires_subscription", video.requires_subscription());
    if let Some(uploader) = video.uploader() {
        open(out, "video:uploader");
        if let Some(info) = uploader.info() {
            push_named_attribute(out, "info", info.as_str());
        }
        close(out, "video:uploader", uploader.name());
    }
    if let Some(tv_show) = video.tv_show().filter(|_| deprecated) {
        push_tv_show(out, tv_show);
    }
    if let Some(platforms) = video.platforms() {
        open(out, "video:platform");
        push_named_attribute(out, "relationship", platforms.relationship().as_str());
        let words: Vec<_> =
            platforms.platforms().iter().map(|platform| Platform::as_str(*platform)).collect();
        close(out, "video:platform", &words.join(" "));
    }
    push_yes_no(out, "video:live", video.live());
    for id in video.ids() {
        open(out, "video:id");
        push_named_attribute(out, "type", id.kind().as_str());
        close(out, "video:id", id.text());
    }
    out.append(b"</video:video>");
}

fn push_player(out: &mut Buffer, video: &Video<'_>, deprecated: bool) {
    let Some(loc) = video.player_loc() else { return };
    open(out, "video:player_loc");
    if let Some(allow_embed) = video.allow_embed().filter(|_| deprecated) {
        push_named_attribute(out, "allow_embed", yes_no(allow_embed));
    }
    if let Some(autoplay) = video.autoplay().filter(|_| deprecated) {
        push_named_attribute(out, "autoplay", autoplay);
    }
    close(out, "video:player_loc", loc.as_str());
}

fn push_gallery_and_prices(out: &mut Buffer, video: &Video<'_>) {
    if let Some(gallery) = video.gallery() {
        open(out, "video:gallery_loc");
        if let Some(title) = gallery.title() {
            push_named_attribute(out, "title", title);
        }
        close(out, "video:gallery_loc", gallery.loc().as_str());
    }
    for price in video.prices() {
        open(out, "video:price");
        if let Some(currency) = price.currency() {
            push_named_attribute(out, "currency", currency);
        }
        if let Some(kind) = price.kind() {
            push_named_attribute(out, "type", kind.as_str());
        }
        if let Some(resolution) = price.resolution() {
            push_named_attribute(out, "resolution", resolution.as_str());
        }
        close(out, "video:price", price.amount().unwrap_or_default());
    }
}

fn push_tv_show(out: &mut Buffer, tv_show: &TvShow<'_>) {
    out.append(b"<video:tvshow>");
    push_element_of_text(out, "video:show_title", tv_show.show_title());
    push_element_of_text(out, "video:video_type", tv_show.kind().as_str());
    push_optional(out, "video:episode_title", tv_show.episode_title());
    push_shown(out, "video:season_number", tv_show.season_number());
    push_shown(out, "video:episode_number", tv_show.episode_number());
    push_shown(out, "video:premier_date", tv_show.premier_date());
    out.append(b"</video:tvshow>");
}

fn push_yes_no(out: &mut Buffer, name: &str, value: Option<bool>) {
    push_optional(out, name, value.map(yes_no));
}

/// Google's documentation has both in lower case only, the schema also in others.
const fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// With at least one decimal.
struct Decimal(f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of at most five digits, which is too few for an exponent.
        write!(f, "{:?}", self.0)
    }
}
