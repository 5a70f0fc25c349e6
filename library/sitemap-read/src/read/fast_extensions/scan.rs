//! Reads the markup of entries with extensions in one pass.

use memchr::memchr2;

use super::super::draft::{Draft, LocAt, trim_range};
use super::super::fast::{Stop, changefreq, lastmod, loc, plain, priority, skip_blanks, value};
use super::super::item::Value;
use super::super::limits::ReadLimits;
use super::super::namespace::Space;
use super::super::position::Lines;
use super::super::token::{find_end, is_blank};
use super::outline::{Found, Outline, Part, PartKind};
use super::prefixes::{Prefix, Prefixes};
use super::values::Origins;
use sitemap_core::reading::KnownOrigin;

/// Reads the entry at the start of the text. Its own values may be in any order, as text or CDATA, and it may have
/// extensions.
///
/// `start` is 0, or the offset of the first tag that isn't in `draft` yet. If this succeeds, the entry has no findings,
/// except about the values of its extensions. After an error, the content of `draft` and `outline` is unspecified.
pub(in super::super) fn scan(
    text: &[u8],
    start: usize,
    limits: &ReadLimits,
    prefixes: &Prefixes,
    (buffer, known): (&mut String, &mut KnownOrigin),
    draft: &mut Draft,
    (outline, origins): (&mut Outline, &mut Origins),
) -> Result<(), Stop> {
    outline.clear();
    let mut scan = Scan { text, at: start, limits, prefixes, outline, origins };
    let core = &*prefixes.core;
    let mut has_loc = start > 0;
    if start == 0 {
        *draft = Draft::default();
        scan.expect(b"<")?;
        scan.expect(core)?;
        scan.expect(b"url>")?;
    }
    draft.spelling.is_usual = false;
    loop {
        scan.skip_blanks()?;
        let tag = scan.at;
        scan.expect(b"<")?;
        if scan.byte()? == b'/' {
            scan.end(core, b"url")?;
            break;
        }
        match scan.core_value(core)? {
            Some(Value::Loc) if !has_loc => {
                has_loc = true;
                let (range, is_data) = scan.content(core, b"loc")?;
                (draft.loc, draft.spelling.is_as_written) = if is_data {
                    (loc_of_data(text, range, buffer, known)?, false)
                } else {
                    loc(text, range, buffer, known)?
                };
                draft.values.set(Value::Loc, range.0, range.1);
            }
            Some(Value::LastMod) if draft.lastmod.is_none() => {
                let (range, _) = scan.content(core, b"lastmod")?;
                draft.lastmod = Some(lastmod(&text[range.0..range.1])?);
                draft.values.set(Value::LastMod, range.0, range.1);
            }
            Some(Value::ChangeFreq) if draft.changefreq.is_none() => {
                let (range, _) = scan.content(core, b"changefreq")?;
                draft.changefreq = Some(changefreq(&text[range.0..range.1])?);
                draft.values.set(Value::ChangeFreq, range.0, range.1);
            }
            Some(Value::Priority) if draft.priority.is_none() => {
                let (range, _) = scan.content(core, b"priority")?;
                draft.priority = Some(priority(&text[range.0..range.1])?);
                draft.values.set(Value::Priority, range.0, range.1);
            }
            Some(_) => return Err(Stop::Other),
            None => {
                scan.at = tag;
                scan.extension()?;
                draft.is_plain = false;
            }
        }
    }
    if !has_loc || scan.at > limits.entry_bytes {
        return Err(Stop::Other);
    }
    draft.len = scan.at;
    draft.is_outlined = !draft.is_plain;
    Ok(())
}

/// Returns where the URL in a CDATA section is.
fn loc_of_data(
    text: &[u8],
    (start, end): (usize, usize),
    buffer: &mut String,
    known: &mut KnownOrigin,
) -> Result<LocAt, Stop> {
    let raw = &text[start..end];
    match (raw.first(), raw.last()) {
        (Some(first), Some(last)) if first.is_ascii() && last.is_ascii() => {}
        _ => return Err(Stop::Other),
    }
    if sitemap_core::reading::is_normal_like(raw, known) {
        return Ok(LocAt::Text(start, end));
    }
    match sitemap_core::reading::normalised_like(plain(raw)?, known) {
        Ok(None) => Ok(LocAt::Text(start, end)),
        Ok(Some(normal)) => {
            *buffer = normal;
            Ok(LocAt::Buffer)
        }
        Err(_) => Err(Stop::Other),
    }
}

/// The scanner's state within an entry.
pub(super) struct Scan<'s> {
    pub(super) text: &'s [u8],
    pub(super) at: usize,
    pub(super) limits: &'s ReadLimits,
    prefixes: &'s Prefixes,
    pub(super) outline: &'s mut Outline,
    pub(super) origins: &'s mut Origins,
}

impl Scan<'_> {
    #[inline]
    pub(super) fn byte(&self) -> Result<u8, Stop> {
        self.text.get(self.at).copied().ok_or(Stop::More)
    }

    /// Skips `wanted`, which must come next.
    #[inline]
    pub(super) fn expect(&mut self, wanted: &[u8]) -> Result<(), Stop> {
        let rest = &self.text[self.at..];
        if wanted.is_empty() || rest.starts_with(wanted) {
            self.at += wanted.len();
            return Ok(());
        }
        Err(if wanted.starts_with(rest) { Stop::More } else { Stop::Other })
    }

    /// Skips a prefix, which must come next.
    #[inline]
    pub(super) fn expect_prefix(&mut self, prefix: &Prefix) -> Result<(), Stop> {
        if prefix.starts(&self.text[self.at..]) {
            self.at += prefix.text.len();
            return Ok(());
        }
        self.expect(&prefix.text)
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) -> Result<(), Stop> {
        let start = self.at;
        self.at = skip_blanks(self.text, start, &mut Lines::default());
        if self.at - start > self.limits.text_bytes { Err(Stop::Other) } else { Ok(()) }
    }

    /// Skips an end tag, starting after its `<`.
    #[inline]
    fn end(&mut self, prefix: &[u8], name: &[u8]) -> Result<(), Stop> {
        let len = prefix.len() + name.len() + 2;
        let Some(tag) = self.text.get(self.at..self.at + len) else { return Err(Stop::More) };
        let (found_prefix, found_name) = tag[1..len - 1].split_at(prefix.len());
        let is_end = tag[0] == b'/' && tag[len - 1] == b'>';
        if is_end && (prefix.is_empty() || found_prefix == prefix) && found_name == name {
            self.at += len;
            return Ok(());
        }
        Err(Stop::Other)
    }

    /// Skips the start tag of one of the entry's own values, starting after its `<`.
    #[inline]
    fn core_value(&mut self, core: &[u8]) -> Result<Option<Value>, Stop> {
        const LONGEST: usize = 11;
        let text = &self.text[self.at..];
        // Skip the comparison for an empty prefix, because it can take more than a hundred cycles: the address of an
        // empty slice isn't real memory, and some processors handle a masked load from there in microcode.
        let rest = if core.is_empty() { Some(text) } else { text.strip_prefix(core) };
        let Some(rest) = rest else {
            return if core.starts_with(text) { Err(Stop::More) } else { Ok(None) };
        };
        let found = match rest {
            [b'l', b'o', b'c', b'>', ..] => (Value::Loc, 4),
            [b'l', b'a', b's', b't', b'm', b'o', b'd', b'>', ..] => (Value::LastMod, 8),
            [b'c', ..] if rest.starts_with(b"changefreq>") => (Value::ChangeFreq, 11),
            [b'p', ..] if rest.starts_with(b"priority>") => (Value::Priority, 9),
            _ if rest.len() < LONGEST => return Err(Stop::More),
            _ => return Ok(None),
        };
        self.at += core.len() + found.1;
        Ok(Some(found.0))
    }

    /// Reads the text and end tag of one of the entry's own values. Returns the range of the text, and `true` if it is
    /// a CDATA section.
    #[inline]
    fn content(&mut self, core: &[u8], name: &[u8]) -> Result<((usize, usize), bool), Stop> {
        let (mut start, mut end) = value(self.text, self.at, self.limits)?;
        self.at = end + 1;
        let is_data = start == end && self.byte()? == b'!';
        if is_data {
            (start, end) = self.data()?;
        }
        self.end(core, name)?;
        Ok((trim_range(self.text, start, end), is_data))
    }

    /// Reads a CDATA section, starting after its `<`, and also the `<` that follows it.
    pub(super) fn data(&mut self) -> Result<(usize, usize), Stop> {
        self.expect(b"![CDATA[")?;
        let start = self.at;
        let len = find_end(&self.text[start..], b"]]>").ok_or(Stop::More)?;
        if len > self.limits.text_bytes {
            return Err(Stop::Other);
        }
        self.at = start + len + 3;
        self.expect(b"<")?;
        Ok((start, start + len))
    }

    /// Reads an extension's element with its content. `self.at` is the offset of its `<`.
    fn extension(&mut self) -> Result<(), Stop> {
        let name = &self.text[self.at + 1..];
        let Some(prefix) = self.prefixes.of(name) else {
            let is_short = !name.contains(&b':') && self.prefixes.any_starts_with(name);
            return Err(if is_short { Stop::More } else { Stop::Other });
        };
        self.at += 1 + prefix.text.len();
        let (start, space) = (self.at, prefix.space);
        let found = match space {
            Space::Xhtml => self.link(),
            Space::Image if !self.outline.images_have_more => self.image(prefix).ok(),
            _ => None,
        };
        let found = if let Some(found) = found {
            found
        } else {
            self.at = start;
            let index = self.outline.parts.len();
            self.element(prefix, 0)?;
            if space == Space::Image {
                self.outline.images_have_more = self.outline.parts.len() > index + 2;
            }
            self.outline.has_foreign |= space == Space::Foreign;
            Found::Element(index)
        };
        self.outline.found.push(found);
        match space {
            Space::Xhtml => self.outline.links += 1,
            Space::Image => self.outline.images += 1,
            _ => {}
        }
        Ok(())
    }

    /// Reads an element with its content, starting after the prefix in its start tag.
    fn element(&mut self, prefix: &Prefix, depth: usize) -> Result<(), Stop> {
        // `news:name` is on the third level.
        const DEEPEST: usize = 2;
        let text = self.text;
        let rest = &text[self.at..];
        let name_len = match prefix.space {
            Space::Foreign => count_name(rest),
            _ => count_letters(rest),
        };
        let name = (self.at, self.at + name_len);
        self.at = name.1;
        let index = self.outline.parts.len();
        let kind = PartKind::Element(prefix.space);
        self.outline.parts.push(Part { kind, name, text: (0, 0), next: 0, attributes: 0 });
        let is_empty = self.attributes()?;
        self.outline.parts[index].attributes = self.outline.parts.len() - index - 1;
        if !is_empty {
            let (mut start, mut end) = value(text, self.at, self.limits)?;
            self.at = end + 1;
            let is_blank = text[start..end].iter().all(|&byte| is_blank(byte));
            if self.byte()? == b'!' && start == end {
                (start, end) = self.data()?;
                self.outline.parts[index].kind = PartKind::CData(prefix.space);
            } else if is_blank {
                while self.byte()? != b'/' {
                    if depth == DEEPEST {
                        return Err(Stop::Other);
                    }
                    self.expect_prefix(prefix)?;
                    self.element(prefix, depth + 1)?;
                    self.skip_blanks()?;
                    self.expect(b"<")?;
                }
                (start, end) = (self.at, self.at);
            }
            self.end(b"", &text[name.0 - prefix.text.len()..name.1])?;
            self.outline.parts[index].text = trim_range(text, start, end);
        }
        self.outline.parts[index].next = self.outline.parts.len();
        Ok(())
    }

    /// Reads the attributes and the end of a start tag. Returns `true` for an empty element such as `<link/>`.
    #[inline]
    fn attributes(&mut self) -> Result<bool, Stop> {
        let text = self.text;
        let mut attributes = 0;
        loop {
            let start = self.at;
            self.skip_blanks()?;
            match self.byte()? {
                b'>' => {
                    self.at += 1;
                    return Ok(false);
                }
                b'/' => return self.expect(b"/>").map(|()| true),
                _ if start == self.at || attributes == self.limits.attributes => return Err(Stop::Other),
                first if !first.is_ascii_alphabetic() => return Err(Stop::Other),
                _ => {}
            }
            attributes += 1;
            let rest = &text[self.at..];
            let len = match rest {
                [b'r', b'e', b'l', b'=', ..] => 3,
                [b'h', b'r', b'e', b'f', b'=', ..] => 4,
                [b'h', b'r', b'e', b'f', b'l', b'a', b'n', b'g', b'=', ..] => 8,
                _ => count_name(rest),
            };
            let name = (self.at, self.at + len);
            self.at = name.1;
            if rest.starts_with(b"xmlns") {
                return Err(Stop::Other);
            }
            self.expect(b"=")?;
            let quote = self.byte()?;
            if !matches!(quote, b'"' | b'\'') {
                return Err(Stop::Other);
            }
            let start = self.at + 1;
            let end = start + memchr2(quote, b'<', &text[start..]).ok_or(Stop::More)?;
            if text[end] != quote {
                return Err(Stop::Other);
            }
            self.at = end + 1;
            let next = self.outline.parts.len() + 1;
            let text = (start, end);
            self.outline.parts.push(Part { kind: PartKind::Attribute, name, text, next, attributes: 0 });
        }
    }
}

/// Returns how many bytes at the start of the text are at least 0x40, such as letters and `_`. Names in the known
/// vocabularies contain only letters and `_`, so the count ends at a byte such as `>` or white space.
#[inline]
fn count_letters(text: &[u8]) -> usize {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        // The shift moves each byte's second highest bit to its highest bit.
        let word = u64::from_le_bytes(*chunk);
        let others = !(word | (word << 1)) & HIGH;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + count_name(&text[at..])
}

/// Returns the length of the local name at the start of the text. The name ends before the first byte that doesn't
/// occur in extensions' names.
#[inline]
fn count_name(text: &[u8]) -> usize {
    const IS_NAME: [bool; 256] = {
        let mut is_name = [false; 256];
        let mut byte = 0;
        while byte < 128_u8 {
            is_name[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
            byte += 1;
        }
        is_name
    };
    text.iter().take_while(|&&byte| IS_NAME[usize::from(byte)]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_name_ends_at_white_space_and_markup() {
        for (text, len) in [
            ("loc>", 3),
            ("thumbnail_loc>https", 13),
            ("player_loc allow=", 10),
            ("link/>", 4),
            ("a\n", 1),
            ("", 0),
            ("title", 5),
        ] {
            assert_eq!(count_letters(text.as_bytes()), len, "{text:?}");
            assert_eq!(count_letters(text.as_bytes()), count_name(text.as_bytes()), "{text:?}");
        }
    }
}
