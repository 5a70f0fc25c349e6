//! Runs the W3C's conformance test suite if `XMLCONF` is set to its folder, the one that contains `xmlconf.xml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::Event;
use sitemap_read::xml_violations;

/// A single test of the suite.
#[derive(Debug)]
struct Test {
    file: PathBuf,
    kind: String,
    entities: String,
    recommendation: String,
    namespaces: bool,
    edition: String,
    version: String,
}

/// Reads the catalogs. They list the tests, and what a parser must report for each document.
fn tests(folder: &Path) -> Vec<Test> {
    let mut catalogs = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                catalogs.push(path);
            }
        }
    }
    catalogs.sort();
    let mut tests = Vec::new();
    for catalog in catalogs {
        let text = String::from_utf8_lossy(&fs::read(&catalog).unwrap()).into_owned();
        if !text.contains("<TEST ") {
            continue;
        }
        let mut reader = Reader::from_str(&text);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == "TEST" => {
                    let get = |name: &str| {
                        let attribute = tag.try_get_attribute(name).ok().flatten();
                        attribute.map(|attribute| attribute.value.into_owned()).unwrap_or_default()
                    };
                    tests.push(Test {
                        file: catalog.parent().unwrap().join(get("URI")),
                        kind: get("TYPE"),
                        entities: get("ENTITIES"),
                        recommendation: get("RECOMMENDATION"),
                        namespaces: get("NAMESPACE") != "no",
                        edition: get("EDITION"),
                        version: get("VERSION"),
                    });
                }
                _ => {}
            }
        }
    }
    tests.retain(|test| test.file.is_file());
    tests.sort_by(|a, b| a.file.cmp(&b.file));
    tests.dedup_by(|a, b| a.file == b.file);
    tests
}

/// Returns `true` if a test is about the fifth edition of XML 1.0 with namespaces, its document is in UTF-8 and has no
/// DTD, and it needs no other file.
fn is_ours(test: &Test, document: &[u8]) -> bool {
    let is_1_0 = !test.recommendation.contains("1.1") && test.version != "1.1";
    let is_fifth = test.edition.is_empty() || test.edition.split_whitespace().any(|edition| edition == "5");
    let head = String::from_utf8_lossy(&document[..document.len().min(200)]).to_ascii_lowercase();
    let head = head.split_once("?>").map_or("", |(head, _)| head);
    let declared = head.split_once("encoding").and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
    let is_utf_8 = declared.is_none_or(|name| name == "utf-8")
        && !document.starts_with(&[0xFE, 0xFF])
        && !document.starts_with(&[0xFF, 0xFE]);
    is_1_0
        && is_fifth
        && is_utf_8
        && !super::has_dtd(document)
        && test.namespaces
        && matches!(&*test.entities, "" | "none")
}

#[test]
fn the_conformance_test_suite() {
    let Some(folder) = std::env::var_os("XMLCONF") else {
        return;
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for test in tests(Path::new(&folder)) {
        let document = fs::read(&test.file).unwrap();
        if !is_ours(&test, &document) {
            *counts.entry("left out".to_owned()).or_default() += 1;
            continue;
        }
        *counts.entry(test.kind.clone()).or_default() += 1;
        let found = xml_violations(&document);
        let is_right = match &*test.kind {
            "not-wf" => !found.is_empty(),
            "valid" | "invalid" => found.is_empty(),
            _ => true,
        };
        if !is_right {
            let found = found.first().map(ToString::to_string).unwrap_or_default();
            wrong.push(format!("{} {}: {found}", test.kind, test.file.display()));
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} documents are judged differently:\n{}", wrong.len(), wrong.join("\n"));
}
