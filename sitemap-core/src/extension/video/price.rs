//! `video:price`: what a video costs. Deprecated.

use std::borrow::Cow;

use crate::extension::error::{ExtensionError, ExtensionErrorKind, excerpt};
use crate::extension::image::owned;
use crate::extension::words::words;

words! {
    /// What one pays for. Deprecated.
    PriceKind of "video:price type" {
        /// To keep it.
        Purchase = "purchase",
        /// To see it for a while.
        Rent = "rent",
    }
}

words! {
    /// How sharp the picture is that one pays for. Deprecated.
    Resolution of "video:price resolution" {
        /// Standard definition.
        Sd = "sd",
        /// High definition.
        Hd = "hd",
    }
}

/// What a video costs. Deprecated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Price<'a> {
    /// An amount and its currency.
    amount: Option<(Cow<'a, str>, Cow<'a, str>)>,
    kind: Option<PriceKind>,
    resolution: Option<Resolution>,
}

impl<'a> Price<'a> {
    /// A decimal amount, as in `1.99`, of an ISO 4217 currency, as in `EUR`.
    ///
    /// # Errors
    ///
    /// If the amount is no decimal number or the currency not three upper-case letters.
    pub fn new(
        amount: impl Into<Cow<'a, str>>,
        currency: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (amount, currency) = (amount.into(), currency.into());
        let digits = amount.bytes().filter(u8::is_ascii_digit).count();
        if digits == 0
            || digits + 1 < amount.len()
            || !amount.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            let expected = "must be a decimal number; write it like `1.99`";
            let found = excerpt(&amount);
            return Err(ExtensionError::new("video:price", ExtensionErrorKind::Form, expected, found));
        }
        if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let expected = "must be three upper-case letters; write it like `EUR`";
            let found = excerpt(&currency);
            return Err(ExtensionError::new(
                "video:price currency",
                ExtensionErrorKind::Form,
                expected,
                found,
            ));
        }
        Ok(Self { amount: Some((amount, currency)), kind: None, resolution: None })
    }

    /// That it costs something, without saying how much.
    pub const fn unknown(kind: PriceKind) -> Self {
        Self { amount: None, kind: Some(kind), resolution: None }
    }

    /// Sets what one pays for.
    pub const fn with_kind(mut self, kind: PriceKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets how sharp the picture is.
    pub const fn with_resolution(mut self, resolution: Resolution) -> Self {
        self.resolution = Some(resolution);
        self
    }

    /// The amount, if it is known.
    #[must_use]
    pub fn amount(&self) -> Option<&str> {
        self.amount.as_ref().map(|(amount, _)| &**amount)
    }

    /// The currency of the amount.
    #[must_use]
    pub fn currency(&self) -> Option<&str> {
        self.amount.as_ref().map(|(_, currency)| &**currency)
    }

    /// What one pays for.
    #[must_use]
    pub const fn kind(&self) -> Option<PriceKind> {
        self.kind
    }

    /// How sharp the picture is.
    #[must_use]
    pub const fn resolution(&self) -> Option<Resolution> {
        self.resolution
    }

    /// The same price, independent of what it was made from.
    pub fn into_owned(self) -> Price<'static> {
        Price {
            amount: self.amount.map(|(amount, currency)| (owned(amount), owned(currency))),
            kind: self.kind,
            resolution: self.resolution,
        }
    }
}
