//! Chooses between gzip and the plain file by a client's `Accept-Encoding`.
//!
//! Source: [RFC 9110, section 12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3).

use http::header::{ACCEPT_ENCODING, HeaderMap};

/// Returns `true` if the client accepts gzip, and does not give it a lower weight than the plain file.
pub(super) fn prefers_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut identity, mut any) = (None, None, None);
    for value in headers.get_all(ACCEPT_ENCODING) {
        // A header that is not ASCII cannot name a coding, so it is ignored.
        let Ok(value) = value.to_str() else { continue };
        for element in value.split(',') {
            let (coding, parameters) = element.split_once(';').unwrap_or((element, ""));
            let Some(weight) = weight(parameters) else { continue };
            let coding = coding.trim();
            let known = if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") {
                &mut gzip
            } else if coding.eq_ignore_ascii_case("identity") {
                &mut identity
            } else if coding == "*" {
                &mut any
            } else {
                continue;
            };
            *known = Some(known.map_or(weight, |known: u16| known.max(weight)));
        }
    }
    // `identity` is the plain file. A client that does not name `identity` accepts the plain file, but prefers the
    // codings that it names.
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= identity.unwrap_or(0)
}

/// Returns the weight of a coding in thousandths: 1,000 without a `q` parameter, `None` if the parameter
/// is malformed.
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
        prefers_gzip(&headers)
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
