//! `video:rating`: from 0.0 to 5.0.

use crate::extension::error::{ExtensionError, ExtensionErrorKind};

/// In ten thousandths, 0 to 50,000, so that videos can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rating(u16);

impl Rating {
    pub(super) fn new(value: f64) -> Result<Self, ExtensionError> {
        if !(0.0..=5.0).contains(&value) {
            let expected = "must be between 0.0 and 5.0";
            let found = format!("{value:?}");
            return Err(ExtensionError::new("video:rating", ExtensionErrorKind::Range, expected, found));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // just checked
        Ok(Self((value * 10_000.0).round() as u16))
    }

    pub(super) fn get(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }
}
