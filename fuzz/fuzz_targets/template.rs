//! Scans any text as a URL template without a panic. The parts of an accepted template, joined to one text, must again
//! be a template with the same number of parts.
#![no_main]
#![allow(dead_code)] // this target uses only a part of the derive's files

#[path = "../../sitemap-derive/src/text/mod.rs"]
mod text;

use libfuzzer_sys::fuzz_target;
use text::template::{Part, scan, scan_base};

fuzz_target!(|text: &str| {
    let _ = scan_base(text);
    if let Ok(template) = scan(text) {
        let written: String = template
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Value(placeholder, _) => placeholder.to_string(),
            })
            .collect();
        assert!(scan(&written).is_ok_and(|again| again.parts.len() == template.parts.len()), "{written}");
    }
});
