//! Any URL template: no panic, and a template that is taken can be written again and reads the same.
#![no_main]
#![allow(dead_code)] // the derive uses more of its files than this does

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
