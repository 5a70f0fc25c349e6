//! Collects errors, so that the user sees all of them at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<(TokenStream, String)>,
}

impl Errors {
    /// Adds an error that points to these tokens of the user's code.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.found.push((tokens.to_token_stream(), message.to_string()));
    }

    /// Returns the tokens and the message of each error so far.
    pub(crate) fn found(&self) -> &[(TokenStream, String)] {
        &self.found
    }

    /// Returns a `compile_error!` for each error.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let errors = self.found.iter().map(|(tokens, message)| syn::Error::new_spanned(tokens, message));
        errors.map(|error| error.to_compile_error()).collect()
    }
}
