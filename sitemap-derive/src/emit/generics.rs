//! Builds where-clauses: a bound on each field type that mentions a type parameter.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Generics;

/// Bounds on types, without duplicates, in the order in which they were first added.
pub(crate) struct Bounds<'a> {
    generics: &'a Generics,
    predicates: Vec<(String, TokenStream)>,
}

impl<'a> Bounds<'a> {
    pub(crate) const fn new(generics: &'a Generics) -> Self {
        Self { generics, predicates: Vec::new() }
    }

    /// Adds a bound on a type, if the type mentions a type parameter. Other types need no bound, because the compiler
    /// checks them directly.
    pub(crate) fn add(&mut self, ty: &impl ToTokens, bound: &TokenStream) {
        if self.generics.type_params().next().is_none() {
            return;
        }
        let ty = ty.to_token_stream();
        if !mentions(ty.clone(), &|ident| self.generics.type_params().any(|param| param.ident == *ident)) {
            return;
        }
        let predicate = quote!(#ty: #bound);
        let text = predicate.to_string();
        if self.predicates.iter().all(|(other, _)| *other != text) {
            self.predicates.push((text, predicate));
        }
    }

    /// Returns the user's where-clause with these bounds added.
    pub(crate) fn where_clause(&self) -> TokenStream {
        let written = self.generics.where_clause.as_ref();
        let inferred: Vec<_> = self.predicates.iter().map(|(_, predicate)| predicate).collect();
        if inferred.is_empty() {
            return written.to_token_stream();
        }
        let written = written.map(|clause| clause.predicates.iter()).into_iter().flatten();
        quote!(where #(#written,)* #(#inferred,)*)
    }
}

/// Returns true if an expression may mention `Self` or a generic parameter. The generated code cannot move such
/// an expression into a separate item.
pub(crate) fn is_generic(tokens: TokenStream, generics: &Generics) -> bool {
    let is_param = |ident: &Ident| {
        generics.type_params().any(|param| param.ident == *ident)
            || generics.const_params().any(|param| param.ident == *ident)
    };
    mentions(tokens, &|ident| ident == "Self" || is_param(ident))
}

fn mentions(tokens: TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
