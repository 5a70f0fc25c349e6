//! What is wrong with an address.

use std::fmt;

/// The longest a `loc` may be: the protocol says "less than 2,048 characters".
pub(super) const MAX_LEN: usize = 2_047;

/// A text that is not a page's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocError {
    pub(super) kind: LocErrorKind,
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
    /// A host name with characters that are not ASCII, without the feature `url`.
    InternationalHost,
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
            LocErrorKind::InternationalHost => f.write_str(
                "`loc` has a host name that is not ASCII; write its `xn--` form, or turn on the feature `url` of \
                 `sitemap-core`",
            )?,
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
                write!(f, "`loc` must have at most {MAX_LEN} characters once encoded; it has {len}")?;
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
