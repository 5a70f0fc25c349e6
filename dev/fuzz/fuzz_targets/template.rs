//! Scans arbitrary strings as URL templates, which must not panic. If a template is accepted, joining its parts must
//! give a template with the same number of parts.
#![no_main]
#![allow(dead_code)] // this target uses only a part of the derive's files

#[path = "../../../sitemap-derive/src/report"]
mod report {
    pub(crate) mod suggest;
}
#[path = "../../../sitemap-derive/src/text/mod.rs"]
mod text;

use libfuzzer_sys::fuzz_target;
use text::fields::Fields;
use text::template::{Part, scan, scan_base};

fuzz_target!(|text: &str| {
    let _ = scan_base(text);
    if let Ok(template) = scan(text, Fields(&[])) {
        let mut written = String::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => written.push_str(text),
                Part::Value(placeholder, _) => written.push_str(&placeholder.to_string()),
                Part::Joined(text) => written.push_str(&format!("&{text}")),
                Part::Optional(key, placeholder) => {
                    let separator = if written.contains('?') { '&' } else { '?' };
                    written.push_str(&format!("{separator}{key}{placeholder}"));
                }
            }
        }
        let again = scan(&written, Fields(&[]));
        assert!(again.is_ok_and(|again| again.parts.len() == template.parts.len()), "{written}");
    }
});
