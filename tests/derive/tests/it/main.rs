//! Tests of what the generated code does.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod dates;
mod enums;
mod extension_documents;
mod extensions;
mod locales;
mod methods;
mod part;
mod placeholder;
mod route;
mod schema;
mod section;
mod structs;
mod support;
mod template;
mod unusual;
