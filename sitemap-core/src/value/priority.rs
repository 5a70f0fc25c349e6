//! `priority`: the weight of a page relative to the other pages of its site.

use std::fmt;
use std::str::FromStr;

use super::digits::two_digits;
use super::excerpt::Excerpt;

/// The weight of a page relative to the other pages of its site, from 0.0 to 1.0.
///
/// A page without a priority counts as 0.5. The value is rounded to four decimals and written without
/// trailing zeros, but with at least one decimal: `0.5`, `1.0`, `0.4096`.
///
/// Source: [sitemaps.org, `priority`](https://www.sitemaps.org/protocol.html#prioritydef).
///
/// ```
/// use sitemap_core::Priority;
///
/// const HOME: Priority = match Priority::new(1.0) {
///     Ok(priority) => priority,
///     Err(_) => panic!("not a priority"),
/// };
/// assert_eq!(HOME.to_string(), "1.0");
/// assert_eq!(Priority::new(0.8)?.to_string(), "0.8");
/// assert_eq!(
///     Priority::new(1.5).unwrap_err().to_string(),
///     "sitemap priority must be between 0.0 and 1.0, found 1.5"
/// );
/// # Ok::<(), sitemap_core::value::PriorityError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority {
    /// The priority times 10,000, from 0 to 10,000.
    ten_thousandths: u16,
}

const SCALE: u16 = 10_000;

impl Priority {
    /// The lowest priority, 0.0.
    pub const MIN: Self = Self { ten_thousandths: 0 };
    /// The highest priority, 1.0.
    pub const MAX: Self = Self { ten_thousandths: SCALE };
    /// The priority of a page without one, 0.5.
    pub const DEFAULT: Self = Self { ten_thousandths: SCALE / 2 };

    /// Converts tenths to a priority. Returns `None` above ten.
    #[inline]
    pub(crate) const fn tenths(tenths: u8) -> Option<Self> {
        if tenths > 10 { None } else { Some(Self { ten_thousandths: SCALE / 10 * tenths as u16 }) }
    }

    /// Converts a number and rounds it to four decimals. Works in constants.
    ///
    /// # Errors
    ///
    /// Returns a [`PriorityError`] if the value is below 0.0, above 1.0 or NaN. It is checked before rounding:
    /// 1.0000001 is an error.
    #[inline]
    pub const fn new(value: f64) -> Result<Self, PriorityError> {
        if value >= 0.0 && value <= 1.0 {
            // The value is in range, so the cast doesn't truncate it or lose a sign.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let ten_thousandths = (value * SCALE as f64 + 0.5) as u16;
            Ok(Self { ten_thousandths })
        } else {
            Err(PriorityError { found: Found::Number(value) })
        }
    }

    /// Returns the priority as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.ten_thousandths) / f64::from(SCALE)
    }

    /// Writes the decimal form to the start of `text` and returns its length.
    #[inline]
    pub(crate) fn encode(self, text: &mut [u8; Self::MAX_LEN]) -> usize {
        // For 1.0, `hundredths` is 100. The digit table has `00` for it.
        let [hundredths, _] = (self.ten_thousandths / 100).to_le_bytes();
        let [tenth, hundredth] = two_digits(hundredths);
        text[..4].copy_from_slice(&[b'0' + u8::from(self == Self::MAX), b'.', tenth, hundredth]);
        let [rest, _] = (self.ten_thousandths % 100).to_le_bytes();
        if rest > 0 {
            text[4..].copy_from_slice(&two_digits(rest));
            6 - usize::from(text[5] == b'0')
        } else {
            4 - usize::from(hundredth == b'0')
        }
    }

    /// The length of the longest priority, such as `0.4096`.
    pub(crate) const MAX_LEN: usize = 6;
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; Self::MAX_LEN];
        let len = self.encode(&mut text);
        f.pad(std::str::from_utf8(&text[..len]).unwrap_or_default())
    }
}

impl fmt::Debug for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Priority({self})")
    }
}

impl Default for Priority {
    /// Returns 0.5, the protocol's default.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<f64> for Priority {
    type Error = PriorityError;

    fn try_from(value: f64) -> Result<Self, PriorityError> {
        Self::new(value)
    }
}

impl TryFrom<f32> for Priority {
    type Error = PriorityError;

    #[inline]
    fn try_from(value: f32) -> Result<Self, PriorityError> {
        Self::new(value.into())
    }
}

impl From<Priority> for f64 {
    fn from(priority: Priority) -> Self {
        priority.get()
    }
}

impl FromStr for Priority {
    type Err = PriorityError;

    /// Parses a plain decimal number: digits, at most one `.`, an optional sign, no exponent.
    ///
    /// # Errors
    ///
    /// Returns a [`PriorityError`] if the string is not a number, or if the number is not between 0.0 and 1.0.
    fn from_str(text: &str) -> Result<Self, PriorityError> {
        // Nearly all priorities have this form.
        if let &[b'0', b'.', digit @ b'0'..=b'9'] = text.as_bytes()
            && let Some(priority) = Self::tenths(digit - b'0')
        {
            return Ok(priority);
        }
        let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'+' | b'-'));
        let bad = || PriorityError::new(text);
        let value: f64 = if is_decimal { text.parse().map_err(|_| bad())? } else { return Err(bad()) };
        Self::new(value)
    }
}

/// A number that is not between 0.0 and 1.0, or a string that is not a number.
///
/// ```
/// use sitemap_core::Priority;
///
/// let error = "high".parse::<Priority>().unwrap_err();
/// assert_eq!(error.to_string(), "sitemap priority must be between 0.0 and 1.0, found \"high\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorityError {
    found: Found,
}

impl PriorityError {
    /// Creates an error for your own conversion when it cannot convert `found`.
    #[must_use]
    pub const fn new(found: &str) -> Self {
        Self { found: Found::Text(Excerpt::new(found)) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    Number(f64),
    Text(Excerpt),
}

impl fmt::Display for PriorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sitemap priority must be between 0.0 and 1.0, found ")?;
        match &self.found {
            // `{:?}` keeps the decimal of `2.0`, which `{}` would print as `2`.
            Found::Number(value) => write!(f, "{value:?}"),
            Found::Text(text) => write!(f, "{text}"),
        }
    }
}

impl std::error::Error for PriorityError {}

/// A value that can be a page's `priority`.
///
/// Implement it for your own type to use that type in a field with the `priority` role.
///
/// ```
/// use sitemap_core::Priority;
/// use sitemap_core::value::{PriorityError, ToPriority};
///
/// /// A rating of 1 to 5 stars.
/// struct Stars(u8);
///
/// impl ToPriority for Stars {
///     fn to_priority(&self) -> Result<Option<Priority>, PriorityError> {
///         Priority::new(f64::from(self.0) / 5.0).map(Some)
///     }
/// }
///
/// assert_eq!(Stars(4).to_priority()?, Some(Priority::new(0.8)?));
/// assert!(Stars(6).to_priority().is_err());
/// # Ok::<(), PriorityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `priority`",
    label = "not a priority",
    note = "use `f32`, `f64`, `Priority` or an `Option` of one, or convert the value \
            with `#[sitemap(priority, with = path)]`",
    note = "if the field is not meant for the sitemap, mark it `#[sitemap(skip)]`"
)]
pub trait ToPriority {
    /// Returns the priority, or `None` to omit `priority`.
    ///
    /// # Errors
    ///
    /// Returns a [`PriorityError`] if the value is not between 0.0 and 1.0.
    fn to_priority(&self) -> Result<Option<Priority>, PriorityError>;
}

impl ToPriority for Priority {
    fn to_priority(&self) -> Result<Option<Priority>, PriorityError> {
        Ok(Some(*self))
    }
}

impl ToPriority for f32 {
    #[inline]
    fn to_priority(&self) -> Result<Option<Priority>, PriorityError> {
        Priority::try_from(*self).map(Some)
    }
}

impl ToPriority for f64 {
    #[inline]
    fn to_priority(&self) -> Result<Option<Priority>, PriorityError> {
        Priority::new(*self).map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToPriority> ToPriority for Option<T> {
    fn to_priority(&self) -> Result<Option<Priority>, PriorityError> {
        self.as_ref().map_or(Ok(None), T::to_priority)
    }
}

through_pointers!(ToPriority::to_priority() -> Result<Option<Priority>, PriorityError>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_with_one_to_four_decimals() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (0.1, "0.1"),
            (0.5, "0.5"),
            (1.0, "1.0"),
            (0.85, "0.85"),
            (0.05, "0.05"),
            (0.005, "0.005"),
            (0.4096, "0.4096"),
            (0.0001, "0.0001"),
            (0.9999, "0.9999"),
            (0.99999, "1.0"),
            (0.333_333, "0.3333"),
        ] {
            assert_eq!(Priority::new(value).unwrap().to_string(), text, "{value}");
        }
    }

    #[test]
    fn an_f32_prints_as_the_decimal_it_was_written_as() {
        assert_eq!(Priority::try_from(0.8_f32).unwrap().to_string(), "0.8");
    }

    #[test]
    fn out_of_range_is_an_error_before_rounding() {
        for value in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2.0] {
            assert!(Priority::new(value).is_err(), "{value}");
        }
        assert_eq!(
            Priority::new(f64::NAN).unwrap_err().to_string(),
            "sitemap priority must be between 0.0 and 1.0, found NaN"
        );
        assert_eq!(
            Priority::new(-0.1).unwrap_err().to_string(),
            "sitemap priority must be between 0.0 and 1.0, found -0.1"
        );
    }

    #[test]
    fn read_as_xml_schema_reads_a_decimal() {
        for text in ["0", "1", ".5", "1.", "+0.5", "1.00", "-0", "0.8"] {
            assert!(text.parse::<Priority>().is_ok(), "{text}");
        }
        for text in ["1e-1", "0,5", "", "1.1", "-0.1", "inf", "nan", " 0.5", "0.5.1", "."] {
            assert!(text.parse::<Priority>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_value_reads_back_equal() {
        for ten_thousandths in 0..=SCALE {
            let priority = Priority { ten_thousandths };
            assert_eq!(priority.to_string().parse(), Ok(priority));
        }
    }
}
