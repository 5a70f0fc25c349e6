//! Generates the code for the values that a page has in addition to its URL: dates, hints, extensions and parts.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;

use super::emitter::{Emitter, site_ident};
use super::generics::is_generic;
use crate::attribute::value::Constant;
use crate::check::plan::{Extension, Source, ValueNames, Values};
use crate::model::field::{Field, Role};
use crate::report::spans::over;

/// The number of times that the generated code evaluates the expression for an entry. The setup statements before the
/// expression run only once.
#[derive(Clone, Copy)]
pub(crate) enum Uses {
    Once,
    ManyTimes,
}

impl Emitter<'_> {
    /// Extends the expression `entry` with calls that set the values. Returns the setup statements for the values, and
    /// the extended expression.
    pub(crate) fn values(
        &mut self,
        values: &Values<'_>,
        entry: &TokenStream,
        uses: Uses,
    ) -> (TokenStream, TokenStream) {
        let site = Span::mixed_site();
        let mut setup = TokenStream::new();
        let mut entry = entry.clone();
        for (source, names) in values.with_names() {
            let Some(value) = self.value(source, &names, &mut setup) else { continue };
            let (name, method) = (site_ident(names.variable), site_ident(names.setter));
            setup.extend(quote_spanned!(site=> let #name = #value;));
            entry = quote_spanned!(site=> #entry.#method(#name));
        }
        for (field, extension) in &values.extensions {
            setup.extend(self.extension(field, *extension));
            let (name, method) = (site_ident(extension.variable), site_ident(extension.setter));
            let value = match (extension.role, uses) {
                (Role::News, Uses::Once) => quote!(#name),
                (Role::News, Uses::ManyTimes) => quote_spanned!(site=> ::core::clone::Clone::clone(&#name)),
                _ => quote_spanned!(site=> &*#name),
            };
            entry = quote_spanned!(site=> #entry.#method(#value));
        }
        for field in &values.parts {
            entry = self.filled(field, &entry);
        }
        (setup, entry)
    }

    /// Writes statements that store a field's images, videos, news or alternates in a variable.
    fn extension(&self, field: &Field<'_>, extension: Extension) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let (trait_name, method) = (site_ident(extension.trait_name), site_ident(extension.converter));
        let name = site_ident(extension.variable);
        let (convert, reference, setup) = if let Some(path) = field.conversion() {
            // The values borrow from the function's result, so a variable keeps the result alive.
            let converted = Ident::new(&format!("{name}_converted"), site);
            let call = self.call(field, path);
            let checked = over(path, quote!(.checked()?));
            let setup = quote_spanned! {site=>
                let #converted = {
                    use #krate::__private::Infallible as _;
                    #krate::__private::Converted(#call) #checked
                };
            };
            (quote!(#krate::__private::#trait_name::#method), over(path, quote!(&#converted)), setup)
        } else {
            let ty = field.ty;
            let convert = quote!(<#ty as #krate::__private::#trait_name<_>>::#method);
            (convert, self.access.reference(field), TokenStream::new())
        };
        if extension.role == Role::News {
            return quote_spanned!(site=> #setup let #name = #convert(#reference)?;);
        }
        quote_spanned! {site=>
            #setup
            let mut #name = ::std::vec::Vec::new();
            #convert(#reference, &mut #name)?;
        }
    }

    /// Writes the statements that fill an entry with the values of a part.
    pub(crate) fn part(&mut self, values: &Values<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let mut statements = TokenStream::new();
        let none = quote!(::core::option::Option::None);
        let mut arguments = Vec::new();
        for (source, names) in values.with_names() {
            arguments.push(self.value(source, &names, &mut statements).unwrap_or_else(|| none.clone()));
        }
        statements
            .extend(quote_spanned!(site=> let __entry = #krate::__private::fill(__entry, #(#arguments),*);));
        for field in &values.parts {
            let entry = self.filled(field, &quote_spanned!(site=> __entry));
            statements.extend(quote_spanned!(site=> let __entry = #entry;));
        }
        statements
    }

    fn filled(&mut self, field: &Field<'_>, entry: &TokenStream) -> TokenStream {
        let (krate, ty, reference) = (self.krate, field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::SitemapPart));
        quote_spanned!(Span::mixed_site()=> <#ty as #krate::SitemapPart>::fill(#reference, #entry)?)
    }

    /// Returns an expression for an `Option` of the value. Extends `setup` with the statements that this expression
    /// needs.
    fn value(
        &mut self,
        source: Source<'_>,
        names: &ValueNames,
        setup: &mut TokenStream,
    ) -> Option<TokenStream> {
        let field = match source {
            Source::None => return None,
            Source::Constant(constant) => return Some(self.constant(constant, names, setup)),
            Source::Field(field) => field,
        };
        let value = self.converted_to(field, names.trait_name, names.converter);
        Some(quote!(#value?))
    }

    fn constant(&self, constant: &Constant, names: &ValueNames, setup: &mut TokenStream) -> TokenStream {
        let (site, krate, ty) = (Span::mixed_site(), self.krate, site_ident(names.ty));
        let some = quote!(::core::option::Option::Some);
        match constant {
            Constant::LastMod(text) => quote_spanned! {site=>
                const {
                    match #krate::LastMod::parse(#text) {
                        ::core::result::Result::Ok(__lastmod) => #some(__lastmod),
                        ::core::result::Result::Err(_) => ::core::option::Option::None,
                    }
                }
            },
            Constant::ChangeFreq(variant) => {
                let variant = site_ident(variant);
                quote!(#some(#krate::ChangeFreq::#variant))
            }
            Constant::Priority(number) => quote!(#some(#krate::Priority::new(#number)?)),
            Constant::Expr(expr) if names.ty == "Priority" => self.priority_constant(expr, setup),
            Constant::Expr(expr) => {
                quote_spanned!(site=> #some(const { let __value: #krate::#ty = #expr; __value }))
            }
        }
    }

    fn priority_constant(&self, expr: &Expr, setup: &mut TokenStream) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let message = "`priority` is out of range; use a number from 0.0 to 1.0";
        // The check is a constant item, because `cargo check` does not evaluate an inline constant.
        if !is_generic(expr.to_token_stream(), &self.container.input.generics) {
            let check = quote!(::core::assert!(#krate::Priority::new(__PRIORITY).is_ok(), #message));
            let check = over(expr, check);
            setup.extend(quote_spanned! {site=>
                const __PRIORITY: ::core::primitive::f64 = #expr;
                const _: () = #check;
            });
            return quote_spanned!(site=> ::core::option::Option::Some(#krate::Priority::new(__PRIORITY)?));
        }
        quote_spanned! {site=>
            const {
                match #krate::Priority::new(#expr) {
                    ::core::result::Result::Ok(__priority) => ::core::option::Option::Some(__priority),
                    ::core::result::Result::Err(_) => ::core::panic!(#message),
                }
            }
        }
    }
}
