//! Errors while reading a log.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use crate::format::LogFormat;

/// An error while reading a log.
///
/// ```
/// use sitemap_logs::{LogError, LogFormat, LogReader, LogRule};
///
/// let mut reader = LogReader::new(&b"segfault\n"[..], LogFormat::Combined);
/// let Some(Err(LogError::Line(line))) = reader.next_request() else { panic!() };
/// assert_eq!((line.number(), line.rule(), line.excerpt()), (1, LogRule::Time, "segfault"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// A line that is not a request. The reader continues with the next line.
    Line(LogLine),
    /// A read failed. The reader stops.
    Read {
        /// The number of lines read before the failure.
        lines: u64,
        /// The failure.
        source: io::Error,
    },
    /// The log's format isn't known.
    Format {
        /// The start of the log, truncated and escaped.
        excerpt: Box<str>,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => line.fmt(f),
            Self::Read { lines, source } => {
                write!(
                    f,
                    "cannot read the log after {lines} lines: {source}; check that the file is complete"
                )
            }
            Self::Format { excerpt } => write!(
                f,
                "the format of the log is not known, found `{excerpt}`; \
                 name one of `combined`, `json`, `cloudfront` and `alb`"
            ),
        }
    }
}

// `Display` already contains the message of the failed read.
impl StdError for LogError {}

/// A line that is not a request.
///
/// ```
/// use sitemap_logs::{LogFormat, LogReader};
///
/// let mut reader = LogReader::new(&b"{\"level\":\"error\"}\n"[..], LogFormat::Json);
/// let error = reader.next_request().unwrap().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1 is not a request in the format `json`: the time is missing or not valid, \
///      found `{\"level\":\"error\"}`; check the format of the log"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    pub(crate) number: u64,
    pub(crate) format: LogFormat,
    pub(crate) rule: LogRule,
    pub(crate) excerpt: Box<str>,
}

impl LogLine {
    /// Returns the line number, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the format that the line was read as.
    #[must_use]
    pub fn format(&self) -> LogFormat {
        self.format
    }

    /// Returns the rule that the line breaks.
    #[must_use]
    pub fn rule(&self) -> LogRule {
        self.rule
    }

    /// Returns the start of the line. Everything except printable ASCII is escaped.
    #[must_use]
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, format, rule, excerpt } = self;
        write!(
            f,
            "line {number} is not a request in the format `{format}`: {rule}, found `{excerpt}`; {}",
            rule.remedy()
        )
    }
}

impl StdError for LogLine {}

/// The rule broken by a line.
///
/// ```
/// use sitemap_logs::LogRule;
///
/// assert_eq!(LogRule::Status.to_string(), "the status is missing or not a number of three digits");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LogRule {
    /// A line is at most 1 MiB long.
    Length,
    /// In the `json` format, a line is one JSON object.
    Json,
    /// In the `cloudfront` format, a header line lists all fields that a request needs.
    Header,
    /// A line contains the time of the request.
    Time,
    /// A line contains the request's method and target. Servers also log connections that send no HTTP request, such as
    /// a TLS handshake on a plain HTTP port.
    Request,
    /// The status, if there is one, is a three-digit number.
    Status,
    /// The byte count, if there is one, is a number.
    Bytes,
    /// The referer and the user agent are quoted.
    Quotes,
}

impl LogRule {
    fn remedy(self) -> &'static str {
        match self {
            Self::Length => "check that the log has line breaks",
            Self::Header => "log at least `date`, `time`, `cs-method` and `cs-uri-stem`",
            Self::Request => "ignore it if the client sent no HTTP request",
            _ => "check the format of the log",
        }
    }
}

impl fmt::Display for LogRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "it is longer than 1 MiB",
            Self::Json => "it is not one JSON object",
            Self::Header => "the header line lacks fields",
            Self::Time => "the time is missing or not valid",
            Self::Request => "the method or the target is missing",
            Self::Status => "the status is missing or not a number of three digits",
            Self::Bytes => "the number of bytes is missing or not a number",
            Self::Quotes => "the referer or the user agent is not in quotes",
        })
    }
}

/// Returns the start of a line, in the form that errors show it in.
pub(crate) fn excerpt(line: &[u8]) -> Box<str> {
    /// The number of bytes of a line that an error shows.
    const SHOWN: usize = 80;

    let mut text = String::with_capacity(SHOWN + 4);
    for byte in line.iter().take(SHOWN) {
        match byte {
            b' '..=b'~' => text.push(char::from(*byte)),
            other => text.extend(other.escape_ascii().map(char::from)),
        }
    }
    if line.len() > SHOWN {
        text.push('…');
    }
    text.into()
}
