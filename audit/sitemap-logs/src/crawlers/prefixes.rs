//! The files of IP addresses that crawler operators publish.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use serde_json::Value;

use super::ranges::number;

/// The problem with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PrefixesError {
    Json(String),
    NoList,
    Empty,
    Element(String),
    Malformed { prefix: String, version: u8 },
}

impl fmt::Display for PrefixesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "are not JSON ({error})"),
            Self::NoList => f.write_str("have no list `prefixes`"),
            Self::Empty => f.write_str("have no prefix"),
            Self::Element(found) => {
                write!(f, "have the prefix `{found}`, which has neither `ipv4Prefix` nor `ipv6Prefix` alone")
            }
            Self::Malformed { prefix, version } => {
                let example = if *version == 4 { "192.0.2.0/24" } else { "2001:db8::/32" };
                write!(
                    f,
                    "have the prefix `{prefix}`, which is not an IPv{version} prefix, such as `{example}`"
                )
            }
        }
    }
}

/// Reads a file.
pub(super) fn read(file: &str) -> Result<Vec<RangeInclusive<u128>>, PrefixesError> {
    // Some servers prepend a byte order mark.
    let file = file.trim_start_matches('\u{feff}');
    let file: Value = serde_json::from_str(file).map_err(|error| PrefixesError::Json(error.to_string()))?;
    let prefixes = file.get("prefixes").and_then(Value::as_array).ok_or(PrefixesError::NoList)?;
    if prefixes.is_empty() {
        return Err(PrefixesError::Empty);
    }
    prefixes.iter().map(element).collect()
}

fn element(element: &Value) -> Result<RangeInclusive<u128>, PrefixesError> {
    let text = |name| element.get(name).and_then(Value::as_str);
    let (prefix, version) = match (text("ipv4Prefix"), text("ipv6Prefix")) {
        (Some(prefix), None) => (prefix, 4),
        (None, Some(prefix)) => (prefix, 6),
        _ => return Err(PrefixesError::Element(element.to_string().chars().take(200).collect())),
    };
    let range = if version == 4 { range_v4(prefix) } else { range_v6(prefix) };
    range.ok_or_else(|| PrefixesError::Malformed { prefix: prefix.chars().take(200).collect(), version })
}

fn range_v4(prefix: &str) -> Option<RangeInclusive<u128>> {
    let (first, length) = prefix.split_once('/')?;
    let first: Ipv4Addr = first.parse().ok()?;
    let others = u32::MAX.checked_shr(length_of(length, 32)?).unwrap_or(0);
    let last = Ipv4Addr::from_bits(first.to_bits() | others);
    (first.to_bits() & others == 0).then(|| number(IpAddr::V4(first))..=number(IpAddr::V4(last)))
}

fn range_v6(prefix: &str) -> Option<RangeInclusive<u128>> {
    let (first, length) = prefix.split_once('/')?;
    let first: Ipv6Addr = first.parse().ok()?;
    let others = u128::MAX.checked_shr(length_of(length, 128)?).unwrap_or(0);
    (first.to_bits() & others == 0).then(|| first.to_bits()..=first.to_bits() | others)
}

/// Parses the length of a prefix. A length of 0 is refused, because it would cover every address and verify every
/// request.
fn length_of(text: &str, bits: u32) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|length| is_number && (1..=bits).contains(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(prefixes: &str) -> String {
        read(&format!(r#"{{"prefixes": [{prefixes}]}}"#)).unwrap_err().to_string()
    }

    #[test]
    fn malformed_prefixes_are_named() {
        for prefix in
            ["66.249.64.0", "66.249.64.1/27", "66.249.64/27", "0.0.0.0/0", "1.2.3.4/+8", "::/8", "/", ""]
        {
            let found = error_of(&format!(r#"{{"ipv4Prefix": "{prefix}"}}"#));
            assert_eq!(
                found,
                format!("have the prefix `{prefix}`, which is not an IPv4 prefix, such as `192.0.2.0/24`")
            );
        }
        assert_eq!(
            error_of(r#"{"ipv6Prefix": "2001:db8::1/64"}"#),
            "have the prefix `2001:db8::1/64`, which is not an IPv6 prefix, such as `2001:db8::/32`"
        );
        assert_eq!(
            error_of(r#"{"ip_prefix": "3.5.140.0/22"}"#),
            "have the prefix `{\"ip_prefix\":\"3.5.140.0/22\"}`, which has neither `ipv4Prefix` nor `ipv6Prefix` alone"
        );
    }

    #[test]
    fn other_files_are_errors() {
        assert_eq!(read("[]").unwrap_err(), PrefixesError::NoList);
        assert!(matches!(read("<!DOCTYPE html>"), Err(PrefixesError::Json(_))));
    }
}
