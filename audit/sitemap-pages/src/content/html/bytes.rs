//! Byte classes, and a fast search for a byte.

use memchr::memchr;

/// Returns whether a byte is white space in HTML.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// Returns whether a byte ends a tag name.
#[inline]
pub(super) const fn is_name_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c | b'/' | b'>')
}

/// Returns whether a byte ends an attribute name. The first byte of a name is never passed.
#[inline]
pub(super) fn is_attribute_name_end(byte: u8) -> bool {
    IS_ATTRIBUTE_NAME_END[byte as usize]
}

const IS_ATTRIBUTE_NAME_END: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        ends[byte as usize] = is_name_end(byte) || byte == b'=';
        byte += 1;
    }
    ends
};

/// How many bytes [`find`] looks at before it calls a vectorised function.
const NEAR: usize = 32;

/// Returns the position of the first byte equal to `byte`.
///
/// Most texts between tags and most attribute values are short. Looking at their bytes eight at a time is faster than
/// calling a vectorised function.
#[inline]
pub(crate) fn find(byte: u8, text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let wanted = ONES * u64::from(byte);
    let mut at = 0;
    while at < NEAR
        && let Some(eight) = text[at..].first_chunk()
    {
        let other = u64::from_le_bytes(*eight) ^ wanted;
        // Sets the high bit of each zero byte, and possibly of some bytes after it.
        let zeros = other.wrapping_sub(ONES) & !other & HIGHS;
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr(byte, &text[at..]).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::{NEAR, find};

    #[test]
    fn the_first_byte_is_found_at_each_place() {
        for len in 0..2 * NEAR + 9 {
            // These bytes differ from `<` in the lowest and in the highest bit.
            for other in [b'=', 0xbc, b';', 0] {
                assert_eq!(find(b'<', &vec![other; len]), None, "{len}");
                for at in 0..len {
                    let mut text = vec![other; len];
                    text[at..].fill(b'<');
                    assert_eq!(find(b'<', &text), Some(at), "{len} {at}");
                    text[at + 1..].fill(other);
                    assert_eq!(find(b'<', &text), Some(at), "{len} {at}");
                }
            }
        }
    }
}
