//! Percent-encoding of names in URL paths.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Decodes escapes such as `%20`. A `%` without two hexadecimal digits stands for itself. Returns `None` for invalid UTF-8.
pub(crate) fn decoded(segment: &str) -> Option<String> {
    percent_decode_str(segment).decode_utf8().ok().map(Cow::into_owned)
}

/// Appends a file name to a URL path as one percent-encoded segment. The name is passed as bytes, because it may be
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

/// Returns `true` if joining this name to a folder's path always stays within the folder, on any operating system.
pub(crate) fn is_safe(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0'])
}
