//! The context in which the code of a record is generated: how the code accesses and converts fields, and which bounds
//! it needs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{ExprPath, Path};

use super::generics::Bounds;
use crate::model::container::Container;
use crate::model::field::Field;
use crate::report::spans::{ends, over};

pub(crate) struct Emitter<'a> {
    pub(crate) container: &'a Container<'a>,
    pub(crate) krate: &'a Path,
    pub(crate) access: FieldAccess,
    pub(crate) bounds: Bounds<'a>,
}

impl<'a> Emitter<'a> {
    pub(crate) const fn new(container: &'a Container<'a>, access: FieldAccess) -> Self {
        let bounds = Bounds::new(&container.input.generics);
        Self { container, krate: &container.krate, access, bounds }
    }

    /// Returns an expression for a reference to a field. The compiler reports errors in this expression at the
    /// field's type.
    pub(super) fn over_type(&self, field: &Field<'_>) -> TokenStream {
        let place = self.access.place(field);
        over(field.ty, quote!(&#place))
    }

    /// Returns an expression for a reference to the result of a field's `with` function. The compiler reports errors in
    /// this expression at the function's path.
    pub(crate) fn converted(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let call = self.call(field, path);
        over(path, quote!(&#call))
    }

    /// Returns code that calls a field's `with` function. Because the call is direct, deref coercion lets a function
    /// that takes `&str` accept a `&String`.
    pub(crate) fn call(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let reference = over(path, self.access.reference(field));
        let (start, end) = ends(path);
        let function = quote_spanned!(start=> __with);
        let argument = quote_spanned!(end=> (#reference));
        quote_spanned!(Span::mixed_site()=> { let #function = #path; #function #argument })
    }

    /// Returns code that converts a field to the value of its role with a method of one of the library's traits.
    pub(crate) fn converted_to(&mut self, field: &Field<'_>, trait_name: &str, method: &str) -> TokenStream {
        let (krate, trait_name, method) = (self.krate, site_ident(trait_name), site_ident(method));
        if let Some(path) = field.conversion() {
            let converted = self.converted(field, path);
            return quote!(#krate::__private::#trait_name::#method(#converted));
        }
        let (ty, reference) = (field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::__private::#trait_name));
        quote!(<#ty as #krate::__private::#trait_name>::#method(#reference))
    }
}

/// The way the generated code accesses a field.
#[derive(Clone, Copy)]
pub(crate) enum FieldAccess {
    /// `self.slug`.
    OfSelf,
    /// The variable that a variant's pattern binds, which is already a reference.
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

    /// Returns an expression after which `.field` or `.method()` can be written.
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
    format_ident!("__field_{}", field.name, span = Span::mixed_site())
}

pub(super) fn site_ident(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
