//! Finds the places of findings: file names as URIs, and end columns.

use std::path::Path;

use sitemap_read::{FileReport, Finding, ReadLimits, document_text};

use super::source_text::Windows;
use crate::percent;
use crate::source::Documents;

/// Returns a reader of the lines with findings, or `None` if the file has no findings or cannot be read again.
pub(super) fn windows(file: &FileReport, documents: &Documents, limits: &ReadLimits) -> Option<Windows> {
    if file.findings().is_empty() && file.known_findings().is_empty() {
        return None;
    }
    // The lines of a list are not those of a sitemap.
    let document = documents.get(file.name()).filter(|document| document.list.is_none())?;
    let file = document.open().ok()?;
    let text = document_text(file, limits).ok()?;
    Some(Windows::new(Box::new(text)))
}

/// Returns the column after the last character of a finding, or after the last character in the finding's first line.
/// Returns `None` if the finding marks a position without text. Findings of a file must be passed in the order of their
/// positions.
pub(super) fn end_column(finding: &Finding, windows: Option<&mut Windows>) -> Option<u64> {
    let span = finding.span();
    let line = windows?.line(span.start.offset, span.len)?;
    let characters = String::from_utf8_lossy(&line.marked).chars().count() as u64;
    (characters > 0).then(|| span.start.column + characters)
}

/// Returns `true` for a name that is not a path: a URL or the name of standard input.
pub(super) fn is_not_a_path(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://") || name == "<stdin>"
}

/// Converts a file name to a URI reference. URLs stay unchanged, and paths are percent-encoded.
pub(super) fn uri(name: &str) -> String {
    if name.starts_with("http://") || name.starts_with("https://") {
        return name.to_owned();
    }
    let mut uri = String::new();
    for (at, segment) in Path::new(name).components().enumerate() {
        let segment = segment.as_os_str();
        if segment == "/" {
            uri.push_str("file://");
            continue;
        }
        if at > 0 {
            uri.push('/');
        }
        percent::push_encoded(&mut uri, segment.as_encoded_bytes());
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_uri_references() {
        assert_eq!(uri("public/a b.xml"), "public/a%20b.xml");
        assert_eq!(uri("https://example.com/a?b"), "https://example.com/a?b");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        #[cfg(unix)]
        assert_eq!(uri("/tmp/ü.xml"), "file:///tmp/%C3%BC.xml");
    }
}
