//! Converts a document's bytes to UTF-8 text. Compression and encoding are detected from the content.

use std::io::{self, Read};

use super::error::{ReadError, ReadErrorKind};
use super::input::{Input, Problem};
use super::limits::ReadLimits;
use super::position::Position;
use crate::rule::Rule;

/// Where a reader's bytes come from.
pub(super) enum Raw<'a> {
    Slice(&'a [u8]),
    Read(Box<dyn Read + Send + 'a>),
}

/// The text of a document, its compression and encoding, and any findings about them.
pub(super) struct Opened<'a> {
    pub(super) input: Input<'a>,
    pub(super) gzip: bool,
    pub(super) encoding: &'static str,
    pub(super) findings: Vec<(Rule, String)>,
}

/// Returns the text that a reader parses: the document, decompressed and converted to UTF-8.
///
/// [`Position::offset`](crate::Position::offset) is an offset in this text, so a program can use it to show the lines
/// of findings.
///
/// ```
/// use std::io::Read;
///
/// use sitemap_read::{document_text, ReadLimits};
///
/// let utf_16 = b"\xFF\xFEh\0t\0t\0p\0s\0:\0/\0/\0a\0.\0i\0o\0/\0";
/// # if cfg!(feature = "encoding") {
/// let mut text = String::new();
/// document_text(&utf_16[..], &ReadLimits::default())?.read_to_string(&mut text)?;
/// assert_eq!(text, "https://a.io/");
/// # }
///
/// let mut limits = ReadLimits::default();
/// limits.bytes = 5;
/// let mut start = Vec::new();
/// let error = document_text(&b"https://a.io/"[..], &limits)?.read_to_end(&mut start).unwrap_err();
/// assert_eq!(start, b"https");
/// assert_eq!(error.to_string(), "the document exceeds the limit `bytes` of 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ReadErrorKind::Io`] if the source fails, and [`NoGzip`](ReadErrorKind::NoGzip) or
/// [`Encoding`](ReadErrorKind::Encoding) if the document needs a Cargo feature that is off. Reading the returned text
/// fails if the compressed data is damaged, or if the document exceeds [`ReadLimits::bytes`],
/// [`ReadLimits::compressed_bytes`] or [`ReadLimits::expansion`]. The text before the failure is valid.
pub fn document_text<'a>(
    source: impl Read + Send + 'a,
    limits: &ReadLimits,
) -> Result<impl Read + Send + 'a, ReadError> {
    let Decoded { raw, .. } = decode(Raw::Read(Box::new(source)), limits)?;
    Ok(Bounded { source: raw.into_source(), left: limits.bytes, max: limits.bytes })
}

/// Text of at most `max` bytes. Reading past this limit fails.
struct Bounded<R> {
    source: R,
    left: u64,
    max: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        if self.left == 0 {
            return match self.source.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(Problem::Limit("bytes", self.max).into()),
            };
        }
        let len = buf.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let len = self.source.read(&mut buf[..len])?;
        self.left -= len as u64;
        Ok(len)
    }
}

/// The number of bytes at the start of a document in which to look for the XML declaration.
const HEAD: usize = 1024;
const UTF_8: &str = "UTF-8";

/// Detects compression and encoding, and returns the decoded text.
pub(super) fn open<'a>(raw: Raw<'a>, limits: &ReadLimits) -> Result<Opened<'a>, ReadError> {
    let Decoded { raw, gzip, encoding, findings } = decode(raw, limits)?;
    let input = match raw {
        Raw::Slice(bytes) => Input::from_slice(bytes, limits.bytes),
        Raw::Read(source) => Input::from_reader(source, limits.bytes),
    };
    Ok(Opened { input, gzip, encoding, findings })
}

/// UTF-8 text, the document's compression and encoding, and any findings about them.
struct Decoded<'a> {
    raw: Raw<'a>,
    gzip: bool,
    encoding: &'static str,
    findings: Vec<(Rule, String)>,
}

fn decode<'a>(mut raw: Raw<'a>, limits: &ReadLimits) -> Result<Decoded<'a>, ReadError> {
    let mut findings = Vec::new();
    let mut layers = 0;
    loop {
        let (head, again) = peek(raw)?;
        raw = again;
        // A file may be compressed, and a server may compress it again. A third layer is probably an attack, so it
        // stays compressed.
        if head.starts_with(b"\x1F\x8B") && layers < 2 {
            raw = inflate(raw, limits)?;
            layers += 1;
            continue;
        }
        if layers == 2 {
            findings.push((Rule::GzipTwice, "the document is compressed twice".to_owned()));
        }
        let encoding = encoding(&head, &mut findings)?;
        let raw = match encoding {
            Encoding::Utf8 => raw,
            #[cfg(feature = "encoding")]
            Encoding::Other(other) => {
                Raw::Read(Box::new(super::transcode::Transcode::new(raw.into_source(), other)))
            }
        };
        return Ok(Decoded { raw, gzip: layers > 0, encoding: encoding.name(), findings });
    }
}

impl<'a> Raw<'a> {
    fn into_source(self) -> Box<dyn Read + Send + 'a> {
        match self {
            Self::Slice(bytes) => Box::new(bytes),
            Self::Read(source) => source,
        }
    }
}

/// Returns the first bytes, and a source that yields the whole document, starting with these bytes.
fn peek(raw: Raw<'_>) -> Result<(Vec<u8>, Raw<'_>), ReadError> {
    match raw {
        Raw::Slice(bytes) => Ok((bytes[..bytes.len().min(HEAD)].to_vec(), raw)),
        Raw::Read(mut source) => {
            let mut head = Vec::new();
            // If a decoder fails here, the returned source yields the bytes before the error and then the error.
            match source.by_ref().take(HEAD as u64).read_to_end(&mut head) {
                Ok(_) => {}
                Err(error) if is_problem(&error) => {
                    let again = io::Cursor::new(head.clone()).chain(Failed(Some(error)));
                    return Ok((head, Raw::Read(Box::new(again))));
                }
                Err(error) => return Err(ReadError::new(ReadErrorKind::Io(error), Position::START)),
            }
            let again = io::Cursor::new(head.clone()).chain(source);
            Ok((head, Raw::Read(Box::new(again))))
        }
    }
}

fn is_problem(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Problem>)
}

/// A reader that returns the error from [`peek`].
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

#[cfg(feature = "gzip")]
#[allow(clippy::unnecessary_wraps)] // fails without the feature
fn inflate<'a>(raw: Raw<'a>, limits: &ReadLimits) -> Result<Raw<'a>, ReadError> {
    Ok(Raw::Read(Box::new(super::inflate::Inflate::new(raw.into_source(), limits))))
}

#[cfg(not(feature = "gzip"))]
fn inflate<'a>(_: Raw<'a>, _: &ReadLimits) -> Result<Raw<'a>, ReadError> {
    Err(refused(ReadErrorKind::NoGzip))
}

fn refused(kind: ReadErrorKind) -> ReadError {
    ReadError::new(kind, Position::START)
}

#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    #[cfg(feature = "encoding")]
    Other(&'static encoding_rs::Encoding),
}

impl Encoding {
    fn name(self) -> &'static str {
        match self {
            Self::Utf8 => UTF_8,
            #[cfg(feature = "encoding")]
            Self::Other(encoding) => encoding.name(),
        }
    }
}

/// Detects the encoding: first by byte order mark, then by the byte pattern of the first characters, then by XML
/// declaration.
fn encoding(head: &[u8], findings: &mut Vec<(Rule, String)>) -> Result<Encoding, ReadError> {
    let wide = match head {
        [0xEF, 0xBB, 0xBF, ..] => return Ok(Encoding::Utf8),
        [0xFE, 0xFF, ..] | [0, b'<', 0, _, ..] | [0, b'h', 0, b't', ..] => Some("UTF-16BE"),
        [0xFF, 0xFE, ..] | [b'<', 0, _, 0, ..] | [b'h', 0, b't', 0, ..] => Some("UTF-16LE"),
        _ => None,
    };
    if let Some(name) = wide {
        findings.push((Rule::EncodingNotUtf8, format!("the document is encoded in {name}")));
        return other(name).map_or_else(|| Err(refused(ReadErrorKind::Encoding(name.into()))), Ok);
    }
    let Some(name) = declared(head) else {
        return Ok(Encoding::Utf8);
    };
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if is("utf-8") || is("utf8") || is("us-ascii") || is("ascii") {
        return Ok(Encoding::Utf8);
    }
    if name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("utf-16")) {
        let message = format!("the document declares the encoding {name:?}, but its bytes are not UTF-16");
        findings.push((Rule::EncodingMismatch, message));
        return Ok(Encoding::Utf8);
    }
    if let Some(encoding) = other(&name) {
        findings.push((Rule::EncodingNotUtf8, format!("the document is encoded in {name}")));
        return Ok(encoding);
    }
    // Nearly all other encodings represent the characters of URLs with the same bytes as UTF-8, so the URLs can still
    // be read.
    let rule = if cfg!(feature = "encoding") { Rule::EncodingMismatch } else { Rule::EncodingNotUtf8 };
    findings.push((rule, format!("the document declares the encoding {name:?} and is read as UTF-8")));
    Ok(Encoding::Utf8)
}

#[cfg(feature = "encoding")]
fn other(name: &str) -> Option<Encoding> {
    let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes())?;
    Some(if encoding == encoding_rs::UTF_8 { Encoding::Utf8 } else { Encoding::Other(encoding) })
}

#[cfg(not(feature = "encoding"))]
fn other(_: &str) -> Option<Encoding> {
    None
}

/// Returns the encoding that the XML declaration names.
fn declared(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let declaration = text.trim_start();
    let declaration = &declaration[declaration.find("<?xml")?..];
    let declaration = &declaration[..declaration.find("?>")?];
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''))?;
    let (name, _) = value[1..].split_once(quote)?;
    let name = name.trim();
    (!name.is_empty() && name.len() <= 40).then(|| name.to_owned())
}
