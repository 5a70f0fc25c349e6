//! Reads pages from files as if they were responses of a server.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::visit::{Outcome as VisitOutcome, Validators, Visit};

/// The media types that web servers use for files other than HTML.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("epub", "application/epub+zip"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("ps", "application/postscript"),
    ("rtf", "application/rtf"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain"),
    ("webp", "image/webp"),
    ("xhtml", "application/xhtml+xml"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

pub(crate) fn read(path: &Path, url: &str, at: SystemTime) -> io::Result<Visit> {
    let body = fs::read(path)?;
    let headers: Vec<_> =
        media_type(path).map(|media_type| ("content-type", media_type)).into_iter().collect();
    let response = Response::new(url, 200, &headers, &body);
    let facts = Box::new(PageFacts::of(&response));
    let outcome = VisitOutcome::Page { facts, validators: Validators::default() };
    Ok(Visit::new(url.to_owned(), at, outcome))
}

fn media_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    let known = MEDIA_TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, media_type)| *media_type)
}

#[cfg(test)]
mod tests {
    use super::{MEDIA_TYPES, media_type};
    use std::path::Path;

    #[test]
    fn the_extension_decides_the_media_type_in_any_letter_case() {
        for (name, expected) in [
            ("a/oak.HTML", Some("text/html")),
            ("oak.xhtml", Some("application/xhtml+xml")),
            ("price.list.Pdf", Some("application/pdf")),
            ("oak", None),
            ("oak.tree", None),
        ] {
            assert_eq!(media_type(Path::new(name)), expected, "{name}");
        }
        assert!(MEDIA_TYPES.is_sorted_by_key(|(extension, _)| extension));
    }
}
