//! Tests of the macros' error messages. Each case in `tests/messages` contains a mistake, followed by the errors that
//! the macro reports: the tokens that the error points to, and the message.
//!
//! `MESSAGES=overwrite cargo test -p sitemap-derive` writes the errors into these files.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::{env, fs};

use syn::DeriveInput;
use syn::parse::{ParseStream, Parser as _};

use crate::report::errors::Errors;
use crate::{entry, part};

#[test]
fn messages_about_attributes() {
    check("attr");
}

#[test]
fn messages_about_templates() {
    check("template");
}

#[test]
fn messages_about_records() {
    check("check");
}

fn check(group: &str) {
    let path = format!("{}/tests/messages/{group}.rs", env!("CARGO_MANIFEST_DIR"));
    let file = fs::read_to_string(&path).unwrap();
    let cases: Vec<_> = file.split_inclusive("\n\n").collect();
    let found: Vec<_> = cases.iter().map(|case| with_errors(case)).collect();
    if env::var("MESSAGES").is_ok_and(|value| value == "overwrite") {
        return fs::write(path, found.join("\n")).unwrap();
    }
    for (expected, found) in cases.iter().zip(found) {
        assert_eq!(found.trim_end(), expected.trim_end());
    }
}

/// Returns a case together with the errors that the macros report for its types.
fn with_errors(case: &str) -> String {
    let lines = case.trim_end().lines().filter(|line| !line.starts_with("//~"));
    let mut out: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut errors = Errors::default();
    for input in types.parse_str(&out).expect(case) {
        let is_part = input.attrs.iter().any(|attr| {
            attr.path().is_ident("derive") && attr.parse_args::<syn::Path>().unwrap().is_ident("SitemapPart")
        });
        if is_part {
            part(&input, &mut errors)
        } else {
            entry(&input, &mut errors)
        };
    }
    assert!(!errors.found().is_empty(), "no error: {case}");
    for (tokens, message) in errors.found() {
        writeln!(out, "//~ {tokens}\n//~     {message}").unwrap();
    }
    out
}

fn types(input: ParseStream<'_>) -> syn::Result<Vec<DeriveInput>> {
    let mut types = Vec::new();
    while !input.is_empty() {
        types.push(input.parse()?);
    }
    Ok(types)
}

#[test]
fn fields_may_be_keywords_of_other_editions() {
    let record =
        "#[sitemap(loc = \"/{async}/{gen}/{dyn()}\")] struct Post { async: u32, gen: u8, r#type: u8 }";
    let output = crate::expanded(record.parse().unwrap(), entry).to_string();
    for name in [". r#async", ". r#gen", ". r#dyn ()"] {
        assert!(output.contains(name), "{output}");
    }
}
