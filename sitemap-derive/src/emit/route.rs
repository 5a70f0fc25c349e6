//! Implements `HasRoute` and `HasRoutes`, which give routers the URL templates.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::Path;
use syn::ext::IdentExt as _;

use super::generics::Bounds;
use super::item::implement;
use crate::check::plan::{Content, Plan};
use crate::model::container::{Container, Record};
use crate::text::route::Routes;

/// Implements `HasRoute` for a struct with a URL template.
pub(super) fn has_route(
    container: &Container<'_>,
    record: &Record<'_>,
    plan: &Plan<'_>,
) -> Option<TokenStream> {
    let krate = &container.krate;
    let route = route(krate, record, plan)?;
    let constant = quote!(const ROUTE: #krate::__private::Route = #route;);
    let bounds = Bounds::new(&container.input.generics);
    Some(implement(container.input, krate, &quote!(__private::HasRoute), &bounds, &constant, &[]))
}

/// Implements `HasRoutes` for an enum if any variant has a URL template.
pub(super) fn has_routes(
    container: &Container<'_>,
    variants: &[(&Record<'_>, Plan<'_>)],
) -> Option<TokenStream> {
    let krate = &container.krate;
    let routes: Vec<_> = variants.iter().filter_map(|(record, plan)| route(krate, record, plan)).collect();
    if routes.is_empty() {
        return None;
    }
    let constant = quote!(const ROUTES: &'static [#krate::__private::Route] = &[#(#routes),*];);
    let bounds = Bounds::new(&container.input.generics);
    Some(implement(container.input, krate, &quote!(__private::HasRoutes), &bounds, &constant, &[]))
}

/// Returns a record's route, or `None` if its URLs don't come from a template.
fn route(krate: &Path, record: &Record<'_>, plan: &Plan<'_>) -> Option<TokenStream> {
    let Content::Page(_) = &plan.content else { return None };
    let (_, template) = record.settings.template()?;
    let Routes { axum, actix_web, rocket } = Routes::of(template);
    let name = record.ident.unraw().to_string();
    let option = |route: Option<String>| {
        let some = |route| quote!(::core::option::Option::Some(#route));
        route.map_or_else(|| quote!(::core::option::Option::None), some)
    };
    let (axum, actix_web, rocket) = (option(axum), actix_web.to_token_stream(), option(rocket));
    Some(quote!(#krate::__private::route(#name, #axum, #actix_web, #rocket)))
}
