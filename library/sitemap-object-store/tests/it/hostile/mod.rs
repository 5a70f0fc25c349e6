//! Tests against a server that drops connections, loses responses, is overloaded, hangs or refuses requests.

mod server;

use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use sitemap_core::Storage as _;
use sitemap_core::publish::{Names, PublishErrorKind};

use self::server::{Act, Request, Server};
use crate::support::{
    Place, assert_no_leftovers, assert_published, builder, generations, new_folder, publish, s3_bucket, start,
};

/// A generator of pseudo-random numbers with a fixed seed, so every run of a test makes the same plan.
struct Random(u64);

impl Random {
    fn percent(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % 100
    }
}

/// Returns a plan that disturbs 30 percent of all requests: 20 percent are executed but lose all or part of the
/// response, and 10 percent are dropped.
fn lossy(seed: u64) -> impl FnMut(&Request) -> Act {
    let mut random = Random(seed);
    move |_| match random.percent() {
        0..15 => Act::LoseAnswer,
        15..20 => Act::CutAnswer,
        20..30 => Act::Drop,
        _ => Act::Answer,
    }
}

/// Returns an in-memory server and, if a real S3 server is available, a proxy in front of it. Each comes with the URL
/// of a new folder.
fn servers() -> Vec<(Server, String)> {
    let folder = new_folder();
    let mut servers = vec![(Server::start(|_| Act::Answer), format!("s3://bucket/{folder}"))];
    if let Some((endpoint, bucket)) = s3_bucket() {
        let address = endpoint.strip_prefix("http://").unwrap().to_owned();
        let server = Server::before(Some(address), |_| Act::Answer);
        servers.push((server, format!("s3://{bucket}/hostile/{folder}")));
    }
    servers
}

#[test]
fn fifty_runs_succeed_although_every_third_answer_is_lost() {
    for (server, url) in servers() {
        for (names, word) in [(Names::Stable, "stable"), (Names::Digest, "digest")] {
            let mut retried = 0;
            for run in 0..25 {
                server.plan(lossy(run));
                let generation = format!("{word}{run}");
                let summary = publish(&server.open(&url), names, &generation)
                    .unwrap_or_else(|error| panic!("{url}, {word} {run}: {error}"));
                retried += summary.retries();
                server.plan(|_| Act::Answer);
                let place = Place::of_s3(server.open(&url));
                assert_published(&place, &generation);
                assert_no_leftovers(&place);
            }
            assert!(retried > 25, "{retried}");
            println!("{word}: 25 runs, {retried} requests repeated");
        }
    }
}

#[test]
fn of_two_runs_with_lost_answers_none_loses_to_itself() {
    for (server, url) in servers() {
        publish(&server.open(&url), Names::Digest, "old").unwrap();
        for round in 0..12 {
            server.plan(lossy(1_000 + round));
            let names = ["a", "b"].map(|run| format!("{round}{run}"));
            let runs = names.each_ref().map(|name| start(&server.open(&url), Names::Digest, name));
            let results = thread::scope(|scope| {
                let threads = runs.map(|run| scope.spawn(|| run.commit().map(drop)));
                threads.map(|thread| thread.join().unwrap())
            });
            server.plan(|_| Act::Answer);
            let found = generations(&server.open(&url));
            let mut winners = Vec::new();
            for (result, name) in results.iter().zip(&names) {
                match result {
                    Ok(()) => winners.push(name.clone()),
                    Err(error) => {
                        let is_overtaken = matches!(error.kind(), PublishErrorKind::Overtaken { .. });
                        assert!(is_overtaken, "{round}: {error}");
                    }
                }
            }
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(winners.contains(&found[0]), "{round}: {found:?}, {results:?}");
        }
    }
}

/// Each conditional put succeeds, although its response is lost and the retry is refused.
#[test]
fn a_lost_answer_to_a_conditional_put_is_found_out() {
    let server = Server::start(|_| Act::Answer);
    let storage = server.open("s3://bucket/x");
    publish(&storage, Names::Stable, "1").unwrap();
    for generation in ["2", "3"] {
        let mut lost = Vec::new();
        server.plan(move |request| {
            let is_conditional =
                request.header("if-match").is_some() || request.header("if-none-match").is_some();
            if request.method == "PUT" && is_conditional && !lost.contains(&request.path) {
                lost.push(request.path.clone());
                return Act::LoseAnswer;
            }
            Act::Answer
        });
        let names = if generation == "2" { Names::Stable } else { Names::Digest };
        publish(&storage, names, generation).unwrap();
        let place = Place::of_s3(server.open("s3://bucket/x"));
        assert_published(&place, generation);
        assert_no_leftovers(&place);
    }
    assert_eq!(storage.retries(), 5);
}

#[test]
fn files_in_parts_survive_lost_answers() {
    for (server, url) in servers() {
        for seed in 0..6 {
            server.plan(lossy(seed));
            let storage = server.open(&url);
            let bytes: Vec<u8> =
                (0..20_u32 << 18).flat_map(|n| n.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
            let name = ".sitemap-a-1.xml.7-7.tmp";
            let mut file = storage.create(name).unwrap();
            bytes.chunks(1 << 20).for_each(|piece| file.write_all(piece).unwrap());
            file.finish().unwrap();
            drop(file);
            storage.rename(name, "sitemap-a-1.xml").unwrap();
            storage.put("sitemap-a-2.xml", &bytes[..9 << 20]).unwrap();
            assert!(crate::support::read(&storage, "sitemap-a-1.xml") == bytes, "{seed}");
            assert!(crate::support::read(&storage, "sitemap-a-2.xml") == bytes[..9 << 20], "{seed}");
            server.plan(|_| Act::Answer);
            storage.remove("sitemap-a-1.xml").unwrap();
        }
    }
}

#[test]
fn an_outage_in_the_middle_of_a_run_is_survived() {
    let server = Server::start(|_| Act::Answer);
    let storage = server.open("s3://bucket/x");
    let run = start(&storage, Names::Digest, "1");
    let end = Instant::now() + Duration::from_millis(300);
    server.plan(move |_| if Instant::now() < end { Act::Drop } else { Act::Answer });
    assert!(run.commit().unwrap().retries() >= 10);
    assert_published(&Place::of_s3(storage), "1");
}

#[test]
fn a_busy_server_is_asked_again() {
    let mut left = 3;
    let server = Server::start(move |_| {
        if left == 0 {
            return Act::Answer;
        }
        left -= 1;
        Act::Refuse(503, "SlowDown")
    });
    let storage = server.open("s3://bucket/x");
    let summary = publish(&storage, Names::Stable, "1").unwrap();
    assert_eq!(summary.retries(), 3);
    assert!(summary.to_string().ends_with("\n3 requests repeated"), "{summary}");
}

#[test]
fn a_run_ends_when_the_time_for_retries_is_over() {
    let server = Server::start(|_| Act::Answer);
    let storage = server.open("s3://bucket/x").retry_for(Duration::from_secs(1));
    publish(&storage, Names::Digest, "old").unwrap();
    let run = start(&storage, Names::Digest, "new");
    server.plan(|_| Act::Refuse(503, "SlowDown"));
    let error = run.commit().unwrap_err().to_string();
    assert!(error.contains("503 Service Unavailable, `SlowDown`; gave up after "), "{error}");
    assert!(error.contains(" more times"), "{error}");
    server.plan(|_| Act::Answer);
    assert_published(&Place::of_s3(storage), "old");
}

#[test]
fn unusable_buckets_are_reported_at_the_beginning() {
    let server = Server::start(|_| Act::Answer);
    let denied = |code| {
        format!(
            "access to the bucket `bucket` is denied (`{code}`); check the credentials and their permissions to list, \
             read and write files"
        )
    };
    for (act, message) in [
        (
            Act::Refuse(404, "NoSuchBucket"),
            "the bucket `bucket` does not exist (`NoSuchBucket`); create it, or correct its name or the region"
                .to_owned(),
        ),
        (Act::Refuse(403, "InvalidAccessKeyId"), denied("InvalidAccessKeyId")),
        (Act::Refuse(403, "AccessDenied"), denied("AccessDenied")),
        (
            Act::Hang,
            format!(
                "`{}` did not answer within 0.3 seconds: no answer; check the endpoint, the region and the network",
                server.address()
            ),
        ),
    ] {
        server.plan(move |_| act);
        let storage = server.open("s3://bucket/x").answer_within(Duration::from_millis(300));
        let error = storage.connect().unwrap_err().to_string();
        assert_eq!(error, format!("cannot reach `s3://bucket/x`: {message}"), "{act:?}");
        let error = builder(Names::Stable).storage(storage).replace().unwrap_err().to_string();
        assert_eq!(error, format!("cannot read `s3://bucket/x/.sitemap-manifest.jsonl`: {message}"), "{act:?}");
    }
    server.seen();
    server.plan(|_| Act::Answer);
    let storage = server.open("s3://bucket/x");
    storage.connect().unwrap();
    storage.connect().unwrap();
    assert_eq!(server.seen().len(), 1, "only the first request checks the bucket");
}

#[test]
fn plain_http_is_allowed_by_an_option() {
    let options =
        [("aws_endpoint", "http://127.0.0.1:9"), ("aws_access_key_id", "x"), ("aws_secret_access_key", "x")];
    let storage = sitemap_object_store::ObjectStorage::open_with("s3://bucket/x", options).unwrap();
    assert_eq!(
        storage.connect().unwrap_err().to_string(),
        "cannot reach `s3://bucket/x`: the endpoint is a plain `http://` URL, which is not allowed; use `https://`, or \
         set the option `allow_http` or the variable `AWS_ALLOW_HTTP` to `true`"
    );
}

#[test]
fn files_have_the_wanted_headers() {
    let server = Server::start(|_| Act::Answer);
    let storage = server.open("s3://bucket/x").cache_control("max-age=60");
    let storage = storage.acl("public-read").unwrap().storage_class("STANDARD_IA").unwrap();
    publish(&storage, Names::Stable, "1").unwrap();
    storage.put("sitemap-b-1.xml", &vec![0; 9 << 20]).unwrap();
    let mut placed = 0;
    for request in server.seen() {
        let is_part = request.query.contains("uploadId") || request.query.contains("uploads");
        let is_file = request.method == "PUT" && !is_part;
        let expected = |value| is_file.then_some(value);
        let context = format!("{} {}?{}", request.method, request.path, request.query);
        assert_eq!(request.header("x-amz-acl"), expected("public-read"), "{context}");
        assert_eq!(request.header("x-amz-storage-class"), expected("STANDARD_IA"), "{context}");
        if is_file {
            // S3 refuses headers that are not signed.
            let signed = request.header("authorization").unwrap();
            assert!(signed.contains("x-amz-acl;") && signed.contains("x-amz-storage-class"), "{signed}");
            placed += 1;
        }
        if is_file && request.path.ends_with("/sitemap.xml") {
            assert_eq!(request.header("cache-control"), Some("max-age=60"));
        }
    }
    assert!(placed > 6, "{placed}");
    let azure = [("azure_storage_account_name", "a"), ("azure_storage_account_key", "aGVsbG8=")];
    let azure = sitemap_object_store::ObjectStorage::open_with("az://container/x", azure).unwrap();
    assert_eq!(
        azure.acl("public-read").unwrap_err().to_string(),
        "cannot set the access control list of `az://container/x`: only S3 and Google Cloud Storage have access control \
         lists for files; set the access of the container instead"
    );
}
