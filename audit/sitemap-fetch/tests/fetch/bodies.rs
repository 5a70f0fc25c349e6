//! Tests for bodies that are too long or too short, or that don't match their headers.

use std::io::Write as _;
use std::time::Duration;

use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use sitemap_fetch::Request;
use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::visit::Outcome;

use crate::server::{Act, Server, answer, page};
use crate::work::{Pages, options, visit};

const HTML: &str = "Content-Type: text/html\r\n";

fn head(headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{HTML}{headers}\r\n").into_bytes()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

async fn said(act: Act) -> String {
    let server = Server::start(move |_| act.clone()).await;
    visit(options(server.address).retries(0).max_body_bytes(1000), "http://a.test/").await
}

#[tokio::test]
async fn a_body_without_end_is_cut() {
    let start = head("");
    assert_eq!(
        said(Act::Repeat([&start[..], b"<title>Endless</title>"].concat(), b"word ".to_vec())).await,
        "http://a.test/: 200 Endless (cut)"
    );
    let chunked = head("Transfer-Encoding: chunked\r\n");
    assert_eq!(
        said(Act::Repeat(
            [&chunked[..], b"16\r\n<title>Endless</title>\r\n"].concat(),
            b"5\r\nword \r\n".to_vec()
        ))
        .await,
        "http://a.test/: 200 Endless (cut)"
    );
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_not_cut() {
    let body = format!("<title>Whole</title>{}", " ".repeat(980));
    assert_eq!(said(Act::Send(answer(200, HTML, &body))).await, "http://a.test/: 200 Whole");
    assert_eq!(said(Act::Send(answer(200, HTML, body + " "))).await, "http://a.test/: 200 Whole (cut)");
}

#[tokio::test]
async fn a_body_that_never_ends_or_begins_ends_by_the_limit_on_time() {
    let begun = [&head("Content-Length: 10\r\n")[..], b"a"].concat();
    for sent in [Vec::new(), b"HTTP/1.1 200".to_vec(), head("Content-Length: 10\r\n"), begun, head("")] {
        let server = Server::start(move |_| Act::Hang(sent.clone())).await;
        let options = options(server.address).retries(0).timeout(Duration::from_millis(50));
        assert_eq!(
            visit(options, "http://a.test/").await,
            "http://a.test/: timeout: `a.test` sent no complete response within 0.05 s"
        );
    }
}

#[tokio::test]
async fn a_body_that_never_stops_and_hardly_comes_ends_by_the_limit_on_time() {
    // Each byte arrives long before the limit, so a limit on single reads would never end the request.
    let pause = Duration::from_millis(10);
    let chunked = head("Transfer-Encoding: chunked\r\n");
    for (sent, again) in [
        (head("Content-Length: 1000000\r\n"), "a"),
        (head(""), "a"),
        (chunked, "1\r\na\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ".to_vec(), "a"),
        (Vec::new(), "\r\n"),
    ] {
        let act = Act::Drip(sent, again.into(), pause);
        let server = Server::start(move |_| act.clone()).await;
        let options = options(server.address).retries(0).timeout(Duration::from_millis(500));
        assert_eq!(
            visit(options, "http://a.test/").await,
            "http://a.test/: timeout: `a.test` sent no complete response within 0.5 s",
            "{again:?}"
        );
    }
}

#[tokio::test]
async fn a_body_that_is_shorter_than_its_length_is_interrupted() {
    let expected =
        "http://a.test/: interrupted: `a.test` ended the connection before the response was complete";
    assert_eq!(
        said(Act::Close([head("Content-Length: 100\r\n"), b"short".to_vec()].concat())).await,
        expected
    );
    let chunked = head("Transfer-Encoding: chunked\r\n");
    assert_eq!(said(Act::Close([&chunked[..], b"5\r\nwords\r\n"].concat())).await, expected);
    let compressed = gzip(b"<title>Half</title> and more text that is not sent");
    let length = format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n", compressed.len());
    assert_eq!(said(Act::Close([&head(&length), &compressed[..12]].concat())).await, expected);
}

#[tokio::test]
async fn a_status_that_needs_no_body_counts_although_its_body_is_broken() {
    let half = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<title>Half</title>";
    assert_eq!(said(Act::Close(half.to_vec())).await, "http://a.test/: 404 Half (cut)");
    let packed = answer(410, &format!("{HTML}Content-Encoding: gzip\r\n"), "not compressed, but long enough");
    assert_eq!(said(Act::Send(packed)).await, "http://a.test/: 410 (cut)");
    let server = Server::start(|seen| match &*seen.path {
        "/" => Act::Close(b"HTTP/1.1 301 X\r\nLocation: /end\r\nContent-Length: 100\r\n\r\nshort".to_vec()),
        _ => page("End"),
    })
    .await;
    assert_eq!(
        visit(options(server.address), "http://a.test/").await,
        "http://a.test/: 301 http://a.test/end > 200 End"
    );
}

#[tokio::test]
async fn a_body_that_is_longer_than_its_length_ends_there() {
    let sent = [head("Content-Length: 20\r\n"), b"<title>Long</title>!and more".to_vec()].concat();
    assert_eq!(said(Act::Close(sent)).await, "http://a.test/: 200 Long");
}

#[tokio::test]
async fn a_broken_chunk_is_not_http() {
    let sent = [&head("Transfer-Encoding: chunked\r\n")[..], b"five\r\nwords\r\n"].concat();
    assert_eq!(
        said(Act::Close(sent)).await,
        "http://a.test/: protocol: `a.test` sent a response that is not valid HTTP"
    );
}

#[tokio::test]
async fn bodies_are_decompressed() {
    let page = b"<title>Packed</title>";
    for (encoding, body) in
        [("gzip", gzip(page)), ("deflate", zlib(page)), ("br", brotli(page)), ("zstd", zstd(page))]
    {
        let sent = answer(200, &format!("{HTML}Content-Encoding: {encoding}\r\n"), body);
        assert_eq!(said(Act::Send(sent)).await, "http://a.test/: 200 Packed", "{encoding}");
    }
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn brotli(text: &[u8]) -> Vec<u8> {
    let mut encoder = CompressorWriter::new(Vec::new(), 4_096, 5, 22);
    encoder.write_all(text).unwrap();
    encoder.into_inner()
}

/// The start of a zstd frame with a window of 8 MiB, the most that RFC 9659 allows in HTTP (RFC 8878, section 3.1.1).
const ZSTD: [u8; 6] = [0x28, 0xB5, 0x2F, 0xFD, 0, 13 << 3];

/// Returns a zstd frame with one uncompressed block.
fn zstd(text: &[u8]) -> Vec<u8> {
    let header = u32::try_from(text.len()).unwrap() << 3 | 1;
    [&ZSTD[..], &header.to_le_bytes()[..3], text].concat()
}

/// One mebibyte of zeros in gzip. It can be repeated, because it doesn't refer to anything before it.
fn gzip_bomb() -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 1 << 20]).unwrap();
    encoder.flush().unwrap();
    let zeros = encoder.get_ref().clone();
    [vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], zeros.repeat(1024)].concat()
}

/// Zeros in brotli. From the second mebibyte on, the encoder repeats the same bytes.
fn brotli_bomb() -> Vec<u8> {
    let mut encoder = CompressorWriter::new(Vec::new(), 4_096, 5, 22);
    let mut ends = [0; 3];
    for end in &mut ends {
        encoder.write_all(&vec![0; 1 << 20]).unwrap();
        encoder.flush().unwrap();
        *end = encoder.get_ref().len();
    }
    let begun = &encoder.get_ref()[..ends[2]];
    [begun, &begun[ends[1]..].repeat(1021)].concat()
}

/// Blocks of 128 KiB that repeat one byte.
fn zstd_bomb() -> Vec<u8> {
    let header: u32 = (128 << 10) << 3 | 1 << 1;
    [&ZSTD[..], &[&header.to_le_bytes()[..3], &[0]].concat().repeat(8 * 1024)].concat()
}

#[tokio::test]
async fn a_compressed_bomb_is_cut_at_the_limit() {
    for (encoding, bomb) in [("gzip", gzip_bomb()), ("br", brotli_bomb()), ("zstd", zstd_bomb())] {
        assert!(bomb.len() < 4 << 20, "{encoding}: a gibibyte in {} bytes", bomb.len());
        let headers = format!("Content-Type: text/html\r\nContent-Encoding: {encoding}\r\n");
        let sent = answer(200, &headers, bomb);
        let server = Server::start(move |_| Act::Close(sent.clone())).await;
        // The limit exceeds the size of the piece that is compressed once and then repeated.
        let most = 3 << 19;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        pages.run(options(server.address).max_body_bytes(most)).await;
        let Outcome::Page { facts, .. } = &pages.visits["http://a.test/"].outcome else {
            panic!("{encoding} {:?}", pages.said())
        };
        let (headers, body) = (&[("content-type", "text/html")], vec![0; most]);
        let mut response = Response::new("http://a.test/", 200, headers, &body);
        response.is_cut = true;
        let expected = PageFacts::of(&response);
        assert!(facts.is_cut, "{encoding}");
        assert_eq!(facts.body_digest, expected.body_digest, "{encoding}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_compressed_as_stated_is_an_error() {
    for encoding in ["gzip", "br", "zstd", "deflate"] {
        let headers = format!("{HTML}Content-Encoding: {encoding}\r\n");
        assert_eq!(
            said(Act::Send(answer(200, &headers, "<title>Plain text, longer than a header</title>"))).await,
            "http://a.test/: encoding: `a.test` sent a body that does not have the encoding that `Content-Encoding` \
             names",
            "{encoding}"
        );
    }
}

#[tokio::test]
async fn an_encoding_that_is_not_supported_is_an_error_and_an_unknown_word_is_not() {
    let with = |encoding: &str| {
        Act::Send(answer(200, &format!("{HTML}Content-Encoding: {encoding}\r\n"), "<title>Plain</title>"))
    };
    for encoding in ["compress", "gzip, gzip", "GZIP"] {
        assert_eq!(
            said(with(encoding)).await,
            format!(
                "http://a.test/: encoding: `a.test` sent a body in the encoding {encoding:?}, which is not supported"
            )
        );
    }
    // Browsers read these bodies as they are.
    for encoding in ["utf-8", "none", "identity"] {
        assert_eq!(said(with(encoding)).await, "http://a.test/: 200 Plain");
    }
}

#[tokio::test]
async fn the_charset_of_the_header_is_used() {
    let headers = "Content-Type: text/html; charset=windows-1251\r\n";
    assert_eq!(
        said(Act::Send(answer(200, headers, b"<title>\xC4\xF3\xE1</title>"))).await,
        "http://a.test/: 200 \u{414}\u{443}\u{431}"
    );
}

#[tokio::test]
async fn bytes_that_are_not_in_the_stated_charset_are_replaced() {
    for (charset, body, title) in [
        ("utf-8", &b"<title>Gr\xFC\xDFe</title>"[..], "Gr\u{FFFD}\u{FFFD}e"),
        ("shift_jis", b"<title>\xC3\x9F\xFF</title>", "\u{FF83}\u{FFFD}"),
        // A charset that no standard defines is ignored.
        ("klingon", "<meta charset=utf-8><title>Grüße</title>".as_bytes(), "Grüße"),
    ] {
        let headers = format!("Content-Type: text/html; charset={charset}\r\n");
        let expected = format!("http://a.test/: 200 {title}");
        assert_eq!(said(Act::Send(answer(200, &headers, body))).await, expected, "{charset}");
    }
}

#[tokio::test]
async fn a_part_that_was_not_asked_for_counts_as_cut() {
    for (range, expected) in [
        ("", "206 Part (cut)"),
        ("Content-Range: bytes 0-18/5000\r\n", "206 Part (cut)"),
        ("Content-Range: bytes 5-18/19\r\n", "206 Part (cut)"),
        ("Content-Range: bytes 0-18/*\r\n", "206 Part (cut)"),
        ("Content-Range: bytes 0-18/19\r\n", "206 Part"),
        ("Content-Range: bytes 0-18446744073709551615/19\r\n", "206 Part (cut)"),
    ] {
        let headers = format!("{HTML}ETag: \"a1\"\r\n{range}");
        let act = Act::Send(answer(206, &headers, "<title>Part</title>"));
        let server = Server::start(move |_| act.clone()).await;
        let mut pages = Pages::of(["http://a.test/"]).allow("http://a.test");
        let summary = pages.run(options(server.address)).await;
        assert_eq!(pages.said(), [format!("http://a.test/: {expected}")], "{range}");
        assert_eq!(summary.progress.cut, u64::from(expected.ends_with("(cut)")));
        assert!(!Request::again(&pages.visits["http://a.test/"]).is_conditional());
    }
}
