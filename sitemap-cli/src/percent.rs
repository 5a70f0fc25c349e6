//! Percent-encoding of names in URL paths.

/// Decodes escapes such as `%20`. Returns `None` for a malformed escape or invalid UTF-8.
pub(crate) fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let [first, tail @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (first, tail) {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Appends a file name to a URL path as one percent-encoded segment. The name is given as bytes, because it can be
/// invalid UTF-8.
pub(crate) fn push_encoded(path: &mut String, name: &[u8]) {
    for &byte in name {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            path.push(char::from(byte));
        } else {
            let digit = |half: u8| char::from(b"0123456789ABCDEF"[usize::from(half & 15)]);
            path.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
}

/// Returns `true` if this name, joined to the path of a folder, cannot lead out of the folder on any operating system.
pub(crate) fn is_safe(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0'])
}
