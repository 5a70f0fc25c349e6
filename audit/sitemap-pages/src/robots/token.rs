//! Product tokens, which are the names of crawlers.

/// Returns `true` if a name can be a crawler's product token: one or more characters, each an ASCII letter, `-` or `_`.
///
/// A crawler with any other name can't be named by a `User-agent` line, so it always gets the rules of the `*` group.
///
/// Source: RFC 9309 §2.2.1.
///
/// ```
/// use sitemap_pages::robots::is_product_token;
///
/// assert!(is_product_token("sitemap"));
/// assert!(!is_product_token("sitemap/1.0"));
/// ```
pub fn is_product_token(name: &str) -> bool {
    !name.is_empty() && name != "*" && product_token(name.as_bytes()).len() == name.len()
}

/// Returns the token that a `User-agent` line's value names: `*`, or the leading letters, `-` and `_`.
pub(super) fn product_token(value: &[u8]) -> &[u8] {
    match value {
        [b'*'] => value,
        [b'*', blank, ..] if blank.is_ascii_whitespace() || *blank == 0x0B => &value[..1],
        _ => {
            let is_part = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
            &value[..value.iter().position(|octet| !is_part(octet)).unwrap_or(value.len())]
        }
    }
}
