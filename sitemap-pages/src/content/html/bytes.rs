//! Classes of bytes.

/// Returns whether a byte is white space in HTML.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// Returns whether a byte ends the name of a tag or an attribute.
#[inline]
pub(super) fn is_name_end(byte: u8) -> bool {
    IS_NAME_END[byte as usize]
}

const IS_NAME_END: [bool; 256] = {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b" \n\t\r\x0c/>";
    while let [byte, rest @ ..] = bytes {
        ends[*byte as usize] = true;
        bytes = rest;
    }
    ends
};
