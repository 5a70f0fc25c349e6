//! Compressed responses, ranges, and HTTP/2.

use std::io::Read as _;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use sitemap_core::{Memory, Site, SitemapSet};
use sitemap_serve::{LiveSitemap, SitemapService};

use crate::support::Server;

const PATH: &str = "/sitemap.xml";

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn service() -> SitemapService {
    let memory = Memory::new();
    let mut run = SitemapSet::builder(site()).storage(memory.clone()).replace().unwrap();
    run.section("pages").unwrap().add_all((0..1_000).map(|page| format!("/pages/{page}"))).unwrap();
    run.commit().unwrap();
    SitemapService::new(memory)
}

#[test]
fn each_coding_has_its_own_tag_and_the_bytes_of_the_file() {
    let service = service();
    let get = |coding: &str| service.respond_to("GET", PATH, [("accept-encoding", coding)]);
    let plain = get("identity");
    let plain_tag = plain.headers()["etag"].to_str().unwrap().trim_matches('"').to_owned();
    assert_eq!(plain.headers()["accept-ranges"], "bytes");
    for coding in ["gzip", "br", "zstd"] {
        let coded = get(coding);
        assert_eq!(coded.headers()["content-encoding"], coding);
        assert_eq!(coded.headers()["etag"], format!("\"{plain_tag}-{coding}\""));
        assert_eq!(coded.headers()["vary"], "Accept-Encoding");
        assert!(coded.headers().get("accept-ranges").is_none());
        let mut text = Vec::new();
        let body: &[u8] = coded.body();
        match coding {
            "gzip" => flate2::read::GzDecoder::new(body).read_to_end(&mut text).map(drop),
            "br" => brotli::BrotliDecompress(&mut &*body, &mut text),
            _ => zstd::stream::copy_decode(body, &mut text),
        }
        .unwrap();
        assert_eq!(text, *plain.body(), "{coding}");
        let known =
            [("accept-encoding", coding.as_bytes()), ("if-none-match", coded.headers()["etag"].as_bytes())];
        assert_eq!(service.respond_to("GET", PATH, known).status(), 304);
    }
}

#[test]
fn among_equal_weights_brotli_comes_before_zstd_and_gzip() {
    let service = service();
    for (accepted, coding) in
        [("gzip, deflate, br, zstd", "br"), ("gzip, zstd", "zstd"), ("br;q=0.5, gzip", "gzip")]
    {
        let response = service.respond_to("GET", PATH, [("accept-encoding", accepted)]);
        assert_eq!(response.headers()["content-encoding"], coding, "{accepted}");
    }
}

#[test]
fn a_range_gets_206_and_the_bytes() {
    let service = service();
    let whole = service.respond_to("GET", PATH, [("", ""); 0]);
    let len = whole.body().len();
    let part = service.respond_to("GET", PATH, [("range", "bytes=5-14")]);
    assert_eq!((part.status().as_u16(), part.body()), (206, &whole.body().slice(5..15)));
    assert_eq!(part.headers()["content-range"], format!("bytes 5-14/{len}"));
    assert_eq!(part.headers()["content-length"], "10");
    for name in ["etag", "cache-control", "content-type", "last-modified", "vary"] {
        assert_eq!(part.headers()[name], whole.headers()[name], "{name}");
    }
    let end = service.respond_to("GET", PATH, [("range", "bytes=-4")]);
    assert_eq!(end.body(), &whole.body().slice(len - 4..));
}

#[test]
fn bytes_after_the_end_get_416_and_the_length() {
    let service = service();
    let len = service.respond_to("GET", PATH, [("", ""); 0]).body().len();
    let response = service.respond_to("GET", PATH, [("range", format!("bytes={len}-"))]);
    assert_eq!(response.status(), 416);
    assert_eq!(response.headers()["content-range"], format!("bytes */{len}"));
    assert_eq!(response.body(), "the file has no such bytes\n");
}

#[test]
fn what_is_not_one_range_of_the_plain_file_gets_the_whole_file() {
    let service = service();
    let whole = service.respond_to("GET", PATH, [("", ""); 0]);
    let tag = whole.headers()["etag"].to_str().unwrap();
    let range = ("range", "bytes=0-1");
    assert_eq!(service.respond_to("GET", PATH, [range, ("if-range", tag)]).status(), 206);
    for other in [
        vec![("range", "bytes=0-1,4-5")],
        vec![range, ("if-range", "\"other\"")],
        vec![range, ("accept-encoding", "gzip")],
    ] {
        assert_eq!(service.respond_to("GET", PATH, other.clone()).status(), 200, "{other:?}");
    }
    let head = service.respond_to("HEAD", PATH, [range]);
    assert_eq!(
        (head.status(), &head.headers()["content-length"]),
        (whole.status(), &whole.headers()["content-length"])
    );
}

#[test]
fn conditions_are_checked_before_the_range() {
    let service = service();
    let tag = service.respond_to("GET", PATH, [("", ""); 0]).headers()["etag"].clone();
    let known = [("range", &b"bytes=0-1"[..]), ("if-none-match", tag.as_bytes())];
    assert_eq!(service.respond_to("GET", PATH, known).status(), 304);
    let other = [("range", "bytes=0-1"), ("if-match", "\"other\"")];
    assert_eq!(service.respond_to("GET", PATH, other).status(), 412);
}

#[test]
fn the_status_counts_compressed_bytes() {
    for live in [LiveSitemap::new(site()), LiveSitemap::on(Memory::new(), LiveSitemap::options(site()))] {
        assert_eq!(live.status().bytes, 0);
        live.refresh(|run| {
            Ok(run.section("pages")?.add_all((0..1_000).map(|page| format!("/pages/{page}")))?)
        })
        .unwrap();
        let service = live.service();
        let get =
            |coding: &str| service.respond_to("GET", PATH, [("accept-encoding", coding)]).body().len() as u64;
        let mut total = get("identity");
        assert_eq!(live.status().bytes, total);
        for coding in ["gzip", "br", "zstd"] {
            total += get(coding);
            assert_eq!(live.status().bytes, total, "{coding}");
            get(coding);
        }
        assert_eq!(live.status().bytes, total, "each file is compressed once");
    }
}

#[test]
fn the_cache_drops_files_that_have_grown_by_compression() {
    let live = LiveSitemap::on(Memory::new(), LiveSitemap::options(site()));
    live.refresh(|run| Ok(run.section("pages")?.add_all((0..1_000).map(|page| format!("/pages/{page}")))?))
        .unwrap();
    let service = live.service();
    let plain = service.respond_to("GET", PATH, [("", ""); 0]).body().len() as u64;
    let service = service.cache_bytes(plain + 10);
    let _ = service.respond_to("GET", PATH, [("", ""); 0]);
    assert_eq!(live.status().bytes, 2 * plain, "two services have a cache each");
    let _ = service.respond_to("GET", PATH, [("accept-encoding", "gzip")]);
    assert_eq!(
        live.status().bytes,
        plain,
        "the plain and the compressed file are larger than the second cache"
    );
}

#[test]
fn http_2() {
    let server = Server::of(service());
    let address = server.address;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let executor = hyper_util::rt::TokioExecutor::new();
        let io = hyper_util::rt::TokioIo::new(stream);
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake::<_, _, Empty<Bytes>>(executor, io).await.unwrap();
        tokio::spawn(connection);
        let request = |path: &str, range: &str| {
            let uri = format!("http://{address}{path}");
            http::Request::get(uri).header("range", range).body(Empty::new()).unwrap()
        };
        // Both requests share one connection at the same time.
        let whole = sender.send_request(request(PATH, ""));
        let part = sender.send_request(request(PATH, "bytes=0-4"));
        let (whole, part) = (whole.await.unwrap(), part.await.unwrap());
        assert_eq!((whole.version(), whole.status().as_u16()), (http::Version::HTTP_2, 200));
        assert_eq!(part.status(), 206);
        let whole = whole.into_body().collect().await.unwrap().to_bytes();
        assert!(whole.ends_with(b"</urlset>\n"));
        assert_eq!(part.into_body().collect().await.unwrap().to_bytes(), "<?xml");
    });
}
