//! Tests each guarantee that a run expects from its storage.

use std::io::{self, Write as _};

use sitemap_core::Storage;
use sitemap_object_store::ObjectStorage;

use crate::support::{Place, all, memory, read};

const TEMPORARY: &str = ".sitemap-a-1.xml.7-7.tmp";

fn stage(place: &Place, bytes: &[u8]) {
    let mut file = place.storage.create(TEMPORARY).unwrap();
    file.write_all(bytes).unwrap();
    assert_eq!(file.finish().unwrap().len, bytes.len() as u64);
}

/// Returns bytes without repeated sequences, so that swapped parts would be noticed.
fn bytes(len: usize) -> Vec<u8> {
    (0..len.div_ceil(8) as u64).flat_map(|n| (n * 0x9E37_79B9).to_le_bytes()).take(len).collect()
}

#[test]
fn files_of_all_sizes_come_back_as_they_were() {
    for place in all() {
        for len in [0, 1, (8 << 20) + 1, (16 << 20) + 1, 25 << 20] {
            let expected = bytes(len);
            let mut file = place.storage.create(TEMPORARY).unwrap();
            for piece in expected.chunks(512 << 10) {
                file.write_all(piece).unwrap();
            }
            file.finish().unwrap();
            assert!(read(&place.storage, TEMPORARY) == expected, "{}: {len}", place.name);
            place.storage.sync_file(TEMPORARY).unwrap();
            assert!(read(&place.storage, TEMPORARY) == expected, "{}: {len}", place.name);
            assert_eq!(place.storage.metadata(TEMPORARY).unwrap().unwrap().len, len as u64);
            place.storage.rename(TEMPORARY, "sitemap-a-1.xml").unwrap();
            assert!(read(&place.storage, "sitemap-a-1.xml") == expected, "{}: {len}", place.name);
            assert_eq!(place.storage.metadata(TEMPORARY).unwrap(), None, "{}", place.name);
        }
    }
}

#[test]
fn a_held_file_behaves_like_a_sent_one() {
    for place in all() {
        stage(&place, b"held");
        assert_eq!(read(&place.storage, TEMPORARY), b"held");
        assert_eq!(place.storage.metadata(TEMPORARY).unwrap().unwrap().len, 4);
        place.storage.rename(TEMPORARY, "sitemap-a-1.xml").unwrap();
        assert_eq!(read(&place.storage, "sitemap-a-1.xml"), b"held");
        stage(&place, b"gone");
        place.storage.remove(TEMPORARY).unwrap();
        assert_eq!(place.storage.metadata(TEMPORARY).unwrap(), None);
        assert_eq!(place.storage.list().unwrap(), ["sitemap-a-1.xml"], "{}", place.name);
    }
}

#[test]
fn files_past_the_held_64_mib_are_sent() {
    let place = memory();
    let piece = bytes(15 << 20);
    for n in 0..6 {
        let mut file = place.storage.create(&format!(".sitemap-a-{n}.xml.7-7.tmp")).unwrap();
        file.write_all(&piece).unwrap();
        file.finish().unwrap();
    }
    // Four files of 15 MiB are kept in memory. Two more would exceed 64 MiB, so they are uploaded at once.
    assert_eq!(place.storage.list().unwrap().len(), 2);
    assert!(read(&place.storage, ".sitemap-a-5.xml.7-7.tmp") == piece);
}

#[test]
fn an_unfinished_file_leaves_nothing() {
    for place in all() {
        let mut file = place.storage.create(TEMPORARY).unwrap();
        file.write_all(&bytes(30 << 20)).unwrap();
        drop(file);
        assert_eq!(place.storage.list().unwrap(), [""; 0], "{}", place.name);
    }
}

#[test]
fn a_file_is_replaced_only_if_it_is_still_the_one_that_was_seen() {
    for place in all() {
        for is_sent in [false, true] {
            let Place { storage, name, .. } = &place;
            let switch = |bytes: &[u8], seen: Option<&sitemap_core::storage::Metadata>| {
                stage(&place, bytes);
                if is_sent {
                    storage.sync_file(TEMPORARY).unwrap();
                }
                let switched = storage.rename_if(TEMPORARY, "sitemap.xml", seen).unwrap();
                assert_eq!(storage.metadata(TEMPORARY).unwrap().is_some(), !switched, "{name}");
                if !switched {
                    storage.remove(TEMPORARY).unwrap();
                }
                switched
            };
            let stat = || storage.metadata("sitemap.xml").unwrap();
            assert!(switch(b"1", None), "{name}");
            let first = stat();
            assert!(!switch(b"2", None), "{name}");
            assert!(switch(b"two", first.as_ref()), "{name}");
            assert!(!switch(b"three", first.as_ref()), "{name}");
            assert_eq!(read(storage, "sitemap.xml"), b"two", "{name}");
            storage.remove("sitemap.xml").unwrap();
            assert!(!switch(b"four", first.as_ref()), "{name}");
            assert_eq!(stat(), None);
        }
    }
}

/// If the response is lost, the client retries and finds that its own file is already stored.
#[test]
fn a_repeated_replacement_succeeds() {
    for place in all() {
        place.storage.put("sitemap.xml", b"mine").unwrap();
        stage(&place, b"mine");
        assert!(place.storage.rename_if(TEMPORARY, "sitemap.xml", None).unwrap(), "{}", place.name);
        assert_eq!(place.storage.metadata(TEMPORARY).unwrap(), None);
    }
}

#[test]
fn files_are_listed_by_their_names_in_the_folder() {
    for place in all() {
        place.storage.put("sitemap.xml", b"x").unwrap();
        place.storage.put(".sitemap-manifest.jsonl", b"x").unwrap();
        place.storage.put("sitemap.xml", b"y").unwrap();
        let mut names = place.storage.list().unwrap();
        names.sort();
        assert_eq!(names, [".sitemap-manifest.jsonl", "sitemap.xml"], "{}", place.name);
        assert_eq!(read(&place.storage, "sitemap.xml"), b"y");
    }
}

#[test]
fn missing_files() {
    for place in all() {
        let Place { storage, name, .. } = &place;
        assert_eq!(storage.metadata("sitemap.xml").unwrap(), None, "{name}");
        let kind = |result: io::Result<()>| result.unwrap_err().kind();
        assert_eq!(kind(storage.open("sitemap.xml").map(drop)), io::ErrorKind::NotFound, "{name}");
        assert_eq!(kind(storage.rename(TEMPORARY, "sitemap.xml")), io::ErrorKind::NotFound, "{name}");
        let switched = storage.rename_if(TEMPORARY, "sitemap.xml", None).map(drop);
        assert_eq!(kind(switched), io::ErrorKind::NotFound, "{name}");
        storage.put("sitemap.xml", b"x").unwrap();
        assert_eq!(kind(storage.create("sitemap.xml").map(drop)), io::ErrorKind::AlreadyExists, "{name}");
    }
}

#[test]
fn errors_of_opening_name_the_cause() {
    for (url, message) in [
        (
            "bucket",
            "cannot open `bucket`: not a URL (relative URL without a base); write one like `s3://bucket/folder`",
        ),
        (
            "ftp://example.com/x",
            "cannot open `ftp://example.com/x`: `ftp://` is not an object store; use `s3://`, `gs://` or `az://`",
        ),
        (
            "https://example.com/x",
            "cannot open `https://example.com/x`: `https://` is not an object store; use `s3://`, `gs://` or `az://`",
        ),
    ] {
        assert_eq!(ObjectStorage::open(url).unwrap_err().to_string(), message);
    }
}

#[test]
fn secrets_are_not_shown() {
    let options = [("aws_secret_access_key", "hidden"), ("aws_access_key_id", "hidden"), ("region", "x")];
    let storage = ObjectStorage::open_with("s3://bucket/folder", options).unwrap();
    let shown = format!("{storage:?}");
    assert!(shown.contains("s3://bucket/folder") && !shown.contains("hidden"), "{shown}");
    let error = ObjectStorage::open("s3://key:hidden@bucket/folder").unwrap_err().to_string();
    assert!(error.contains("s3://key@bucket/folder") && !error.contains("hidden"), "{error}");
}
