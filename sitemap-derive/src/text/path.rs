//! Parses the path of fields and methods in a placeholder, such as `author.slug()`.

use std::fmt;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Index, Member};

/// A field or method of the record, or of the result of the previous step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// A name without `r#`, or the index of a tuple field.
    pub(crate) name: String,
    pub(crate) is_call: bool,
}

/// Parses a path such as `author.slug()`. Returns `None` if the string is not a path.
pub(super) fn steps(path: &str) -> Option<Vec<Step>> {
    path.split('.')
        .map(|step| {
            let (name, is_call) = step.strip_suffix("()").map_or((step, false), |name| (name, true));
            let is_step = if is_call { is_ident(name) } else { is_ident(name) || is_index(name) };
            is_step.then(|| Step { name: name.to_owned(), is_call })
        })
        .collect()
}

impl Step {
    pub(crate) fn member(&self, span: Span) -> Member {
        if let Ok(index) = self.name.parse() {
            return Member::Unnamed(Index { index, span });
        }
        // The name may be a keyword in the edition of either crate.
        Member::Named(Ident::new_raw(&self.name, span))
    }
}

/// Returns true for the name of a field or method, without `r#`.
pub(super) fn is_ident(text: &str) -> bool {
    !text.starts_with("r#")
        && !matches!(text, "_" | "self" | "Self" | "super" | "crate")
        && Ident::parse_any.parse_str(text).is_ok_and(|ident| ident == text)
}

/// Returns true for the index of a tuple field.
fn is_index(text: &str) -> bool {
    let canonical = !text.starts_with('0') || text == "0";
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && canonical
        && text.parse::<u32>().is_ok()
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.is_call { "()" } else { "" })
    }
}
