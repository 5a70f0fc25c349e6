//! Counts the pages of a published set without a manifest, by counting the start tags in its files.
//!
//! The guard needs only the number. Files that can't be read, such as files on another server, count as empty, so that
//! no run is refused because of pages that never existed.

use std::io::{self, BufRead, BufReader, Read};

use super::names;
use crate::publish::error::PublishError;
use crate::storage::{REQUESTS_AT_ONCE, Storage};
use crate::threads;

/// The maximum number of bytes to read from a file, after decompression: twice as many as search engines read.
const LONGEST: u64 = 100 << 20;

/// The contents of a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Listed {
    pages: u64,
    /// The URLs of the files listed by an index.
    files: Vec<String>,
}

/// Returns the number of pages in `sitemap.xml` and in the files that it lists and the storage contains.
pub(super) fn pages(storage: &dyn Storage) -> Result<u64, PublishError> {
    let Listed { mut pages, files } = read(storage, names::ENTRY_POINT)?;
    let mut names: Vec<String> = files.iter().filter_map(|url| name(url)).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    let counts =
        threads::map(REQUESTS_AT_ONCE, &names, |name| read(storage, name).map(|listed| listed.pages))?;
    pages += counts.into_iter().sum::<u64>();
    Ok(pages)
}

/// Returns the name of a file in the folder of the index. The recent section is ignored, because it only repeats pages.
fn name(url: &str) -> Option<&str> {
    let name = url.rsplit('/').next()?;
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let is_file = !name.is_empty() && !name.starts_with('.') && name != names::ENTRY_POINT;
    Some(name).filter(|_| is_plain && is_file && !names::is_recent_file(name))
}

fn read(storage: &dyn Storage, name: &str) -> Result<Listed, PublishError> {
    let failed = |error| PublishError::io("read", &storage.locate(name), error);
    let file = match storage.open(name) {
        Ok(file) => BufReader::new(file),
        // A link is not followed. It is replaced like any other file.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput) => {
            return Ok(Listed::default());
        }
        // An unreadable file can't be counted, but the run may still replace it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && name != names::ENTRY_POINT => {
            return Ok(Listed::default());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut listed = Listed::default();
    match count(file, &mut listed) {
        Ok(()) => Ok(listed),
        // The file is damaged, but the pages counted up to that point are real.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof) => {
            Ok(listed)
        }
        Err(error) => Err(failed(error)),
    }
}

fn count(mut file: BufReader<impl Read>, listed: &mut Listed) -> io::Result<()> {
    let start = file.fill_buf()?;
    if start.starts_with(&[0x1f, 0x8b]) {
        return count_compressed(file, listed);
    }
    if start.starts_with(b"http") { count_lines(file, listed) } else { count_tags(file, listed) }
}

#[cfg(feature = "gzip")]
fn count_compressed(file: impl BufRead, listed: &mut Listed) -> io::Result<()> {
    let mut file = BufReader::new(flate2::bufread::MultiGzDecoder::new(file));
    if file.fill_buf()?.starts_with(b"http") { count_lines(file, listed) } else { count_tags(file, listed) }
}

#[cfg(not(feature = "gzip"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature, it may fail")]
fn count_compressed(_: impl BufRead, _: &mut Listed) -> io::Result<()> {
    Ok(())
}

/// Counts the lines of a text file.
fn count_lines(file: impl BufRead, listed: &mut Listed) -> io::Result<()> {
    let mut file = file.take(LONGEST);
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line)? > 0 {
        listed.pages += u64::from(line.starts_with(b"http"));
        line.clear();
    }
    Ok(())
}

/// Counts the `url` start tags, and collects the URLs of an index.
fn count_tags(file: impl BufRead, listed: &mut Listed) -> io::Result<()> {
    let mut file = file.take(LONGEST);
    let (mut text, mut is_in_index) = (Vec::new(), false);
    // After `loc`, reads the text up to and including the `<` of the next tag.
    let mut is_at_tag = false;
    loop {
        text.clear();
        if !is_at_tag && file.skip_until(b'<')? == 0 {
            return Ok(());
        }
        is_at_tag = false;
        if file.read_until(b'>', &mut text)? == 0 {
            return Ok(());
        }
        match tag(&text) {
            b"url" => listed.pages += 1,
            b"sitemap" => is_in_index = true,
            b"loc" if is_in_index => {
                is_in_index = false;
                text.clear();
                file.read_until(b'<', &mut text)?;
                is_at_tag = text.pop_if(|last| *last == b'<').is_some();
                // File names of a set never contain a character that XML escapes.
                if let Ok(url) = std::str::from_utf8(&text) {
                    listed.files.push(url.trim().to_owned());
                }
            }
            _ => {}
        }
    }
}

/// Returns the name of a start tag without its prefix. For an end tag, the name is empty.
fn tag(text: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let name = text.split(is_end).next().unwrap_or_default();
    name.rsplit(|byte| *byte == b':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Memory;

    fn listed(bytes: &[u8]) -> Listed {
        let mut listed = Listed::default();
        count(BufReader::with_capacity(7, bytes), &mut listed).unwrap();
        listed
    }

    #[test]
    fn pages_are_start_tags_or_lines() {
        for (text, pages) in [
            ("<urlset><url><loc>https://a.example/</loc></url><url\n><loc/></url></urlset>", 2),
            ("<s:urlset><s:url><s:loc>https://a.example/</s:loc></s:url></s:urlset>", 1),
            ("<urlset><!-- no url --></urlset>", 0),
            ("https://a.example/\nhttps://a.example/b\n", 2),
            ("<html><a href='url'>url</a></html>", 0),
            ("", 0),
            ("<url", 1),
        ] {
            assert_eq!(listed(text.as_bytes()).pages, pages, "{text}");
        }
    }

    #[test]
    fn an_index_lists_files() {
        let index = "<sitemapindex><sitemap><loc> https://a.example/a-1.xml </loc><lastmod>2026</lastmod></sitemap>\
                     <sitemap><lastmod/><loc>https://a.example/b.xml.gz</loc></sitemap></sitemapindex>";
        let Listed { pages, files } = listed(index.as_bytes());
        assert_eq!(
            (pages, files.as_slice()),
            (0, &["https://a.example/a-1.xml", "https://a.example/b.xml.gz"].map(str::to_owned)[..])
        );
        assert_eq!(name(&files[0]), Some("a-1.xml"));
        for url in [
            "https://a.example/",
            "https://a.example/sitemap.xml",
            "https://a.example/.a",
            "https://a.example/a?b",
        ] {
            assert_eq!(name(url), None, "{url}");
        }
    }

    #[test]
    fn files_that_are_elsewhere_have_no_pages() {
        let memory = Memory::new();
        let index = "<sitemapindex><sitemap><loc>https://a.example/a.xml</loc></sitemap>\
                     <sitemap><loc>https://a.example/a.xml</loc></sitemap>\
                     <sitemap><loc>https://a.example/b.xml</loc></sitemap></sitemapindex>";
        memory.put(names::ENTRY_POINT, index.as_bytes()).unwrap();
        memory.put("a.xml", b"<urlset><url/><url/></urlset>").unwrap();
        assert_eq!(pages(&memory).unwrap(), 2);
    }

    #[cfg(feature = "gzip")]
    #[test]
    fn compressed_files_are_counted_and_damaged_ones_as_far_as_possible() {
        use std::io::Write as _;

        let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        file.write_all(b"<urlset><url/><url/></urlset>").unwrap();
        let bytes = file.finish().unwrap();
        assert_eq!(listed(&bytes).pages, 2);
        let memory = Memory::new();
        memory.put("a.xml.gz", &bytes[..bytes.len() - 4]).unwrap();
        assert_eq!(read(&memory, "a.xml.gz").unwrap().pages, 2);
    }
}
