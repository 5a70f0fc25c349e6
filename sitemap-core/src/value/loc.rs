//! `loc`: the address of a page.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

use url::{Host, Url};

use super::specials::Specials;

/// The address of a page: an absolute `http` or `https` URI of at most 2,047 ASCII characters.
///
/// What is made of the text it is read from:
///
/// - Existing percent escapes stay as they are, including those that are not UTF-8 (`%FC`).
/// - Characters that RFC 3986 does not allow in a path or query are percent-encoded as UTF-8, with
///   upper-case digits: `ü` becomes `%C3%BC`, a space `%20`, a `%` that begins no escape `%25`.
/// - The scheme and host become lower case, the host's IDNA form, without the scheme's default port.
/// - Everything else is kept as given, including a trailing slash, and a fragment, which crawlers
///   ignore.
///
/// Sources: [sitemaps.org, `loc`](https://www.sitemaps.org/protocol.html#locdef) and
/// [entity escaping](https://www.sitemaps.org/protocol.html#escaping), RFC 3986, RFC 3987.
///
/// ```
/// use sitemap_core::Loc;
///
/// let loc = Loc::parse("http://www.example.com/ümlat.html&q=name")?;
/// assert_eq!(loc.as_str(), "http://www.example.com/%C3%BCmlat.html&q=name");
///
/// let error = Loc::parse("/about").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`loc` must be an absolute URL; begin it with `https://` or `http://`, found \"/about\""
/// );
/// # Ok::<(), sitemap_core::LocError>(())
/// ```
#[derive(Clone)]
pub struct Loc<'a> {
    text: Cow<'a, str>,
    /// Not part of the value: equal addresses may know different things of themselves.
    specials: Specials,
}

impl<'a> Loc<'a> {
    /// The longest a `loc` may be: the protocol says "less than 2,048 characters".
    pub const MAX_LEN: usize = 2_047;

    /// Checks an absolute URL; borrows it when nothing has to be encoded.
    ///
    /// # Errors
    ///
    /// If it is empty, surrounded by white space, relative, of another scheme, without a valid host,
    /// with a user name or password, with control characters, with `.` or `..` segments, or longer
    /// than 2,047 characters once encoded.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, LocError> {
        let text = text.into();
        let text = match Self::normalised(&text)? {
            None => text,
            Some(changed) => changed.into(),
        };
        Ok(Self { text, specials: Specials::UNKNOWN })
    }

    /// What [`Loc::parse`] makes of the text; `None` when it stays as it is.
    pub(crate) fn normalised(text: &str) -> Result<Option<String>, LocError> {
        normalise(text).map_err(|kind| LocError::new(kind, text))
    }

    /// As [`Loc::normalised`], for one of many addresses of the same site.
    pub(crate) fn normalised_like(text: &str, known: &mut KnownOrigin) -> Result<Option<String>, LocError> {
        if let Some(rest) = known.rest_of(text)
            && text.len() <= Self::MAX_LEN
            && !rest.ends_with(char::is_whitespace)
            && let Ok(None) = normalise_rest(rest)
        {
            return Ok(None);
        }
        let normal = Self::normalised(text)?;
        if normal.is_none() {
            known.learn(text);
        }
        Ok(normal)
    }

    /// For text that is normal already; only the length can still be wrong.
    #[inline]
    pub(crate) fn from_checked(text: Cow<'a, str>) -> Result<Self, LocError> {
        Self::from_parts(text, Specials::UNKNOWN)
    }

    /// The same for an address put together of parts whose special characters are known.
    #[inline]
    pub(crate) fn from_parts(text: Cow<'a, str>, specials: Specials) -> Result<Self, LocError> {
        if text.len() > Self::MAX_LEN {
            return Err(too_long(&text));
        }
        Ok(Self { text, specials })
    }

    /// Where it has to be escaped for XML.
    #[inline]
    pub(crate) fn specials(&self) -> &Specials {
        &self.specials
    }

    /// The URI as ASCII text, not yet escaped for XML.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same address, independent of the text it was read from.
    #[must_use]
    pub fn into_owned(self) -> Loc<'static> {
        Loc { text: self.text.into_owned().into(), specials: self.specials }
    }
}

/// The scheme and host of the last address that was normal as it stood: the next one mostly has the
/// same, which then needs no second look.
#[derive(Debug, Default)]
pub(crate) struct KnownOrigin(String);

impl KnownOrigin {
    /// What follows the origin, in an address that begins with it.
    #[inline]
    fn rest_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.0.as_str()).filter(|_| !self.0.is_empty())?;
        matches!(rest.as_bytes().first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }

    /// `text` is a normal address.
    fn learn(&mut self, text: &str) {
        let authority = text.find("://").map_or(0, |at| at + 3);
        let len = text[authority..].find(['/', '?', '#']).map_or(text.len(), |at| authority + at);
        self.0.clear();
        self.0.push_str(&text[..len]);
    }
}

#[cold]
fn too_long(text: &str) -> LocError {
    LocError::new(LocErrorKind::TooLong(text.len()), text)
}

impl fmt::Display for Loc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Loc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Loc").field(&self.as_str()).finish()
    }
}

impl PartialEq for Loc<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Loc<'_> {}

impl PartialOrd for Loc<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Loc<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Loc<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl AsRef<str> for Loc<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl FromStr for Loc<'static> {
    type Err = LocError;

    /// Same as [`Loc::parse`], but always owned.
    fn from_str(text: &str) -> Result<Self, LocError> {
        Loc::parse(text).map(Loc::into_owned)
    }
}

impl<'a> TryFrom<&'a str> for Loc<'a> {
    type Error = LocError;

    fn try_from(text: &'a str) -> Result<Self, LocError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for Loc<'static> {
    type Error = LocError;

    fn try_from(text: String) -> Result<Self, LocError> {
        Self::parse(text)
    }
}

impl<'a> TryFrom<&'a Url> for Loc<'a> {
    type Error = LocError;

    fn try_from(url: &'a Url) -> Result<Self, LocError> {
        Self::parse(url.as_str())
    }
}

impl From<Loc<'_>> for String {
    fn from(loc: Loc<'_>) -> Self {
        loc.text.into_owned()
    }
}

/// What a URL's bytes mean past its host, a bit each, so that a text's bytes can be summed up.
mod class {
    /// Stands for itself in a path or query.
    pub(super) const PLAIN: u8 = 0;
    /// Stands for itself, too, but may make a `.` or `..` segment.
    pub(super) const DOT: u8 = 1;
    /// Begins an escape.
    pub(super) const PERCENT: u8 = 2;
    /// Begins the fragment the first time.
    pub(super) const HASH: u8 = 4;
    /// Is not allowed as it is and is percent-encoded.
    pub(super) const ENCODE: u8 = 8;
    /// C0 controls and DEL: refused.
    pub(super) const CONTROL: u8 = 16;
}

/// RFC 3986: `pchar`, `/` and `?` are plain.
const CLASSES: [u8; 256] = {
    let mut classes = [class::ENCODE; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation)] // below 256
        let class = match byte as u8 {
            b'.' => class::DOT,
            byte if byte.is_ascii_alphanumeric() || is_one_of(byte, b"-_~!$&'()*+,;=:@/?") => class::PLAIN,
            b'%' => class::PERCENT,
            b'#' => class::HASH,
            ..=0x1F | 0x7F => class::CONTROL,
            _ => class::ENCODE,
        };
        classes[byte] = class;
        byte += 1;
    }
    classes
};

const fn class_of(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

const fn is_one_of(byte: u8, bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// `None` when the text is already as it must be.
fn normalise(text: &str) -> Result<Option<String>, LocErrorKind> {
    if text.is_empty() {
        return Err(LocErrorKind::Empty);
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(LocErrorKind::Whitespace);
    }
    let (scheme, after_scheme) = split_scheme(text)?;
    let ends_authority = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let authority_len = after_scheme.as_bytes().iter().position(ends_authority).unwrap_or(after_scheme.len());
    let (authority, rest) = after_scheme.split_at(authority_len);
    let authority = normalise_authority(scheme, authority)?;
    let encoded = normalise_rest(rest)?;

    let unchanged = encoded.is_none() && matches!(authority, Cow::Borrowed(_)) && text.starts_with(scheme);
    let rest = encoded.as_deref().unwrap_or(rest);
    let len = scheme.len() + authority.len() + rest.len();
    if len > Loc::MAX_LEN {
        return Err(LocErrorKind::TooLong(len));
    }
    Ok((!unchanged).then(|| format!("{scheme}{authority}{rest}")))
}

/// The scheme in lower case, with its `://`, and what follows.
fn split_scheme(text: &str) -> Result<(&'static str, &str), LocErrorKind> {
    for scheme in ["https://", "http://"] {
        if let Some((start, rest)) = text.split_at_checked(scheme.len())
            && start.eq_ignore_ascii_case(scheme)
        {
            return Ok((scheme, rest));
        }
    }
    let scheme_len = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    let has_scheme = text.as_bytes()[0].is_ascii_alphabetic() && text[scheme_len..].starts_with(':');
    // `localhost:8080/x` and `example.com:80` read as a scheme too; a port gives them away.
    let is_port = text.as_bytes().get(scheme_len + 1).is_some_and(u8::is_ascii_digit);
    Err(if has_scheme && !is_port { LocErrorKind::Scheme } else { LocErrorKind::Relative })
}

fn normalise_authority<'t>(scheme: &str, authority: &'t str) -> Result<Cow<'t, str>, LocErrorKind> {
    if is_plain_host(authority) {
        return Ok(Cow::Borrowed(authority));
    }
    if authority.contains('@') {
        return Err(LocErrorKind::Credentials);
    }
    // The colons inside an IPv6 address are followed by its `]`.
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let port = match port {
        None => None,
        Some(port) => normalise_port(scheme, port)?,
    };
    let host = normalise_host(host)?;
    Ok(match (host, port) {
        (Cow::Borrowed(host), None) if host.len() == authority.len() => Cow::Borrowed(authority),
        (host, None) => Cow::Owned(host.into_owned()),
        (host, Some(port)) => {
            let whole = format!("{host}:{port}");
            if whole == authority { Cow::Borrowed(authority) } else { Cow::Owned(whole) }
        }
    })
}

/// `None` for the scheme's default port and for an empty one.
fn normalise_port(scheme: &str, port: &str) -> Result<Option<u16>, LocErrorKind> {
    if port.is_empty() {
        return Ok(None);
    }
    if !port.bytes().all(|b| b.is_ascii_digit()) {
        return Err(LocErrorKind::Port);
    }
    let number = port.parse::<u16>().map_err(|_| LocErrorKind::Port)?;
    let default = if scheme == "https://" { 443 } else { 80 };
    Ok((number != default).then_some(number))
}

fn normalise_host(host: &str) -> Result<Cow<'_, str>, LocErrorKind> {
    if is_plain_host(host) {
        return Ok(Cow::Borrowed(host));
    }
    let parsed = Host::parse(host).map_err(|_| LocErrorKind::Host)?;
    let is_address = !matches!(parsed, Host::Domain(_));
    let parsed = parsed.to_string();
    // The parser follows browsers, which let names hold quotes and more that no host has.
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if !is_address && !parsed.strip_suffix('.').unwrap_or(&parsed).split('.').all(is_label) {
        return Err(LocErrorKind::Host);
    }
    Ok(if parsed == host { Cow::Borrowed(host) } else { Cow::Owned(parsed) })
}

/// A lower-case ASCII name that needs neither IDNA nor the reading of numbers as addresses.
fn is_plain_host(host: &str) -> bool {
    let is_plain_label = |label: &[u8]| {
        (1..=63).contains(&label.len())
            && label.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
            && !label.starts_with(b"xn--")
    };
    let mut labels = host.as_bytes().split(|&byte| byte == b'.');
    // An address ends with a number, a domain does not.
    let ends_with_number =
        labels.clone().next_back().is_some_and(|label| label.first().is_some_and(u8::is_ascii_digit));
    labels.all(is_plain_label) && !ends_with_number
}

/// Path, query and fragment; `None` when nothing has to be encoded.
fn normalise_rest(rest: &str) -> Result<Option<String>, LocErrorKind> {
    let seen = rest.bytes().fold(class::PLAIN, |seen, byte| seen | class_of(byte));
    let encoded = if seen & !class::DOT == class::PLAIN { None } else { encode(rest)? };
    if seen & (class::DOT | class::PERCENT) != 0 {
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        if path.split('/').any(is_dot_segment) {
            return Err(LocErrorKind::DotSegment);
        }
    }
    Ok(encoded)
}

/// Encodes what has to be.
fn encode(rest: &str) -> Result<Option<String>, LocErrorKind> {
    let bytes = rest.as_bytes();
    let mut encoded: Option<String> = None;
    let mut seen_hash = false;
    for (at, &byte) in bytes.iter().enumerate() {
        let keep = match class_of(byte) {
            class::PLAIN | class::DOT => true,
            class::PERCENT => {
                matches!(bytes[at + 1..], [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
            }
            class::HASH => !std::mem::replace(&mut seen_hash, true),
            class::CONTROL => return Err(LocErrorKind::Character(byte.into())),
            _ => false,
        };
        match &mut encoded {
            Some(encoded) if keep => encoded.push(byte.into()),
            Some(encoded) => push_percent(encoded, byte),
            None if keep => {}
            None => push_percent(encoded.insert(rest[..at].to_owned()), byte),
        }
    }
    // XML cannot hold these two even when escaped, and no page's address means them.
    match rest.chars().find(|ch| matches!(ch, '\u{FFFE}' | '\u{FFFF}')) {
        Some(ch) => Err(LocErrorKind::Character(ch)),
        None => Ok(encoded),
    }
}

/// Appends `%XX`.
pub(crate) fn push_percent(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(HEX[usize::from(byte >> 4)].into());
    out.push(HEX[usize::from(byte & 15)].into());
}

/// `.` and `..`, also when written with `%2e`: URL parsers treat both spellings as steps.
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    let Some(rest) = strip_dot(segment) else {
        return false;
    };
    rest.is_empty() || strip_dot(rest).is_some_and(str::is_empty)
}

fn strip_dot(text: &str) -> Option<&str> {
    text.strip_prefix('.').or_else(|| text.strip_prefix("%2e")).or_else(|| text.strip_prefix("%2E"))
}

/// A text that is not a page's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocError {
    kind: LocErrorKind,
    found: Box<str>,
}

/// Which rule a [`LocError`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LocErrorKind {
    /// There is no text.
    Empty,
    /// White space before or after the URL.
    Whitespace,
    /// No scheme and host.
    Relative,
    /// Neither a scheme and host nor, where a site's pages are meant, a `/` to begin a path.
    NoPath,
    /// A scheme that is neither `http` nor `https`.
    Scheme,
    /// No host, or one that is neither a domain name nor an IP address.
    Host,
    /// A user name or password before the host.
    Credentials,
    /// A port that is not a number up to 65535.
    Port,
    /// A character that no URL can hold: C0 controls, DEL, U+FFFE, U+FFFF.
    Character(char),
    /// A `.` or `..` segment, literal or as `%2e`.
    DotSegment,
    /// More than 2,047 characters once encoded; holds how many.
    TooLong(usize),
    /// The value of this template placeholder is empty.
    EmptyParam(&'static str),
    /// The value of this template placeholder makes a `.`, `..` or empty path segment.
    ParamSegment(&'static str),
}

impl LocError {
    pub(crate) fn new(kind: LocErrorKind, found: &str) -> Self {
        const LONGEST: usize = 120;
        let end = found.char_indices().map(|(at, _)| at).find(|&at| at >= LONGEST).unwrap_or(found.len());
        let cut = if end < found.len() { "…" } else { "" };
        Self { kind, found: format!("{:?}{cut}", &found[..end]).into() }
    }

    /// The same where a path would have done, too.
    pub(crate) fn or_no_path(mut self) -> Self {
        if self.kind == LocErrorKind::Relative {
            self.kind = LocErrorKind::NoPath;
        }
        self
    }

    /// Which rule was broken.
    #[must_use]
    pub const fn kind(&self) -> &LocErrorKind {
        &self.kind
    }
}

impl fmt::Display for LocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            LocErrorKind::Empty => return f.write_str("`loc` is empty; every page needs an absolute URL"),
            LocErrorKind::Whitespace => f.write_str("`loc` has white space around it; trim it")?,
            LocErrorKind::Relative => {
                f.write_str("`loc` must be an absolute URL; begin it with `https://` or `http://`")?;
            }
            LocErrorKind::NoPath => {
                f.write_str(
                    "`loc` must be an absolute URL or a path on the site; begin it with `https://`, \
                     `http://` or `/`",
                )?;
            }
            LocErrorKind::Scheme => f.write_str("`loc` must be an `http` or `https` URL")?,
            LocErrorKind::Host => f.write_str("`loc` has no valid host name")?,
            LocErrorKind::Credentials => {
                f.write_str("`loc` must not hold a user name or password; remove all before the `@`")?;
            }
            LocErrorKind::Port => f.write_str("`loc` must have a port from 0 to 65535")?,
            LocErrorKind::Character(ch) => {
                write!(f, "`loc` holds the character U+{:04X}, which no URL can", u32::from(*ch))?;
            }
            LocErrorKind::DotSegment => f.write_str(
                "`loc` has a `.` or `..` path segment, which crawlers resolve away; write the resolved path",
            )?,
            LocErrorKind::TooLong(len) => {
                write!(f, "`loc` must have at most {} characters once encoded; it has {len}", Loc::MAX_LEN)?;
            }
            LocErrorKind::EmptyParam(name) => {
                write!(f, "the value for `{{{name}}}` in the URL template is empty")?;
            }
            LocErrorKind::ParamSegment(name) => write!(
                f,
                "the value for `{{{name}}}` makes a `.`, `..` or empty path segment in the URL template"
            )?,
        }
        write!(f, ", found {}", self.found)
    }
}

impl std::error::Error for LocError {}

/// A value that can be a page's `loc`: an absolute URL, or a path such as `/about`, which counts from
/// the [`Site`](crate::Site)'s base.
///
/// Implement it for a type of your own to use that type in a field with the `loc` role. What it
/// gives is checked like any other text; a value that is already a [`Loc`] or [`Url`] too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `loc`",
    label = "not a URL",
    note = "use `String`, `&str`, `Url` or `Loc`, or convert with `#[sitemap(loc, with = path)]`",
    note = "a record without a page can be left out with `#[sitemap(skip_if = path)]`",
    note = "if the field only happens to have that name, mark it `#[sitemap(skip)]`"
)]
pub trait ToLoc {
    /// The absolute URL or rooted path, not yet checked.
    fn to_loc(&self) -> Cow<'_, str>;
}

macro_rules! to_loc {
    ($($type:ty),+) => {$(
        impl ToLoc for $type {
            fn to_loc(&self) -> Cow<'_, str> {
                Cow::Borrowed(self.as_ref())
            }
        }
    )+};
}

to_loc!(str, String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>, Url, Loc<'_>);

#[diagnostic::do_not_recommend]
impl<T: ToLoc + ?Sized> ToLoc for &T {
    fn to_loc(&self) -> Cow<'_, str> {
        (**self).to_loc()
    }
}

#[cfg(test)]
#[path = "loc_tests.rs"]
mod tests;
