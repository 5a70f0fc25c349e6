//! The parts of a response that state facts, and the search for the end of a page's head.

use crate::content::html::Tag;

/// The part of a response that states a fact.
///
/// Search engines trust the head and the headers. They ignore a canonical in the body, because users may be able to add
/// HTML there.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Place, Response};
///
/// // A browser ends the head at the first element that has no place in it.
/// let body = b"<!doctype html><head><img src=pixel><meta name=robots content=noindex></head>";
/// let url = "https://example.com/";
/// let response = Response::new(url, 200, &[], body);
/// assert_eq!(PageFacts::of(&response).robots[0].place, Place::Body);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Place {
    /// A header of the response.
    Header,
    /// An element in the page's head.
    Head,
    /// An element in the page's body.
    Body,
}

/// The parser's position in the page, as in the HTML standard. Scripting is assumed to be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    BeforeHead,
    InHead,
    AfterHead,
    InBody,
}

/// Finds where the head ends.
#[derive(Debug)]
pub(super) struct HeadEnd {
    mode: Mode,
}

impl HeadEnd {
    pub(super) fn new() -> Self {
        Self { mode: Mode::BeforeHead }
    }

    /// Returns the place of an element that starts here.
    #[inline]
    pub(super) fn place(&self) -> Place {
        if self.mode == Mode::InBody { Place::Body } else { Place::Head }
    }

    /// Processes a start tag outside templates.
    #[inline]
    pub(super) fn start(&mut self, tag: Tag) {
        if self.mode != Mode::InBody {
            self.mode = start(self.mode, tag);
        }
    }

    /// Processes an end tag outside templates.
    #[inline]
    pub(super) fn end(&mut self, tag: Tag) {
        self.mode = match (self.mode, tag) {
            (Mode::BeforeHead | Mode::InHead, Tag::Head) => Mode::AfterHead,
            (_, Tag::Body | Tag::Html | Tag::Br) => Mode::InBody,
            (mode, _) => mode,
        };
    }

    /// Processes text that isn't inside an element of the head.
    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        if self.mode != Mode::InBody && !text.trim_ascii().is_empty() && text != b"\xef\xbb\xbf" {
            self.mode = Mode::InBody;
        }
    }
}

fn start(mode: Mode, tag: Tag) -> Mode {
    match (mode, tag) {
        (Mode::BeforeHead, Tag::Head) => Mode::InHead,
        (mode, Tag::Html | Tag::Head) => mode,
        // After `</head>`, a `noscript` starts the body.
        (Mode::AfterHead, Tag::NoScript) => Mode::InBody,
        (
            mode,
            Tag::Base
            | Tag::BaseFont
            | Tag::BgSound
            | Tag::Link
            | Tag::Meta
            | Tag::NoFrames
            | Tag::NoScript
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Title,
        ) => {
            if mode == Mode::BeforeHead {
                Mode::InHead
            } else {
                mode
            }
        }
        _ => Mode::InBody,
    }
}
