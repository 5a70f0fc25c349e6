// The doc examples need `sitemap-core`, which depends on this crate, so `sitemap-derive-tests` runs them.
#![cfg_attr(not(doctest), doc = include_str!("../doc/crate.md"))]

// The macros turn a type into code in four steps:
//
// | module | what |
// |---|---|
// | `syntax` | `#[sitemap(…)]` to names and values |
// | `model` | the meaning of the attributes; `model::attributes` is the table of all of them |
// | `check` | the rules for a whole record; makes the plan of its pages |
// | `emit` | the plan to code; after an error, an implementation that does nothing |
// | `text` | the texts in the attributes: URL templates, dates, locales |
// | `report` | the errors of all steps, their places, and suggestions for misspelt names |

mod check;
mod emit;
mod model;
mod report;
mod syntax;
mod text;

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use syn::DeriveInput;

use crate::model::container::{Body, Container};
use crate::report::errors::Errors;

#[cfg_attr(not(doctest), doc = include_str!("../doc/entry.md"))]
#[proc_macro_derive(SitemapEntry, attributes(sitemap))]
pub fn derive_sitemap_entry(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expanded(input.into(), entry).into()
}

#[cfg_attr(not(doctest), doc = include_str!("../doc/part.md"))]
#[proc_macro_derive(SitemapPart, attributes(sitemap))]
pub fn derive_sitemap_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expanded(input.into(), part).into()
}

fn expanded(input: TokenStream, write: fn(&DeriveInput, &mut Errors) -> TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let output = match syn::parse2(input.clone()).or_else(|_| syn::parse2(with_raw_fields(input))) {
        Ok(input) => write(&input, &mut errors),
        Err(error) => error.to_compile_error(),
    };
    let mut all = errors.to_compile_errors();
    all.extend(output);
    all
}

/// Adds `r#` to the names of fields that are keywords only in later editions than the user's.
fn with_raw_fields(input: TokenStream) -> TokenStream {
    const KEYWORDS: [&str; 4] = ["async", "await", "dyn", "try"];
    let mut tokens = input.into_iter().peekable();
    let mut all = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_before_type = matches!(
            tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Alone
        );
        all.extend([match token {
            TokenTree::Ident(name) if is_before_type && KEYWORDS.iter().any(|keyword| name == keyword) => {
                Ident::new_raw(&name.to_string(), name.span()).into()
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_raw_fields(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            token => token,
        }]);
    }
    all
}

fn entry(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let container = Container::read(input, errors);
    let output = match &container.body {
        Body::Struct(record) => {
            check::plan(record, None, errors).map(|plan| emit::entry_struct(&container, record, &plan))
        }
        Body::Enum { settings, variants } => {
            check::location::report_unused_defaults(settings, variants, errors);
            let mut plans = Vec::new();
            for variant in variants {
                plans.extend(check::plan(variant, Some(settings), errors).map(|plan| (variant, plan)));
            }
            check::duplicates::report_same_urls(&plans, errors);
            Some(emit::entry_enum(&container, &plans))
        }
        Body::Other(_) => None,
    };
    output.filter(|_| errors.found().is_empty()).unwrap_or_else(|| emit::fallback::entry(&container))
}

fn part(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let container = Container::read_part(input, errors);
    let output = match &container.body {
        Body::Struct(record) => check::part(record, errors).map(|values| emit::part(&container, &values)),
        Body::Enum { .. } | Body::Other(_) => None,
    };
    output.filter(|_| errors.found().is_empty()).unwrap_or_else(|| emit::fallback::part(&container))
}

#[cfg(test)]
mod message_tests;
