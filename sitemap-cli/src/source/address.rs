//! Public and private IP addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns `true` if an IP address is public. The addresses of this machine, of private networks and of reserved ranges
/// are not.
///
/// Source: [IANA's registries of special-purpose
/// addresses](https://www.iana.org/assignments/iana-ipv4-special-registry/).
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        // Carrier-grade NAT, 100.64.0.0/10.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        // Network benchmarks, 198.18.0.0/15.
        || (a == 198 && (18..20).contains(&b)))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    // An address that embeds an IPv4 address is public if that IPv4 address is public.
    if let Some(v4) = embedded(segments) {
        return is_public_v4(v4);
    }
    // All public IPv6 addresses are in 2000::/3.
    let is_global = segments[0] & 0xE000 == 0x2000;
    let is_documentation =
        segments[0] == 0x2001 && segments[1] == 0x0DB8 || segments[0] == 0x3FFF && segments[1] < 0x1000;
    // 2001::/23 is reserved for special uses, such as tunnels and benchmarks.
    let is_special = segments[0] == 0x2001 && segments[1] < 0x0200;
    is_global && !is_documentation && !is_special
}

/// Returns the IPv4 address that is embedded in a mapped, translated (NAT64) or tunnelled (6to4) address.
fn embedded(segments: [u16; 8]) -> Option<Ipv4Addr> {
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        [0, 0, 0, 0, 0, 0xFFFF, high, low]
        | [0x0064, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses() {
        for text in
            ["1.1.1.1", "93.184.216.34", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::"]
        {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn addresses_of_this_machine_and_of_private_networks() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }
}
