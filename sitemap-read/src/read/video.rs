//! `video:video`, from the tree of its markup, in any order.

use std::str::FromStr;

use super::extend::Part;
use super::news::read_date;
use crate::rule::Rule;
use sitemap_core::Video;
use sitemap_core::extension::VideoSource;
use sitemap_core::extension::video::{
    Gallery, Id, Platforms, Price, PriceKind, Relationship, Restriction, Segment, TvShow, TvShowKind,
    Uploader,
};

pub(super) fn video<'t>(part: &mut Part<'_, 't>) -> Option<Video<'t>> {
    let children = part.children();
    let (mut thumbnail, mut title, mut description) = (None, None, None);
    let (mut content, mut player, mut player_node) = (None, None, None);
    for &node in &children {
        let mut child = part.child(node);
        match child.local() {
            b"thumbnail_loc" => thumbnail = thumbnail.or_else(|| child.address()),
            b"title" => title = title.or_else(|| child.value()),
            b"description" => description = description.or_else(|| child.value()),
            b"content_loc" => content = content.or_else(|| child.address()),
            b"player_loc" if player.is_none() => {
                player = child.address();
                player_node = Some(node);
            }
            _ => {}
        }
    }
    let thumbnail = part.require(thumbnail, "video:thumbnail_loc")?;
    let title = part.require(title, "video:title")?;
    let description = part.require(description, "video:description")?;
    let (source, other) = match (content, player) {
        (Some(content), player) => (Some(VideoSource::Content(content)), player),
        (None, player) => (player.map(VideoSource::Player), None),
    };
    let source = part.require(source, "video:content_loc")?;
    let mut video = part.check(Video::new(thumbnail, title, description, source))?;
    if let Some(player) = other {
        video = video.with_player_loc(player);
    }
    if let (Some(node), true) = (player_node, video.player_loc().is_some()) {
        video = player_attributes(&mut part.child(node), video);
    }
    for node in children {
        video = value(&mut part.child(node), video);
    }
    Some(video)
}

fn player_attributes<'t>(part: &mut Part<'_, 't>, mut video: Video<'t>) -> Video<'t> {
    if let Some(allow_embed) = part.attribute("allow_embed").and_then(|word| yes_no(part, &word)) {
        video = video.with_allow_embed(allow_embed);
    }
    if let Some(autoplay) = part.attribute("autoplay") {
        part.set(&mut video, |video| video.with_autoplay(autoplay));
    }
    video
}

/// Adds one of the values that may be missing.
fn value<'t>(part: &mut Part<'_, 't>, mut video: Video<'t>) -> Video<'t> {
    match part.local() {
        b"thumbnail_loc" | b"title" | b"description" | b"content_loc" | b"player_loc" => {}
        b"duration" => {
            if let Some(seconds) = parsed::<u32>(part) {
                part.set(&mut video, |video| video.with_duration(seconds));
            }
        }
        b"rating" => {
            if let Some(rating) = parsed::<f64>(part) {
                part.set(&mut video, |video| video.with_rating(rating));
            }
        }
        b"view_count" => {
            if let Some(views) = parsed::<u64>(part) {
                video = video.with_view_count(views);
            }
        }
        b"expiration_date" => {
            if let Some(date) = read_date(part) {
                part.set(&mut video, |video| video.with_expiration_date(date));
            }
        }
        b"publication_date" => {
            if let Some(date) = read_date(part) {
                part.set(&mut video, |video| video.with_publication_date(date));
            }
        }
        b"tag" => {
            if let Some(tag) = part.value() {
                part.set(&mut video, |video| video.with_tag(tag));
            }
        }
        b"category" => {
            if let Some(category) = part.value() {
                part.set(&mut video, |video| video.with_category(category));
            }
        }
        b"family_friendly" => {
            if let Some(flag) = flag(part) {
                video = video.with_family_friendly(flag);
            }
        }
        b"requires_subscription" => {
            if let Some(flag) = flag(part) {
                video = video.with_requires_subscription(flag);
            }
        }
        b"live" => {
            if let Some(flag) = flag(part) {
                video = video.with_live(flag);
            }
        }
        b"restriction" => {
            if let Some(restriction) = restriction(part) {
                video = video.with_restriction(restriction);
            }
        }
        b"platform" => {
            if let Some(platforms) = platforms(part) {
                video = video.with_platforms(platforms);
            }
        }
        b"uploader" => {
            if let Some(uploader) = uploader(part) {
                video = video.with_uploader(uploader);
            }
        }
        b"content_segment_loc" => {
            if let Some(segment) = segment(part) {
                video = video.with_content_segment(segment);
            }
        }
        b"id" => {
            if let Some(id) = id(part) {
                video = video.with_id(id);
            }
        }
        b"gallery_loc" => {
            if let Some(gallery) = gallery(part) {
                video = video.with_gallery(gallery);
            }
        }
        b"price" => {
            if let Some(price) = price(part) {
                video = video.with_price(price);
            }
        }
        b"tvshow" => {
            if let Some(tv_show) = tv_show(part) {
                video = video.with_tv_show(tv_show);
            }
        }
        _ => part.note(Rule::ElementUnknown),
    }
    video
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(part: &mut Part<'_, '_>) -> Option<T> {
    let text = part.value()?;
    part.check(text.parse::<T>().map_err(|error| format!("{error}, found {text:?}")))
}

fn flag(part: &mut Part<'_, '_>) -> Option<bool> {
    let word = part.value()?;
    yes_no(part, &word)
}

/// The schema's `yes` and `no` in any case, and the other spellings that are met.
fn yes_no(part: &mut Part<'_, '_>, word: &str) -> Option<bool> {
    part.check(match &*word.to_ascii_lowercase() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(format!("must be `yes` or `no`, found {word:?}")),
    })
}

/// An attribute that is one of some words.
fn word<T: FromStr<Err: std::fmt::Display>>(part: &mut Part<'_, '_>, name: &str) -> Option<T> {
    let word = part.attribute(name)?;
    part.check(word.to_ascii_lowercase().parse())
}

fn relationship(part: &mut Part<'_, '_>) -> Option<Relationship> {
    let relationship = word(part, "relationship");
    part.require(relationship, "relationship")
}

fn restriction(part: &mut Part<'_, '_>) -> Option<Restriction> {
    let relationship = relationship(part)?;
    let list = part.value()?.to_ascii_uppercase();
    part.check(Restriction::new(relationship, list.split_ascii_whitespace()))
}

fn platforms(part: &mut Part<'_, '_>) -> Option<Platforms> {
    let relationship = relationship(part)?;
    let list = part.value()?.to_ascii_lowercase();
    let words: Vec<_> = list.split_ascii_whitespace().filter_map(|word| part.check(word.parse())).collect();
    part.check(Platforms::new(relationship, words))
}

fn uploader<'t>(part: &mut Part<'_, 't>) -> Option<Uploader<'t>> {
    let name = part.value()?;
    let uploader = part.check(Uploader::new(name))?;
    match part.attribute("info").and_then(|info| part.check(sitemap_core::Loc::parse(info))) {
        Some(info) => Some(uploader.with_info(info)),
        None => Some(uploader),
    }
}

fn segment<'t>(part: &mut Part<'_, 't>) -> Option<Segment<'t>> {
    let mut segment = Segment::new(part.address()?);
    if let Some(seconds) = part.attribute("duration")
        && let Some(seconds) = part.check(seconds.parse::<u32>())
    {
        part.set(&mut segment, |segment| segment.with_duration(seconds));
    }
    Some(segment)
}

fn id<'t>(part: &mut Part<'_, 't>) -> Option<Id<'t>> {
    let kind = word(part, "type");
    let kind = part.require(kind, "type")?;
    let text = part.value()?;
    part.check(Id::new(kind, text))
}

fn gallery<'t>(part: &mut Part<'_, 't>) -> Option<Gallery<'t>> {
    let mut gallery = Gallery::new(part.address()?);
    if let Some(title) = part.attribute("title") {
        part.set(&mut gallery, |gallery| gallery.with_title(title));
    }
    Some(gallery)
}

fn price<'t>(part: &mut Part<'_, 't>) -> Option<Price<'t>> {
    let kind = word::<PriceKind>(part, "type");
    let resolution = part.attribute("resolution");
    let resolution = resolution.and_then(|word| part.check(word.to_ascii_lowercase().parse()));
    let amount = part.collected.text_of(part.text, part.node).text;
    let price = if amount.is_empty() {
        let kind = part.require(kind, "type")?;
        Price::unknown(kind)
    } else {
        let currency = part.attribute("currency");
        let currency = part.require(currency, "currency")?;
        part.check(Price::new(amount, currency))?
    };
    let price = kind.map_or(price.clone(), |kind| price.with_kind(kind));
    Some(resolution.map_or(price.clone(), |resolution| price.with_resolution(resolution)))
}

fn tv_show<'t>(part: &mut Part<'_, 't>) -> Option<TvShow<'t>> {
    let children = part.children();
    let mut title = None;
    let mut kind = None::<TvShowKind>;
    for &child in &children {
        let mut child = part.child(child);
        match child.local() {
            b"show_title" => title = title.or_else(|| child.value()),
            b"video_type" => {
                kind = kind.or_else(|| {
                    let word = child.value()?.to_ascii_lowercase();
                    child.check(word.parse())
                });
            }
            _ => {}
        }
    }
    let title = part.require(title, "video:show_title")?;
    let kind = part.require(kind, "video:video_type")?;
    let mut show = part.check(TvShow::new(title, kind))?;
    for child in children {
        let mut child = part.child(child);
        match child.local() {
            b"episode_title" => {
                if let Some(title) = child.value() {
                    child.set(&mut show, |show| show.with_episode_title(title));
                }
            }
            b"season_number" => {
                if let Some(number) = parsed::<u32>(&mut child) {
                    child.set(&mut show, |show| show.with_season_number(number));
                }
            }
            b"episode_number" => {
                if let Some(number) = parsed::<u32>(&mut child) {
                    child.set(&mut show, |show| show.with_episode_number(number));
                }
            }
            b"premier_date" => {
                if let Some(date) = read_date(&mut child) {
                    child.set(&mut show, |show| show.with_premier_date(date));
                }
            }
            _ => {}
        }
    }
    Some(show)
}
