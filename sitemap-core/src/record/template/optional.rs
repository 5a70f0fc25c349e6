//! Pairs of a query that a URL leaves out if their value is `None`, such as `page={page?}`.

use super::{Literal, TemplateUrl};

/// A value that may be missing: an `Option` or a reference to one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `Option`, so its pair of a sitemap URL's query is never left out",
    label = "not an `Option`",
    note = "a `?` at the end of a placeholder leaves the pair out if the value is `None`; remove the `?`, or use an `Option`"
)]
pub trait OptionalValue {
    /// The type of the value that is not missing.
    type Value;

    /// Returns the value, or `None` if it is missing.
    fn optional(&self) -> Option<&Self::Value>;
}

impl<T> OptionalValue for Option<T> {
    type Value = T;

    #[inline]
    fn optional(&self) -> Option<&T> {
        self.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<T: OptionalValue + ?Sized> OptionalValue for &T {
    type Value = T::Value;

    #[inline]
    fn optional(&self) -> Option<&T::Value> {
        (**self).optional()
    }
}

/// The text from the separator of a pair to its value. A URL has no pair before some pairs only if optional pairs are
/// left out, so the text has two forms.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// The text after the path, starting with `?`.
    pub first: Literal,
    /// The text after another pair, starting with `&`.
    pub next: Literal,
}

impl TemplateUrl {
    /// Appends the text before the value of an optional pair, or of a pair that follows one.
    #[inline]
    pub fn joined(&mut self, text: Joined) {
        // Before the query, a `?` is always encoded.
        let has_query = self.url.bytes().any(|byte| byte == b'?');
        self.literal(if has_query { text.next } else { text.first });
    }
}
