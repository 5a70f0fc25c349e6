//! Compares the well-formedness check with libxml2 and quick-xml.

mod judges;
mod mutants;
mod suite;

use std::collections::BTreeMap;

use judges::{Verdict, libxml2, quick_xml};
use mutants::mutants;
use sitemap_read::xml_violations;
use sitemap_read::{CheckOptions, Checker, Finding, Severity};

/// The number of mutants. Every run uses the same ones.
const MUTANTS: usize = 30_000;

/// Returns `true` if the checker finds an error.
fn has_error(document: &[u8]) -> bool {
    let mut checker = Checker::new(CheckOptions::new());
    checker.check_slice("sitemap.xml", document).unwrap();
    checker.finish().count(Severity::Error) > 0
}

/// Returns `true` if the document has a DTD, which is skipped.
fn has_dtd(document: &[u8]) -> bool {
    document.windows(9).any(|part| part == b"<!DOCTYPE")
}

/// Returns `true` if libxml2 converts the document from another encoding, so that it sees different text.
fn is_in_another_encoding(document: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&document[..document.len().min(200)]).to_ascii_lowercase();
    let declared = head.split_once("encoding").and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
    declared.is_some_and(|name| name != "utf-8")
        || document.starts_with(&[0xFF, 0xFE])
        || document.contains(&0)
}

/// If libxml2 accepts a document that the specification does not allow, returns the reason.
fn is_too_lenient(document: &[u8], ours: &[Finding]) -> Option<&'static str> {
    let text = |finding: &Finding| {
        let start = usize::try_from(finding.span().start.offset).unwrap();
        document[start..start + usize::try_from(finding.span().len).unwrap()].to_vec()
    };
    let is_version = |finding: &Finding| finding.message().starts_with("the version of XML is not 1.0");
    if ours.iter().all(|finding| {
        is_version(finding) && text(finding).windows(3).any(|part| part == b"1.'" || part == b"1.\"")
    }) {
        return Some("libxml2 accepts the version `1.`, which has no minor number");
    }
    if ours.iter().all(|finding| finding.message().starts_with("a prefix is bound to no namespace")) {
        return Some(
            "a later warning of libxml2 hides its error about a prefix that is bound to no namespace",
        );
    }
    None
}

#[test]
fn no_document_that_another_parser_rejects_passes() {
    let documents: Vec<Vec<u8>> = mutants().filter(|document| !has_dtd(document)).take(MUTANTS).collect();
    let Some(verdicts) = libxml2(&documents) else { return };
    let mut wrong: Vec<String> = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (document, verdict) in documents.iter().zip(&verdicts) {
        let ours = xml_violations(document);
        let first = ours.first().map(Finding::to_string).unwrap_or_default();
        let mut complain = |what: &str| {
            wrong.push(format!("{what}: {verdict:?}; ours {first:?}\n{}", document.escape_ascii()));
        };
        *counts.entry(verdict.name()).or_default() += 1;
        *counts
            .entry(if ours.is_empty() { "well-formed by us" } else { "not well-formed by us" })
            .or_default() += 1;
        let is_other = is_in_another_encoding(document);
        if *verdict == Verdict::WellFormed {
            if !ours.is_empty() && !is_other {
                match is_too_lenient(document, &ours) {
                    Some(reason) => *counts.entry(reason).or_default() += 1,
                    None => complain("only we reject it"),
                }
            }
        } else {
            if ours.is_empty() && !is_other {
                complain("only libxml2 rejects it");
            }
            if !has_error(document) {
                complain("`check` passes what libxml2 rejects");
            }
        }
        if let Err(error) = quick_xml(document) {
            *counts.entry("not well-formed by quick-xml").or_default() += 1;
            if ours.is_empty() && !is_other {
                complain(&format!("quick-xml rejects it with {error}"));
            }
        }
    }
    println!("{} mutants: {counts:?}", documents.len());
    let shown = wrong.iter().take(10).map(String::as_str).collect::<Vec<_>>().join("\n\n");
    assert!(wrong.is_empty(), "{} mutants are judged differently:\n\n{shown}", wrong.len());
}

/// All parsers accept the seeds themselves, so only the mutations can make a mutant invalid.
#[test]
fn every_parser_accepts_the_documents_that_are_mutated() {
    let seeds = mutants::seeds();
    let Some(verdicts) = libxml2(&seeds) else { return };
    for (seed, verdict) in seeds.iter().zip(verdicts) {
        assert_eq!(verdict, Verdict::WellFormed, "{}", seed.escape_ascii());
        assert_eq!(quick_xml(seed), Ok(()), "{}", seed.escape_ascii());
        let ours: Vec<_> = xml_violations(seed).iter().map(Finding::to_string).collect();
        assert_eq!(ours, [""; 0], "{}", seed.escape_ascii());
    }
}
