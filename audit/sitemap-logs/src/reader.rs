//! Reads a log line by line.

use std::io::{self, BufRead};

use memchr::memchr;

use crate::cloudfront::Columns;
use crate::error::{LogError, LogLine, LogRule, excerpt};
use crate::format::LogFormat;
use crate::request::LogRequest;
use crate::source::Source;
use crate::{alb, combined, json};

/// The number of bytes to keep of an overlong line, so that the error can show its start.
const KEPT: usize = 128;

/// Reads the requests of a log.
///
/// A line that is not a request yields an [error](LogError::Line), and the reader continues with the next line. Lines
/// end with LF or CRLF; the last line may lack its line ending. Empty lines and `cloudfront` header lines are skipped.
///
/// ```
/// use sitemap_logs::{LogError, LogFormat, LogReader};
///
/// let log = "192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 512\n\
///     \n\
///     192.0.2.1 - - [27/Nov/2026:13:5\n\
///     192.0.2.1 - - [27/Nov/2026:13:55:37 +0000] \"GET /tea HTTP/1.1\" 404 64";
/// let mut reader = LogReader::new(log.as_bytes(), LogFormat::Combined);
/// let mut targets = Vec::new();
/// while let Some(request) = reader.next_request() {
///     match request {
///         Ok(request) => targets.push(request.target.into_owned()),
///         Err(LogError::Line(line)) => assert_eq!(line.number(), 3),
///         Err(error) => return Err(error.into()),
///     }
/// }
/// assert_eq!(targets, ["/", "/tea"]);
/// assert_eq!((reader.lines(), reader.requests(), reader.garbage(), reader.skipped()), (4, 2, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogReader<R> {
    source: Source<R>,
    format: LogFormat,
    columns: Columns,
    /// A copy of a line that isn't contiguous in the buffer of `source`.
    line: Vec<u8>,
    /// A JSON line that isn't UTF-8, with its invalid bytes replaced by U+FFFD.
    replaced: String,
    /// The number of bytes in the buffer of `source` that belong to the last request.
    used: usize,
    lines: u64,
    requests: u64,
    skipped: u64,
    has_ended: bool,
}

/// The location of a line, without its line ending.
enum Place {
    /// This many bytes at the start of the buffer.
    Buffer(usize),
    /// `LogReader::line`.
    Line,
    /// The line is too long. Its start is in `LogReader::line`.
    TooLong,
}

impl<R: BufRead> LogReader<R> {
    /// The maximum line length in bytes. A longer line is an error, and it isn't kept in memory.
    pub const MAX_LINE: usize = 1 << 20;

    /// Reads a log in a known format.
    pub fn new(reader: R, format: LogFormat) -> Self {
        Self::of(Source::new(reader), format)
    }

    fn of(source: Source<R>, format: LogFormat) -> Self {
        Self {
            source,
            format,
            columns: Columns::legacy(),
            line: Vec::new(),
            replaced: String::new(),
            used: 0,
            lines: 0,
            requests: 0,
            skipped: 0,
            has_ended: false,
        }
    }

    /// Reads a log and detects its format from the first lines. An empty log gets the format `combined`.
    ///
    /// ```
    /// use sitemap_logs::{LogFormat, LogReader};
    ///
    /// let log = &br#"{"ts":1646861401,"request":{"method":"GET","uri":"/"}}"#[..];
    /// assert_eq!(LogReader::detect(log)?.format(), LogFormat::Json);
    /// # Ok::<(), sitemap_logs::LogError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`LogError::Format`] if no line in the first 64 KiB has a known format, and [`LogError::Read`] if
    /// `reader` fails.
    pub fn detect(reader: R) -> Result<Self, LogError> {
        /// The maximum number of bytes to search.
        const START: usize = 1 << 16;

        let mut source = Source::new(reader);
        let format = match source.find(START, LogFormat::detect) {
            Ok(Ok(format)) => format,
            Ok(Err(start)) if start.trim_ascii().is_empty() => LogFormat::Combined,
            Ok(Err(start)) => return Err(LogError::Format { excerpt: excerpt(start) }),
            Err(source) => return Err(LogError::Read { lines: 0, source }),
        };
        Ok(Self::of(source, format))
    }

    /// Returns the format of the log.
    #[must_use]
    pub fn format(&self) -> LogFormat {
        self.format
    }

    /// Returns the next request, or an error for the next line that is not a request. Returns `None` at the end of the
    /// log, and after a [`LogError::Read`].
    ///
    /// # Errors
    ///
    /// Returns [`LogError::Line`] if a line is not a request, and [`LogError::Read`] if `reader` fails.
    pub fn next_request(&mut self) -> Option<Result<LogRequest<'_>, LogError>> {
        let place = match self.next_line() {
            Ok(place) => place?,
            Err(source) => {
                self.has_ended = true;
                return Some(Err(LogError::Read { lines: self.lines, source }));
            }
        };
        let (line, is_too_long) = match place {
            // The buffer is not empty, so this doesn't read anything.
            Place::Buffer(end) => match self.source.same_buffer() {
                Ok(buffer) => (&buffer[..end.min(buffer.len())], end > Self::MAX_LINE),
                Err(source) => return Some(Err(LogError::Read { lines: self.lines, source })),
            },
            Place::Line => (&self.line[..], false),
            Place::TooLong => (&self.line[..], true),
        };
        let read = if is_too_long {
            Err(LogRule::Length)
        } else {
            match self.format {
                LogFormat::Combined => combined::read(line),
                LogFormat::Json => {
                    if let Ok(line) = str::from_utf8(line) {
                        json::read(line)
                    } else {
                        self.replaced = String::from_utf8_lossy(line).into_owned();
                        json::read(&self.replaced)
                    }
                }
                LogFormat::CloudFront if line.starts_with(b"#") => Err(LogRule::Header),
                LogFormat::CloudFront => self.columns.read(line),
                LogFormat::Alb => alb::read(line),
            }
        };
        Some(match read {
            Ok(request) => {
                self.requests += 1;
                Ok(request)
            }
            Err(rule) => Err(LogError::Line(LogLine {
                number: self.lines,
                format: self.format,
                rule,
                excerpt: excerpt(line),
            })),
        })
    }

    /// Returns the number of lines so far, including those that are not requests.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the number of requests so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Returns the number of invalid lines so far.
    #[must_use]
    pub fn garbage(&self) -> u64 {
        self.lines - self.requests - self.skipped
    }

    /// Returns the number of empty lines and header lines so far.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Finds the next line that is neither empty nor a valid header.
    fn next_line(&mut self) -> io::Result<Option<Place>> {
        loop {
            let Some(mut place) = self.any_line()? else { return Ok(None) };
            self.lines += 1;
            let line = match &mut place {
                Place::TooLong => return Ok(Some(place)),
                Place::Buffer(end) => {
                    let buffer = &self.source.same_buffer()?[..*end];
                    let line = buffer.strip_suffix(b"\r").unwrap_or(buffer);
                    *end = line.len();
                    line
                }
                Place::Line => {
                    if self.line.last() == Some(&b'\r') {
                        self.line.pop();
                    }
                    &self.line[..]
                }
            };
            let is_header = self.format == LogFormat::CloudFront && line.first() == Some(&b'#');
            if is_header && self.columns.read_header(line).is_err()
                || !is_header && !line.trim_ascii().is_empty()
            {
                return Ok(Some(place));
            }
            self.skipped += 1;
        }
    }

    fn any_line(&mut self) -> io::Result<Option<Place>> {
        self.source.consume(self.used);
        self.used = 0;
        self.line.clear();
        if self.has_ended {
            return Ok(None);
        }
        let mut length = 0;
        loop {
            let buffer = self.source.buffer()?;
            let end = memchr(b'\n', buffer);
            if let Some(end) = end
                && length == 0
            {
                self.used = end + 1;
                return Ok(Some(Place::Buffer(end)));
            }
            self.has_ended = buffer.is_empty();
            let piece = &buffer[..end.unwrap_or(buffer.len())];
            let used = end.map_or(buffer.len(), |end| end + 1);
            length += piece.len();
            if length <= Self::MAX_LINE {
                self.line.extend_from_slice(piece);
            } else {
                let missing = KEPT.saturating_sub(self.line.len()).min(piece.len());
                self.line.extend_from_slice(&piece[..missing]);
                self.line.truncate(KEPT);
                self.line.shrink_to(KEPT);
            }
            self.source.consume(used);
            if end.is_some() || self.has_ended {
                let is_last = self.has_ended && length == 0;
                let place = if length > Self::MAX_LINE { Place::TooLong } else { Place::Line };
                return Ok((!is_last).then_some(place));
            }
        }
    }
}
