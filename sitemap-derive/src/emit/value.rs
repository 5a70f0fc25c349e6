//! Generates the code for the page's values other than its URL: dates, hints, extensions and parts.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;

use super::emitter::{Emitter, local, member, site_ident};
use super::generics::item_expr;
use crate::check::plan::{Origin, Source, Values};
use crate::model::field::Field;
use crate::model::role::Role;
use crate::report::spans::over;
use crate::syntax::value::Constant;

/// Whether the generated code evaluates the expression for an entry once or repeatedly. The setup statements before the
/// expression run only once.
#[derive(Clone, Copy)]
pub(crate) enum Uses {
    Once,
    ManyTimes,
}

impl Emitter<'_> {
    /// Appends calls that set the values to the expression `entry`. Returns the setup statements for the values and the
    /// extended expression.
    pub(crate) fn values(
        &mut self,
        values: &Values<'_>,
        entry: &TokenStream,
        uses: Uses,
    ) -> (TokenStream, TokenStream) {
        let site = Span::mixed_site();
        let mut setup = TokenStream::new();
        let mut entry = entry.clone();
        for (role, source) in &values.basic {
            let Some(value) = self.value(*role, *source) else { continue };
            let (name, method) = (local(role.name()), setter(*role));
            setup.extend(quote_spanned!(site=> let #name = #value;));
            entry = quote_spanned!(site=> #entry.#method(#name));
        }
        for (role, source) in &values.extensions {
            let Source::Value(origin) = source else { continue };
            setup.extend(self.extension(*role, *origin));
            let (name, method) = (local(role.name()), setter(*role));
            let value = match (role, uses) {
                (Role::News, Uses::Once) => quote!(#name),
                (Role::News, Uses::ManyTimes) => quote_spanned!(site=> ::core::clone::Clone::clone(&#name)),
                _ => quote_spanned!(site=> &*#name),
            };
            entry = quote_spanned!(site=> #entry.#method(#value));
        }
        for field in &values.parts {
            let filled = self.filled(field, &entry);
            entry = match uses {
                Uses::Once => {
                    let failed = self.at_page(quote_spanned!(site=> __sitemap_error));
                    quote_spanned!(site=> #filled.map_err(|__sitemap_error| #failed)?)
                }
                // The surrounding code adds the URL.
                Uses::ManyTimes => quote_spanned!(site=> #filled?),
            };
        }
        (setup, entry)
    }

    /// Writes statements that store the images, videos, news or alternates from a field or method in a variable.
    fn extension(&self, role: Role, origin: Origin<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let (trait_name, method) = role.conversion();
        let (trait_name, method) = (site_ident(trait_name), site_ident(method));
        let name = local(role.name());
        let mut setup = TokenStream::new();
        let (convert, reference, member) = match (self.function(origin), origin.field()) {
            (Some(function), _) => {
                // The values borrow from the function's return value, so a variable keeps it alive.
                let converted = local(&format!("{}_returned", role.name()));
                let value = self.returned(&function);
                let items = over(function.path, quote!(#krate::__private::Items(#value).__items()));
                setup.extend(quote_spanned! {site=>
                    let #converted = {
                        #[allow(unused_imports)]
                        use #krate::__private::NotIterator as _;
                        #items
                    };
                });
                let convert = quote!(#krate::__private::#trait_name::#method);
                (convert, over(function.path, quote!(&#converted)), function.member)
            }
            (None, Some(field)) => {
                let ty = field.ty;
                let convert = quote!(<#ty as #krate::__private::#trait_name<_>>::#method);
                (convert, self.access.reference(field), field.name.clone())
            }
            (None, None) => return setup,
        };
        let failed = self.failed(&member);
        let failed = quote_spanned!(site=> .map_err(|__sitemap_error| #failed)?);
        if role == Role::News {
            return quote_spanned!(site=> #setup let #name = #convert(#reference) #failed;);
        }
        quote_spanned! {site=>
            #setup
            let mut #name = ::std::vec::Vec::new();
            #convert(#reference, <#krate::EntryWriter<'_>>::site(__sitemap_out), &mut #name) #failed;
        }
    }

    /// Writes the statements that copy a part's values into an entry.
    pub(crate) fn part(&mut self, values: &Values<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let mut statements = TokenStream::new();
        let none = quote!(::core::option::Option::None);
        let mut arguments = Vec::new();
        for (role, source) in &values.basic {
            arguments.push(self.value(*role, *source).unwrap_or_else(|| none.clone()));
        }
        statements
            .extend(quote_spanned!(site=> let __sitemap_entry = #krate::__private::fill(__sitemap_entry, #(#arguments),*);));
        for field in &values.parts {
            let entry = self.filled(field, &quote_spanned!(site=> __sitemap_entry));
            statements.extend(quote_spanned!(site=> let __sitemap_entry = #entry?;));
        }
        statements
    }

    /// Returns an expression that fills an entry from a field that is a part. The expression is a `Result`.
    fn filled(&mut self, field: &Field<'_>, entry: &TokenStream) -> TokenStream {
        let (krate, ty, reference) = (self.krate, field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::SitemapPart));
        quote_spanned!(Span::mixed_site()=> <#ty as #krate::SitemapPart>::fill(#reference, #entry))
    }

    /// Returns an expression for an `Option` of the value.
    fn value(&mut self, role: Role, source: Option<Source<'_>>) -> Option<TokenStream> {
        Some(match source? {
            Source::Constant(constant) => {
                let value = self.constant(role, constant);
                quote!(::core::option::Option::Some(#value))
            }
            Source::Value(origin) => {
                let value = self.converted_to(origin, role);
                let failed = self.failed(&member(origin));
                quote_spanned!(Span::mixed_site()=> #value.map_err(|__sitemap_error| #failed)?)
            }
        })
    }

    fn constant(&self, role: Role, constant: &Constant) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        match constant {
            Constant::LastMod(text) => {
                let value = quote_spanned!(site=> #krate::__private::literal_lastmod(#text));
                quote_spanned!(site=> const { #value })
            }
            Constant::ChangeFreq(variant) => {
                let variant = site_ident(variant);
                quote!(#krate::ChangeFreq::#variant)
            }
            Constant::Priority(number) => {
                quote_spanned!(site=> const { #krate::__private::Constant(#number).__priority() })
            }
            Constant::Expr(expr) => {
                let (trait_name, _) = role.conversion();
                let (ty, method) = (
                    site_ident(trait_name.trim_start_matches("To")),
                    site_ident(&format!("__{}", role.name())),
                );
                self.evaluated(expr, &quote!(#krate::#ty), &quote!(), &quote!(.#method()))
            }
            Constant::Locales(_) => TokenStream::new(),
        }
    }

    /// Returns an expression for a user-defined constant. The compiler evaluates and checks it.
    ///
    /// `prefix` is the operator before the user's expression. `check` calls the `Constant` method that validates it.
    pub(crate) fn evaluated(
        &self,
        expr: &Expr,
        ty: &TokenStream,
        prefix: &TokenStream,
        check: &TokenStream,
    ) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let value = |value: &TokenStream| {
            let checked = quote_spanned!(site=> #krate::__private::Constant(#prefix #value) #check);
            let checked = over(expr, checked);
            quote_spanned! {site=>
                #[allow(unused_imports)]
                use #krate::__private::not_constant::*;
                #checked
            }
        };
        // The compiler evaluates a constant item even in `cargo check`, but an inline constant only where it is used.
        if let Some(expr) = item_expr(expr, self.container.input) {
            let value = value(&expr);
            return quote_spanned! {site=>
                {
                    const __SITEMAP_CONSTANT: #ty = { #value };
                    __SITEMAP_CONSTANT
                }
            };
        }
        let value = value(&quote!(#expr));
        quote_spanned!(site=> const { #value })
    }
}

/// Returns the method of `Entry` that sets a role's value.
fn setter(role: Role) -> Ident {
    site_ident(&format!("with_{}", role.name()))
}
