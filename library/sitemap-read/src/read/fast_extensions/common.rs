//! Reads translations and images in their most common forms.
//!
//! For these forms, the outline doesn't record individual elements and attributes, and most URLs are checked right
//! away. If a method finds another form, or if the text ends too early, the general method reads the same element
//! again.

use memchr::memchr2;

use super::super::draft::trim_range;
use super::super::fast::{Stop, value};
use super::super::token::is_blank;
use super::outline::Found;
use super::prefixes::Prefix;
use super::scan::Scan;
use sitemap_core::reading::is_hreflang;

/// The maximum length of a language tag.
const LONGEST_TAG: usize = 11;

impl Scan<'_> {
    /// Reads a link to a language version: an empty element with the attributes `rel`, `hreflang` and `href` in any
    /// order. The current offset must be after the prefix in the tag. Returns `None` for any other form.
    pub(super) fn link(&mut self) -> Option<Found> {
        self.usual_link().or_else(|| self.other_link())
    }

    /// Reads a link to a language version in the spelling that most programs use.
    #[inline]
    fn usual_link(&mut self) -> Option<Found> {
        let text = self.text;
        let tag = self.at + 31;
        let rest = text[self.at..].strip_prefix(b"link rel=\"alternate\" hreflang=\"")?;
        let len = rest.iter().take(LONGEST_TAG + 1).position(|&byte| byte == b'"')?;
        let value = rest[len..].strip_prefix(b"\" href=\"")?;
        let url = tag + len + 8;
        let end = url + memchr2(b'"', b'<', value)?;
        if !text[end..].starts_with(b"\"/>") || !is_hreflang(&rest[..len]) || self.limits.attributes < 3 {
            return None;
        }
        let href = self.origins.links(self.outline.links).place(text, (url, end), false);
        self.at = end + 3;
        Some(Found::Link { hreflang: (tag, tag + len), href })
    }

    fn other_link(&mut self) -> Option<Found> {
        let text = self.text;
        let mut at = self.at + text[self.at..].starts_with(b"link").then_some(4)?;
        let (mut is_alternate, mut hreflang, mut href) = (false, None, None);
        if self.limits.attributes < 3 {
            return None;
        }
        loop {
            let start = at;
            while is_blank(*text.get(at)?) {
                at += 1;
            }
            let rest = &text[at..];
            match rest {
                [b'/', b'>', ..] if is_alternate => {
                    self.at = at + 2;
                    return Some(Found::Link { hreflang: hreflang?, href: href? });
                }
                _ if at == start || at - start > self.limits.text_bytes => return None,
                [b'r', b'e', b'l', b'=', quote @ (b'"' | b'\''), value @ ..] if !is_alternate => {
                    is_alternate = value.starts_with(b"alternate") && value.get(9) == Some(quote);
                    at += 5 + 10;
                    if !is_alternate {
                        return None;
                    }
                }
                [b'h', b'r', b'e', b'f', b'=', quote @ (b'"' | b'\''), value @ ..] if href.is_none() => {
                    let (start, len) = (at + 6, memchr2(*quote, b'<', value)?);
                    if value[len] != *quote {
                        return None;
                    }
                    at = start + len + 1;
                    let origin = self.origins.links(self.outline.links);
                    href = Some(origin.place(text, (start, start + len), false));
                }
                [
                    b'h',
                    b'r',
                    b'e',
                    b'f',
                    b'l',
                    b'a',
                    b'n',
                    b'g',
                    b'=',
                    quote @ (b'"' | b'\''),
                    value @ ..,
                ] if hreflang.is_none() => {
                    let len = value.iter().take(LONGEST_TAG + 1).position(|byte| byte == quote)?;
                    let start = at + 10;
                    at = start + len + 1;
                    hreflang = is_hreflang(&value[..len]).then_some((start, start + len));
                    hreflang?;
                }
                _ => return None,
            }
        }
    }

    /// Reads an image that has only a URL. The current offset must be after the prefix in the tag. Returns an error for
    /// any other form.
    pub(super) fn image(&mut self, prefix: &Prefix) -> Result<Found, Stop> {
        let text = self.text;
        self.expect(b"image>")?;
        self.skip_blanks()?;
        self.expect(b"<")?;
        self.expect_prefix(prefix)?;
        self.expect(b"loc>")?;
        let (mut start, mut end) = value(text, self.at, self.limits)?;
        self.at = end + 1;
        let is_data = start == end && self.byte()? == b'!';
        if is_data {
            (start, end) = self.data()?;
        }
        self.expect(b"/")?;
        self.expect_prefix(prefix)?;
        self.expect(b"loc>")?;
        self.skip_blanks()?;
        self.expect(b"</")?;
        self.expect_prefix(prefix)?;
        self.expect(b"image>")?;
        let origin = self.origins.fields(0);
        let range = trim_range(text, start, end);
        Ok(Found::Image(origin.place(text, range, is_data)))
    }
}
