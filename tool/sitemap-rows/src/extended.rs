//! Objects of NDJSON that may have extensions.

use memchr::memchr;
use memchr::memmem;

/// The names of the keys without the last letter, which is the same in all of them.
const KEYS: [&[u8]; 5] = [b"\"alternate", b"\"image", b"\"video", b"\"new", b"\"element"];

/// Returns the position of the first byte that may belong to the key of an extension, or `None` if no object of a text has
/// extensions. A backslash may belong to such a key, because a JSON escape may hide the name of a key.
///
/// ```
/// use sitemap_rows::find_extended;
///
/// assert_eq!(find_extended(b"{\"loc\":\"/teas\",\"priority\":0.5}\n"), None);
/// assert!(find_extended(b"{\"loc\":\"/tea\",\"images\":[{\"loc\":\"/tea.jpg\"}]}\n").is_some());
/// assert!(find_extended(b"{\"loc\":\"/tea\",\"\\u0069mages\":[]}\n").is_some());
/// ```
#[must_use]
pub fn find_extended(text: &[u8]) -> Option<usize> {
    /// The caller continues after the line of the result, so the bytes after it are searched again. A search of the whole text
    /// for one of the two would take too long if each line has the other.
    const WINDOW: usize = 2048;

    (0..text.len()).step_by(WINDOW).find_map(|start| {
        let end = text.len().min(start + WINDOW);
        let escape = memchr(b'\\', &text[start..end]).map(|at| start + at);
        // The last two bytes of a key may be in two windows.
        let end = escape.unwrap_or(text.len().min(end + 1));
        let mut ends = memmem::find_iter(&text[start..end], b"s\"").map(|at| start + at);
        ends.find(|at| KEYS.iter().any(|key| text[..*at].ends_with(key))).or(escape)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_or_escape_is_found() {
        for (text, expected) in [
            ("", None),
            ("{\"loc\":\"/images\",\"lastmod\":null}", None),
            ("\"images\"", Some(6)),
            ("\"images\" \\", Some(6)),
            ("\\ \"images\"", Some(0)),
            ("s\" \"new", None),
            ("\"news\"\"videos\"", Some(4)),
            ("\"elements\"", Some(8)),
            ("\"alternates\"", Some(10)),
        ] {
            assert_eq!(find_extended(text.as_bytes()), expected, "{text}");
            for blanks in [2000, 2035, 2040, 2041, 2042, 2047, 2048, 5000] {
                let text = format!("{}{text}", " ".repeat(blanks));
                assert_eq!(find_extended(text.as_bytes()), expected.map(|at| at + blanks), "{blanks} {text}");
            }
        }
    }
}
