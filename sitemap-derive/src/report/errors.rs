//! Collects errors, so that the user sees all of them at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

#[derive(Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
    count: usize,
}

impl Errors {
    /// Adds an error at the given tokens of the user's code.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    fn push(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    /// Returns the number of errors so far.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Returns a `compile_error!` for each error, or `None` without errors.
    pub(crate) fn into_compile_errors(self) -> Option<TokenStream> {
        self.found.map(|found| found.to_compile_error())
    }
}
