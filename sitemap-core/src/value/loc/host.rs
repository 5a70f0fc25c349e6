//! The normal form of a URL's host.
//!
//! Host names and IP addresses in ASCII need no library. The feature `url` adds host names in other scripts, which
//! become their `xn--` form, and short IPv4 addresses, such as `127.1`. With `url`, the characters that an `xn--` label
//! encodes must also be allowed in host names. Without it, the label only has to be valid Punycode.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::error::LocErrorKind;
use super::punycode::is_punycode;

/// Returns the normal form of a host. Borrows the string if it is already in that form.
pub(super) fn normalise_host(host: &str) -> Result<Cow<'_, str>, LocErrorKind> {
    if is_plain_host(host) {
        return Ok(Cow::Borrowed(host));
    }
    match ascii_host(host) {
        Some(normal) if normal == host => Ok(Cow::Borrowed(host)),
        Some(normal) => Ok(Cow::Owned(normal)),
        None => other_host(host).map(Cow::Owned),
    }
}

/// Returns `true` for a lower-case ASCII name that has no `xn--` label and cannot be an IP address.
pub(super) fn is_plain_host(host: &str) -> bool {
    after_plain_host(host.as_bytes()).is_some_and(<[u8]>::is_empty)
}

/// If a string starts with a lower-case ASCII host name that has no `xn--` label and cannot be an IP address, returns
/// what follows the host. The rest starts with a byte that can't be part of such a name.
pub(super) fn after_plain_host(text: &[u8]) -> Option<&[u8]> {
    const IS_LABEL: [bool; 256] = {
        let mut is_label = [false; 256];
        let mut byte = 0;
        while byte < 128_u8 {
            is_label[byte as usize] = is_plain_label_byte(byte);
            byte += 1;
        }
        is_label
    };
    let mut rest = text;
    loop {
        let len = rest.iter().take_while(|&&byte| IS_LABEL[usize::from(byte)]).count();
        let (label, after) = rest.split_at(len);
        if !(1..=63).contains(&len) || label.starts_with(b"xn--") {
            return None;
        }
        match after {
            [b'.', after @ ..] => rest = after,
            // A host whose last label starts with a digit is not plain: it may be an IPv4 address.
            _ => return (!label[0].is_ascii_digit()).then_some(after),
        }
    }
}

pub(super) const fn is_plain_label_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_')
}

/// Returns the normal form of an ASCII host, or `None` if this function cannot parse it.
fn ascii_host(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[') {
        return Some(format_ipv6(address.strip_suffix(']')?.parse().ok()?));
    }
    let host = host.to_ascii_lowercase();
    let name = host.strip_suffix('.').unwrap_or(&host);
    let last = name.rsplit('.').next().unwrap_or_default();
    // URL parsers treat a host as an IPv4 address if its last label is a number.
    if is_number(last) {
        return name.parse::<Ipv4Addr>().is_ok().then(|| name.to_owned());
    }
    // Fully checking an `xn--` label needs Unicode tables. With the feature `url`, `other_host` does that. Without it,
    // `is_label` only checks the Punycode.
    if cfg!(feature = "url") && name.split('.').any(|label| label.starts_with("xn--")) {
        return None;
    }
    name.split('.').all(is_label).then_some(host)
}

/// Returns `true` for a host in its normal form that cannot be reached from the public internet: an address of a private
/// network, a name without a dot, or a name under a domain that is reserved for private networks.
pub(super) fn is_private_host(host: &str) -> bool {
    const PRIVATE_DOMAINS: [&str; 5] = ["localhost", "local", "internal", "lan", "home.arpa"];
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse().is_ok_and(|address: Ipv6Addr| match address.to_ipv4_mapped() {
            Some(address) => is_private_ipv4(address),
            None => {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            }
        });
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if let Ok(address) = name.parse() {
        return is_private_ipv4(address);
    }
    let is_under = |domain: &str| name.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
    !name.contains('.') || name == "home.arpa" || PRIVATE_DOMAINS.iter().any(|domain| is_under(domain))
}

fn is_private_ipv4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    first == 0 || address.is_private() || address.is_loopback() || address.is_link_local() || is_shared
}

fn is_number(label: &str) -> bool {
    let is_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit())
        || label.strip_prefix("0x").is_some_and(is_hex)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(is_plain_label_byte)
        && label.strip_prefix("xn--").is_none_or(is_punycode)
}

/// Formats an IPv6 address the way URL parsers do. An embedded IPv4 address is also written in hexadecimal, without
/// dots.
fn format_ipv6(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low] => format!("[::ffff:{high:x}:{low:x}]"),
        _ => format!("[{address}]"),
    }
}

/// Returns the normal form that browsers use for a host.
#[cfg(feature = "url")]
fn other_host(host: &str) -> Result<String, LocErrorKind> {
    let parsed = url::Host::parse(host).map_err(|_| LocErrorKind::Host)?;
    let is_address = !matches!(parsed, url::Host::Domain(_));
    let parsed = parsed.to_string();
    // Browsers accept quotes and other characters that are invalid in host names. Reject them.
    let name = parsed.strip_suffix('.').unwrap_or(&parsed);
    if is_address || name.split('.').all(is_label) { Ok(parsed) } else { Err(LocErrorKind::Host) }
}

#[cfg(not(feature = "url"))]
fn other_host(host: &str) -> Result<String, LocErrorKind> {
    Err(if host.is_ascii() { LocErrorKind::Host } else { LocErrorKind::InternationalHost })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn private_hosts() {
        for host in [
            "localhost",
            "localhost.",
            "app.localhost",
            "intranet",
            "printer.local",
            "wiki.internal",
            "nas.lan",
            "nas.home.arpa",
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "[::1]",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:a00:1]",
        ] {
            assert!(is_private_host(host), "{host}");
        }
        for host in [
            "example.com",
            "local.example.com",
            "notlocal.io",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "[2001:db8::a]",
        ] {
            assert!(!is_private_host(host), "{host}");
        }
    }

    #[test]
    fn ip_addresses_have_one_spelling() {
        for (host, normal) in [
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("[0:0:0:0:0:0:0:1]", "[::1]"),
            ("[2001:DB8::A]", "[2001:db8::a]"),
            ("[::ffff:192.0.2.1]", "[::ffff:c000:201]"),
            ("127.0.0.1.", "127.0.0.1"),
        ] {
            assert_eq!(normalise_host(host).unwrap(), normal);
            assert_eq!(url::Host::parse(host).unwrap().to_string(), normal);
        }
        for host in ["256.1.1.1", "1.2.3.4.5", "a.1", "[::1", "[::1%25eth0]", "[1.2.3.4]", "a.0x"] {
            assert_eq!(normalise_host(host), Err(LocErrorKind::Host), "{host}");
        }
    }

    #[test]
    #[cfg(not(feature = "url"))]
    fn a_name_in_another_script_needs_the_feature() {
        assert_eq!(normalise_host("b\u{fc}cher.example"), Err(LocErrorKind::InternationalHost));
        assert_eq!(normalise_host("1.2.3"), Err(LocErrorKind::Host));
    }

    #[test]
    #[cfg(feature = "url")]
    fn an_encoded_name_holds_only_characters_of_host_names() {
        assert_eq!(normalise_host("XN--BCHER-KVA.example").unwrap(), "xn--bcher-kva.example");
        // A lone joiner, a control character, an upper-case letter, and invalid Punycode.
        for host in ["xn--1ug.example", "xn--a.example", "xn--ab-mya.ex", "xn---a.example"] {
            assert!(url::Host::parse(host).is_err());
            assert_eq!(normalise_host(host), Err(LocErrorKind::Host), "{host}");
        }
    }

    proptest! {
        /// Checks that `ascii_host` returns the same normal form as a URL parser.
        #[test]
        fn hosts_in_ascii_are_read_as_a_url_parser_reads_them(host in "[a-cA-C0-9x._:\\[\\]-]{1,24}") {
            if let Some(normal) = ascii_host(&host) {
                prop_assert_eq!(url::Host::parse(&host).map(|host| host.to_string()), Ok(normal));
            }
        }

        #[test]
        #[cfg(feature = "url")]
        fn encoded_names_are_those_that_a_url_parser_reads(host in "(xn--)?[a-z0-9-]{1,12}(\\.(xn--)?[a-z0-9-]{1,8})?\\.ex") {
            let normal = normalise_host(&host).map(Cow::into_owned).ok();
            prop_assert_eq!(normal, url::Host::parse(&host).map(|host| host.to_string()).ok());
        }

        #[test]
        fn punycode_is_what_a_url_parser_takes_for_it(name in "[a-z0-9]{0,3}[\u{df}-\u{f6}\u{3b1}-\u{3c9}\u{4e00}-\u{4eff}]{1,8}") {
            if let Ok(url::Host::Domain(host)) = url::Host::parse(&name) {
                prop_assert_eq!(normalise_host(&host).map(Cow::into_owned), Ok(host));
            }
        }
    }
}
