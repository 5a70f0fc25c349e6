//! Checks whether arbitrary bytes are well-formed XML, both as a whole and in pieces. The violations must be the same,
//! and there must be at least one if quick-xml finds an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use sitemap_read::xml_violations;

fuzz_target!(|data: &[u8]| {
    let wrapped = [b"<a xmlns:x=\"urn:x\">".as_slice(), data, b"</a>"].concat();
    for document in [data, &wrapped] {
        let whole = xml_violations([document]);
        for step in [1, 7, 64] {
            assert_eq!(whole, xml_violations(document.chunks(step)), "in pieces of {step}");
        }
        for finding in &whole {
            let start = usize::try_from(finding.span().start.offset).expect("a small document");
            assert!(
                start <= document.len() && finding.span().start.line >= 1 && finding.span().start.column >= 1
            );
        }
        if let (true, Err(error)) = (whole.is_empty(), quick_xml(document)) {
            panic!("quick-xml finds an error: {error}");
        }
    }
});

/// Reads a document with quick-xml and all of its checks enabled. Returns its error.
fn quick_xml(document: &[u8]) -> Result<(), String> {
    let mut reader = NsReader::from_reader(document);
    reader.config_mut().check_comments = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let (namespace, event) =
            reader.read_resolved_event_into(&mut buffer).map_err(|error| error.to_string())?;
        if let ResolveResult::Unknown(prefix) = namespace {
            return Err(format!("unknown prefix {prefix:?}"));
        }
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    attribute.map_err(|error| error.to_string())?;
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
