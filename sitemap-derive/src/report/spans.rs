//! Makes the compiler report errors in generated code at the user's tokens.
//!
//! The generated tokens get the place of the user's tokens, but keep the hygiene of the macro. Therefore names resolve
//! as before, and lints still recognize the code as generated.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Gives `code` the place of the user's `tokens`, so that the compiler reports errors in the code there.
pub(crate) fn over(tokens: &impl ToTokens, code: TokenStream) -> TokenStream {
    let (start, end) = ends(tokens);
    let mut code: Vec<TokenTree> = code.into_iter().collect();
    if let Some((last, others)) = code.split_last_mut() {
        last.set_span(end);
        for token in others {
            token.set_span(start);
        }
    }
    code.into_iter().collect()
}

/// Returns spans for generated code at the first and the last of the user's tokens.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.last().unwrap_or(start);
    (Span::mixed_site().located_at(start), Span::mixed_site().located_at(end))
}
