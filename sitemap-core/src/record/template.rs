//! The run-time part of the derive macro's URL templates: fills in the values and checks the URL.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

mod dates;
mod optional;

use std::borrow::Cow;
use std::fmt;

pub use dates::{DateItem, UrlDate};
pub use optional::{Joined, OptionalValue};

use super::EntryWriter;
use crate::value::{
    Loc, LocError, LocErrorKind, Specials, ToLoc, is_dot_segment, path_on_site, push_percent,
};

/// A value that can fill a placeholder in a URL template.
///
/// Strings, integers, `char`, `bool` and (with the feature `uuid`) `Uuid` implement this trait. To implement it for
/// your own type, write plain text; the writer percent-encodes it:
///
/// ```
/// use sitemap_core::UrlParam;
/// use sitemap_core::record::{ParamWriter, path_segment};
///
/// enum Category {
///     Books,
///     HomeAndGarden,
/// }
///
/// impl UrlParam for Category {
///     fn write_param(&self, out: &mut ParamWriter<'_>) {
///         out.write_str(match self {
///             Self::Books => "books",
///             Self::HomeAndGarden => "home & garden",
///         });
///     }
/// }
///
/// struct Sku(u32);
///
/// impl UrlParam for Sku {
///     fn write_param(&self, out: &mut ParamWriter<'_>) {
///         out.write_fmt(format_args!("sku-{:05}", self.0));
///     }
/// }
///
/// assert_eq!(path_segment(&Category::Books).to_string(), "books");
/// assert_eq!(path_segment(&Category::HomeAndGarden).to_string(), "home%20%26%20garden");
/// assert_eq!(path_segment(&Sku(42)).to_string(), "sku-00042");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill a placeholder of a sitemap URL",
    label = "not a URL parameter",
    note = "use a string, an integer, `char`, `bool` or `Uuid` (feature `uuid`), or implement `UrlParam`",
    note = "or convert the value with `#[sitemap(param, with = path)]`; a record for which the function returns `None` is left out"
)]
pub trait UrlParam {
    /// Writes the value as plain text, without percent-encoding.
    fn write_param(&self, out: &mut ParamWriter<'_>);
}

/// A writer that percent-encodes a placeholder's value and appends it to a URL.
///
/// In a path segment and in a query, only the unreserved characters of RFC 3986 stay as they are
/// (`A-Z a-z 0-9 - . _ ~`). In a placeholder for the rest of a path, `/` stays as well.
///
/// ```
/// use sitemap_core::UrlParam;
/// use sitemap_core::record::{ParamWriter, path_segment};
///
/// struct Point(i32, i32);
///
/// impl UrlParam for Point {
///     fn write_param(&self, out: &mut ParamWriter<'_>) {
///         out.write_str("at ");
///         out.write_fmt(format_args!("{},{}", self.0, self.1));
///     }
/// }
///
/// assert_eq!(path_segment(&Point(3, -4)).to_string(), "at%203%2C-4");
/// ```
pub struct ParamWriter<'a> {
    url: &'a mut String,
    keep_slash: bool,
}

impl ParamWriter<'_> {
    /// Appends text. An implementation may call this method several times.
    pub fn write_str(&mut self, text: &str) {
        let mut kept = 0;
        for (at, byte) in text.bytes().enumerate() {
            if is_unreserved(byte) || (byte == b'/' && self.keep_slash) {
                continue;
            }
            // Every byte of a non-ASCII character is encoded, so the unencoded text from `kept` to `at` is ASCII.
            if kept < at {
                self.url.push_str(&text[kept..at]);
            }
            push_percent(self.url, byte);
            kept = at + 1;
        }
        self.url.push_str(&text[kept..]);
    }

    /// Appends formatted text. The `write!` macro calls this method.
    pub fn write_fmt(&mut self, args: fmt::Arguments<'_>) {
        // The result can be ignored: `Encoded` never fails, and a `Display` implementation must not return its own
        // errors.
        let _ = fmt::Write::write_fmt(&mut Encoded(self), args);
    }
}

/// Percent-encodes a value as one path segment, for URLs that you build by hand.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_core::record::{path_segment, query_value};
///
/// let site = Site::new("https://example.com")?;
/// let path = format!("/posts/{}?ref={}", path_segment("50% / what?"), query_value("a&b"));
/// assert_eq!(site.resolve(path)?.as_str(), "https://example.com/posts/50%25%20%2F%20what%3F?ref=a%26b");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
pub fn path_segment<T: UrlParam + ?Sized>(value: &T) -> impl fmt::Display {
    encoded(value)
}

/// Percent-encodes a value as part of a query. [`path_segment`] has an example.
pub fn query_value<T: UrlParam + ?Sized>(value: &T) -> impl fmt::Display {
    encoded(value)
}

fn encoded<T: UrlParam + ?Sized>(value: &T) -> String {
    let mut url = String::new();
    value.write_param(&mut ParamWriter { url: &mut url, keep_slash: false });
    url
}

struct Encoded<'w, 'a>(&'w mut ParamWriter<'a>);

impl fmt::Write for Encoded<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(text);
        Ok(())
    }
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

impl UrlParam for str {
    fn write_param(&self, out: &mut ParamWriter<'_>) {
        out.write_str(self);
    }
}

impl UrlParam for char {
    fn write_param(&self, out: &mut ParamWriter<'_>) {
        out.write_str(self.encode_utf8(&mut [0; 4]));
    }
}

impl UrlParam for bool {
    fn write_param(&self, out: &mut ParamWriter<'_>) {
        out.write_str(if *self { "true" } else { "false" });
    }
}

impl UrlParam for String {
    fn write_param(&self, out: &mut ParamWriter<'_>) {
        out.write_str(self);
    }
}

/// Appends a number in decimal digits, which need no encoding.
///
/// Copies up to three digits at a time from a table. Most numbers are short IDs, for which a separate buffer would be
/// slower.
#[inline]
fn push_digits(url: &mut String, number: u64) {
    match number {
        0..1_000 => push_leading(url, number),
        1_000..1_000_000 => {
            push_leading(url, number / 1_000);
            push_three(url, number % 1_000);
        }
        _ => push_many_digits(url, number),
    }
}

#[inline(never)]
fn push_many_digits(url: &mut String, number: u64) {
    push_digits(url, number / 1_000_000);
    push_three(url, number / 1_000 % 1_000);
    push_three(url, number % 1_000);
}

/// Appends a number below 1,000 without leading zeros.
#[inline(always)]
fn push_leading(url: &mut String, number: u64) {
    match number {
        0..10 => push_last::<1>(url, number),
        10..100 => push_last::<2>(url, number),
        _ => push_three(url, number),
    }
}

#[inline]
fn push_three(url: &mut String, number: u64) {
    push_last::<3>(url, number);
}

/// Appends the last `DIGITS` digits of a number below 1,000.
#[inline]
fn push_last<const DIGITS: usize>(url: &mut String, number: u64) {
    #[allow(clippy::cast_possible_truncation)] // below 3,000
    let end = (number * 3 + 3) as usize;
    if let Some(digits) = THREES.get(end - DIGITS..end) {
        url.push_str(digits);
    }
}

/// The strings `000` to `999`, joined.
static THREES: &str = {
    static DIGITS: [[u8; 3]; 1_000] = {
        let mut digits = [*b"000"; 1_000];
        let mut number = 0;
        while number < 1_000 {
            let [hundreds, tens, ones] = [number / 100, number / 10 % 10, number % 10];
            #[allow(clippy::cast_possible_truncation)] // below 10
            let text = [b'0' + hundreds as u8, b'0' + tens as u8, b'0' + ones as u8];
            digits[number] = text;
            number += 1;
        }
        digits
    };
    match str::from_utf8(DIGITS.as_flattened()) {
        Ok(digits) => digits,
        Err(_) => "",
    }
};

macro_rules! integer_param {
    ($($integer:ty),+) => {$(
        impl UrlParam for $integer {
            #[inline(always)]
            fn write_param(&self, out: &mut ParamWriter<'_>) {
                #[allow(unused_comparisons)]
                if *self < 0 {
                    out.url.push('-');
                }
                match u64::try_from(self.abs_diff(0)) {
                    Ok(number) => push_digits(out.url, number),
                    Err(_) => out.write_fmt(format_args!("{}", self.abs_diff(0))),
                }
            }
        }

        impl UrlParam for std::num::NonZero<$integer> {
            fn write_param(&self, out: &mut ParamWriter<'_>) {
                self.get().write_param(out);
            }
        }
    )+};
}

integer_param!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

#[cfg(feature = "uuid")]
impl UrlParam for uuid::Uuid {
    /// Writes the UUID in lower case with hyphens.
    fn write_param(&self, out: &mut ParamWriter<'_>) {
        out.url.push_str(self.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()));
    }
}

through_pointers!(UrlParam::write_param(out: &mut ParamWriter<'_>) -> ());

/// A literal part of a URL template: the text before, between or after its placeholders. The derive macro creates it as
/// a constant.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    text: &'static str,
    specials: Specials,
}

impl Literal {
    /// Creates a literal from text that the derive macro has already checked and encoded.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self { text, specials: Specials::of(text) }
    }
}

/// A URL built from the literal parts of a template and the encoded values.
///
/// The URL is built in a buffer of the [`EntryWriter`], which all records share. A `TemplateUrl` moves the buffer out
/// of the writer, because the writer can't lend its buffer and add an entry at the same time.
/// [`give_back`](Self::give_back) returns the buffer for the next record.
#[derive(Debug)]
pub struct TemplateUrl {
    url: String,
    specials: Specials,
    /// The last path placeholder whose value ends with a dot, if any. A path segment can be `.` or `..` only if a value
    /// ends with a dot, so `loc` checks the segments only if a name is set.
    dotted: Option<&'static str>,
}

impl TemplateUrl {
    /// Starts a URL from a template that starts with a scheme and host.
    #[inline]
    #[must_use]
    pub fn absolute(out: &mut EntryWriter<'_>) -> Self {
        Self { url: out.take_scratch(), specials: Specials::NONE, dotted: None }
    }

    /// Starts a URL from a template that starts with a slash. The base URL of the site comes first.
    #[inline]
    #[must_use]
    pub fn rooted(out: &mut EntryWriter<'_>) -> Self {
        let mut url = out.take_scratch();
        let base = out.site().base();
        url.push_str(&base[..base.len() - 1]);
        Self { url, specials: out.site().base_specials(), dotted: None }
    }

    /// Appends a literal part of the template.
    #[inline(always)]
    pub fn literal(&mut self, literal: Literal) {
        self.specials = self.specials.followed_by(self.url.len(), literal.specials);
        self.url.push_str(literal.text);
    }

    /// Appends a literal part without `&` and `'`, which would need escaping in XML.
    #[inline(always)]
    pub fn plain_literal(&mut self, literal: &'static str) {
        debug_assert_eq!(Specials::of(literal), Specials::NONE);
        self.url.push_str(literal);
    }

    /// Returns where the next value starts.
    #[inline]
    pub fn position(&self) -> usize {
        self.url.len()
    }

    /// Returns a writer for a value in the path. Slashes are encoded, so the value stays within one path segment.
    ///
    /// Derived code passes it to [`UrlParam::write_param`]. If a type doesn't implement that trait, the compiler's error
    /// points to that call and names no function of this type.
    #[inline]
    pub fn segment(&mut self) -> ParamWriter<'_> {
        ParamWriter { url: &mut self.url, keep_slash: false }
    }

    /// Returns a writer for a value that is the rest of the path. It may contain slashes.
    #[inline]
    pub fn rest(&mut self) -> ParamWriter<'_> {
        ParamWriter { url: &mut self.url, keep_slash: true }
    }

    /// Returns a writer for a value in the query. It may be empty.
    #[inline]
    pub fn query(&mut self) -> ParamWriter<'_> {
        ParamWriter { url: &mut self.url, keep_slash: false }
    }

    /// Ends a value in the path that starts at `start`.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the value is empty.
    #[inline]
    pub fn end_segment(&mut self, start: usize, name: &'static str) -> Result<(), LocError> {
        if self.url.len() == start {
            return Err(LocError::new(LocErrorKind::EmptyParam(name), &self.url));
        }
        if self.url.ends_with('.') {
            self.dotted = Some(name);
        }
        Ok(())
    }

    /// Ends the rest of the path, which starts at `start`.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the value is empty or contains a segment that is empty, `.` or `..`. One trailing
    /// slash is allowed.
    #[inline]
    pub fn end_rest(&mut self, start: usize, name: &'static str) -> Result<(), LocError> {
        self.end_segment(start, name)?;
        let written = self.url.get(start..).unwrap_or_default();
        let segments = written.strip_suffix('/').unwrap_or(written);
        if segments.split('/').any(|segment| segment.is_empty() || is_dot_segment(segment)) {
            return Err(LocError::new(LocErrorKind::ParamSegment(name), written));
        }
        Ok(())
    }

    /// Returns the URL of a record that has a field for the whole URL, or for a path on the site.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Loc::parse`].
    pub fn field<T: ToLoc + ?Sized>(out: &mut EntryWriter<'_>, value: &T) -> Result<Self, LocError> {
        let mut url = out.take_scratch();
        let loc = value.to_loc();
        match path_on_site(&loc)? {
            Some(path) => {
                url.push_str(out.site().base());
                url.push_str(path);
            }
            None => url.push_str(&loc),
        }
        if let Some(normalised) = Loc::normalised(&url).map_err(LocError::or_not_url_or_path)? {
            url = normalised;
        }
        Ok(Self { url, specials: Specials::UNKNOWN, dotted: None })
    }

    /// Returns the finished URL.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the values produce a `.` or `..` segment, or if the URL is too long.
    #[inline(always)]
    pub fn loc(&self) -> Result<Loc<'_>, LocError> {
        if let Some(name) = self.dotted {
            self.check_segments(name)?;
        }
        Loc::from_parts(Cow::Borrowed(&self.url), self.specials)
    }

    /// Returns the URL as a string, for error messages.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        Some(&self.url)
    }

    #[cold]
    fn check_segments(&self, name: &'static str) -> Result<(), LocError> {
        let path = self.url.split('?').next().unwrap_or_default();
        if path.split('/').any(is_dot_segment) {
            return Err(LocError::new(LocErrorKind::ParamSegment(name), &self.url));
        }
        Ok(())
    }

    /// Returns the buffer to the writer, for the next record.
    #[inline]
    pub fn give_back(self, out: &mut EntryWriter<'_>) {
        out.give_back(self.url);
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
