//! Builds where-clauses with a bound on each field type that mentions a type parameter.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Expr, Generics};

/// Bounds on types, without duplicates, in the order in which they were added.
pub(crate) struct Bounds<'a> {
    generics: &'a Generics,
    predicates: Vec<(String, TokenStream)>,
}

impl<'a> Bounds<'a> {
    pub(crate) const fn new(generics: &'a Generics) -> Self {
        Self { generics, predicates: Vec::new() }
    }

    /// Adds a bound on a type if it mentions a type parameter. Other types need no bound: the compiler checks them
    /// directly.
    pub(crate) fn add(&mut self, ty: &impl ToTokens, bound: &TokenStream) {
        if self.generics.type_params().next().is_none() {
            return;
        }
        let ty = ty.to_token_stream();
        if !has_ident(ty.clone(), &|ident| self.generics.type_params().any(|param| param.ident == *ident)) {
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

/// Returns the type with `'static` for its lifetimes. Returns `None` if it has other generic parameters.
pub(super) fn static_type(input: &DeriveInput) -> Option<TokenStream> {
    let (name, generics) = (&input.ident, &input.generics);
    let lifetimes = generics.lifetimes().map(|_| quote!('static));
    let arguments = (generics.lt_token.is_some()).then(|| quote!(<#(#lifetimes),*>));
    (generics.lifetimes().count() == generics.params.len()).then(|| quote!(#name #arguments))
}

/// Rewrites an expression for a separate item, where `Self` is not available. Returns `None` if the expression may
/// depend on a generic parameter.
pub(crate) fn item_expr(expr: &Expr, input: &DeriveInput) -> Option<TokenStream> {
    let generics = &input.generics;
    let is_param = |ident: &Ident| {
        generics.type_params().any(|param| param.ident == *ident)
            || generics.const_params().any(|param| param.ident == *ident)
    };
    let has_params = generics.type_params().next().is_some() || generics.const_params().next().is_some();
    let tokens = expr.to_token_stream();
    if has_ident(tokens.clone(), &|ident| (has_params && ident == "Self") || is_param(ident)) {
        return None;
    }
    Some(named(tokens, &input.ident))
}

/// Replaces `Self` with the name of the type.
fn named(tokens: TokenStream, name: &Ident) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            let mut name = name.clone();
            name.set_span(ident.span());
            name.into()
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), named(group.stream(), name));
            inner.set_span(group.span());
            inner.into()
        }
        token => token,
    });
    replaced.collect()
}

/// Returns true if a type mentions the type with this name, or `Self`. `other::Name` is another type.
pub(super) fn mentions(ty: &impl ToTokens, name: &Ident) -> bool {
    let mut in_path = false;
    ty.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => !in_path && (ident == *name || ident == "Self"),
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(punct) => {
            in_path = punct.as_char() == ':';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

fn has_ident(tokens: TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => wanted(&ident),
        TokenTree::Group(group) => has_ident(group.stream(), wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
