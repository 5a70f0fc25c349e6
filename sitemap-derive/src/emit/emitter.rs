//! What the code generator knows about a record: how to access and convert its fields, and which bounds that requires.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Path, Type};

use super::generics::Bounds;
use crate::check::plan::Origin;
use crate::model::container::Container;
use crate::model::field::Field;
use crate::model::role::Role;
use crate::report::spans::{at, ends, over};
use crate::syntax::value::Callable;

pub(crate) struct Emitter<'a> {
    pub(crate) container: &'a Container<'a>,
    pub(crate) krate: &'a Path,
    pub(crate) access: FieldAccess,
    pub(crate) bounds: Bounds<'a>,
    /// The name of the struct or variant in error messages.
    pub(crate) title: String,
    /// The variables that are named after a field.
    pub(crate) locals: Vec<Ident>,
    /// An expression for the page's URL, once it is built, as an `Option<&str>`.
    pub(crate) url: Option<TokenStream>,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(container: &'a Container<'a>, access: FieldAccess) -> Self {
        let bounds = Bounds::new(&container.input.generics);
        let title = container.input.ident.unraw().to_string();
        Self { container, krate: &container.krate, access, bounds, title, locals: Vec::new(), url: None }
    }

    /// Returns the identifier of a local variable that is named after a field.
    pub(crate) fn named_local(&mut self, prefix: &str, field: &Field<'_>) -> Ident {
        let name = local(&format!("{prefix}_{}", field.name));
        if !self.locals.contains(&name) {
            self.locals.push(name.clone());
        }
        name
    }

    /// Returns an expression for a reference to a field. If the expression does not compile, the error points to the
    /// field's type.
    pub(super) fn over_type(&self, field: &Field<'_>) -> TokenStream {
        let place = self.access.place(field);
        over(field.ty, quote!(&#place))
    }

    /// Returns the function that computes a value, or `None` if the value is an unchanged field.
    pub(crate) fn function<'f>(&self, origin: Origin<'f>) -> Option<Function<'f>> {
        match origin {
            Origin::Field(field) => {
                let argument = self.access.reference(field);
                field.with.as_ref().map(|path| Function {
                    path,
                    argument,
                    member: field.name.clone(),
                    maps_option: false,
                })
            }
            Origin::Method(path) => {
                let member = member(origin);
                Some(Function {
                    path,
                    argument: quote_spanned!(Span::mixed_site()=> self),
                    member,
                    maps_option: false,
                })
            }
        }
    }

    /// Returns an expression for the return value of a user's function. If that function returns an error, the
    /// generated function returns it too.
    pub(crate) fn returned(&self, function: &Function<'_>) -> TokenStream {
        let (krate, path, record, member) = (self.krate, function.path, &self.title, &function.member);
        let call = function.call(krate);
        let failure = quote_spanned!(Span::mixed_site()=> #krate::__private::Failure(__sitemap_error).__of(#record, #member));
        let failure = self.at_page(over(path, failure));
        quote_spanned! {Span::mixed_site()=>
            {
                #[allow(unused_imports)]
                use #krate::__private::{ForeignFailure as _, Infallible as _};
                match #krate::__private::Returned(#call).__into_result() {
                    ::core::result::Result::Ok(__sitemap_value) => __sitemap_value,
                    ::core::result::Result::Err(__sitemap_error) => {
                        return ::core::result::Result::Err(#failure);
                    }
                }
            }
        }
    }

    /// Adds the names of the record and of the field or method to the error `__sitemap_error`. Also adds the URL if it
    /// is already built.
    pub(crate) fn failed(&self, member: &str) -> TokenStream {
        let (krate, record) = (self.krate, &self.title);
        let failed = quote_spanned!(Span::mixed_site()=> #krate::__private::in_field(__sitemap_error, #record, #member));
        self.at_page(failed)
    }

    /// Adds the page's URL to an error if it is already built.
    pub(crate) fn at_page(&self, error: TokenStream) -> TokenStream {
        let (krate, Some(url)) = (self.krate, &self.url) else { return error };
        quote_spanned!(Span::mixed_site()=> #krate::__private::at_page(#error, #url))
    }

    /// Writes a statement that stores a function's return value in a variable. If the function returns `None`, the
    /// generated function returns, and the record has no page.
    pub(crate) fn required(&self, function: &Function<'_>, variable: &Ident) -> TokenStream {
        let (krate, value) = (self.krate, self.returned(function));
        quote_spanned! {Span::mixed_site()=>
            let #variable = {
                #[allow(unused_imports)]
                use #krate::__private::Always as _;
                match #krate::__private::Present(#value).__into_option() {
                    ::core::option::Option::Some(__sitemap_value) => __sitemap_value,
                    ::core::option::Option::None => return ::core::result::Result::Ok(()),
                }
            };
        }
    }

    /// Writes a statement that stores a function's return value in a variable, even if it is `None`.
    pub(crate) fn optional(&self, function: &Function<'_>, variable: &Ident) -> TokenStream {
        let value = self.returned(function);
        quote_spanned!(Span::mixed_site()=> let #variable = #value;)
    }

    /// Returns code that calls the conversion method of the role's trait on a value.
    pub(crate) fn converted_to(&mut self, origin: Origin<'_>, role: Role) -> TokenStream {
        let (trait_name, method) = role.conversion();
        let (krate, trait_name, method) = (self.krate, site_ident(trait_name), site_ident(method));
        if let Some(mut function) = self.function(origin) {
            function.maps_option = origin.field().is_some_and(|field| may_be_option(field.ty));
            let value = self.returned(&function);
            let reference = over(function.path, quote!(&#value));
            return quote!(#krate::__private::#trait_name::#method(#reference));
        }
        let Some(field) = origin.field() else { return TokenStream::new() };
        let (ty, reference) = (field.ty, self.access.reference(field));
        if let Some(minutes) = field.zone {
            self.bounds.add(ty, &quote!(#krate::__private::LocalTime));
            return quote!(<#ty as #krate::__private::LocalTime>::at_offset(#reference, #minutes));
        }
        if let Some(per_second) = field.unix {
            self.bounds.add(ty, &quote!(#krate::__private::UnixTime));
            return quote!(<#ty as #krate::__private::UnixTime>::at_unix(#reference, #per_second));
        }
        self.bounds.add(ty, &quote!(#krate::__private::#trait_name));
        quote!(<#ty as #krate::__private::#trait_name>::#method(#reference))
    }
}

/// Returns the name of the field or method that a value comes from.
pub(super) fn member(origin: Origin<'_>) -> String {
    match origin {
        Origin::Field(field) => field.name.clone(),
        Origin::Method(function) => function.name.clone().unwrap_or_else(|| "closure".to_owned()),
    }
}

/// A user's function: the `with` function of a field, or a method that an attribute names.
pub(crate) struct Function<'f> {
    pub(crate) path: &'f Callable,
    argument: TokenStream,
    /// The name of the field or method.
    pub(crate) member: String,
    /// True if the argument may be an `Option`, and the function may accept either that or the value inside it.
    maps_option: bool,
}

impl Function<'_> {
    fn call(&self, krate: &Path) -> TokenStream {
        call(krate, self.path, &self.argument, self.maps_option)
    }
}

/// Returns true if a type may be an `Option`, a pointer to one, or an alias of one.
pub(super) fn may_be_option(ty: &Type) -> bool {
    const OTHERS: [&str; 17] = [
        "String", "str", "char", "bool", "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8",
        "i16", "i32", "i64", "i128",
    ];
    match ty {
        Type::Group(group) => may_be_option(&group.elem),
        Type::Reference(reference) => may_be_option(&reference.elem),
        Type::Path(path) => !OTHERS.iter().any(|other| path.path.is_ident(other)),
        _ => false,
    }
}

/// Returns code that checks a user's function and calls it. The compiler reports errors at the path that the user
/// wrote.
///
/// The call is direct, so coercions let a function that takes `&str` accept a `&String`. With `maps_option`, the compiler
/// finds out instead whether the argument is an `Option`, and whether the function takes the value inside.
pub(super) fn call(krate: &Path, path: &Callable, argument: &TokenStream, maps_option: bool) -> TokenStream {
    let site = Span::mixed_site();
    if path.name.is_none() {
        return quote_spanned!(site=> #krate::__private::apply(#path, #argument));
    }
    let (start, end) = ends(path);
    let function = quote_spanned!(start=> __sitemap_function);
    let checked = quote!(#krate::__private::Function(#path).__one_argument().__shared_reference());
    let checked = at(end, checked);
    let (mapping, called) = if maps_option {
        let traits = quote!(
            TakesField as _,
            TakesNeither as _,
            TakesTarget as _,
            TakesTargetOfValue as _,
            TakesValue as _,
            WithField as _,
        );
        let called = quote_spanned!(site=> (&&&&__sitemap_function.__on(#argument)).__call());
        (traits, over(path, called))
    } else {
        let argument = over(path, argument.clone());
        let arguments = quote_spanned!(end=> (#argument));
        (TokenStream::new(), quote!(#function #arguments))
    };
    quote_spanned! {site=>
        {
            #[allow(unused_imports)]
            use #krate::__private::{TakesNoReference as _, TakesOne as _, TakesOthers as _, #mapping};
            let #function = #checked;
            #called
        }
    }
}

/// How the generated code accesses a field.
#[derive(Clone, Copy)]
pub(crate) enum FieldAccess {
    /// `self.slug`.
    OfSelf,
    /// The variable in a variant's pattern, which is already a reference.
    Bound,
}

impl FieldAccess {
    /// Returns a place expression for the field.
    pub(crate) fn place(self, field: &Field<'_>) -> TokenStream {
        let (site, member) = (Span::mixed_site(), &field.member);
        match self {
            Self::OfSelf => quote_spanned!(site=> self.#member),
            Self::Bound => {
                let binding = binding(field);
                quote_spanned!(site=> *#binding)
            }
        }
    }

    /// Returns an expression that `.field` or `.method()` can follow.
    pub(crate) fn base(self, field: &Field<'_>) -> TokenStream {
        match self {
            Self::OfSelf => self.place(field),
            Self::Bound => binding(field).to_token_stream(),
        }
    }

    /// Returns an expression for a reference to the field.
    pub(crate) fn reference(self, field: &Field<'_>) -> TokenStream {
        let (site, member) = (Span::mixed_site(), &field.member);
        match self {
            Self::OfSelf => quote_spanned!(site=> &self.#member),
            Self::Bound => {
                let binding = binding(field);
                quote!(#binding)
            }
        }
    }
}

pub(super) fn binding(field: &Field<'_>) -> Ident {
    local(&format!("field_{}", field.name))
}

pub(super) fn site_ident(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Returns the identifier of a local variable. The module docs of `emit` explain the prefix.
pub(super) fn local(name: &str) -> Ident {
    format_ident!("__sitemap_{name}", span = Span::mixed_site())
}
