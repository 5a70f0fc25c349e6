//! Generates the statements that skip a record or add its entries.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::LitStr;

use super::emitter::{Emitter, Function, local, site_ident};
use super::value::Uses;
use crate::check::plan::{Content, Localization, Location, Origin, Page, Part, Plan, Source, Start, Value};
use crate::model::field::Field;
use crate::model::role::Role;
use crate::report::spans::over;
use crate::syntax::value::Constant;
use crate::text::placeholder::DateItem;
use crate::text::template::Place;
use crate::text::url::{punycode_labels, push_encoded};

impl Emitter<'_> {
    pub(crate) fn record(&mut self, plan: &Plan<'_>) -> TokenStream {
        let mut statements = TokenStream::new();
        for (condition, skips) in &plan.skip_if {
            statements.extend(self.skip_if(*condition, *skips));
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
        quote_spanned!(Span::mixed_site()=> <#ty as #krate::SitemapEntry>::write_entries(#value, __sitemap_out)?;)
    }

    fn skip_if(&self, condition: Origin<'_>, skips_if: bool) -> TokenStream {
        let krate = self.krate;
        let skips = match (self.function(condition), condition) {
            (Some(function), _) => {
                let value = self.returned(&function);
                let reference = over(function.path, quote!(&#value));
                quote!(#krate::__private::SkipCondition::skips(#reference))
            }
            (None, Origin::Field(field)) => {
                let (ty, reference) = (field.ty, self.access.reference(field));
                quote!(<#ty as #krate::__private::SkipCondition>::skips(#reference))
            }
            (None, Origin::Method(_)) => return TokenStream::new(),
        };
        let not = (!skips_if).then(|| quote!(!));
        quote_spanned! {Span::mixed_site()=>
            if #not #skips && __sitemap_out.skips() {
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
        let site = Span::mixed_site();
        let url = self.url(&page.location);
        let template_url = quote!(#krate::__private::TemplateUrl);
        self.url = Some(quote_spanned!(site=> #template_url::text(&__sitemap_url)));
        let (setup, entry) = self.values(
            &page.values,
            &quote_spanned!(site=> <#krate::Entry<'_>>::new(#template_url::loc(&__sitemap_url)?)),
            Uses::Once,
        );
        self.url = None;
        quote_spanned! {site=>
            #url
            #setup
            let __sitemap_entry = #entry;
            <#krate::EntryWriter<'_>>::add(__sitemap_out, __sitemap_entry)?;
            #template_url::give_back(__sitemap_url, __sitemap_out);
        }
    }

    fn localized_page(&mut self, page: &Page<'_>, localization: Localization<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let url = self.url(&page.location);
        let page_of_locale = quote_spanned! {site=>
            #url
            let __sitemap_loc = #krate::__private::TemplateUrl::loc(&__sitemap_url)?;
            #krate::__private::Localized::push(&mut __sitemap_pages, __sitemap_locale, __sitemap_loc)?;
            #krate::__private::TemplateUrl::give_back(__sitemap_url, __sitemap_out);
        };
        let pages = self.for_each_locale(localization, &page_of_locale);
        self.url = Some(quote_spanned!(site=> #krate::__private::Localized::text(&__sitemap_pages)));
        let (setup, entry) =
            self.values(&page.values, &quote_spanned!(site=> __sitemap_entry), Uses::ManyTimes);
        let failed = self.at_page(quote_spanned!(site=> __sitemap_error));
        self.url = None;
        let none = quote!(::core::option::Option::None);
        let x_default =
            localization.x_default.map_or(none, |locale| quote!(::core::option::Option::Some(#locale)));
        quote_spanned! {site=>
            let mut __sitemap_pages = #krate::__private::Localized::new();
            #pages
            #setup
            #krate::__private::Localized::write(&mut __sitemap_pages, __sitemap_out, #x_default, &mut |__sitemap_entry| {
                let __sitemap_entry = #entry;
                ::core::result::Result::Ok(__sitemap_entry)
            }).map_err(|__sitemap_error| #failed)?;
        }
    }

    /// Writes the statements that run `body` once for each locale.
    fn for_each_locale(&self, localization: Localization<'_>, body: &TokenStream) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let origin = match localization.locales {
            Source::Constant(locales) => {
                let list = self.constant_locales(locales, localization.x_default);
                return quote_spanned!(site=> for __sitemap_locale in #list { #body });
            }
            Source::Value(origin) => origin,
        };
        let visit = quote_spanned! {site=>
            &mut |__sitemap_locale: &::core::primitive::str| -> ::core::result::Result<(), #krate::Error> {
                #body
                ::core::result::Result::Ok(())
            }
        };
        match (self.function(origin), origin) {
            (Some(function), _) => {
                let value = self.returned(&function);
                let method = over(function.path, quote!(.__visit));
                quote_spanned! {site=>
                    {
                        #[allow(unused_imports)]
                        use #krate::__private::VisitLocales as _;
                        #krate::__private::Locales(#value) #method(#visit)?;
                    }
                }
            }
            (None, Origin::Field(field)) => {
                let (ty, reference) = (field.ty, self.access.reference(field));
                quote_spanned! {site=>
                    <#ty as #krate::__private::ToLocales<_>>::visit_locales(#reference, #visit)?;
                }
            }
            (None, Origin::Method(_)) => TokenStream::new(),
        }
    }

    /// Returns an expression for a list of locales that all records share.
    fn constant_locales(&self, locales: &Constant, x_default: Option<&LitStr>) -> TokenStream {
        match locales {
            Constant::Locales(list) => quote!([#(#list),*]),
            Constant::Expr(expr) => {
                let ty = quote!(&[&::core::primitive::str]);
                let option = quote!(::core::option::Option);
                let x_default =
                    x_default.map_or_else(|| quote!(#option::None), |locale| quote!(#option::Some(#locale)));
                self.evaluated(expr, &ty, &quote!(&), &quote!(.__locales(#x_default)))
            }
            _ => TokenStream::new(),
        }
    }

    /// Writes the statements that build the page's URL in `__sitemap_url`.
    fn url(&mut self, location: &Location<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let (absolute, parts) = match location {
            Location::Value(origin) => return self.url_value(*origin),
            Location::Template { absolute, parts } => (*absolute, parts),
        };
        let template_url = quote!(#krate::__private::TemplateUrl);
        let start = if absolute { quote!(absolute) } else { quote!(rooted) };
        let mut setup = TokenStream::new();
        if let (true, Some(Part::Text(text))) = (absolute, parts.first()) {
            for label in punycode_labels(text) {
                let message = format!(
                    "the URL template has the invalid host label `xn--{label}`; write the `xn--` form of the name"
                );
                setup.extend(quote!(
                    const _: () = ::core::assert!(#krate::__private::is_punycode(#label), #message);
                ));
            }
        }
        let mut statements =
            quote_spanned!(site=> let mut __sitemap_url = #template_url::#start(__sitemap_out););
        for part in parts {
            statements.extend(match part {
                Part::Text(text) if text.contains(['&', '\'']) => {
                    quote_spanned!(site=> #template_url::literal(&mut __sitemap_url, const { #krate::__private::Literal::new(#text) });)
                }
                // `Literal::new` finds the characters that must be escaped in XML. This text contains none, so a
                // `const` block would only cost compile time.
                Part::Text(text) => quote_spanned!(site=> #template_url::plain_literal(&mut __sitemap_url, #text);),
                Part::Value(value, place) => self.value_part(value, *place, &mut setup),
                Part::Joined(text) => {
                    let text = self.joined(text);
                    quote_spanned!(site=> #template_url::joined(&mut __sitemap_url, #text);)
                }
                Part::Optional(key, value) => self.optional_part(key, value, &mut setup),
            });
        }
        setup.extend(statements);
        setup
    }

    /// Writes the statements that build the page's URL in `__sitemap_url` from a value that is already the whole URL.
    fn url_value(&mut self, origin: Origin<'_>) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), self.krate);
        let mut setup = TokenStream::new();
        let value = match self.function(origin) {
            Some(function) => {
                let name = local("loc");
                setup.extend(self.required(&function, &name));
                let reference = over(function.path, quote!(&#name));
                quote!(#krate::__private::ToLoc::to_loc(#reference))
            }
            None => self.converted_to(origin, Role::Loc),
        };
        quote_spanned! {site=>
            #setup
            let __sitemap_url = #krate::__private::TemplateUrl::field(__sitemap_out, &#value)?;
        }
    }

    /// Writes the statement that appends a placeholder's value. The statements that must run before it are added to
    /// `setup`.
    fn value_part(&mut self, value: &Value<'_>, place: Place, setup: &mut TokenStream) -> TokenStream {
        let bound = self.param_bound(value);
        let param = self.param(value, &bound, setup, Self::required);
        self.filled_placeholder(value, place, &param)
    }

    /// Writes the statement that appends a query pair unless its value is `None`.
    fn optional_part(&mut self, key: &str, value: &Value<'_>, setup: &mut TokenStream) -> TokenStream {
        let (krate, key, bound) = (self.krate, self.joined(key), self.param_bound(value));
        let optional_value = quote!(#krate::__private::OptionalValue);
        let param = self.param(value, &quote!(#optional_value<Value: #bound>), setup, Self::optional);
        let present = over(&param, quote!(&*__sitemap_value));
        let optional = over(&param, quote!(#optional_value::optional(#param)));
        let fill = self.filled_placeholder(value, Place::Query, &present);
        quote_spanned! {Span::mixed_site()=>
            if let ::core::option::Option::Some(__sitemap_value) = #optional {
                #krate::__private::TemplateUrl::joined(&mut __sitemap_url, #key);
                #fill
            }
        }
    }

    /// Writes the statement that appends a value, by calling a method of the trait from `param_bound`.
    fn filled_placeholder(&self, value: &Value<'_>, place: Place, param: &TokenStream) -> TokenStream {
        let (site, name, bound) = (Span::mixed_site(), &value.name, self.param_bound(value));
        if !value.date.is_empty() {
            let format = self.date_format(value.date);
            return quote_spanned!(site=> __sitemap_url.date(#name, #bound::to_url_date(#param)?, #format)?;);
        }
        let (writer, end) = match place {
            Place::Segment => (quote!(segment), quote!(end_segment)),
            Place::Rest => (quote!(rest), quote!(end_rest)),
            Place::Query => {
                return quote_spanned!(site=> #bound::write_param(#param, &mut __sitemap_url.query()););
            }
        };
        quote_spanned! {site=>
            let __sitemap_start = __sitemap_url.position();
            #bound::write_param(#param, &mut __sitemap_url.#writer());
            __sitemap_url.#end(__sitemap_start, #name)?;
        }
    }

    /// Returns the trait that a placeholder's value must implement.
    fn param_bound(&self, value: &Value<'_>) -> TokenStream {
        let krate = self.krate;
        if value.date.is_empty() { quote!(#krate::UrlParam) } else { quote!(#krate::__private::UrlDate) }
    }

    /// Returns an expression for text that starts with `?` if it comes first in the query, and with `&` otherwise.
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

    /// Returns an expression for a reference to the value that replaces a placeholder. A field's type gets the bound
    /// `bound`. `store` writes the statement that stores a function's return value.
    fn param(
        &mut self,
        value: &Value<'_>,
        bound: &TokenStream,
        setup: &mut TokenStream,
        store: fn(&Self, &Function<'_>, &Ident) -> TokenStream,
    ) -> TokenStream {
        match value.start {
            Start::Locale => quote_spanned!(Span::mixed_site()=> __sitemap_locale),
            Start::Field(field) if value.steps.is_empty() => self.field_param(field, bound, setup, store),
            Start::Field(field) => {
                let place = self.access.base(field);
                steps(&place, value)
            }
            Start::Record => steps(&quote!(self), value),
        }
    }

    fn field_param(
        &mut self,
        field: &Field<'_>,
        bound: &TokenStream,
        setup: &mut TokenStream,
        store: fn(&Self, &Function<'_>, &Ident) -> TokenStream,
    ) -> TokenStream {
        // A field with another role, such as `lastmod`, can also fill a placeholder. Its `with` function then applies
        // only to that other role.
        if field.role == Some(Role::Param)
            && let Some(function) = self.function(Origin::Field(field))
        {
            let name = self.named_local("param", field);
            setup.extend(store(self, &function, &name));
            return over(function.path, quote!(&#name));
        }
        self.bounds.add(field.ty, bound);
        self.over_type(field)
    }
}

/// Returns an expression for a reference to the value at the end of a path of fields and methods. If the expression
/// does not compile, the error points to the template.
fn steps(start: &TokenStream, value: &Value<'_>) -> TokenStream {
    let span = Span::mixed_site().located_at(value.template.span());
    let steps = value.steps.iter().map(|step| {
        let name = step.member(span);
        let call = step.is_call.then(|| quote_spanned!(span=> ()));
        quote_spanned!(span=> .#name #call)
    });
    over(value.template, quote!(&#start #(#steps)*))
}
