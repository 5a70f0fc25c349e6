//! Restricts which IP addresses requests may go to.

use std::error::Error as StdError;
use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

use crate::address::AddressRange;

/// The ranges of IP addresses that requests may go to, in addition to public addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) private: bool,
    pub(crate) link_local: bool,
}

impl Guard {
    /// Returns an error if requests may not go to this address of a host.
    pub(crate) fn check(self, host: &str, address: IpAddr) -> Result<(), Refused> {
        let range = AddressRange::of(address);
        let is_allowed = match range {
            AddressRange::Public => true,
            AddressRange::Private => self.private,
            AddressRange::LinkLocal => self.link_local,
            AddressRange::Reserved => false,
        };
        if is_allowed { Ok(()) } else { Err(Refused { host: host.to_owned(), address, range }) }
    }

    /// Checks a URL whose host is an IP address. The resolver never sees such a host.
    pub(crate) fn check_literal(self, url: &Url) -> Result<(), Refused> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        // In URLs, IPv6 addresses are in brackets.
        self.check(url.host_str().unwrap_or_default(), address)
    }
}

/// The error for a host whose IP address is off limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    host: String,
    address: IpAddr,
    range: AddressRange,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.host)?;
        let address = self.address.to_string();
        if self.host.trim_matches(['[', ']']) != address {
            write!(f, " ({address})")?;
        }
        f.write_str(match self.range {
            AddressRange::Public => " is not allowed",
            AddressRange::Private => {
                " is on this machine or a private network; allow private addresses to request it"
            }
            AddressRange::LinkLocal => {
                " is a link-local address or a metadata service; allow link-local addresses to request it"
            }
            AddressRange::Reserved => " is reserved, so no site can be there; use another address",
        })
    }
}

impl StdError for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(guard: Guard, host: &str, address: &str) -> Option<String> {
        guard.check(host, address.parse().unwrap()).err().map(|refused| refused.to_string())
    }

    #[test]
    fn each_range_needs_its_own_permission() {
        let (none, all) = (Guard::default(), Guard { private: true, link_local: true });
        assert_eq!(refusal(none, "example.com", "1.1.1.1"), None);
        assert_eq!(
            refusal(none, "intranet", "10.0.0.1").unwrap(),
            "`intranet` (10.0.0.1) is on this machine or a private network; allow private addresses to request it"
        );
        assert_eq!(
            refusal(Guard { private: true, link_local: false }, "169.254.169.254", "169.254.169.254")
                .unwrap(),
            "`169.254.169.254` is a link-local address or a metadata service; allow link-local addresses to request it"
        );
        assert_eq!(refusal(all, "intranet", "10.0.0.1"), None);
        assert_eq!(refusal(all, "x", "fe80::1"), None);
        assert_eq!(
            refusal(all, "0.0.0.0", "0.0.0.0").unwrap(),
            "`0.0.0.0` is reserved, so no site can be there; use another address"
        );
    }

    #[test]
    fn every_spelling_of_an_ip_address_is_checked() {
        for url in [
            "http://127.0.0.1/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://[::1]/",
            "http://017700000001/",
        ] {
            let url = Url::parse(url).unwrap();
            assert!(Guard::default().check_literal(&url).is_err(), "{url}");
        }
        assert!(Guard::default().check_literal(&Url::parse("http://example.com/").unwrap()).is_ok());
    }
}
