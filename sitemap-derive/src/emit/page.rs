//! Generates the statements that skip a record or add its entries.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::emitter::{Emitter, site_ident};
use super::value::Uses;
use crate::attribute::value::Locales;
use crate::check::plan::{
    Condition, Content, LocaleSource, Localization, Location, Page, Part, Plan, Start, Value,
};
use crate::model::field::{Field, Role};
use crate::report::spans::over;
use crate::text::placeholder::DateItem;
use crate::text::template::Place;
use crate::text::url::push_encoded;

impl Emitter<'_> {
    pub(crate) fn record(&mut self, plan: &Plan<'_>) -> TokenStream {
        let mut statements = TokenStream::new();
        for condition in &plan.skip_if {
            statements.extend(self.skip_if(condition));
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
        quote_spanned!(Span::mixed_site()=> <#ty as #krate::SitemapEntry>::write_entries(#value, __out)?;)
    }

    fn skip_if(&self, condition: &Condition<'_>) -> TokenStream {
        let condition = match condition {
            Condition::Function(path) => {
                // With this explicit type, the compiler reports a wrong signature at the path that the user wrote.
                let ty = quote!(fn(&Self) -> ::core::primitive::bool);
                quote_spanned!(Span::mixed_site()=> let __skip_if: #ty = #path; let __skip = __skip_if(self);)
            }
            Condition::Field(field) => {
                let value = match field.conversion() {
                    Some(path) => self.converted(field, path),
                    None => self.over_type(field),
                };
                quote_spanned!(Span::mixed_site()=> let __skip: &::core::primitive::bool = #value; let __skip = *__skip;)
            }
        };
        quote_spanned! {Span::mixed_site()=>
            #condition
            if __skip {
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
        let url = self.url(&page.location);
        let (setup, entry) = self.values(
            &page.values,
            &quote_spanned!(Span::mixed_site()=> <#krate::Entry<'_>>::new(__url.loc()?)),
            Uses::Once,
        );
        quote_spanned! {Span::mixed_site()=>
            #url
            #setup
            let __entry = #entry;
            __out.add(__entry)?;
            __url.give_back(__out);
        }
    }

    fn localized_page(&mut self, page: &Page<'_>, localization: Localization<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let list = self.locales(localization.locales);
        let url = self.url(&page.location);
        let (setup, entry) = self.values(&page.values, &quote_spanned!(site=> __entry), Uses::ManyTimes);
        let none = quote!(::core::option::Option::None);
        let x_default =
            localization.x_default.map_or(none, |locale| quote!(::core::option::Option::Some(#locale)));
        let locale = match localization.locales {
            LocaleSource::Constant(_) => quote_spanned!(site=> &__locale),
            LocaleSource::Field(field) => over(field.ty, quote_spanned!(site=> &*&__locale)),
        };
        quote_spanned! {site=>
            #setup
            let mut __pages = #krate::__private::Localized::new();
            for __locale in #list {
                let __locale = ::core::convert::AsRef::<::core::primitive::str>::as_ref(#locale);
                #url
                __pages.push(__locale, __url.loc()?)?;
                __url.give_back(__out);
            }
            __pages.write(__out, #x_default, &mut |__entry| {
                let __entry = #entry;
                ::core::result::Result::Ok(__entry)
            })?;
        }
    }

    /// Returns an expression for the locales, over which the generated code iterates.
    fn locales(&self, source: LocaleSource<'_>) -> TokenStream {
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
                    // A field that is a reference is used without a further `&`, because `&&T` may not be iterable.
                    Type::Reference(_) => over(field.ty, self.access.place(field)),
                    _ => self.over_type(field),
                }
            }
        }
    }

    /// Writes the statements that build the page's URL in `__url`.
    fn url(&mut self, location: &Location<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let (absolute, parts) = match location {
            Location::Field(field) => {
                let value = self.converted_to(field, "ToLoc", "to_loc");
                return quote_spanned!(site=> let __url = #krate::__private::TemplateUrl::field(__out, &#value)?;);
            }
            Location::Template { absolute, parts } => (*absolute, parts),
        };
        let start = if absolute { quote!(absolute) } else { quote!(rooted) };
        let mut statements =
            quote_spanned!(site=> let mut __url = #krate::__private::TemplateUrl::#start(__out););
        for part in parts {
            statements.extend(match part {
                Part::Text(text) if text.contains(['&', '\'']) => {
                    quote_spanned!(site=> __url.literal(const { #krate::__private::Literal::new(#text) });)
                }
                // `Literal::new` finds the characters that XML escapes. This text has none, so a constant would only
                // cost compile time.
                Part::Text(text) => quote_spanned!(site=> __url.plain_literal(#text);),
                Part::Value(value, place) => self.value_part(value, *place),
                Part::Joined(text) => {
                    let text = self.joined(text);
                    quote_spanned!(site=> __url.joined(#text);)
                }
                Part::Optional(key, value) => self.optional_part(key, value),
            });
        }
        statements
    }

    /// Writes the statement that appends the value of a placeholder.
    fn value_part(&mut self, value: &Value<'_>, place: Place) -> TokenStream {
        let (site, name, bound) = (Span::mixed_site(), &value.name, self.param_bound(value));
        let param = self.param(value, &bound);
        if !value.date.is_empty() {
            let format = self.date_format(value.date);
            return quote_spanned!(site=> __url.date(#name, #param, #format)?;);
        }
        let method = match place {
            Place::Segment => quote!(segment),
            Place::Rest => quote!(rest),
            Place::Query => quote!(query),
        };
        quote_spanned!(site=> __url.#method(#name, #param)?;)
    }

    /// Writes the statement that appends a pair of the query, unless its value is `None`.
    fn optional_part(&mut self, key: &str, value: &Value<'_>) -> TokenStream {
        let (site, key, name) = (Span::mixed_site(), self.joined(key), &value.name);
        let (krate, bound) = (self.krate, self.param_bound(value));
        let param = self.param(value, &quote!(#krate::__private::OptionalValue<Value: #bound>));
        if value.date.is_empty() {
            return quote_spanned!(site=> __url.optional(#key, #param););
        }
        let format = self.date_format(value.date);
        quote_spanned!(site=> __url.optional_date(#key, #name, #param, #format)?;)
    }

    /// Returns the trait of a value that fills a placeholder.
    fn param_bound(&self, value: &Value<'_>) -> TokenStream {
        let krate = self.krate;
        if value.date.is_empty() { quote!(#krate::UrlParam) } else { quote!(#krate::__private::UrlDate) }
    }

    /// Returns an expression for text that starts with `?` or `&`.
    fn joined(&self, text: &str) -> TokenStream {
        let (krate, first, next) = (self.krate, format!("?{text}"), format!("&{text}"));
        quote_spanned! {Span::mixed_site()=>
            const {
                #krate::__private::Joined {
                    first: #krate::__private::Literal::new(#first),
                    next: #krate::__private::Literal::new(#next),
                }
            }
        }
    }

    fn date_format(&self, items: &[DateItem]) -> TokenStream {
        let krate = self.krate;
        let items = items.iter().map(|item| match item {
            DateItem::Directive(directive) => {
                let variant = site_ident(&format!("{directive:?}"));
                quote!(#krate::__private::DateItem::#variant)
            }
            DateItem::Text(text) => {
                let mut encoded = String::new();
                push_encoded(&mut encoded, text);
                quote!(#krate::__private::DateItem::Text(#encoded))
            }
        });
        quote!(&[#(#items),*])
    }

    /// Returns an expression for a reference to the value that replaces a placeholder. The type of a field needs the bound.
    fn param(&mut self, value: &Value<'_>, bound: &TokenStream) -> TokenStream {
        match value.start {
            Start::Locale => quote_spanned!(Span::mixed_site()=> __locale),
            Start::Field(field) if value.steps.is_empty() => self.field_param(field, bound),
            Start::Field(field) => {
                let place = self.access.base(field);
                steps(&place, value)
            }
            Start::Record => steps(&quote!(self), value),
        }
    }

    fn field_param(&mut self, field: &Field<'_>, bound: &TokenStream) -> TokenStream {
        // A field with another role, such as `lastmod`, can also fill a placeholder. Its `with` function then applies
        // only to that role.
        if field.role == Some(Role::Param)
            && let Some(path) = field.conversion()
        {
            return self.converted(field, path);
        }
        self.bounds.add(field.ty, bound);
        self.over_type(field)
    }
}

/// Returns an expression for a reference to the value that fields and methods lead to. The compiler reports errors in this
/// expression at the template.
fn steps(start: &TokenStream, value: &Value<'_>) -> TokenStream {
    let span = Span::mixed_site().located_at(value.template.span());
    let steps = value.steps.iter().map(|step| {
        let name = step.member(span);
        let call = step.is_call.then(|| quote_spanned!(span=> ()));
        quote_spanned!(span=> .#name #call)
    });
    over(value.template, quote!(&#start #(#steps)*))
}
