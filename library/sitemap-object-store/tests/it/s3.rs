//! Tests the headers and errors of an S3 server.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use sitemap_core::publish::Names;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{Format, Storage as _};
use sitemap_object_store::ObjectStorage;

use crate::support::{
    Place, assert_published, builder, new_folder, publish, s3_bucket, s3_folder, s3_folder_with, start,
};

/// Requests a file's headers and returns them in lower case.
fn headers(path: &str) -> Option<String> {
    let (endpoint, bucket) = s3_bucket()?;
    let host = endpoint.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    // The server requires a signature but does not verify it.
    write!(
        stream,
        "HEAD /{bucket}/{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: AWS test:test\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    Some(answer.to_ascii_lowercase())
}

/// Returns a file's `Content-Type` and `Cache-Control`.
fn served(folder: &str, name: &str) -> (String, Option<String>) {
    let headers = headers(&format!("{folder}/{name}")).unwrap();
    assert!(!headers.contains("content-encoding"), "{headers}");
    let value = |key: &str| headers.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
    (value("content-type: ").unwrap(), value("cache-control: "))
}

#[test]
fn listed_files_have_the_metadata_of_single_requests() {
    let Some(storage) = s3_folder(&new_folder()) else { return };
    let names: Vec<String> = (0..40).map(|number| format!("sitemap-a-{number:05}-1.xml")).collect();
    for (number, name) in names.iter().enumerate() {
        // Every fourth file is missing.
        if number % 4 > 0 {
            storage.put(name, &b"<urlset/>".repeat(number)).unwrap();
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let listed = storage.find_listed(&names);
    let single: Vec<_> = names.iter().map(|name| storage.metadata(name).unwrap()).collect();
    assert_eq!(listed, single);
    assert_eq!(listed.iter().flatten().count(), 30);
}

#[test]
fn files_are_served_with_their_types() {
    for (format, is_gzip, file, content_type) in [
        (Format::Xml, false, "sitemap-a-1.xml", "application/xml"),
        (Format::Xml, true, "sitemap-a-1.xml.gz", "application/gzip"),
        (Format::Text, false, "sitemap-a-1.txt", "text/plain; charset=utf-8"),
        (Format::Text, true, "sitemap-a-1.txt.gz", "application/gzip"),
    ] {
        let folder = new_folder();
        let Some(storage) = s3_folder(&folder) else { return };
        let builder = builder(Names::Stable).format(format);
        let builder = if is_gzip { builder.gzip() } else { builder };
        let mut run = builder.storage(storage.cache_control("max-age=600")).replace().unwrap();
        run.section("a").unwrap().add_all(["/1", "/2", "/3"]).unwrap();
        run.commit().unwrap();
        let cached = Some("max-age=600".to_owned());
        assert_eq!(served(&folder, file), (content_type.to_owned(), cached.clone()));
        assert_eq!(served(&folder, "sitemap.xml"), ("application/xml".to_owned(), cached));
        assert_eq!(served(&folder, ".sitemap-manifest.jsonl"), ("application/jsonl".to_owned(), None));
    }
}

#[test]
fn the_error_of_a_missing_bucket_names_it() {
    let Some((endpoint, _)) = s3_bucket() else { return };
    let options = [
        ("aws_endpoint", endpoint.as_str()),
        ("aws_allow_http", "true"),
        ("aws_access_key_id", "test"),
        ("aws_secret_access_key", "test"),
    ];
    let storage = ObjectStorage::open_with("s3://nowhere/x", options).unwrap();
    let error = builder(Names::Stable).storage(storage).replace().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read `s3://nowhere/x/.sitemap-manifest.jsonl`: the bucket `nowhere` does not exist (`NoSuchBucket`); \
         create it, or correct its name or the region"
    );
}

#[test]
fn without_conditional_requests_a_run_compares_before_it_replaces() {
    let disabled = Some(("aws_conditional_put", "disabled"));
    let Some(storage) = s3_folder_with(&new_folder(), disabled) else { return };
    let place = Place::of_s3(storage);
    publish(&place.storage, Names::Stable, "old").unwrap();
    let (slow, quick) =
        (start(&place.storage, Names::Stable, "slow"), start(&place.storage, Names::Stable, "quick"));
    quick.commit().unwrap();
    let error = slow.commit().unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }), "{error}");
    assert_published(&place, "quick");
}

#[test]
fn an_unreachable_server_is_an_error_at_the_beginning() {
    let options = [
        // No server listens on this port.
        ("aws_endpoint", "http://127.0.0.1:9"),
        ("aws_allow_http", "true"),
        ("aws_access_key_id", "test"),
        ("aws_secret_access_key", "test"),
    ];
    let storage = ObjectStorage::open_with("s3://bucket/x", options).unwrap();
    let storage = storage.answer_within(std::time::Duration::from_secs(1));
    let error = builder(Names::Stable).storage(storage).replace().unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Io { .. }));
    assert_eq!(
        error.to_string(),
        "cannot read `s3://bucket/x/.sitemap-manifest.jsonl`: `127.0.0.1:9` did not answer within 1 seconds: \
         connection refused; check the endpoint, the region and the network"
    );
}
