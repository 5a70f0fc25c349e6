//! Implementations that do nothing. The macros emit them after an error, so that the compiler does not also report that
//! the trait is not implemented.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Path};

pub(crate) fn entry(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let pages = has_unit_variant(input).then(|| {
        quote! {
            #[automatically_derived]
            impl #krate::StaticPages for #ident {
                const PAGES: &'static [Self] = &[];
            }
        }
    });
    let routes = if let Data::Enum(_) = &input.data {
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::__private::HasRoutes for #ident #ty_generics #where_clause {
                const ROUTES: &'static [#krate::__private::Route] = &[];
            }
        }
    } else {
        let none = quote!(::core::option::Option::Some(""));
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::__private::HasRoute for #ident #ty_generics #where_clause {
                const ROUTE: #krate::__private::Route = #krate::__private::Route::new("", #none, "", #none);
            }
        }
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::SitemapEntry for #ident #ty_generics #where_clause {
            fn write_entries(&self, _: &mut #krate::EntryWriter<'_>) -> ::core::result::Result<(), #krate::Error> {
                ::core::result::Result::Ok(())
            }
        }
        #[automatically_derived]
        impl #impl_generics #krate::__private::HasSection for #ident #ty_generics #where_clause {
            const SECTION: &'static str = "";
        }
        #routes
        #pages
    }
}

pub(crate) fn part(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::SitemapPart for #ident #ty_generics #where_clause {
            fn fill<'__entry>(
                &self,
                entry: #krate::Entry<'__entry>,
            ) -> ::core::result::Result<#krate::Entry<'__entry>, #krate::Error> {
                ::core::result::Result::Ok(entry)
            }
        }
    }
}

fn has_unit_variant(input: &DeriveInput) -> bool {
    let Data::Enum(data) = &input.data else { return false };
    input.generics.params.is_empty() && data.variants.iter().any(|variant| variant.fields.is_empty())
}
