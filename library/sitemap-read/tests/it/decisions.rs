//! Checks that every row of the table in `decisions.md` has tests. The table lists how the reader treats each known
//! defect.

use std::collections::BTreeSet;

use sitemap_read::Rule;

use crate::extensions;
use crate::reader::{decisions, formats, gzip, limits};

type Tests = &'static [fn()];

/// The tests for each row of the table, which is identified by its first column.
const TESTS: &[(&str, Tests)] = &[
    ("wrong or missing namespace", &[decisions::namespace_missing, decisions::namespace_misspelt]),
    ("prefixed root, children without prefix", &[decisions::prefixed_root]),
    (
        "white space around a value, including U+00A0 and similar spaces",
        &[formats::order_and_white_space_mean_nothing],
    ),
    ("line break inside a URL", &[decisions::newline_inside_a_url]),
    (
        "blank or comment before `<?xml`",
        &[decisions::blank_before_the_declaration, decisions::comment_before_the_declaration],
    ),
    ("text before the document, such as PHP warnings", &[decisions::text_before_the_document]),
    ("UTF-8 byte order mark", &[decisions::byte_order_mark]),
    ("UTF-16, declared legacy encodings", &[decisions::utf_16, decisions::declared_encodings]),
    (
        "declared encoding unknown or different from the file's",
        &[decisions::unknown_or_wrong_declared_encoding],
    ),
    ("bytes that are not UTF-8", &[decisions::bytes_that_are_not_utf8]),
    (
        "an almost valid date: no zone, `t`, `z`, `+0800`, blank, date with zone, 24:00, RFC 822",
        &[decisions::invalid_dates_never_drop_the_entry],
    ),
    ("any other invalid date", &[decisions::invalid_dates_never_drop_the_entry]),
    ("`YYYY`, `YYYY-MM`", &[decisions::years_and_months_stay_what_they_are]),
    ("change frequency not in lower case", &[decisions::bad_change_frequency]),
    ("any other invalid change frequency", &[decisions::bad_change_frequency]),
    ("invalid priority", &[decisions::bad_priority]),
    ("raw `&`", &[decisions::raw_ampersand_and_html_entities]),
    ("`&nbsp;` and other HTML entities", &[decisions::raw_ampersand_and_html_entities]),
    ("doubly escaped text", &[decisions::references_are_decoded_once]),
    ("references to characters that XML forbids", &[decisions::characters_that_xml_forbids]),
    ("upper-case tags", &[decisions::upper_case_tags]),
    ("CDATA and comments inside a value", &[decisions::character_data_sections]),
    ("relative URL", &[decisions::invalid_urls_drop_the_entry_and_are_reported]),
    (
        "other scheme, no host, invalid port, user name",
        &[decisions::invalid_urls_drop_the_entry_and_are_reported],
    ),
    ("`.` and `..` segments in a URL", &[decisions::dot_segments_are_resolved]),
    ("URL of more than 2,047 characters", &[decisions::url_of_2_048_characters]),
    ("relative link in a feed", &[formats::rss]),
    ("two `loc` in one `url`", &[decisions::two_urls_in_one_entry_are_two_entries]),
    ("any other value twice", &[decisions::other_values_twice, extensions::repeated_values]),
    (
        "`image:loc` in the right namespace, a wrong one or none",
        &[decisions::the_url_of_an_image_is_never_the_url_of_the_page],
    ),
    ("no `loc`, but a URL as the text of `url`", &[decisions::url_as_text_of_the_entry]),
    ("unclosed tags", &[decisions::unclosed_tags]),
    ("end tag without a start tag", &[decisions::malformed_tags]),
    ("`< url>`, `</ url>` and other malformed tags", &[decisions::malformed_tags]),
    ("`<` that does not start a tag", &[decisions::stray_angle_bracket]),
    ("truncated document", &[decisions::truncated_documents_keep_what_is_whole]),
    (
        "truncated or damaged gzip",
        &[gzip::truncated_keeps_what_was_decoded, gzip::damaged_or_followed_by_other_bytes],
    ),
    ("compressed twice", &[gzip::one_member_several_and_twice]),
    ("order of elements", &[formats::order_and_white_space_mean_nothing]),
    (
        "unknown elements, text between elements",
        &[decisions::unknown_elements_and_text_between, extensions::unknown_elements],
    ),
    ("elements of unknown namespaces", &[decisions::elements_of_unknown_namespaces_do_not_leak]),
    (
        "DOCTYPE",
        &[decisions::doctype_is_skipped_and_nothing_expanded, decisions::a_damaged_doctype_hides_nothing],
    ),
    ("one URL several times", &[decisions::duplicates_of_a_url_are_kept]),
    ("pages outside the sitemap's scope", &[decisions::pages_of_any_place_are_kept]),
    ("entries without a root", &[decisions::entries_without_a_root]),
    (
        "a `sitemap` in a urlset, a `url` in an index, a `loc` outside `url` and `sitemap`",
        &[decisions::entries_of_the_wrong_kind],
    ),
    ("entries of both dialects in one document", &[decisions::dialects_in_one_document]),
    ("a second document after the first", &[decisions::what_follows_the_root]),
    ("more than 50,000 entries", &[limits::more_than_50_000_entries_are_read_and_reported_once]),
    ("a line of a text sitemap that is not a URL", &[formats::lines_that_are_not_urls_are_reported]),
    (
        "an invalid value of an image, video or news article",
        &[decisions::bad_values_of_extensions, extensions::each_invalid_value_is_kept],
    ),
    (
        "an image, video or news article without a required value",
        &[extensions::elements_without_a_required_value_are_kept],
    ),
    (
        "an invalid item in a list of a video or news article",
        &[extensions::lists_with_an_invalid_item_are_kept_as_they_are],
    ),
    (
        "a language version with an invalid language tag or URL",
        &[extensions::a_link_is_a_language_version_only_if_it_says_so],
    ),
    ("nothing but blanks, compressed or not", &[gzip::nothing_but_blanks_is_an_empty_document]),
];

/// Returns the rows of the table, each with defect, decision and finding.
fn rows() -> Vec<[&'static str; 3]> {
    let mut lines = include_str!("../../src/read/decisions.md").lines();
    lines
        .by_ref()
        .find(|line| *line == "| defect | decision | finding |")
        .expect("`decisions.md` has no table");
    let cells = |row: &'static str| row.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>();
    let rows = lines.skip(1);
    rows.map(|row| {
        cells(row).try_into().unwrap_or_else(|_| panic!("the row does not have three columns: {row}"))
    })
    .collect()
}

#[test]
fn each_decision_has_its_test_and_each_test_its_decision() {
    let documented: BTreeSet<_> = rows().iter().map(|[defect, ..]| *defect).collect();
    let tested: BTreeSet<_> =
        TESTS.iter().filter(|(_, tests)| !tests.is_empty()).map(|(defect, _)| *defect).collect();
    assert_eq!(documented, tested);
}

#[test]
fn each_finding_of_the_table_is_a_rule() {
    for [defect, decision, findings] in rows() {
        assert!(!decision.is_empty(), "{defect}");
        let quoted = findings.split('`').skip(1).step_by(2);
        for id in quoted {
            assert!(id.parse::<Rule>().is_ok(), "{defect}: unknown rule {id}");
        }
    }
}
