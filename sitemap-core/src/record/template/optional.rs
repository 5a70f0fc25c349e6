//! Query pairs that a URL omits if their value is `None`, such as `page={page?}`.

use std::rc::Rc;
use std::sync::Arc;

use super::{Literal, TemplateUrl};

/// A value that may be missing: an `Option`, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `Option`, so its pair of a sitemap URL's query is never left out",
    label = "not an `Option`",
    note = "a `?` at the end of a placeholder leaves the pair out if the value is `None`; remove the `?`, or use an `Option`"
)]
pub trait OptionalValue {
    /// The type of the value if it is present.
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

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: OptionalValue + ?Sized> OptionalValue for $pointer {
            type Value = T::Value;

            #[inline]
            fn optional(&self) -> Option<&T::Value> {
                (**self).optional()
            }
        }
    )+};
}

through_pointer!(&T, Box<T>, Rc<T>, Arc<T>);

/// The text from a pair's separator up to its value. It has two forms, because the pair may turn out to be the first
/// one if the optional pairs before it are omitted.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// The text after the path. It starts with `?`.
    pub first: Literal,
    /// The text after another pair. It starts with `&`.
    pub next: Literal,
}

impl TemplateUrl {
    /// Appends the text before the value of an optional pair, or of a pair that follows an optional one.
    #[inline]
    pub fn joined(&mut self, text: Joined) {
        // Before the query, a `?` is always encoded. So an unencoded `?` means that the query has started.
        let has_query = self.url.bytes().any(|byte| byte == b'?');
        self.literal(if has_query { text.next } else { text.first });
    }
}
