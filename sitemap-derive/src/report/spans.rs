//! Where the compiler's own errors about generated code are reported.
//!
//! Generated tokens keep the macro's hygiene and take only their place from the user's: names are
//! found as before, and lints still know the code for a macro's.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Makes all of the user's tokens the place where errors about an expression are reported.
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

/// For generated code at the first and the last of the user's tokens.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.last().unwrap_or(start);
    (Span::mixed_site().located_at(start), Span::mixed_site().located_at(end))
}
