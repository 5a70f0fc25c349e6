//! Link and image targets, without the parts that change with every build or visit.

use memchr::{memchr, memchr2};

/// Appends a link target without its fragment, session identifiers and campaign parameters.
pub(super) fn push_link(target: &[u8], out: &mut Vec<u8>) {
    out.push(b'>');
    let target = target.trim_ascii();
    if memchr2(b'?', b';', target).is_none() {
        out.extend_from_slice(without_fragment(target));
        return;
    }
    let (path, query) = split_query(without_fragment(target));
    out.extend_from_slice(path);
    push_query(query, out);
}

/// Appends the target of an image or other asset, without the hashes and versions that builds add to it.
pub(super) fn push_asset(target: &[u8], out: &mut Vec<u8>) {
    out.push(b'!');
    let target = target.trim_ascii();
    // A `data:` URL: the build embedded the image in the page.
    if target.starts_with(b"data:") {
        out.extend_from_slice(target);
        return;
    }
    let (path, query) = split_query(without_fragment(target));
    let mut first = true;
    let last = path.split(|&byte| byte == b'/').count();
    for (at, segment) in path.split(|&byte| byte == b'/').enumerate() {
        if !first {
            out.push(b'/');
        }
        first = false;
        push_segment(segment, at + 1 == last, out);
    }
    push_query(query, out);
}

fn without_fragment(target: &[u8]) -> &[u8] {
    &target[..memchr(b'#', target).unwrap_or(target.len())]
}

fn split_query(target: &[u8]) -> (&[u8], &[u8]) {
    let (path, query) = match memchr(b'?', target) {
        Some(at) => (&target[..at], &target[at + 1..]),
        None => (target, &b""[..]),
    };
    let session = path.windows(12).position(|part| part.eq_ignore_ascii_case(b";jsessionid="));
    (&path[..session.unwrap_or(path.len())], query)
}

fn push_query(query: &[u8], out: &mut Vec<u8>) {
    for parameter in query.split(|&byte| byte == b'&') {
        let name = &parameter[..memchr(b'=', parameter).unwrap_or(parameter.len())];
        let is_bare_version = name.len() == parameter.len() && is_version(name);
        if !name.is_empty() && !is_bare_version && !is_noise(&name.to_ascii_lowercase()) {
            out.push(b'&');
            out.extend_from_slice(parameter);
        }
    }
}

/// Returns whether a query parameter doesn't affect what a URL points to.
fn is_noise(name: &[u8]) -> bool {
    name.starts_with(b"utm_")
        || matches!(
            name,
            b"v" | b"ver"
                | b"version"
                | b"t"
                | b"ts"
                | b"timestamp"
                | b"rev"
                | b"hash"
                | b"cb"
                | b"cachebust"
                | b"nocache"
                | b"_"
                | b"token"
                | b"csrf"
                | b"csrf_token"
                | b"nonce"
                | b"sid"
                | b"sessionid"
                | b"session_id"
                | b"phpsessid"
                | b"jsessionid"
                | b"gclid"
                | b"fbclid"
                | b"msclkid"
                | b"expires"
                | b"signature"
        )
}

fn is_version(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_digit) && name.iter().all(|&byte| byte.is_ascii_hexdigit() || byte == b'.')
}

/// Appends a path segment, with each part that is a hash replaced by `*`.
fn push_segment(segment: &[u8], is_file: bool, out: &mut Vec<u8>) {
    let mut start = 0;
    let ends = segment.iter().enumerate().filter(|(_, byte)| matches!(byte, b'-' | b'.' | b'_' | b'~'));
    let extension = segment.iter().rposition(|&byte| byte == b'.').unwrap_or(segment.len());
    // A base64 hash comes last, right before the extension, and can contain `-` and `_` itself.
    if is_file
        && extension > 9
        && matches!(segment[extension - 9], b'-' | b'.')
        && is_mixed(&segment[extension - 8..extension])
    {
        out.extend_from_slice(&segment[..extension - 8]);
        out.push(b'*');
        out.extend_from_slice(&segment[extension..]);
        return;
    }
    for end in ends.map(|(at, _)| at).chain([segment.len()]) {
        let part = &segment[start..end];
        if is_hash(part) {
            out.push(b'*');
        } else {
            out.extend_from_slice(part);
        }
        out.extend(segment.get(end));
        start = end + 1;
    }
}

/// Returns whether part of a name is a hash: eight or more hexadecimal digits, with both letters and digits.
fn is_hash(part: &[u8]) -> bool {
    part.len() >= 8
        && part.iter().all(u8::is_ascii_hexdigit)
        && part.iter().any(u8::is_ascii_digit)
        && part.iter().any(u8::is_ascii_alphabetic)
}

/// Returns whether eight characters look like a base64 hash: they contain lower-case letters, and capitals after the
/// first letter.
fn is_mixed(part: &[u8]) -> bool {
    part.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && part[1..].iter().any(u8::is_ascii_uppercase)
        && part.iter().any(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{push_asset, push_link};

    fn asset(target: &str) -> String {
        let mut out = Vec::new();
        push_asset(target.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn link(target: &str) -> String {
        let mut out = Vec::new();
        push_link(target.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn versions_of_assets() {
        for (target, masked) in [
            ("/a/main-3f2a9c41.css", "!/a/main-*.css"),
            ("/a/main.3f2a9c41d0.min.js?v=12", "!/a/main.*.min.js"),
            ("/a/logo-BkX3a9_d.svg", "!/a/logo-*.svg"),
            ("/3f2a9c41ab/logo.svg?20261121", "!/*/logo.svg"),
            ("/photos/1.jpg?size=2&t=99", "!/photos/1.jpg&size=2"),
            ("oak-table-12345678.jpg", "!oak-table-12345678.jpg"),
            ("decade-facade-accede.png", "!decade-facade-accede.png"),
            ("background.png", "!background.png"),
        ] {
            assert_eq!(asset(target), masked, "{target}");
        }
    }

    #[test]
    fn sessions_of_links() {
        for (target, masked) in [
            (" /a?b=1#c ", ">/a&b=1"),
            ("/a;jsessionid=77?b=1&utm_source=x&PHPSESSID=9", ">/a&b=1"),
            ("/a#b", ">/a"),
            ("/item-3f2a9c41", ">/item-3f2a9c41"),
        ] {
            assert_eq!(link(target), masked, "{target}");
        }
    }
}
