//! Product tokens: the names of crawlers.

/// Returns `true` if a name can be the product token of a crawler: one or more letters of ASCII, `-` and `_`.
///
/// No `User-agent` line can name a crawler whose name is of another form, so such a crawler always gets the rules of
/// the `*` group.
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

/// Returns the token that the value of a `User-agent` line names: `*`, or the letters, `-` and `_` at its start.
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
