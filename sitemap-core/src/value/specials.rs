//! Where an address holds the characters that XML escapes.

/// Where all `&` and `'` of an address stand, as far as that is known.
///
/// Only these two of the five characters that the protocol wants escaped can be in an address: the
/// other three are percent-encoded in it. A URL template knows the places: values are encoded but for
/// unreserved characters, and its texts are constants. Whoever writes the address then need not look
/// for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Specials {
    places: [u16; Self::MOST],
    /// How many of `places` are meant; above `MOST` when the places are not known.
    count: u16,
}

impl Specials {
    const MOST: usize = 3;

    /// For an address that has not been looked at.
    pub(crate) const UNKNOWN: Self = Self { places: [0; Self::MOST], count: u16::MAX };
    /// For an address without any.
    pub(crate) const NONE: Self = Self { places: [0; Self::MOST], count: 0 };

    /// Looks for them; usable in constants.
    pub(crate) const fn of(text: &str) -> Self {
        let mut specials = Self::NONE;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_special(bytes[at]) {
                specials = specials.and(at);
            }
            at += 1;
        }
        specials
    }

    /// These, and those of a text that is appended at `start`.
    #[inline]
    pub(crate) const fn followed_by(mut self, start: usize, text: Self) -> Self {
        let mut next = 0;
        while next < text.count {
            if next as usize == Self::MOST {
                return Self::UNKNOWN;
            }
            self = self.and(start + text.places[next as usize] as usize);
            next += 1;
        }
        self
    }

    /// These, and one behind them.
    #[inline]
    const fn and(mut self, place: usize) -> Self {
        if self.count as usize >= Self::MOST || place > u16::MAX as usize {
            return Self::UNKNOWN;
        }
        #[allow(clippy::cast_possible_truncation)] // just checked
        let place = place as u16;
        self.places[self.count as usize] = place;
        self.count += 1;
        self
    }

    /// The places in their order; `None` if they are not known.
    #[inline]
    pub(crate) fn places(&self) -> Option<&[u16]> {
        self.places.get(..self.count.into())
    }
}

/// `&` is 0x26 and `'` 0x27.
#[inline]
pub(crate) const fn is_special(byte: u8) -> bool {
    byte | 1 == b'\''
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is special, by the protocol's own words.
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
    fn a_place_past_any_address_is_not_known() {
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
            prop_assert_eq!(found, (expected.len() <= Specials::MOST).then_some(expected));
        }
    }
}
