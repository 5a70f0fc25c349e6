//! Implementations that do nothing. The macros emit them after an error, so that the compiler does not complain about a
//! missing trait implementation as well.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Path, Type, parse_quote};

use super::emitter::{call, local, may_be_option};
use super::generics::static_type;
use crate::check::plan::BASIC;
use crate::model::container::{Body, Container, Record};
use crate::model::settings::{Loc, Settings};
use crate::syntax::value::{Callable, Constant, Shared};

pub(crate) fn entry(container: &Container<'_>) -> TokenStream {
    let (input, krate, uses) = (container.input, &container.krate, uses(container));
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let pages = static_type(input).filter(|_| has_unit_variant(input)).map(|ty| {
        quote! {
            #[automatically_derived]
            impl #krate::StaticPages for #ty {
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
                const ROUTE: #krate::__private::Route = #krate::__private::route("", #none, "", #none);
            }
        }
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::SitemapEntry for #ident #ty_generics #where_clause {
            fn write_entries(&self, _: &mut #krate::EntryWriter<'_>) -> ::core::result::Result<(), #krate::Error> {
                #uses
                ::core::result::Result::Ok(())
            }
        }
        #[automatically_derived]
        impl #impl_generics #krate::__private::HasSection for #ident #ty_generics #where_clause {
            const SECTION: &'static ::core::primitive::str = "";
        }
        #routes
        #pages
    }
}

pub(crate) fn part(container: &Container<'_>) -> TokenStream {
    let (input, krate, uses) = (container.input, &container.krate, uses(container));
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::SitemapPart for #ident #ty_generics #where_clause {
            fn fill<'__entry>(
                &self,
                entry: #krate::Entry<'__entry>,
            ) -> ::core::result::Result<#krate::Entry<'__entry>, #krate::Error> {
                #uses
                ::core::result::Result::Ok(entry)
            }
        }
    }
}

/// Returns statements that mention the functions and constants named in attributes, without calling or evaluating them.
/// Otherwise, the compiler would also warn about unused imports and functions.
fn uses(container: &Container<'_>) -> TokenStream {
    let (krate, mut all) = (&container.krate, TokenStream::new());
    match &container.body {
        Body::Struct(record) => all.extend(record_uses(record, krate)),
        Body::Enum { settings, variants } => {
            all.extend(settings_uses(settings, krate));
            all.extend(variants.iter().map(|variant| record_uses(variant, krate)));
        }
        Body::Other(_) => {}
    }
    all
}

fn record_uses(record: &Record<'_>, krate: &Path) -> TokenStream {
    let mut all = settings_uses(&record.settings, krate);
    for field in &record.fields {
        let maps_option = may_be_option(field.ty) && field.role.is_some_and(|role| BASIC.contains(&role));
        all.extend(field.with.as_ref().map(|path| function_use(path, field.ty, maps_option, krate)));
    }
    all
}

fn settings_uses(settings: &Settings, krate: &Path) -> TokenStream {
    let mut methods = Vec::new();
    let mut constants = Vec::new();
    if let Some(Loc::Method(path)) = &settings.loc {
        methods.push(path);
    }
    for (_, value) in &settings.roles {
        match value {
            Shared::Constant(Constant::Expr(expr)) => constants.push(expr),
            Shared::Constant(_) => {}
            Shared::Method(path) => methods.push(path),
        }
    }
    let record = parse_quote!(Self);
    let methods = methods.into_iter().map(|path| function_use(path, &record, false, krate));
    quote! {
        #(#methods)*
        #(let _ = || { let _ = &(#constants); };)*
    }
}

fn function_use(path: &Callable, argument: &Type, maps_option: bool, krate: &Path) -> TokenStream {
    let value = local("value");
    let call = call(krate, path, &quote!(#value), maps_option);
    quote!(let _ = |#value: &#argument| { let _ = #call; };)
}

fn has_unit_variant(input: &DeriveInput) -> bool {
    let Data::Enum(data) = &input.data else { return false };
    data.variants.iter().any(|variant| variant.fields.is_empty())
}
