//! `<meta http-equiv="refresh">`: a redirect inside the page itself.

use super::place::Place;

/// A refresh, which replaces the page after some seconds.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Response};
///
/// let url = "https://example.com/old";
/// let body = b"<!doctype html><meta http-equiv=refresh content='0; url=/new'>";
/// let facts = PageFacts::of(&Response::new(url, 200, &[], body));
/// let refresh = facts.refresh.unwrap();
/// assert_eq!((refresh.seconds, refresh.url.as_deref()), (0, Some("https://example.com/new")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Refresh {
    /// The seconds to wait. Search engines treat zero as a permanent redirect.
    pub seconds: u32,
    /// The target as written. Empty if the page reloads itself.
    pub target: String,
    /// The target's absolute URL, with any scheme, without its fragment. `None` if the target is empty or not a URL.
    pub url: Option<String>,
    /// The part of the response that contains the refresh.
    pub place: Place,
}

/// Parses the seconds and the target as the HTML standard specifies.
pub(super) fn read(content: &str) -> Option<(u32, &str)> {
    let text = content.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 && !text.starts_with('.') {
        return None;
    }
    let seconds = if digits == 0 { 0 } else { text[..digits].parse().unwrap_or(u32::MAX) };
    let rest = text[digits..].trim_start_matches(|char: char| char.is_ascii_digit() || char == '.');
    if rest.is_empty() {
        return Some((seconds, ""));
    }
    if !rest.starts_with([';', ',', ' ', '\t', '\n', '\r', '\x0c']) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    let target = match rest.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("url") => {
            rest[3..].trim_start().strip_prefix('=').map_or(rest, str::trim_start)
        }
        _ => rest,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    Some((seconds, target.trim()))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn forms() {
        for (content, expected) in [
            ("0; url=/a", Some((0, "/a"))),
            ("5;URL='/a b'c", Some((5, "/a b"))),
            (" 3.7 , url = \"/a\"", Some((3, "/a"))),
            ("0;/a", Some((0, "/a"))),
            ("0 /a", Some((0, "/a"))),
            ("0; url", Some((0, "url"))),
            ("5", Some((5, ""))),
            ("5;", Some((5, ""))),
            (".5; url=a", Some((0, "a"))),
            ("99999999999; url=a", Some((u32::MAX, "a"))),
            ("url=/a", None),
            ("5x", None),
            ("-1; url=a", None),
            ("0; é", Some((0, "é"))),
            ("", None),
        ] {
            assert_eq!(read(content), expected, "{content}");
        }
    }
}
