//! The reader's documentation has a table of decisions, one row for each defect that is known to be met.
//! Each row has its tests, all in `reader.rs`; here is which.

use std::collections::BTreeSet;

use sitemap_read::Rule;

/// The first column of a row, and the tests of it. The rows up to the mark are the cases in which other
/// readers differ.
const TESTS: &[(&str, &[&str])] = &[
    ("wrong or missing namespace", &["namespace_missing", "namespace_misspelt"]),
    ("prefixed root, children without prefix", &["prefixed_root"]),
    ("white space around a value, U+00A0 and its like too", &["order_and_white_space_mean_nothing"]),
    ("line break inside a URL", &["newline_inside_a_url"]),
    ("blank or comment before `<?xml`", &["blank_before_the_declaration", "comment_before_the_declaration"]),
    ("text before the document, as PHP warnings are", &["text_before_the_document"]),
    ("UTF-8 byte order mark", &["byte_order_mark"]),
    ("UTF-16, declared legacy encodings", &["utf_16", "declared_encodings"]),
    ("declared encoding unknown or not the file's", &["unknown_or_wrong_declared_encoding"]),
    ("bytes that are not UTF-8", &["bytes_that_are_not_utf8"]),
    (
        "a near-miss of a date: no zone, `t`, `z`, `+0800`, blank, date with zone, 24:00, RFC 822",
        &["bad_dates_never_cost_the_entry"],
    ),
    ("any other bad date", &["bad_dates_never_cost_the_entry"]),
    ("`YYYY`, `YYYY-MM`", &["years_and_months_stay_what_they_are"]),
    ("change frequency in another case", &["bad_change_frequency"]),
    ("any other bad change frequency", &["bad_change_frequency"]),
    ("bad priority", &["bad_priority"]),
    ("raw `&`", &["raw_ampersand_and_html_entities"]),
    ("`&nbsp;` and other HTML entities", &["raw_ampersand_and_html_entities"]),
    ("doubly escaped text", &["references_are_decoded_once"]),
    ("references to characters that XML forbids", &["characters_that_xml_forbids"]),
    ("upper-case tags", &["upper_case_tags"]),
    ("CDATA, comments within a value", &["character_data_sections"]),
    ("relative address", &["bad_addresses_cost_the_entry_and_are_named"]),
    ("other scheme, no host, bad port, user name", &["bad_addresses_cost_the_entry_and_are_named"]),
    ("`.` and `..` in an address", &["dot_segments_are_resolved"]),
    ("address of more than 2,047 characters", &["address_of_2_048_characters"]),
    ("relative link in a feed", &["rss"]),
    ("two `loc` in one `url`", &["two_addresses_in_one_entry_are_two_entries"]),
    ("any other value twice", &["other_values_twice"]),
    ("`image:loc` under its own, a wrong or no namespace", &["an_images_address_is_never_the_pages"]),
    ("no `loc`, but a URL as text of `url`", &["address_as_text_of_the_entry"]),
    ("unclosed tags", &["unclosed_tags"]),
    ("end tag without a start tag", &["malformed_tags"]),
    ("`< url>`, `</ url>` and other malformed tags", &["malformed_tags"]),
    ("`<` that begins no tag", &["stray_angle_bracket"]),
    ("truncated document", &["truncated_documents_keep_what_is_whole"]),
    (
        "truncated or damaged gzip",
        &["truncated_keeps_what_was_decoded", "damaged_or_followed_by_other_bytes"],
    ),
    ("compressed twice", &["one_member_several_and_twice"]),
    ("order of elements", &["order_and_white_space_mean_nothing"]),
    ("unknown elements, text between elements", &["unknown_elements_and_text_between"]),
    ("elements of unknown namespaces", &["elements_of_unknown_namespaces_do_not_leak"]),
    ("DOCTYPE", &["doctype_is_skipped_and_nothing_expanded", "a_damaged_doctype_hides_nothing"]),
    ("one URL several times", &["duplicates_of_a_url_are_kept"]),
    ("pages outside the sitemap's scope", &["pages_of_any_place_are_kept"]),
    ("entries without a root", &["entries_without_a_root"]),
    ("a `sitemap` in a urlset, a `url` in an index, a `loc` in neither", &["entries_of_the_wrong_kind"]),
    ("entries of both dialects in one document", &["dialects_in_one_document"]),
    ("a second document after the first", &["what_follows_the_root"]),
    ("more than 50,000 entries", &["more_than_50_000_entries_are_read_and_said_once"]),
    ("a line of a text sitemap that is no URL", &["lines_that_are_no_urls_are_named"]),
    ("a bad value of an extension", &["bad_values_of_extensions"]),
    ("nothing but blanks, compressed or not", &["nothing_but_blanks_is_an_empty_document"]),
];

/// The rows of the table: defect, decision, finding.
fn rows() -> Vec<[&'static str; 3]> {
    let source = include_str!("../src/read/mod.rs");
    let mut lines = source.lines().map(|line| line.trim_start_matches("//!").trim());
    lines.by_ref().find(|line| *line == "| defect | decision | finding |").expect("the table");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |row: &'static str| row.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>();
    rows.map(|row| cells(row).try_into().unwrap_or_else(|_| panic!("not three columns: {row}"))).collect()
}

#[test]
fn each_decision_has_its_test_and_each_test_its_decision() {
    let documented: BTreeSet<_> = rows().iter().map(|[defect, ..]| *defect).collect();
    let tested: BTreeSet<_> = TESTS.iter().map(|(defect, _)| *defect).collect();
    assert_eq!(documented, tested);
    let source = include_str!("reader.rs");
    for (defect, tests) in TESTS {
        assert!(!tests.is_empty(), "{defect}");
        for test in *tests {
            let is_there = source.contains(&format!("#[test]\n    fn {test}() {{"));
            assert!(is_there, "no test `{test}`, which is to show what is done about: {defect}");
        }
    }
}

#[test]
fn each_finding_that_is_named_is_a_rule() {
    for [defect, decision, findings] in rows() {
        assert!(!decision.is_empty(), "{defect}");
        let quoted = findings.split('`').skip(1).step_by(2);
        for id in quoted {
            assert!(id.parse::<Rule>().is_ok(), "{defect}: no rule {id}");
        }
    }
}
