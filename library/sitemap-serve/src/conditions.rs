//! Evaluates conditional requests.
//!
//! Source: [RFC 9110, section 13](https://www.rfc-editor.org/rfc/rfc9110#section-13).

use std::time::UNIX_EPOCH;

use http::header::{HeaderMap, HeaderName, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};

/// The result of evaluating a request's conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// 200: send the file.
    Send,
    /// 304: the client already has the file.
    NotModified,
    /// 412: the file is not the version that the client requires.
    Failed,
}

/// Evaluates the conditions of a GET or HEAD request against the file's strong entity tag (with quotes) and
/// its date in seconds since 1970.
pub(super) fn evaluate(headers: &HeaderMap, tag: &[u8], modified: Option<u64>) -> Verdict {
    if headers.contains_key(IF_MATCH) {
        if !lists(headers, &IF_MATCH, |found| !found.is_weak && found.tag == tag) {
            return Verdict::Failed;
        }
    } else if let (Some(modified), Some(date)) = (modified, date(headers, &IF_UNMODIFIED_SINCE))
        && modified > date
    {
        return Verdict::Failed;
    }
    let is_known = if headers.contains_key(IF_NONE_MATCH) {
        lists(headers, &IF_NONE_MATCH, |found| found.tag == tag)
    } else {
        let date = date(headers, &IF_MODIFIED_SINCE);
        modified.zip(date).is_some_and(|(modified, date)| modified <= date)
    };
    if is_known { Verdict::NotModified } else { Verdict::Send }
}

/// Returns `true` if a header is `*`, or lists an entity tag that satisfies `is_wanted`.
fn lists(headers: &HeaderMap, name: &HeaderName, is_wanted: impl Fn(&EntityTag<'_>) -> bool) -> bool {
    headers
        .get_all(name)
        .iter()
        .map(|value| value.as_bytes().trim_ascii())
        .any(|value| value == b"*" || Tags { rest: value }.any(|tag| is_wanted(&tag)))
}

/// Returns a header's date in seconds since 1970. Repeated and malformed headers are ignored.
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let date = httpdate::parse_http_date(value.to_str().ok()?.trim()).ok()?;
    Some(date.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

#[derive(Debug, PartialEq, Eq)]
struct EntityTag<'v> {
    is_weak: bool,
    /// The tag with its quotes.
    tag: &'v [u8],
}

/// An iterator over a list of entity tags. A tag may contain a comma, so splitting at commas would be wrong.
struct Tags<'v> {
    rest: &'v [u8],
}

impl<'v> Iterator for Tags<'v> {
    type Item = EntityTag<'v>;

    fn next(&mut self) -> Option<EntityTag<'v>> {
        loop {
            let rest = self.rest.trim_ascii_start();
            let (is_weak, rest) = match rest {
                [] => return None,
                [b',', rest @ ..] => {
                    self.rest = rest;
                    continue;
                }
                [b'W', b'/', rest @ ..] => (true, rest),
                rest => (false, rest),
            };
            let end = match rest {
                [b'"', text @ ..] => text.iter().position(|&byte| byte == b'"').map(|at| at + 2),
                _ => None,
            };
            if let Some(end) = end {
                let (tag, rest) = rest.split_at(end);
                self.rest = rest;
                return Some(EntityTag { is_weak, tag });
            }
            // This is not an entity tag, so skip to the next comma.
            let comma = rest.iter().position(|&byte| byte == b',').unwrap_or(rest.len());
            self.rest = &rest[comma..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &[u8] = b"\"abc\"";
    /// The file's date: Sun, 06 Nov 1994 08:49:37 GMT, in seconds since 1970.
    const DATE: u64 = 784_111_777;

    fn verdict(fields: &[(&'static str, &'static str)]) -> Verdict {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, http::HeaderValue::from_static(value));
        }
        evaluate(&headers, TAG, Some(DATE))
    }

    #[test]
    fn if_none_match_compares_weakly_with_each_tag_of_the_list() {
        for known in [
            "\"abc\"",
            "W/\"abc\"",
            "*",
            " * ",
            "\"x\", \"abc\"",
            "\"x\",W/\"abc\" , \"y\"",
            "\"a,b\", \"abc\"",
            ", ,\"abc\",",
            "garbage, \"abc\"",
        ] {
            assert_eq!(verdict(&[("if-none-match", known)]), Verdict::NotModified, "{known}");
        }
        for other in ["", "\"ab\"", "abc", "\"ABC\"", "w/\"abc\"", "\"x, *\"", "\"abc", "W/", "\"x\", *"] {
            assert_eq!(verdict(&[("if-none-match", other)]), Verdict::Send, "{other}");
        }
        assert_eq!(
            verdict(&[("if-none-match", "\"x\""), ("if-none-match", "\"abc\"")]),
            Verdict::NotModified
        );
    }

    #[test]
    fn if_modified_since_takes_all_three_forms_of_a_date() {
        for same in
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        {
            assert_eq!(verdict(&[("if-modified-since", same)]), Verdict::NotModified, "{same}");
        }
        assert_eq!(verdict(&[("if-modified-since", "Sun, 06 Nov 1994 08:49:36 GMT")]), Verdict::Send);
        assert_eq!(verdict(&[("if-modified-since", "Sat, 06 Nov 2094 08:49:36 GMT")]), Verdict::NotModified);
        for bad in ["", "yesterday", "1994-11-06T08:49:37Z", "Tue, 06 Nov 1894 08:49:37 GMT", "0"] {
            assert_eq!(verdict(&[("if-modified-since", bad)]), Verdict::Send, "{bad}");
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(verdict(&[("if-modified-since", date), ("if-modified-since", date)]), Verdict::Send);
    }

    #[test]
    fn if_modified_since_counts_only_without_if_none_match() {
        let date = ("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(verdict(&[date, ("if-none-match", "\"x\"")]), Verdict::Send);
        assert_eq!(verdict(&[date, ("if-none-match", "")]), Verdict::Send);
        let old = ("if-modified-since", "Sun, 06 Nov 1994 08:49:36 GMT");
        assert_eq!(verdict(&[old, ("if-none-match", "\"abc\"")]), Verdict::NotModified);
    }

    #[test]
    fn if_match_compares_strongly_and_goes_first() {
        assert_eq!(verdict(&[("if-match", "\"abc\"")]), Verdict::Send);
        assert_eq!(verdict(&[("if-match", "*")]), Verdict::Send);
        assert_eq!(verdict(&[("if-match", "W/\"abc\"")]), Verdict::Failed);
        assert_eq!(verdict(&[("if-match", "\"x\"")]), Verdict::Failed);
        assert_eq!(verdict(&[("if-match", "\"x\""), ("if-none-match", "\"abc\"")]), Verdict::Failed);
        assert_eq!(verdict(&[("if-match", "\"abc\""), ("if-none-match", "\"abc\"")]), Verdict::NotModified);
    }

    #[test]
    fn if_unmodified_since_counts_only_without_if_match() {
        let old = ("if-unmodified-since", "Sun, 06 Nov 1994 08:49:36 GMT");
        assert_eq!(verdict(&[old]), Verdict::Failed);
        assert_eq!(verdict(&[old, ("if-match", "\"abc\"")]), Verdict::Send);
        assert_eq!(verdict(&[("if-unmodified-since", "Sun, 06 Nov 1994 08:49:37 GMT")]), Verdict::Send);
        assert_eq!(verdict(&[("if-unmodified-since", "soon")]), Verdict::Send);
    }

    #[test]
    fn without_a_date_only_tags_count() {
        let mut headers = HeaderMap::new();
        let date = http::HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT");
        headers.insert(IF_MODIFIED_SINCE, date.clone());
        headers.insert(IF_UNMODIFIED_SINCE, date);
        assert_eq!(evaluate(&headers, TAG, None), Verdict::Send);
    }
}
