//! The positions in a URL of characters that need XML escapes.

/// The positions of all `&` and `'` in a URL, if they are known.
///
/// The protocol requires escapes for five characters. A URL can only contain two of them, `&` and `'`, because the
/// other three are percent-encoded. In a URL from a template, these two occur only in the site's base URL and in the
/// literal parts of the template, because inserted values are percent-encoded. The base URL and each literal part are
/// searched only once, so the writer does not have to search each URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Specials {
    places: [u16; Self::CAPACITY],
    /// The number of positions in `places`, or a number above `CAPACITY` if the positions are not known.
    count: u16,
}

impl Specials {
    const CAPACITY: usize = 3;

    /// Unknown positions: the URL was not searched, or it contains more special characters than `CAPACITY`.
    pub(crate) const UNKNOWN: Self = Self { places: [0; Self::CAPACITY], count: u16::MAX };
    /// No positions, for a URL without `&` and `'`.
    pub(crate) const NONE: Self = Self { places: [0; Self::CAPACITY], count: 0 };

    /// Searches a string for `&` and `'`. Works in constants.
    pub(crate) const fn of(text: &str) -> Self {
        let mut specials = Self::NONE;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_special(bytes[at]) {
                specials = specials.with(at);
            }
            at += 1;
        }
        specials
    }

    /// Adds the positions from a string that is appended to the URL at position `start`.
    #[inline]
    pub(crate) const fn followed_by(mut self, start: usize, text: Self) -> Self {
        let mut next = 0;
        while next < text.count {
            if next as usize == Self::CAPACITY {
                return Self::UNKNOWN;
            }
            self = self.with(start + text.places[next as usize] as usize);
            next += 1;
        }
        self
    }

    /// Adds a position, which must be larger than all previous ones.
    #[inline]
    const fn with(mut self, place: usize) -> Self {
        if self.count as usize >= Self::CAPACITY || place > u16::MAX as usize {
            return Self::UNKNOWN;
        }
        #[allow(clippy::cast_possible_truncation)] // just checked
        let place = place as u16;
        self.places[self.count as usize] = place;
        self.count += 1;
        self
    }

    /// Returns the positions in ascending order, or `None` if they are not known.
    #[inline]
    pub(crate) fn places(&self) -> Option<&[u16]> {
        self.places.get(..self.count.into())
    }
}

/// Returns `true` for `&` (0x26) and `'` (0x27).
#[inline]
const fn is_special(byte: u8) -> bool {
    byte | 1 == b'\''
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the positions of `&` and `'`, found one character at a time.
    fn places(text: &str) -> Vec<usize> {
        text.char_indices().filter(|(_, ch)| matches!(ch, '&' | '\'')).map(|(at, _)| at).collect()
    }

    #[test]
    fn three_places_are_known_and_four_are_not() {
        assert_eq!(Specials::of("abc").places(), Some([].as_slice()));
        assert_eq!(Specials::of("&a'b&").places(), Some([0, 2, 4].as_slice()));
        assert_eq!(Specials::of("&a'b&'").places(), None);
        assert_eq!(Specials::UNKNOWN.followed_by(9, Specials::NONE).places(), None);
        assert_eq!(Specials::NONE.followed_by(9, Specials::UNKNOWN).places(), None);
    }

    #[test]
    fn a_place_past_any_url_is_not_known() {
        assert_eq!(Specials::NONE.followed_by(usize::from(u16::MAX), Specials::of("a&")).places(), None);
    }

    proptest! {
        #[test]
        fn a_text_in_two_parts_has_the_places_of_the_whole(
            first in "[a&']{0,5}|.{0,20}",
            second in "[a&']{0,5}|.{0,20}",
        ) {
            let found = Specials::of(&first).followed_by(first.len(), Specials::of(&second));
            let found = found.places().map(|places| places.iter().copied().map(usize::from).collect::<Vec<_>>());
            let expected = places(&(first + &second));
            prop_assert_eq!(found, (expected.len() <= Specials::CAPACITY).then_some(expected));
        }
    }
}
