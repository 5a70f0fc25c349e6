//! Checks whether arbitrary bytes are well-formed XML. There must be a violation if quick-xml finds an error, unless the
//! document has a DTD, which is skipped.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use sitemap_read::xml_violations;

fuzz_target!(|data: &[u8]| {
    let wrapped = [b"<a xmlns:x=\"urn:x\">".as_slice(), data, b"</a>"].concat();
    for document in [data, &wrapped] {
        let whole = xml_violations(document);
        for finding in &whole {
            let start = usize::try_from(finding.span().start.offset).expect("a small document");
            assert!(
                start <= document.len() && finding.span().start.line >= 1 && finding.span().start.column >= 1
            );
        }
        let has_dtd = document.windows(9).any(|part| part == b"<!DOCTYPE");
        if let (true, false, Err(error)) = (whole.is_empty(), has_dtd, quick_xml(document)) {
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
