//! Tests for lines, line endings, limits and compressed logs.

use std::io::{BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use sitemap_logs::{LogError, LogFormat, LogReader, LogRule, MaybeGzip};

use crate::print::requests;

const LINE: &str = r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET /tea HTTP/1.1" 200 512"#;

/// What a reader returned for each line.
fn outcomes<R: BufRead>(reader: &mut LogReader<R>) -> Vec<String> {
    let mut outcomes = Vec::new();
    while let Some(request) = reader.next_request() {
        outcomes.push(match request {
            Ok(request) => format!("{request:?}"),
            Err(error) => error.to_string(),
        });
    }
    outcomes
}

fn counts<R: BufRead>(reader: &LogReader<R>) -> [u64; 4] {
    [reader.lines(), reader.requests(), reader.garbage(), reader.skipped()]
}

#[test]
fn lines_end_with_lf_or_crlf_or_the_log() {
    for (log, expected) in [
        (String::new(), [0, 0, 0, 0]),
        ("\n".to_owned(), [1, 0, 0, 1]),
        (LINE.to_owned(), [1, 1, 0, 0]),
        (format!("{LINE}\n"), [1, 1, 0, 0]),
        (format!("{LINE}\r\n\r\n{LINE}\r\n"), [3, 2, 0, 1]),
        (format!("{LINE}\nx"), [2, 1, 1, 0]),
        (format!("{LINE}\r"), [1, 1, 0, 0]),
    ] {
        for size in [1, 7, 1000] {
            let mut reader =
                LogReader::new(BufReader::with_capacity(size, log.as_bytes()), LogFormat::Combined);
            outcomes(&mut reader);
            assert_eq!(counts(&reader), expected, "{log:?}");
        }
    }
}

#[test]
fn lines_that_are_too_long_are_skipped() {
    let limit = LogReader::<&[u8]>::MAX_LINE;
    let agent = |length: usize| format!("{LINE} \"-\" \"{}\"\n", "a".repeat(length - LINE.len() - 7));
    assert_eq!(agent(200).len(), 201);
    let log = [agent(limit), agent(limit + 1), agent(200), "x".repeat(3 * limit)].concat();
    for size in [100, 1 << 16, 1 << 23] {
        let mut reader = LogReader::new(BufReader::with_capacity(size, log.as_bytes()), LogFormat::Combined);
        assert!(reader.next_request().unwrap().is_ok());
        let Some(Err(LogError::Line(line))) = reader.next_request() else { panic!("no error") };
        assert_eq!((line.number(), line.rule()), (2, LogRule::Length));
        assert_eq!(line.excerpt(), format!("{}…", &agent(200)[..80]));
        assert!(reader.next_request().unwrap().is_ok());
        let error = reader.next_request().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "line 4 is not a request in the format `combined`: it is longer than 1 MiB, \
                 found `{}…`; check that the log has line breaks",
                "x".repeat(80)
            )
        );
        assert!(reader.next_request().is_none());
        assert_eq!(counts(&reader), [4, 2, 2, 0]);
    }
}

#[test]
fn excerpts_are_printable() {
    let mut reader = LogReader::new(&b"\x16\x03\x01\xff\t\"\\"[..], LogFormat::Alb);
    let Some(Err(LogError::Line(line))) = reader.next_request() else { panic!("no error") };
    assert_eq!(line.excerpt(), r#"\x16\x03\x01\xff\t"\"#);
}

#[test]
fn json_may_have_bytes_that_are_not_utf8() {
    let log = b"{\"ts\":1646861401,\"method\":\"GET\",\"request_uri\":\"/\xe9\"}";
    let mut reader = LogReader::new(&log[..], LogFormat::Json);
    assert_eq!(reader.next_request().unwrap().unwrap().target, "/\u{fffd}");
}

#[test]
fn an_unknown_format_is_an_error() {
    let error = LogReader::detect(&b"Nov 27 13:55:36 web kernel: out of memory\n"[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the format of the log is not known, found `Nov 27 13:55:36 web kernel: out of memory\\n`; \
         name one of `combined`, `json`, `cloudfront` and `alb`"
    );
    assert_eq!(LogReader::detect(&b"\n\n"[..]).unwrap().format(), LogFormat::Combined);
}

/// A reader that returns its bytes, then fails.
struct Failing<'b>(&'b [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(std::io::Error::other("disk on fire")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_failed_read_ends_the_log() {
    let log = format!("{LINE}\nhalf a li");
    let mut reader = LogReader::new(BufReader::new(Failing(log.as_bytes())), LogFormat::Combined);
    assert!(reader.next_request().unwrap().is_ok());
    let error = reader.next_request().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the log after 1 lines: disk on fire; check that the file is complete"
    );
    assert!(reader.next_request().is_none());
    assert_eq!(counts(&reader), [1, 1, 0, 0]);
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn compressed_logs_may_have_several_members() {
    let line = format!("{LINE}\n");
    let log = [gzip(&line), gzip(&line.repeat(1000)), gzip("")].concat();
    for size in [1, 1000] {
        let log = BufReader::with_capacity(size, &log[..]);
        let mut reader = LogReader::detect(MaybeGzip::new(log).unwrap()).unwrap();
        outcomes(&mut reader);
        assert_eq!(counts(&reader), [1001, 1001, 0, 0]);
    }
    let mut plain = LogReader::detect(MaybeGzip::new(line.as_bytes()).unwrap()).unwrap();
    assert_eq!(outcomes(&mut plain).len(), 1);
}

#[test]
fn an_incomplete_compressed_log_is_an_error() {
    let log = gzip(&format!("{LINE}\n").repeat(10));
    let log = MaybeGzip::new(&log[..log.len() - 4]).unwrap();
    let mut reader = LogReader::new(log, LogFormat::Combined);
    let outcomes = outcomes(&mut reader);
    assert_eq!(counts(&reader), [10, 10, 0, 0]);
    assert!(outcomes.last().unwrap().starts_with("cannot read the log after 10 lines: "), "{outcomes:?}");
}

proptest! {
    #[test]
    fn any_bytes_are_requests_or_errors(
        log in "([ \\[\\]\"\\\\:/\t\r\n{}#,%x0-9-]|GET|HTTP/1.1|27/Nov/2026:13:55:36 \\+0000|\\PC){0,60}",
        noise in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        let log = [log.as_bytes(), &noise].concat();
        let _ = LogFormat::detect(&log);
        for format in LogFormat::ALL {
            let mut reader = LogReader::new(&log[..], format);
            let found = outcomes(&mut reader);
            let [lines, requests, garbage, skipped] = counts(&reader);
            prop_assert_eq!(lines, requests + garbage + skipped);
            prop_assert_eq!(found.len() as u64, requests + garbage);
            prop_assert_eq!(lines, log.split_inclusive(|byte| *byte == b'\n').count() as u64);
            // The buffer size makes no difference.
            let mut slow = LogReader::new(BufReader::with_capacity(3, &log[..]), format);
            prop_assert_eq!(outcomes(&mut slow), found);
        }
    }

    #[test]
    fn a_cut_or_changed_line_never_panics(
        printed in requests(), cut in any::<prop::sample::Index>(), byte in any::<u8>(), is_cut in any::<bool>(),
    ) {
        for (format, line) in [
            (LogFormat::Combined, printed.apache()),
            (LogFormat::Json, printed.caddy()),
            (LogFormat::CloudFront, printed.cloudfront()),
            (LogFormat::Alb, printed.alb()),
        ] {
            let mut line = line.into_bytes();
            let at = cut.index(line.len());
            if is_cut {
                line.truncate(at);
            } else {
                line[at] = byte;
            }
            let mut reader = LogReader::new(&line[..], format);
            let found = outcomes(&mut reader).len() as u64;
            prop_assert_eq!(found + reader.skipped(), reader.lines());
        }
    }
}
