//! Errors of `loc`.

use std::fmt;

/// The maximum length of a `loc`: the protocol says "less than 2,048 characters".
pub(super) const MAX_LEN: usize = 2_047;

/// A string that cannot be the URL of a page.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::value::LocErrorKind;
///
/// let error = Loc::parse("https://example.com/a/../b").unwrap_err();
/// assert_eq!(error.kind(), &LocErrorKind::DotSegment);
/// assert_eq!(
///     error.to_string(),
///     "`loc` has a `.` or `..` path segment, found \"https://example.com/a/../b\"; write the path without \
///      it, because crawlers resolve such segments"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocError {
    pub(super) kind: LocErrorKind,
    found: Box<str>,
}

/// The rule that a `loc` breaks, as returned by [`LocError::kind`].
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::value::LocErrorKind;
///
/// let kind = |url: &str| Loc::parse(url.to_owned()).unwrap_err().kind().clone();
/// assert_eq!(kind("ftp://example.com/"), LocErrorKind::Scheme);
/// assert_eq!(kind("https://me@example.com/"), LocErrorKind::Credentials);
/// assert_eq!(kind(&format!("https://example.com/{}", "x".repeat(2_028))), LocErrorKind::TooLong(2_048));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LocErrorKind {
    /// An empty text.
    Empty,
    /// White space before or after the URL.
    Whitespace,
    /// A string without a scheme and host.
    Relative,
    /// A string that [`Site::resolve`](crate::Site::resolve) rejects because it is neither an absolute URL nor a path
    /// that starts with `/`.
    NotUrlOrPath,
    /// A scheme other than `http` and `https`.
    Scheme,
    /// A missing host, or a host that is neither a domain name nor an IP address.
    Host,
    /// A host name with non-ASCII characters. The feature `url` allows such names.
    InternationalHost,
    /// A user name or password before the host.
    Credentials,
    /// A port that is not a number up to 65535.
    Port,
    /// A character that a URL cannot contain: a C0 control, DEL, U+FFFE or U+FFFF.
    Character(char),
    /// A `.` or `..` path segment, even if its dots are written as `%2e`.
    DotSegment,
    /// More than 2,047 characters after encoding. Holds the number of characters.
    TooLong(usize),
    /// An empty value for a placeholder in the URL template. Holds the name of the placeholder.
    EmptyParam(&'static str),
    /// A value that produces a `.`, `..` or empty path segment in the URL template. Holds the name of the placeholder.
    ParamSegment(&'static str),
    /// A date without the month or day that its placeholder's format needs.
    DateWithout {
        /// The placeholder and its format, without braces.
        param: &'static str,
        /// The missing part: `year`, `month` or `day`. The year is missing only if [`ToLastMod`] returned `None`.
        ///
        /// [`ToLastMod`]: crate::value::ToLastMod
        part: &'static str,
    },
}

impl LocError {
    /// Creates an error that quotes the start of the invalid string, with `…` instead of a user name and password.
    pub(crate) fn new(kind: LocErrorKind, found: &str) -> Self {
        const MAX_QUOTED: usize = 120;
        let redacted = without_credentials(found);
        let found = redacted.as_deref().unwrap_or(found);
        let end = found.char_indices().map(|(at, _)| at).find(|&at| at >= MAX_QUOTED).unwrap_or(found.len());
        let cut = if end < found.len() { "…" } else { "" };
        Self { kind, found: format!("{:?}{cut}", &found[..end]).into() }
    }

    /// Turns `Relative` into `NotUrlOrPath`, whose message says that a path is also allowed. Returns other errors
    /// unchanged.
    pub(crate) fn or_not_url_or_path(mut self) -> Self {
        if self.kind == LocErrorKind::Relative {
            self.kind = LocErrorKind::NotUrlOrPath;
        }
        self
    }

    /// Returns the rule that the string breaks.
    #[must_use]
    pub const fn kind(&self) -> &LocErrorKind {
        &self.kind
    }
}

/// Replaces the user name and password in a URL with `…`, so that logs do not show them. Returns `None` if there are
/// none.
fn without_credentials(url: &str) -> Option<String> {
    // Browsers also read `https:user@host` and `https:\\user@host` as URLs with a user name.
    let after_scheme = match url.split_once([':', '/', '\\', '?', '#']) {
        Some((scheme, _)) if url[scheme.len()..].starts_with(':') => scheme.len() + 1,
        _ => 0,
    };
    let rest = url[after_scheme..].trim_start_matches(['/', '\\']);
    let start = url.len() - rest.len();
    // Without a scheme, two slashes start a host, and one slash starts a path.
    if after_scheme == 0 && start < 2 {
        return None;
    }
    let authority = url[start..].split(['/', '?', '#', '\\']).next()?;
    let at = authority.rfind('@')?;
    Some(format!("{}…{}", &url[..start], &url[start + at..]))
}

impl fmt::Display for LocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        match &self.kind {
            LocErrorKind::Empty => f.write_str("`loc` is empty; every page needs an absolute URL"),
            LocErrorKind::Whitespace => {
                write!(f, "`loc` has white space around the URL, found {found}; trim the text")
            }
            LocErrorKind::Relative if found.starts_with("\"//") => {
                write!(f, "`loc` must be an absolute URL, found {found}; write `https:` before the slashes")
            }
            LocErrorKind::Relative => write!(
                f,
                "`loc` must be an absolute URL, found {found}; start it with `https://` or `http://`"
            ),
            LocErrorKind::NotUrlOrPath => write!(
                f,
                "`loc` must be an absolute URL or a path on the site, found {found}; start it with `https://`, \
                 `http://` or a single `/`"
            ),
            LocErrorKind::Scheme => write!(f, "`loc` must be an `http` or `https` URL, found {found}"),
            LocErrorKind::Host => {
                write!(f, "`loc` has no valid host name, found {found}; use a domain name or an IP address")
            }
            LocErrorKind::InternationalHost => write!(
                f,
                "`loc` has a host name that is not ASCII, found {found}; write its `xn--` form, or turn on the \
                 feature `url` of `sitemap-core`"
            ),
            LocErrorKind::Credentials => write!(
                f,
                "`loc` must not have a user name or password, found {found}; remove everything between `//` and the host"
            ),
            LocErrorKind::Port => write!(f, "`loc` must have a port from 0 to 65535, found {found}"),
            LocErrorKind::Character(ch) => write!(
                f,
                "`loc` holds the character U+{:04X}, which is not allowed in a URL, found {found}",
                u32::from(*ch)
            ),
            LocErrorKind::DotSegment => write!(
                f,
                "`loc` has a `.` or `..` path segment, found {found}; write the path without it, because \
                 crawlers resolve such segments"
            ),
            LocErrorKind::TooLong(len) => write!(
                f,
                "`loc` must have at most {MAX_LEN} characters after encoding, found {len} in {found}"
            ),
            LocErrorKind::EmptyParam(name) => {
                write!(
                    f,
                    "the value for `{{{name}}}` in the URL template is empty after {found}; fill it in, or leave the \
                     record out with `skip_if`"
                )
            }
            LocErrorKind::ParamSegment(name) => write!(
                f,
                "the value for `{{{name}}}` creates a `.`, `..` or empty path segment in the URL template, \
                 found {found}"
            ),
            LocErrorKind::DateWithout { param, part } => write!(
                f,
                "the date for `{{{param}}}` in the URL template has no {part}, found {found}; use a full date, or leave \
                 the record out with `skip_if`"
            ),
        }
    }
}

impl std::error::Error for LocError {}
