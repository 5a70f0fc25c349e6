//! Where-clauses: a bound on each field type that mentions a type parameter.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Generics;

/// Bounds on types, each once and in the order they were first asked for.
pub(crate) struct Bounds<'a> {
    generics: &'a Generics,
    predicates: Vec<(String, TokenStream)>,
}

impl<'a> Bounds<'a> {
    pub(crate) const fn new(generics: &'a Generics) -> Self {
        Self { generics, predicates: Vec::new() }
    }

    /// Asks for a bound; types that mention no parameter need none, for the compiler knows them.
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

    /// The user's where-clause and these bounds.
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

/// Whether an expression could depend on the implementing type or its parameters, so that it cannot
/// stand in an item of its own.
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
