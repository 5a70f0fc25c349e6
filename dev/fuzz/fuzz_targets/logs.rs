//! Reads arbitrary bytes as a log in each format, and as a crawler's IP addresses. Nothing may panic, each line must be
//! either a request, an error or skipped, and the buffer size must make no difference.
#![no_main]

use std::io::{BufRead, BufReader};

use libfuzzer_sys::fuzz_target;
use sitemap_logs::{Crawlers, LogError, LogFormat, LogReader, MaybeGzip};

fn outcomes<R: BufRead>(mut reader: LogReader<R>) -> Vec<String> {
    let mut outcomes = Vec::new();
    let mut has_failed = false;
    while let Some(request) = reader.next_request() {
        has_failed |= matches!(request, Err(LogError::Read { .. }));
        outcomes.push(match request {
            Ok(request) => format!("{request:?}"),
            Err(error) => error.to_string(),
        });
    }
    assert_eq!(reader.lines(), reader.requests() + reader.garbage() + reader.skipped());
    assert_eq!(outcomes.len() as u64, reader.requests() + reader.garbage() + u64::from(has_failed));
    outcomes
}

fuzz_target!(|data: &[u8]| {
    for format in LogFormat::ALL {
        let found = outcomes(LogReader::new(data, format));
        assert_eq!(outcomes(LogReader::new(BufReader::with_capacity(5, data), format)), found);
    }
    if let Ok(reader) = LogReader::detect(data) {
        assert_eq!(
            LogReader::detect(BufReader::with_capacity(5, data)).expect("the same").format(),
            reader.format()
        );
    }
    if let Ok(log) = MaybeGzip::new(data) {
        outcomes(LogReader::new(log, LogFormat::Combined));
    }
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(builder) = Crawlers::builder().google(text) {
        let crawlers = builder.build();
        assert!(!crawlers.is_verified_bot([66, 249, 64, 5].into(), "curl/8"));
    }
});
