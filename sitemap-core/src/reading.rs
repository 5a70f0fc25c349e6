//! Building blocks for programs that read sitemaps: fast checks of the most common forms, constructors for values that
//! are already checked, and the tables that describe extension elements.
//!
//! | for | items |
//! |---|---|
//! | URLs | [`KnownOrigin`], [`normalised`], [`is_normal_like`], [`trusted_loc`] |
//! | dates and priorities | [`usual_lastmod`], [`priority_of_tenths`] |
//! | images, videos and news, as tables | [`Table`], [`Fields`], [`Value`], [`Group`], [`image_fields`], [`video_fields`], [`check_video`], [`is_news_before`] |
//! | the files of a set | [`is_recent_file`] |
//! | whole entries | [`with_extensions`], [`has_extensions`] |

use std::borrow::Cow;

use crate::extension::{ExtensionError, Hreflang};
use crate::value::LocError;
use crate::{Alternate, Entry, Image, LastMod, Loc, News, Priority, Video};

pub use crate::extension::fields::{Fields, Value, check as check_value, check_item, refusal, split};
pub use crate::extension::group::Group;
pub use crate::extension::table::{Field, Form, Item, Kind, List, Place, Table};
pub use crate::publish::files::is_recent_file;
pub use crate::value::loc::KnownOrigin;

/// Returns all values of an image except its URL.
pub fn image_fields<'i, 'a>(image: &'i Image<'a>) -> Option<&'i Fields<'a>> {
    image.others()
}

/// Returns the values of a video.
pub fn video_fields<'v, 'a>(video: &'v Video<'a>) -> &'v Fields<'a> {
    video.fields()
}

/// Returns the normal form of a URL, or `None` if the string is already in that form.
///
/// # Errors
///
/// The same as for [`Loc::parse`].
pub fn normalised(text: &str) -> Result<Option<String>, LocError> {
    Loc::normalised(text)
}

/// Like [`normalised`], but faster if many URLs share an origin.
///
/// # Errors
///
/// The same as for [`Loc::parse`].
#[inline]
pub fn normalised_like(text: &str, known: &mut KnownOrigin) -> Result<Option<String>, LocError> {
    Loc::normalised_like(text, known)
}

/// Returns `true` if a quick check shows that a URL has the known origin and is in its normal form. `false` means that
/// the URL needs a full check: it may still be in its normal form.
#[inline]
pub fn is_normal_like(text: &[u8], known: &KnownOrigin) -> bool {
    Loc::is_normal_like(text, known)
}

/// Like [`is_normal_like`], but returns `false` if the URL contains a `&`, which may start a character reference.
#[inline]
pub fn is_plain_like(text: &[u8], known: &KnownOrigin) -> bool {
    Loc::is_plain_like(text, known)
}

/// Creates a `Loc` from a URL that is known to be in its normal form and short enough.
#[inline]
pub fn trusted_loc(text: Cow<'_, str>) -> Loc<'_> {
    Loc::trusted(text)
}

/// Returns `true` if `tag` is a valid language tag for an alternate.
#[inline]
#[must_use]
pub fn is_hreflang(tag: &[u8]) -> bool {
    crate::extension::is_hreflang(tag)
}

/// Creates an alternate from a language tag that is known to be valid.
#[inline]
#[must_use]
pub fn trusted_alternate<'a>(hreflang: &'a str, href: Loc<'a>) -> Alternate<'a> {
    Alternate::new(Hreflang::trusted(Cow::Borrowed(hreflang)), href)
}

/// Sets all extensions at once. The entry must not have any extensions yet.
#[inline]
pub fn with_extensions<'a>(
    entry: Entry<'a>,
    alternates: Vec<Alternate<'a>>,
    images: Vec<Image<'a>>,
    videos: Vec<Video<'a>>,
    news: Option<News<'a>>,
) -> Entry<'a> {
    entry.with_extensions(alternates, images, videos, news)
}

/// Returns `true` if the entry has extensions or elements from other namespaces.
#[inline]
pub fn has_extensions(entry: &Entry<'_>) -> bool {
    entry.attached().is_some()
}

/// Returns `true` if the article was published before `moment`. A publication date without a time counts as the end of
/// that day.
pub fn is_news_before(news: &News<'_>, moment: LastMod) -> bool {
    news.is_before(moment)
}

/// Appends a percent-encoded byte, such as `%2F`.
pub fn push_percent(out: &mut String, byte: u8) {
    crate::value::push_percent(out, byte);
}

/// Parses the two most common forms of `lastmod`: a day, or a time with seconds and an offset. Returns `None` for other
/// forms.
#[inline]
pub fn usual_lastmod(text: &[u8]) -> Option<LastMod> {
    LastMod::parse_usual(text)
}

/// Converts tenths to a priority, such as 8 to 0.8. Returns `None` above 10.
#[inline]
pub fn priority_of_tenths(tenths: u8) -> Option<Priority> {
    Priority::tenths(tenths)
}

/// Checks that a video's URLs do not conflict with the URL of its page or with each other.
///
/// # Errors
///
/// Returns an error if two of the URLs conflict.
pub fn check_video(video: &Video<'_>, page: &Loc<'_>) -> Result<(), ExtensionError> {
    crate::extension::check_video(video, page)
}
