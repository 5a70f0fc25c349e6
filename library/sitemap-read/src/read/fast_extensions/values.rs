//! Reads the values of extensions. Methods return `None` if the general parser must read the value, because it needs a
//! finding or is written in an unusual way.

use std::borrow::Cow;

use memchr::memchr;

use super::super::fast::unescape;
use super::super::fields::valid;
use super::super::value::needs_encoding;
use super::outline::{Part, PartKind, Url, UrlSpelling};
use sitemap_core::extension::Hreflang;
use sitemap_core::reading::{
    Field, Fields, Group as _, Kind, KnownOrigin, Place, Table, Value, check_value, is_normal_like,
    is_plain_like, normalised_like, trusted_loc, usual_lastmod,
};
use sitemap_core::{Alternate, Image, Loc};

/// The origins of the most recent URLs. The URL of a translation or field usually has the same origin as the
/// corresponding URL of the previous entry.
#[derive(Debug, Default)]
pub(in super::super) struct Origins {
    links: [Origin; 8],
    fields: [Origin; 8],
}

impl Origins {
    /// Returns the last origin seen for the link with this number.
    #[inline]
    pub(super) fn links(&mut self, number: usize) -> &mut Origin {
        &mut self.links[number % 8]
    }

    /// Returns the last origin seen for the field with this number.
    #[inline]
    pub(super) fn fields(&mut self, number: u8) -> &mut Origin {
        &mut self.fields[usize::from(number) % 8]
    }
}

/// The origin of the corresponding URL in the previous entry.
#[derive(Debug, Default)]
pub(super) struct Origin(KnownOrigin);

impl Origin {
    /// Returns where the URL is and how it is written.
    #[inline]
    pub(super) fn place(&self, text: &[u8], range: (usize, usize), is_data: bool) -> Url {
        let raw = &text[range.0..range.1];
        let is_normal = if is_data { is_normal_like(raw, &self.0) } else { is_plain_like(raw, &self.0) };
        let spelling = match (is_normal, is_data) {
            (true, _) => UrlSpelling::Normal,
            (false, false) => UrlSpelling::Text,
            (false, true) => UrlSpelling::CData,
        };
        Url { range, spelling }
    }

    /// Parses the URL at `place`.
    #[inline]
    fn read<'t>(&mut self, text: &'t str, place: Url) -> Option<Loc<'t>> {
        let raw = &text[place.range.0..place.range.1];
        match place.spelling {
            UrlSpelling::Normal => Some(trusted_loc(raw.into())),
            UrlSpelling::Text => url(raw, false, &mut self.0),
            UrlSpelling::CData => url(raw, true, &mut self.0),
        }
    }
}

/// The values of an entry's extensions.
pub(super) struct Values<'v, 't> {
    pub(super) parts: &'v [Part],
    pub(super) text: &'t str,
    pub(super) origins: &'v mut Origins,
}

impl<'t> Values<'_, 't> {
    /// The maximum number of parts in an element.
    const MOST: usize = 500;

    /// Returns the name of a part.
    #[inline]
    pub(super) fn name(&self, at: usize) -> &'t [u8] {
        let (start, end) = self.parts[at].name;
        &self.text.as_bytes()[start..end]
    }

    #[inline]
    fn raw(&self, at: usize) -> &'t str {
        let (start, end) = self.parts[at].text;
        &self.text[start..end]
    }

    /// Returns the number of attributes that follow the element.
    #[inline]
    fn attributes(&self, element: usize) -> usize {
        self.parts[element].attributes
    }

    /// Reads the URL of a link. `number` is the link's number in its entry.
    #[inline]
    pub(super) fn link_url(&mut self, place: Url, number: usize) -> Option<Loc<'t>> {
        self.origins.links(number).read(self.text, place)
    }

    /// Reads the URL of an image.
    #[inline]
    pub(super) fn image_url(&mut self, place: Url) -> Option<Loc<'t>> {
        self.origins.fields(0).read(self.text, place)
    }

    /// Reads a link to a language version. `number` is the link's number in its entry.
    pub(super) fn link(&mut self, at: usize, number: usize) -> Option<Alternate<'t>> {
        let (mut rel, mut hreflang, mut href) = (None, None, None);
        for attribute in at + 1..=at + self.attributes(at) {
            let value = match self.name(attribute) {
                b"rel" => &mut rel,
                b"hreflang" => &mut hreflang,
                b"href" => &mut href,
                _ => continue,
            };
            value.get_or_insert(self.raw(attribute));
        }
        if rel? != "alternate" {
            return None;
        }
        let hreflang = Hreflang::parse(hreflang?).ok()?;
        let href = url(href?, false, &mut self.origins.links(number).0)?;
        Some(Alternate::new(hreflang, href))
    }

    /// Reads an image.
    pub(super) fn image(&mut self, at: usize) -> Option<Image<'t>> {
        let next = self.parts[at].next;
        if next == at + 2 && self.name(at + 1) == b"loc" && self.parts[at + 1].kind != PartKind::Attribute {
            let origin = &mut self.origins.fields(0).0;
            let is_data = matches!(self.parts[at + 1].kind, PartKind::CData(_));
            let (start, end) = self.parts[at + 1].text;
            return url(&self.text[start..end], is_data, origin).map(Image::new);
        }
        self.fields(at, Image::TABLE).map(Image::from_document)
    }

    /// Reads an element's values. The result contains all required values.
    pub(super) fn fields(&mut self, element: usize, table: &'static Table) -> Option<Fields<'t>> {
        let mut children = element + 1 + self.attributes(element);
        let end = self.parts[element].next;
        let mut fields = Fields::unchecked_with(table, (end - element - 1).min(Self::MOST));
        // Most elements have only children, so this block is usually skipped.
        if children > element + 1 || !self.raw(element).is_empty() {
            for (number, field) in (0..).zip(table.fields) {
                match field.place {
                    Place::Child | Place::AttributeOf(_) => {}
                    Place::Attribute => self.attribute(element, number, field, &mut fields)?,
                    Place::Text if self.raw(element).is_empty() => {}
                    Place::Text => fields.put(number, self.value(element, number, field)?),
                }
            }
        }
        // The general parser doesn't read more children than this.
        if end - children > Self::MOST {
            return None;
        }
        let mut number = 0;
        while children < end {
            number = self.child(children, number, &mut fields)?;
            children = self.parts[children].next;
        }
        fields.is_complete().then_some(fields)
    }

    /// Reads a child element and returns its field number. `last` is the previous child's field number.
    fn child(&mut self, at: usize, last: u8, fields: &mut Fields<'t>) -> Option<u8> {
        let table = fields.table();
        let (number, field) = table.child_from(last, self.name(at))?;
        if matches!(field.kind, Kind::Ignored) {
            return Some(number);
        }
        if field.most == 1 && fields.has(number) {
            return None;
        }
        let attributes = self.attributes(at);
        let value = match field.kind {
            Kind::Group(table) => Value::Group(self.fields(at, table)?),
            _ if self.parts[at].next > at + 1 + attributes || self.raw(at).is_empty() => return None,
            _ => self.value(at, number, field)?,
        };
        if field.most > 1 && fields.count(number) == field.most {
            return None;
        }
        fields.put(number, value);
        if attributes > 0 && !matches!(field.kind, Kind::Group(_)) {
            let place = Place::AttributeOf(field.name);
            for (number, field) in (0..).zip(table.fields).filter(|(_, field)| field.place == place) {
                self.attribute(at, number, field, fields)?;
            }
        }
        Some(number)
    }

    /// Reads an attribute if the element has it.
    fn attribute(
        &mut self,
        element: usize,
        number: u8,
        field: &'static Field,
        fields: &mut Fields<'t>,
    ) -> Option<()> {
        let mut attributes = element + 1..=element + self.attributes(element);
        let Some(at) = attributes.find(|&at| self.name(at) == field.local().as_bytes()) else {
            return Some(());
        };
        // XML parsers replace line ends and tabs in attribute values, so the general parser reads these.
        if self.raw(at).bytes().any(|byte| byte.is_ascii_control()) {
            return None;
        }
        fields.put(number, self.value(at, number, field)?);
        Some(())
    }

    /// Reads an element's text or an attribute's value.
    fn value(&mut self, at: usize, number: u8, field: &'static Field) -> Option<Value<'t>> {
        let raw = self.raw(at);
        let is_data = matches!(self.parts[at].kind, PartKind::CData(_));
        match field.kind {
            Kind::Loc => {
                return url(raw, is_data, &mut self.origins.fields(number).0).map(Value::Loc);
            }
            Kind::Date { .. } => {
                if let Some(date) = usual_lastmod(raw.as_bytes()) {
                    return check_value(field, Value::Date(date)).ok();
                }
            }
            _ => {}
        }
        let text = characters(raw, is_data)?;
        match field.kind {
            // The text isn't blank and contains no character that XML forbids, so only its length remains to be
            // checked.
            Kind::Text(most) if text.len() <= most => return Some(Value::Text(text)),
            Kind::Form(form) if (form.takes)(&text) => return Some(Value::Text(text)),
            Kind::Text(_) | Kind::Form(_) => return check_value(field, Value::Text(text)).ok(),
            Kind::Flag if *text == *"yes" => return Some(Value::Flag(true)),
            Kind::Flag if *text == *"no" => return Some(Value::Flag(false)),
            _ => {}
        }
        match valid(field, &text) {
            Ok((value, None)) => Some(value),
            _ => None,
        }
    }
}

/// Decodes a URL.
#[inline]
fn url<'t>(raw: &'t str, is_data: bool, known: &mut KnownOrigin) -> Option<Loc<'t>> {
    if !is_data && is_plain_like(raw.as_bytes(), known) {
        return Some(trusted_loc(raw.into()));
    }
    let text = decoded(raw, if is_data { None } else { memchr(b'&', raw.as_bytes()) })?;
    if is_normal_like(text.as_bytes(), known) {
        return Some(trusted_loc(text));
    }
    Some(match normalised_like(&text, known).ok()? {
        None => trusted_loc(text),
        // Only the general parser reports this.
        Some(_) if needs_encoding(&text) => return None,
        Some(normal) => trusted_loc(normal.into()),
    })
}

/// Decodes a text.
fn characters(raw: &str, is_data: bool) -> Option<Cow<'_, str>> {
    const FORBIDDEN: u8 = 1;
    const AMPERSAND: u8 = 2;
    // XML forbids control characters, U+FFFE and U+FFFF. In UTF-8, the last two start with the byte 0xEF.
    #[allow(clippy::needless_bitwise_bool)] // lazy operators would be branches
    let class = |byte: u8| {
        let is_plain = ((byte >= b' ') & (byte != 0xEF)) | (byte == b'\n') | (byte == b'\t');
        (u8::from(!is_plain) * FORBIDDEN) | (u8::from(byte == b'&') * AMPERSAND)
    };
    let classes = raw.bytes().fold(0, |classes, byte| classes | class(byte));
    if classes & FORBIDDEN != 0 {
        return None;
    }
    let has_reference = !is_data && classes & AMPERSAND != 0;
    decoded(raw, if has_reference { memchr(b'&', raw.as_bytes()) } else { None })
}

/// Decodes text whose first `&` is at `ampersand`.
fn decoded(raw: &str, ampersand: Option<usize>) -> Option<Cow<'_, str>> {
    // Text may be surrounded by white space outside ASCII. Only the general parser trims it, and also any white space
    // around attribute values.
    let is_kept = |byte: &u8| byte.is_ascii_graphic();
    if !raw.as_bytes().first().is_some_and(is_kept) || !raw.as_bytes().last().is_some_and(is_kept) {
        return None;
    }
    let Some(first) = ampersand else { return Some(Cow::Borrowed(raw)) };
    let mut decoded = String::with_capacity(raw.len());
    unescape(raw, first, &mut decoded).ok()?;
    Some(Cow::Owned(decoded))
}
