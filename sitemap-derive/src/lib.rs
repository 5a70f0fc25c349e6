//! The derive macros of `sitemap-core`, which re-exports them; depend on that crate.
//!
//! The way from a user's type to code has four steps, each a file or a few. `attr` takes the
//! attributes apart; `settings`, `field` and `model` give them meaning; `check` and `check_loc` judge
//! a record as a whole and make a `plan`; `emit`, `emit_page` and `emit_value` write it. Mistakes of
//! all steps are collected in `errors` and reported together; `fallback` then stands in for the
//! implementation.

mod attr;
mod check;
mod check_loc;
mod date;
mod emit;
mod emit_page;
mod emit_value;
mod errors;
mod fallback;
mod field;
mod generics;
mod grammar;
mod lexer;
mod model;
mod plan;
mod settings;
mod spans;
mod suggest;
mod template;
mod url;
mod value;

use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_macro_input};

use crate::errors::Errors;
use crate::model::{Body, Container};

#[doc = include_str!("../doc/entry.md")]
#[proc_macro_derive(SitemapEntry, attributes(sitemap))]
pub fn derive_sitemap_entry(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entry(&input).into()
}

#[doc = include_str!("../doc/part.md")]
#[proc_macro_derive(SitemapPart, attributes(sitemap))]
pub fn derive_sitemap_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    part(&input).into()
}

fn entry(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let container = Container::read(input, &mut errors);
    let output = match &container.body {
        Body::Struct(record) => {
            check::plan(record, None, &mut errors).map(|plan| emit::entry_struct(&container, &plan))
        }
        Body::Enum { settings, variants } => {
            check_loc::refuse_unused_defaults(settings, variants, &mut errors);
            let mut plans = Vec::new();
            for variant in variants {
                plans.extend(check::plan(variant, Some(settings), &mut errors).map(|plan| (variant, plan)));
            }
            Some(emit::entry_enum(&container, &plans))
        }
        Body::Other => None,
    };
    finish(errors, output, || fallback::entry(input, &container.krate))
}

fn part(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let container = Container::read_part(input, &mut errors);
    let output = match &container.body {
        Body::Struct(record) => {
            check::part(record, &mut errors).map(|values| emit::part(&container, &values))
        }
        Body::Enum { .. } | Body::Other => None,
    };
    finish(errors, output, || fallback::part(input, &container.krate))
}

fn finish(
    errors: Errors,
    output: Option<TokenStream>,
    fallback: impl FnOnce() -> TokenStream,
) -> TokenStream {
    match errors.into_compile_errors() {
        None => output.unwrap_or_default(),
        Some(mut output) => {
            output.extend(fallback());
            output
        }
    }
}
