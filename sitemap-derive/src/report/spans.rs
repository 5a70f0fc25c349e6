//! Makes compile errors in generated code point to the user's tokens.
//!
//! The generated tokens get the location of the user's tokens, but keep the macro's hygiene. So names resolve as
//! before, and lints still recognise the code as generated.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Gives `code` the location of the user's `tokens`, so that compile errors in the code point there.
pub(crate) fn over(tokens: &impl ToTokens, code: TokenStream) -> TokenStream {
    let (start, end) = ends(tokens);
    let mut code: Vec<TokenTree> = code.into_iter().collect();
    if let Some((last, others)) = code.split_last_mut() {
        place(last, end);
        for token in others {
            place(token, start);
        }
    }
    code.into_iter().collect()
}

/// Gives all tokens of `code` the same location, so that the compiler reports an error only once, even if it finds it
/// twice.
pub(crate) fn at(span: Span, code: TokenStream) -> TokenStream {
    let placed = code.into_iter().map(|mut token| {
        place(&mut token, span);
        token
    });
    placed.collect()
}

/// Sets a token's location. `$crate` keeps its meaning, which is part of its span.
fn place(token: &mut TokenTree, span: Span) {
    let is_crate = matches!(token, TokenTree::Ident(ident) if ident == "$crate");
    token.set_span(if is_crate { token.span().located_at(span) } else { span });
}

/// Removes the invisible groups that a `macro_rules` variable puts around its tokens. Such a group is located at the
/// variable, but its tokens are located where the user wrote them.
fn ungrouped(tokens: TokenStream) -> Vec<TokenTree> {
    let flat = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        token => vec![token],
    });
    flat.collect()
}

/// Returns spans for generated code, located at the first and at the last of the user's tokens.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let tokens = ungrouped(tokens.to_token_stream());
    let mut spans = tokens.iter().map(TokenTree::span);
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.next_back().unwrap_or(start);
    (Span::mixed_site().located_at(start), Span::mixed_site().located_at(end))
}
