//! IP address ranges, for programs that request URLs chosen by others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A range of IP addresses.
///
/// If your program requests URLs from a sitemap, the sitemap's author must not be able to reach addresses that only the
/// program can reach. Check each address that a host name resolves to, including after redirects.
///
/// ```
/// use sitemap_fetch::AddressRange;
///
/// assert_eq!(AddressRange::of("1.1.1.1".parse().unwrap()), AddressRange::Public);
/// assert_eq!(AddressRange::of("127.0.0.1".parse().unwrap()), AddressRange::Private);
/// assert_eq!(AddressRange::of("169.254.169.254".parse().unwrap()), AddressRange::LinkLocal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressRange {
    /// Addresses of the public internet.
    Public,
    /// This machine and private networks.
    Private,
    /// Link-local addresses, and other addresses where clouds hand out credentials to their virtual machines.
    LinkLocal,
    /// Multicast, documentation and other addresses that no site uses.
    Reserved,
}

impl AddressRange {
    /// Returns the range that an IP address belongs to.
    ///
    /// Source: [IANA's registries of special-purpose
    /// addresses](https://www.iana.org/assignments/iana-ipv4-special-registry/).
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(v4) => range_of_v4(v4),
            IpAddr::V6(v6) => range_of_v6(v6),
        }
    }
}

fn range_of_v4(address: Ipv4Addr) -> AddressRange {
    match address.octets() {
        // Alibaba Cloud's metadata service.
        [100, 100, 100, 200] => AddressRange::LinkLocal,
        // Carrier-grade NAT, 100.64.0.0/10.
        [100, 64..128, ..] => AddressRange::Private,
        _ if address.is_link_local() => AddressRange::LinkLocal,
        _ if address.is_loopback() || address.is_private() => AddressRange::Private,
        // The last of these ranges is for network benchmarks.
        [0 | 224.., ..] | [192, 0, 0, _] | [198, 18..20, ..] => AddressRange::Reserved,
        _ if address.is_documentation() => AddressRange::Reserved,
        _ => AddressRange::Public,
    }
}

fn range_of_v6(address: Ipv6Addr) -> AddressRange {
    let segments = address.segments();
    // An address that embeds an IPv4 address belongs to the range of that IPv4 address.
    if let Some(v4) = embedded(segments) {
        return range_of_v4(v4);
    }
    match segments {
        // This private range includes Amazon's metadata service.
        [0xFD00, 0x0EC2, ..] | [0xFE80..=0xFEBF, ..] => AddressRange::LinkLocal,
        [0, 0, 0, 0, 0, 0, 0, 1] | [0xFC00..=0xFDFF, ..] => AddressRange::Private,
        // Documentation, and special uses such as tunnels and benchmarks.
        [0x2001, 0x0DB8 | 0..0x0200, ..] | [0x3FFF, 0..0x1000, ..] => AddressRange::Reserved,
        // All public IPv6 addresses are in 2000::/3.
        [0x2000..=0x3FFF, ..] => AddressRange::Public,
        _ => AddressRange::Reserved,
    }
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
    fn each_address_has_one_range() {
        for (range, addresses) in [
            (
                AddressRange::Public,
                &[
                    "1.1.1.1",
                    "93.184.216.34",
                    "100.128.0.1",
                    "100.63.255.255",
                    "172.32.0.1",
                    "223.255.255.255",
                    "2606:4700::1111",
                    "::ffff:1.1.1.1",
                    "2002:101:101::",
                    "64:ff9b::1.1.1.1",
                ][..],
            ),
            (
                AddressRange::Private,
                &[
                    "10.1.2.3",
                    "100.64.0.1",
                    "127.0.0.1",
                    "127.8.8.8",
                    "172.16.0.1",
                    "192.168.1.1",
                    "::1",
                    "::ffff:127.0.0.1",
                    "64:ff9b::10.0.0.1",
                    "2002:7f00:1::",
                    "fc00::1",
                    "fd12::1",
                ],
            ),
            (
                AddressRange::LinkLocal,
                &[
                    "169.254.169.254",
                    "169.254.0.1",
                    "100.100.100.200",
                    "fe80::1",
                    "febf::1",
                    "fd00:ec2::254",
                    "::ffff:169.254.169.254",
                    "2002:a9fe:a9fe::",
                    "64:ff9b::169.254.169.254",
                ],
            ),
            (
                AddressRange::Reserved,
                &[
                    "0.0.0.0",
                    "192.0.0.8",
                    "192.0.2.1",
                    "198.18.0.1",
                    "224.0.0.1",
                    "240.0.0.1",
                    "255.255.255.255",
                    "::",
                    "::127.0.0.1",
                    "64:ff9b:1::1",
                    "2001::1",
                    "2001:db8::1",
                    "3fff::1",
                    "fec0::1",
                    "ff02::1",
                ],
            ),
        ] {
            for text in addresses {
                assert_eq!(AddressRange::of(text.parse().unwrap()), range, "{text}");
            }
        }
    }
}
