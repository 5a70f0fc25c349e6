//! The values of a row besides its URL.

use std::str;

use sitemap_core::reading::{priority_of_tenths, usual_lastmod};
use sitemap_core::{ChangeFreq, LastMod, Priority};

/// The values of a row besides its URL, if the row has them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Values {
    pub(crate) lastmod: Option<LastMod>,
    pub(crate) changefreq: Option<ChangeFreq>,
    pub(crate) priority: Option<Priority>,
}

/// Returns the date that a text names, or `None` if it is not a date.
#[inline]
pub(crate) fn lastmod(text: &[u8]) -> Option<LastMod> {
    usual_lastmod(text).or_else(|| other_lastmod(text))
}

#[cold]
fn other_lastmod(text: &[u8]) -> Option<LastMod> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// Returns the frequency that a text names, or `None` if it is not one of the seven words.
#[inline]
pub(crate) fn changefreq(text: &[u8]) -> Option<ChangeFreq> {
    Some(match text {
        b"always" => ChangeFreq::Always,
        b"hourly" => ChangeFreq::Hourly,
        b"daily" => ChangeFreq::Daily,
        b"weekly" => ChangeFreq::Weekly,
        b"monthly" => ChangeFreq::Monthly,
        b"yearly" => ChangeFreq::Yearly,
        b"never" => ChangeFreq::Never,
        _ => return None,
    })
}

/// Returns the priority that a text names, if it is a number with at most four decimals. JSON and CSV read other numbers
/// in different ways.
#[inline]
pub(crate) fn priority(text: &[u8]) -> Option<Priority> {
    match text {
        [b'0', b'.', tenth @ b'0'..=b'9'] => priority_of_tenths(tenth - b'0'),
        [b'0', b'.', digits @ ..] => decimals(digits),
        b"0" => Some(Priority::MIN),
        b"1" | b"1.0" => Some(Priority::MAX),
        _ => None,
    }
}

fn decimals(digits: &[u8]) -> Option<Priority> {
    let (mut number, mut scale) = (0_u16, 1_u16);
    if !(1..=4).contains(&digits.len()) {
        return None;
    }
    for digit in digits {
        number = number * 10
            + u16::from(char::from(*digit).to_digit(10).and_then(|digit| u8::try_from(digit).ok())?);
        scale *= 10;
    }
    Priority::new(f64::from(number) / f64::from(scale)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_priorities_are_those_of_the_general_parser() {
        let texts =
            (0..=9_999).flat_map(|number: u32| (1..=4).map(move |digits| format!("0.{number:0digits$}")));
        for text in texts.filter(|text| text.len() <= 6).chain(["0", "1", "1.0"].map(str::to_owned)) {
            assert_eq!(priority(text.as_bytes()), text.parse().ok(), "{text}");
            assert!(priority(text.as_bytes()).is_some(), "{text}");
        }
    }

    #[test]
    fn other_priorities_are_left_to_the_general_parser() {
        for text in ["", "0.", "0.00005", "1.5", "-0", "+0.5", ".5", "00.5", "5e-1", " 0.5", "0.5x", "null"] {
            assert_eq!(priority(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn words_and_dates() {
        for freq in ChangeFreq::ALL {
            assert_eq!(changefreq(freq.as_str().as_bytes()), Some(freq));
        }
        assert_eq!(changefreq(b"Weekly"), None);
        assert_eq!(lastmod(b"2026-01-31"), LastMod::date(2026, 1, 31).ok());
        assert_eq!(lastmod(b"2026-01-31T10:00:00.5Z"), "2026-01-31T10:00:00.5Z".parse().ok());
        assert_eq!(lastmod(b"2026-02-30"), None);
    }
}
