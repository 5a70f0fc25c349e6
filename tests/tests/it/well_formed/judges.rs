//! Other parsers that judge whether a document is well-formed.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;

/// libxml2's verdict on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    WellFormed,
    /// The document only breaks namespace rules.
    Namespaces(String),
    Malformed(String),
}

impl Verdict {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::WellFormed => "well-formed by libxml2",
            Self::Namespaces(_) => "wrong namespaces by libxml2",
            Self::Malformed(_) => "not well-formed by libxml2",
        }
    }
}

/// Returns libxml2's verdict on each document, or `None` if libxml2 or Python is missing.
pub(super) fn libxml2(documents: &[Vec<u8>]) -> Option<Vec<Verdict>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../dev/ci/libxml2");
    let child = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        sitemap_tests::skip("`python3` is not installed");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let lines = thread::scope(|scope| {
        scope.spawn(move || {
            for document in documents {
                let length = u32::try_from(document.len()).unwrap().to_le_bytes();
                // If libxml2 is missing, the script exits early, so writing fails. We check its status below.
                let _ = input.write_all(&length).and_then(|()| input.write_all(document));
            }
        });
        let mut lines = String::new();
        output.read_to_string(&mut lines).unwrap();
        lines
    });
    if !child.wait().unwrap().success() {
        sitemap_tests::skip("libxml2 is not installed; install the Debian package libxml2-utils");
        return None;
    }
    let verdict = |line: &str| match line.split_once(": ") {
        Some(("not well-formed", why)) => Verdict::Malformed(why.to_owned()),
        Some(("namespaces", why)) => Verdict::Namespaces(why.to_owned()),
        _ => {
            assert_eq!(line, "ok");
            Verdict::WellFormed
        }
    };
    let verdicts: Vec<_> = lines.lines().map(verdict).collect();
    assert_eq!(verdicts.len(), documents.len());
    Some(verdicts)
}

/// Reads a document with quick-xml and all of its checks enabled. Returns its error.
pub(super) fn quick_xml(document: &[u8]) -> Result<(), String> {
    let mut reader = NsReader::from_reader(document);
    let config = reader.config_mut();
    config.check_comments = true;
    config.check_end_names = true;
    config.allow_dangling_amp = false;
    config.allow_unmatched_ends = false;
    let mut depth = 0_usize;
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
        depth += 1;
        assert!(depth < 1_000_000);
    }
}
