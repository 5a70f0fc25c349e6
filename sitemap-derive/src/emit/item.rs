//! Wraps items in a trait implementation.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{DeriveInput, Path};

use super::generics::Bounds;

/// Implements the trait `krate::name`. `locals` are the names of the variables that the items use.
pub(super) fn implement(
    input: &DeriveInput,
    krate: &Path,
    name: &TokenStream,
    bounds: &Bounds<'_>,
    items: &TokenStream,
    locals: &[Ident],
) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, _) = input.generics.split_for_impl();
    let where_clause = bounds.where_clause();
    let locals = locals.iter().map(|name| quote!(#[allow(dead_code, non_snake_case)] const fn #name() {}));
    quote! {
        const _: () = {
        #[allow(unused_imports)]
        use #krate::__private::names::*;
        #(#locals)*
        #[automatically_derived]
        #[allow(deprecated, unused_qualifications, clippy::elidable_lifetime_names)]
        impl #impl_generics #krate::#name for #ident #ty_generics #where_clause {
            #items
        }
        };
    }
}
