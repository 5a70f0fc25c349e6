//! The formats of access logs.

use std::error::Error as StdError;
use std::fmt;
use std::str::FromStr;

/// The format of an access log.
///
/// [`LogReader::detect`](crate::LogReader::detect) detects it. The crate documentation lists what each format contains.
///
/// ```
/// use sitemap_logs::LogFormat;
///
/// assert_eq!("cloudfront".parse(), Ok(LogFormat::CloudFront));
/// assert_eq!(LogFormat::CloudFront.to_string(), "cloudfront");
/// assert_eq!(
///     "iis".parse::<LogFormat>().unwrap_err().to_string(),
///     "`iis` is not a format of access logs; use `combined`, `json`, `cloudfront` or `alb`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LogFormat {
    /// `combined`: the `combined` and `common` formats of nginx and Apache, and Apache's `vhost_combined`.
    Combined,
    /// `json`: one JSON object per line, as written by nginx, Caddy, Traefik, Cloudflare and Google Cloud.
    Json,
    /// `cloudfront`: Amazon `CloudFront`'s standard logs.
    CloudFront,
    /// `alb`: the access logs of AWS application load balancers.
    Alb,
}

impl LogFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Combined, Self::Json, Self::CloudFront, Self::Alb];

    fn name(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Json => "json",
            Self::CloudFront => "cloudfront",
            Self::Alb => "alb",
        }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LogFormat {
    type Err = LogFormatError;

    fn from_str(name: &str) -> Result<Self, LogFormatError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| LogFormatError { name: name.chars().take(200).collect() })
    }
}

/// The error for a name that is not the name of a [`LogFormat`].
///
/// ```
/// use sitemap_logs::LogFormat;
///
/// assert!("Combined".parse::<LogFormat>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFormatError {
    name: Box<str>,
}

impl fmt::Display for LogFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a format of access logs; use `combined`, `json`, `cloudfront` or `alb`",
            self.name
        )
    }
}

impl StdError for LogFormatError {}
