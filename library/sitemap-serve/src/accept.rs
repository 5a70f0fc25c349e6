//! Picks the coding of a response from the client's `Accept-Encoding` header.
//!
//! Source: [RFC 9110, section 12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3).

use http::header::{ACCEPT_ENCODING, HeaderMap};

use super::coding::Coding;

/// Returns the offered coding that the client weights highest, or the first of several with the same weight. Returns
/// `Identity` if the client accepts none of them, or prefers the plain file to all of them.
pub(super) fn preferred(headers: &HeaderMap, offered: &[Coding]) -> Coding {
    let (mut named, mut any) = ([None; Coding::ALL.len()], None);
    for value in headers.get_all(ACCEPT_ENCODING) {
        // A header that is not ASCII cannot name a coding, so it is ignored.
        let Ok(value) = value.to_str() else { continue };
        for element in value.split(',') {
            let (coding, parameters) = element.split_once(';').unwrap_or((element, ""));
            let Some(weight) = weight(parameters) else { continue };
            let coding = coding.trim();
            let known = match Coding::ALL.into_iter().find(|known| coding.eq_ignore_ascii_case(known.name()))
            {
                Some(known) => &mut named[known as usize],
                None if coding.eq_ignore_ascii_case("x-gzip") => &mut named[Coding::Gzip as usize],
                None if coding == "*" => &mut any,
                None => continue,
            };
            *known = Some(known.map_or(weight, |known: u16| known.max(weight)));
        }
    }
    // `identity` is the plain file. If the header does not mention `identity`, the client accepts the plain file but
    // prefers the codings it lists.
    let (mut best, mut most) = (Coding::Identity, named[Coding::Identity as usize].unwrap_or(0).max(1));
    for &coding in offered {
        let weight = named[coding as usize].or(any).unwrap_or(0);
        if weight > most || weight == most && best == Coding::Identity {
            (best, most) = (coding, weight);
        }
    }
    best
}

/// Returns a coding's weight in thousandths: 1,000 if there is no `q` parameter, `None` if the parameter is malformed.
fn weight(parameters: &str) -> Option<u16> {
    let parameters = parameters.trim();
    if parameters.is_empty() {
        return Some(1_000);
    }
    let (name, value) = parameters.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths = format!("{fraction:0<3}").parse().ok()?;
    match (whole, thousandths) {
        ("0", thousandths) => Some(thousandths),
        ("1", 0) => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT_ENCODING, http::HeaderValue::from_static(value));
        }
        preferred(&headers, &[Coding::Gzip]) == Coding::Gzip
    }

    #[test]
    fn the_highest_weight_wins_and_among_equals_the_first() {
        let offered = [Coding::Brotli, Coding::Zstd, Coding::Gzip];
        for (wanted, coding) in [
            ("gzip, deflate, br, zstd", Coding::Brotli),
            ("gzip, deflate, zstd", Coding::Zstd),
            ("gzip, deflate", Coding::Gzip),
            ("br;q=0.5, gzip;q=0.8, zstd;q=0.7", Coding::Gzip),
            ("*", Coding::Brotli),
            ("br;q=0, *", Coding::Zstd),
            ("br;q=0, zstd;q=0, *;q=0.1", Coding::Gzip),
            ("BR;q=0.001", Coding::Brotli),
            ("identity, br;q=0.9, gzip;q=0.9", Coding::Identity),
            ("identity;q=0.5, br;q=0.4, zstd;q=0.5", Coding::Zstd),
            ("deflate", Coding::Identity),
            ("", Coding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, http::HeaderValue::from_static(wanted));
            assert_eq!(preferred(&headers, &offered), coding, "{wanted}");
        }
    }

    #[test]
    fn gzip_is_sent_to_those_who_want_it_at_least_as_much_as_identity() {
        for wanted in [
            "gzip",
            "GZip",
            "x-gzip",
            "gzip, deflate, br, zstd",
            "br;q=1.0, gzip;q=0.001",
            "*",
            "*;q=0.5",
            "identity;q=0.5, gzip",
            "identity, gzip",
            "identity;q=0, *",
            "gzip ; q=1.000",
            "gzip;Q=1",
            " , gzip ,",
        ] {
            assert!(of(&[wanted]), "{wanted}");
        }
        assert!(of(&["br", "gzip"]));
    }

    #[test]
    fn all_others_get_the_plain_file() {
        for unwanted in [
            "",
            "identity",
            "br",
            "deflate",
            "gzip;q=0",
            "gzip;q=0.000",
            "*;q=0",
            "gzip;q=0, *",
            "identity, gzip;q=0.9",
            "identity;q=0.9, *;q=0.5",
            "gzip;q=2",
            "gzip;q=1.001",
            "gzip;q=0.0001",
            "gzip;q=-1",
            "gzip;q=.5",
            "gzip;q",
            "gzip;level=9",
            "gzipped",
        ] {
            assert!(!of(&[unwanted]), "{unwanted}");
        }
        assert!(!of(&[]));
    }
}
