//! Writes the statements for one record: leave it out, or build its address and add it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, Path, Type};

use crate::emit::{FieldAccess, skip_if};
use crate::field::{Field, Role};
use crate::generics::{Bounds, is_generic};
use crate::model::Container;
use crate::plan::{Address, Content, Kind, LocaleSource, Localization, Page, Part, Plan, Source, Values};
use crate::template::Place;
use crate::value::{Constant, Locales};

pub(crate) struct Emitter<'a> {
    container: &'a Container<'a>,
    krate: &'a Path,
    pub(crate) access: FieldAccess,
    pub(crate) bounds: Bounds<'a>,
}

impl<'a> Emitter<'a> {
    pub(crate) const fn new(container: &'a Container<'a>, access: FieldAccess) -> Self {
        let bounds = Bounds::new(&container.input.generics);
        Self { container, krate: &container.krate, access, bounds }
    }

    pub(crate) fn record(&mut self, plan: &Plan<'_>) -> TokenStream {
        let mut statements = TokenStream::new();
        for condition in &plan.skip_if {
            statements.extend(skip_if(condition, self));
        }
        match &plan.content {
            Content::Nothing => {}
            Content::Transparent(field) => statements.extend(self.transparent(field)),
            Content::Page(page) => statements.extend(self.page(page)),
        }
        statements
    }

    fn transparent(&mut self, field: &Field<'_>) -> TokenStream {
        let (krate, ty, value) = (self.krate, field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::SitemapEntry));
        quote_spanned!(Span::mixed_site()=> <#ty as #krate::SitemapEntry>::entries(#value, __out)?;)
    }

    pub(crate) fn skip_if_field(&mut self, field: &Field<'_>) -> TokenStream {
        let value = match field.conversion() {
            Some(path) => self.converted(field, path),
            None => self.over_type(field),
        };
        quote_spanned! {Span::mixed_site()=>
            let __skip: &::core::primitive::bool = #value;
            if *__skip {
                return ::core::result::Result::Ok(());
            }
        }
    }

    fn page(&mut self, page: &Page<'_>) -> TokenStream {
        match page.locales {
            None => self.plain_page(page),
            Some(localization) => self.localized_page(page, localization),
        }
    }

    fn plain_page(&mut self, page: &Page<'_>) -> TokenStream {
        let krate = self.krate;
        let address = self.address(&page.address);
        let (setup, entry) = self.values(
            &page.values,
            &quote_spanned!(Span::mixed_site()=> <#krate::Entry<'_>>::new(__url.loc()?)),
        );
        quote_spanned! {Span::mixed_site()=>
            #address
            #setup
            let __entry = #entry;
            __out.add(__entry)?;
            __url.give_back(__out);
        }
    }

    fn localized_page(&mut self, page: &Page<'_>, localization: Localization<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let list = self.locales(localization.locales);
        let address = self.address(&page.address);
        let (setup, entry) = self.values(&page.values, &quote_spanned!(Span::mixed_site()=> __entry));
        let none = quote!(::core::option::Option::None);
        let x_default =
            localization.x_default.map_or(none, |locale| quote!(::core::option::Option::Some(#locale)));
        let locale = match localization.locales {
            LocaleSource::Constant(_) => quote_spanned!(site=> &__locale),
            LocaleSource::Field(field) => over(field.ty, quote_spanned!(site=> &*&__locale)),
        };
        quote_spanned! {Span::mixed_site()=>
            #setup
            let mut __pages = #krate::__private::Localized::new();
            for __locale in #list {
                let __locale = ::core::convert::AsRef::<::core::primitive::str>::as_ref(#locale);
                #address
                __pages.push(__locale, __url.loc()?)?;
                __url.give_back(__out);
            }
            __pages.write(__out, #x_default, &mut |__entry| {
                let __entry = #entry;
                ::core::result::Result::Ok(__entry)
            })?;
        }
    }

    /// Something to iterate over.
    fn locales(&mut self, source: LocaleSource<'_>) -> TokenStream {
        let site = Span::mixed_site();
        match source {
            LocaleSource::Constant(Locales::List(list)) => quote!([#(#list),*]),
            LocaleSource::Constant(Locales::Expr(expr)) => {
                let ty = quote!(&[&::core::primitive::str]);
                quote_spanned!(site=> { let __locales: #ty = const { #expr }; __locales })
            }
            LocaleSource::Field(field) => {
                if let Some(path) = field.conversion() {
                    return self.call(field, path);
                }
                match field.ty {
                    // A reference is its own iterable, and a reference to it is none.
                    Type::Reference(_) => over(field.ty, self.access.place(field)),
                    _ => self.over_type(field),
                }
            }
        }
    }

    fn address(&mut self, address: &Address<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let (absolute, parts) = match address {
            Address::Field(field) => {
                let value = self.converted_to(field, "ToLoc", "to_loc");
                return quote_spanned!(site=> let __url = #krate::__private::TemplateUrl::field(__out, &#value)?;);
            }
            Address::Template { absolute, parts } => (*absolute, parts),
        };
        let start = if absolute { quote!(absolute) } else { quote!(rooted) };
        let mut statements =
            quote_spanned!(site=> let mut __url = #krate::__private::TemplateUrl::#start(__out););
        for part in parts {
            statements.extend(match part {
                Part::Text(text) => quote_spanned!(site=> __url.literal(#text);),
                Part::Value(name, place, filler) => {
                    let locale = || quote_spanned!(site=> __locale);
                    let value = filler.map_or_else(locale, |field| self.param(field));
                    let method = match place {
                        Place::Segment => quote!(segment),
                        Place::Rest => quote!(rest),
                        Place::Query => quote!(query),
                    };
                    quote_spanned!(site=> __url.#method(#name, #value)?;)
                }
            });
        }
        statements
    }

    /// A reference to what fills a placeholder.
    fn param(&mut self, field: &Field<'_>) -> TokenStream {
        // A field with another role can fill a placeholder, too, and then as it is.
        if field.role == Some(Role::Param)
            && let Some(path) = field.conversion()
        {
            return self.converted(field, path);
        }
        let krate = self.krate;
        self.bounds.add(field.ty, &quote!(#krate::UrlParam));
        self.over_type(field)
    }

    /// A reference to a field, where errors stand on the field's type.
    fn over_type(&self, field: &Field<'_>) -> TokenStream {
        let place = self.access.place(field);
        over(field.ty, quote!(&#place))
    }

    /// A reference to what a field's `with` makes of it, where errors stand on the function's path.
    fn converted(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let call = self.call(field, path);
        over(path, quote!(&#call))
    }

    /// A plain call, so that a function of `&str` takes a `String`.
    fn call(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let reference = over(path, self.access.reference(field));
        let (start, end) = ends(path);
        let function = quote_spanned!(start=> __with);
        let argument = quote_spanned!(end=> (#reference));
        quote_spanned!(Span::mixed_site()=> { let #function = #path; #function #argument })
    }

    /// Statements to run before, and the entry with its values.
    fn values(&mut self, values: &Values<'_>, entry: &TokenStream) -> (TokenStream, TokenStream) {
        let site = Span::mixed_site();
        let mut setup = TokenStream::new();
        let mut entry = entry.clone();
        for (source, kind) in values.by_kind() {
            let Some(value) = self.value(source, &kind, &mut setup) else { continue };
            let (name, method) = (site_ident(kind.variable), site_ident(kind.setter));
            setup.extend(quote_spanned!(site=> let #name = #value;));
            entry = quote_spanned!(site=> #entry.#method(#name));
        }
        for field in &values.parts {
            entry = self.filled(field, &entry);
        }
        (setup, entry)
    }

    /// The statements of a part.
    pub(crate) fn part(&mut self, values: &Values<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let mut statements = TokenStream::new();
        let none = quote!(::core::option::Option::None);
        let mut arguments = Vec::new();
        for (source, kind) in values.by_kind() {
            arguments.push(self.value(source, &kind, &mut statements).unwrap_or_else(|| none.clone()));
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

    /// An expression for an `Option` of the value; what must stand before it is added to `setup`.
    fn value(&mut self, source: Source<'_>, kind: &Kind, setup: &mut TokenStream) -> Option<TokenStream> {
        let field = match source {
            Source::None => return None,
            Source::Constant(constant) => return Some(self.constant(constant, kind, setup)),
            Source::Field(field) => field,
        };
        let value = self.converted_to(field, kind.wanted, kind.converter);
        Some(quote!(#value?))
    }

    /// The call that makes a field's value what its role needs.
    fn converted_to(&mut self, field: &Field<'_>, wanted: &str, method: &str) -> TokenStream {
        let (krate, wanted, method) = (self.krate, site_ident(wanted), site_ident(method));
        if let Some(path) = field.conversion() {
            let converted = self.converted(field, path);
            return quote!(#krate::#wanted::#method(#converted));
        }
        let (ty, reference) = (field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::#wanted));
        quote!(<#ty as #krate::#wanted>::#method(#reference))
    }

    fn constant(&self, constant: &Constant, kind: &Kind, setup: &mut TokenStream) -> TokenStream {
        let (site, krate, ty) = (Span::mixed_site(), self.krate, site_ident(kind.ty));
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
            Constant::Expr(expr) if kind.ty == "Priority" => self.priority_constant(expr, setup),
            Constant::Expr(expr) => {
                quote_spanned!(site=> #some(const { let __value: #krate::#ty = #expr; __value }))
            }
        }
    }

    fn priority_constant(&self, expr: &Expr, setup: &mut TokenStream) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let message = "sitemap priority must be between 0.0 and 1.0";
        // An item of its own is judged by `cargo check`, an inline constant only when code is made.
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

/// Makes all of the user's tokens the place where errors about an expression are reported.
fn over(tokens: &impl ToTokens, code: TokenStream) -> TokenStream {
    let (start, end) = ends(tokens);
    let mut code: Vec<TokenTree> = code.into_iter().collect();
    if let Some((last, others)) = code.split_last_mut() {
        last.set_span(end);
        for token in others {
            token.set_span(start);
        }
    }
    code.into_iter().collect()
}

/// For generated code at the first and the last of the user's tokens.
fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.last().unwrap_or(start);
    (Span::mixed_site().located_at(start), Span::mixed_site().located_at(end))
}

fn site_ident(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
