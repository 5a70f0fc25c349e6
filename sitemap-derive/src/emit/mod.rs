//! Generates the trait implementations.
//!
//! | file | what |
//! |---|---|
//! | `page`, `value` | the statements that write a page: its URL; its other values |
//! | `emitter` | access to fields, and calls of the user's functions |
//! | `route` | `HasRoute` and `HasRoutes` |
//! | `item`, `generics` | the `impl` around the statements, and its bounds |
//! | `fallback` | what is emitted after an error |
//!
//! In the generated code, all paths are absolute, and all variable names start with `__sitemap_`. Hygiene keeps these
//! variables apart from the user's variables, but not from a constant or unit struct of the same name: in a pattern,
//! such a name is compared with the constant instead of binding a variable. So the code sits in a block that declares a
//! function for each variable name. The function hides the constant.

mod emitter;
pub(crate) mod fallback;
mod generics;
mod item;
mod page;
mod route;
mod value;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use emitter::{Emitter, FieldAccess};
use item::implement;

use crate::check::plan::{Content, Page, Plan, Values};
use crate::model::container::{Container, Record};
use crate::model::role::Role;

/// Implements `SitemapEntry` for a struct. Also implements `HasSection` and `HasRoute` if the struct has a section and
/// a URL template.
pub(crate) fn entry_struct(container: &Container<'_>, record: &Record<'_>, plan: &Plan<'_>) -> TokenStream {
    let mut emitter = Emitter::new(container, FieldAccess::OfSelf);
    let mut body = emitter.record(plan);
    body.extend(quote!(::core::result::Result::Ok(())));
    let mut output = entry_impl(container, &emitter, &body, &[&plan.content]);
    output.extend(route::has_route(container, record, plan));
    output
}

/// Implements `SitemapEntry` for an enum. Also implements `StaticPages` if it has unit variants with a page,
/// `HasRoutes` if it has URL templates, and `HasSection` if it has a section.
pub(crate) fn entry_enum(container: &Container<'_>, variants: &[(&Record<'_>, Plan<'_>)]) -> TokenStream {
    let mut emitter = Emitter::new(container, FieldAccess::Bound);
    let mut arms = TokenStream::new();
    for (record, plan) in variants {
        let ident = record.ident;
        let bindings = plan.fields().into_iter().map(|field| {
            let (member, binding) = (&field.member, emitter.named_local("field", field));
            quote!(#member: #binding,)
        });
        let bindings = quote!(#(#bindings)*);
        emitter.title.clone_from(&record.title);
        let body = emitter.record(plan);
        arms.extend(quote!(Self::#ident { #bindings .. } => { #body }));
    }
    let site = Span::mixed_site();
    let body = if variants.is_empty() {
        quote_spanned!(site=> match *self {})
    } else {
        quote_spanned!(site=> match self { #arms } ::core::result::Result::Ok(()))
    };
    let contents: Vec<_> = variants.iter().map(|(_, plan)| &plan.content).collect();
    let mut output = entry_impl(container, &emitter, &body, &contents);
    output.extend(static_pages(container, variants));
    output.extend(route::has_routes(container, variants));
    output
}

fn entry_impl(
    container: &Container<'_>,
    emitter: &Emitter<'_>,
    body: &TokenStream,
    contents: &[&Content<'_>],
) -> TokenStream {
    let krate = &container.krate;
    let extensions = extensions(krate, &container.input.ident, contents);
    let method = quote_spanned! {Span::mixed_site()=>
        fn write_entries(&self, __sitemap_out: &mut #krate::EntryWriter<'_>) -> ::core::result::Result<(), #krate::Error> {
            #body
        }
        #extensions
    };
    let mut output =
        implement(container.input, krate, &quote!(SitemapEntry), &emitter.bounds, &method, &emitter.locals);
    if let Some(section) = &container.section {
        let constant = quote!(const SECTION: &'static ::core::primitive::str = #section;);
        let has_section = quote!(__private::HasSection);
        output.extend(implement(container.input, krate, &has_section, &emitter.bounds, &constant, &[]));
    }
    output
}

/// Returns the constant `EXTENSIONS`, which lists the extensions that a document with these records must declare.
/// Returns `None` if there are none.
fn extensions(krate: &Path, name: &Ident, contents: &[&Content<'_>]) -> Option<TokenStream> {
    let sets = contents.iter().filter_map(|content| match content {
        // A recursive enum has the extensions of its other variants.
        Content::Transparent(field) if generics::mentions(field.ty, name) => None,
        Content::Transparent(field) => {
            let ty = field.ty;
            Some(quote!(<#ty as #krate::SitemapEntry>::EXTENSIONS))
        }
        Content::Page(page) => declared(page)
            .map(|role| Ident::new(&role.name().to_uppercase(), Span::call_site()))
            .map(|constant| quote!(#krate::Extensions::#constant))
            .reduce(|all, set| quote!(#all.union(#set))),
        Content::Nothing => None,
    });
    let union = sets.reduce(|all, set| quote!(#all.union(#set)))?;
    Some(quote!(const EXTENSIONS: #krate::Extensions = #union;))
}

fn declared(page: &Page<'_>) -> impl Iterator<Item = Role> {
    let locales = page.locales.map(|_| Role::Alternates);
    locales.into_iter().chain(page.values.extensions.iter().map(|(role, _)| *role))
}

fn static_pages(container: &Container<'_>, variants: &[(&Record<'_>, Plan<'_>)]) -> Option<TokenStream> {
    let ty = generics::static_type(container.input)?;
    let pages = variants
        .iter()
        .filter(|(record, plan)| record.is_unit() && matches!(plan.content, Content::Page(_)))
        .map(|(record, _)| record.ident);
    let pages: Vec<_> = pages.collect();
    if pages.is_empty() {
        return None;
    }
    let krate = &container.krate;
    Some(quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #krate::StaticPages for #ty {
            const PAGES: &'static [Self] = &[#(Self::#pages {}),*];
        }
    })
}

/// Implements `SitemapPart` for a struct.
pub(crate) fn part(container: &Container<'_>, values: &Values<'_>) -> TokenStream {
    let krate = &container.krate;
    let mut emitter = Emitter::new(container, FieldAccess::OfSelf);
    let body = emitter.part(values);
    let method = quote_spanned! {Span::mixed_site()=>
        fn fill<'__entry>(
            &self,
            __sitemap_entry: #krate::Entry<'__entry>,
        ) -> ::core::result::Result<#krate::Entry<'__entry>, #krate::Error> {
            #body
            ::core::result::Result::Ok(__sitemap_entry)
        }
    };
    implement(container.input, krate, &quote!(SitemapPart), &emitter.bounds, &method, &[])
}
