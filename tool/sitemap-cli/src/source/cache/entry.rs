//! The file of a cached document: a digest, a line of metadata, and the document's bytes.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sitemap_pages::visit::Validators;
use twox_hash::XxHash3_128 as Hasher;

/// The length of the first line, which is a digest of all bytes after that line.
const DIGEST: usize = 33;

/// The maximum length of the metadata line.
const MAX_HEAD: u64 = 64 << 10;

/// The metadata of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The URL that was requested.
    pub(super) url: String,
    /// The URL after all redirects.
    pub(super) served_at: String,
    pub(super) validators: Validators,
}

/// The reason why a cached file can't be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// There is no file, or it belongs to a different document.
    Missing,
    Damaged,
    Failed(io::Error),
}

/// The metadata line of a document.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Head {
    url: String,
    served_at: String,
    etag: Option<String>,
    last_modified: Option<String>,
    bytes: u64,
}

/// Returns the file name for a URL's document.
pub(super) fn key(url: &str, variant: &str) -> String {
    format!("{:032x}", Hasher::oneshot(format!("{url}\n{variant}").as_bytes()))
}

impl Entry {
    /// Reads the metadata of a cached document.
    pub(super) fn read(path: &Path) -> Result<Self, Unusable> {
        let mut file = open(path)?;
        digest(&mut file)?;
        Ok(head(&mut file)?.0)
    }

    /// Copies the document to another file, and verifies its digest.
    pub(super) fn copy(&self, from: &Path, to: &Path) -> Result<(), Unusable> {
        let mut file = open(from)?;
        let expected = digest(&mut file)?;
        let (entry, bytes, line) = head(&mut file)?;
        if entry != *self {
            return Err(Unusable::Missing);
        }
        let mut hasher = Hasher::new();
        hasher.write(line.as_bytes());
        let mut to = File::create(to).map_err(Unusable::Failed)?;
        if copy(&mut file, &mut to, &mut hasher).map_err(Unusable::Failed)? == bytes
            && hasher.finish_128() == expected
        {
            Ok(())
        } else {
            Err(Unusable::Damaged)
        }
    }

    /// Writes a document and its metadata to a file.
    pub(super) fn write(&self, to: &mut File, body: &Path) -> io::Result<()> {
        let Self { url, served_at, validators } = self.clone();
        let mut body = File::open(body)?;
        let Validators { etag, last_modified, .. } = validators;
        let head = Head { url, served_at, etag, last_modified, bytes: body.metadata()?.len() };
        let line = format!("{}\n", serde_json::to_string(&head)?);
        if line.len() as u64 > MAX_HEAD {
            return Err(io::Error::other("the URL or the entity tag is too long"));
        }
        let mut hasher = Hasher::new();
        hasher.write(line.as_bytes());
        // The digest covers only the bytes after it.
        to.write_all(&[b' '; DIGEST])?;
        let mut writer = BufWriter::new(&mut *to);
        writer.write_all(line.as_bytes())?;
        copy(&mut body, &mut writer, &mut hasher)?;
        writer.flush()?;
        drop(writer);
        io::Seek::rewind(to)?;
        to.write_all(format!("{:032x}\n", hasher.finish_128()).as_bytes())
    }
}

fn open(path: &Path) -> Result<BufReader<File>, Unusable> {
    File::open(path).map(BufReader::new).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unusable::Missing,
        _ => Unusable::Failed(error),
    })
}

fn digest(file: &mut BufReader<File>) -> Result<u128, Unusable> {
    let mut line = [0; DIGEST];
    file.read_exact(&mut line).map_err(damaged)?;
    let text = str::from_utf8(&line).ok().and_then(|text| text.strip_suffix('\n'));
    text.and_then(|text| u128::from_str_radix(text, 16).ok()).ok_or(Unusable::Damaged)
}

/// Returns the parsed metadata line, the number of bytes after it, and the line itself.
fn head(file: &mut BufReader<File>) -> Result<(Entry, u64, String), Unusable> {
    let mut line = String::new();
    file.take(MAX_HEAD).read_line(&mut line).map_err(damaged)?;
    let head: Head = serde_json::from_str(&line).map_err(|_| Unusable::Damaged)?;
    let Head { url, served_at, etag, last_modified, bytes } = head;
    Ok((Entry { url, served_at, validators: Validators::new(etag, last_modified) }, bytes, line))
}

/// The line is damaged if it is cut off or not UTF-8.
fn damaged(error: io::Error) -> Unusable {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => Unusable::Damaged,
        _ => Unusable::Failed(error),
    }
}

/// Copies all bytes and adds them to a digest. Returns the number of bytes.
fn copy(from: &mut impl io::Read, to: &mut impl io::Write, hasher: &mut Hasher) -> io::Result<u64> {
    let mut chunk = vec![0; 64 << 10];
    let mut copied = 0;
    loop {
        let len = match from.read(&mut chunk) {
            Ok(0) => return Ok(copied),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.write(&chunk[..len]);
        to.write_all(&chunk[..len])?;
        copied += len as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_damaged_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("body"), "https://example.com/\n").unwrap();
        let entry = Entry {
            url: "https://example.com/a.txt".to_owned(),
            served_at: "https://example.com/b.txt".to_owned(),
            validators: Validators::new(Some("\"1\"".to_owned()), None),
        };
        entry.write(&mut File::create(path("entry")).unwrap(), &path("body")).unwrap();
        assert_eq!(Entry::read(&path("entry")).unwrap(), entry);
        entry.copy(&path("entry"), &path("copy")).unwrap();
        assert_eq!(fs::read(path("copy")).unwrap(), fs::read(path("body")).unwrap());
        let whole = fs::read(path("entry")).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            for bytes in [&bytes[..], &whole[..at]] {
                fs::write(path("damaged"), bytes).unwrap();
                assert!(entry.copy(&path("damaged"), &path("copy")).is_err(), "byte {at}");
            }
        }
        assert!(matches!(Entry::read(&path("none")), Err(Unusable::Missing)));
    }
}
