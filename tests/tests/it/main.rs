//! Tests that need more than one crate of the workspace.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod derive_dates;
mod derive_enum;
mod derive_extensions;
mod derive_locales;
mod derive_methods;
mod derive_part;
mod derive_placeholder;
mod derive_route;
mod derive_section;
mod derive_struct;
mod derive_template;
mod extension_documents;
mod schema;
mod support;
mod tidy;
mod well_formed;
