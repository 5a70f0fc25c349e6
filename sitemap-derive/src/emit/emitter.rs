//! What writing the code of a record needs: access to its fields, conversions, bounds.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
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

    /// A reference to a field, where errors stand on the field's type.
    pub(super) fn over_type(&self, field: &Field<'_>) -> TokenStream {
        let place = self.access.place(field);
        over(field.ty, quote!(&#place))
    }

    /// A reference to what a field's `with` makes of it, where errors stand on the function's path.
    pub(crate) fn converted(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let call = self.call(field, path);
        over(path, quote!(&#call))
    }

    /// A plain call, so that a function of `&str` takes a `String`.
    pub(crate) fn call(&self, field: &Field<'_>, path: &ExprPath) -> TokenStream {
        let reference = over(path, self.access.reference(field));
        let (start, end) = ends(path);
        let function = quote_spanned!(start=> __with);
        let argument = quote_spanned!(end=> (#reference));
        quote_spanned!(Span::mixed_site()=> { let #function = #path; #function #argument })
    }

    /// The call that makes a field's value what its role needs.
    pub(crate) fn converted_to(&mut self, field: &Field<'_>, wanted: &str, method: &str) -> TokenStream {
        let (krate, wanted, method) = (self.krate, site_ident(wanted), site_ident(method));
        if let Some(path) = field.conversion() {
            let converted = self.converted(field, path);
            return quote!(#krate::__private::#wanted::#method(#converted));
        }
        let (ty, reference) = (field.ty, self.access.reference(field));
        self.bounds.add(ty, &quote!(#krate::__private::#wanted));
        quote!(<#ty as #krate::__private::#wanted>::#method(#reference))
    }
}

/// How the generated code gets at a field.
#[derive(Clone, Copy)]
pub(crate) enum FieldAccess {
    /// `self.slug`
    OfSelf,
    /// The variable that a variant's pattern binds, a reference already.
    Bound,
}

impl FieldAccess {
    /// The field itself.
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

    /// An expression for a reference to the field.
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
