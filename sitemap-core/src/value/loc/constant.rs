//! Checks URLs in constants, as a `const fn`.

use super::error::MAX_LEN;
use super::host::is_plain_label_byte;
use super::normal::{class, class_of};

/// Returns `true` if a URL is in its normal form, has a plain host name and needs no encoding.
///
/// Some URLs in normal form are hard to check in a `const fn`, such as those with an IP address. The function returns
/// `false` for them too.
pub(super) const fn is_normal(text: &str) -> bool {
    let text = text.as_bytes();
    let (mut at, default_port) = match text {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => (8, 443),
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => (7, 80),
        _ => return false,
    };
    // Check the host, label by label.
    let mut start = at;
    loop {
        while at < text.len() && is_plain_label_byte(text[at]) {
            at += 1;
        }
        if at == start || at - start > 63 || starts_with_xn(text, start) {
            return false;
        }
        if at < text.len() && text[at] == b'.' {
            at += 1;
            start = at;
        } else {
            break;
        }
    }
    // Reject a host whose last label starts with a digit: it may be an IPv4 address.
    if text[start].is_ascii_digit() {
        return false;
    }
    if at < text.len() && text[at] == b':' {
        let (mut port, first) = (0_u32, at + 1);
        at = first;
        while at < text.len() && text[at].is_ascii_digit() && at - first < 5 {
            port = port * 10 + (text[at] - b'0') as u32;
            at += 1;
        }
        if at == first || text[first] == b'0' || port > 65_535 || port == default_port {
            return false;
        }
    }
    text.len() <= MAX_LEN && is_normal_rest(text, at)
}

const fn starts_with_xn(text: &[u8], at: usize) -> bool {
    at + 3 < text.len()
        && text[at] == b'x'
        && text[at + 1] == b'n'
        && text[at + 2] == b'-'
        && text[at + 3] == b'-'
}

/// Returns `true` if the path, query and fragment need no encoding.
const fn is_normal_rest(text: &[u8], start: usize) -> bool {
    if start < text.len() && !matches!(text[start], b'/' | b'?' | b'#') {
        return false;
    }
    let (mut at, mut in_path, mut seen_hash) = (start, true, false);
    while at < text.len() {
        match class_of(text[at]) {
            class::PLAIN => {
                // Reject a dot or escape after a slash: it may start a `.` or `..` segment, which only `parse` checks.
                if in_path && text[at] == b'/' && at + 1 < text.len() && matches!(text[at + 1], b'.' | b'%') {
                    return false;
                }
                if text[at] == b'?' {
                    in_path = false;
                }
            }
            class::DOT => {}
            class::PERCENT => {
                if at + 2 >= text.len()
                    || !text[at + 1].is_ascii_hexdigit()
                    || !text[at + 2].is_ascii_hexdigit()
                {
                    return false;
                }
            }
            class::HASH => {
                if seen_hash {
                    return false;
                }
                seen_hash = true;
                in_path = false;
            }
            _ => return false,
        }
        at += 1;
    }
    true
}
