//! `CloudFront`'s standard logs: tab-separated values, with header lines that name the columns.

use memchr::memchr;

use crate::error::LogRule;
use crate::request::LogRequest;
use crate::text;
use crate::time;

/// The fields of a legacy log in the documented order, up to the last field that we read.
///
/// Source: [AWS, log file fields](https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html#BasicDistributionFileFormat).
const LEGACY: &str = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
    cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol";

/// The number of kinds of values.
const KINDS: usize = 15;

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Date,
    Time,
    Seconds,
    Milliseconds,
    Ip,
    Method,
    Distribution,
    Host,
    Path,
    Query,
    Status,
    Bytes,
    Referer,
    Agent,
    Scheme,
}

/// The columns of a log.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// The kind of value in each column, up to the last column that we read. Empty if the columns aren't enough to read
    /// a request.
    kinds: Vec<Option<Kind>>,
}

impl Columns {
    /// Returns the columns of a log without header lines, such as the output of `grep`.
    pub(crate) fn legacy() -> Self {
        Self::named(LEGACY)
    }

    fn named(names: &str) -> Self {
        let mut kinds: Vec<_> = names.split_ascii_whitespace().map(kind).collect();
        let has = |wanted| kinds.contains(&Some(wanted));
        let has_time = has(Kind::Date) && has(Kind::Time) || has(Kind::Seconds) || has(Kind::Milliseconds);
        if !(has_time && has(Kind::Method) && has(Kind::Path)) {
            kinds.clear();
        }
        let used = kinds.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        kinds.truncate(used);
        Self { kinds }
    }

    /// Reads a header line, which applies to the lines that follow it.
    pub(crate) fn read_header(&mut self, line: &[u8]) -> Result<(), LogRule> {
        let Some(names) = line.strip_prefix(b"#Fields:") else { return Ok(()) };
        *self = Self::named(&text::lossy(names));
        if self.kinds.is_empty() { Err(LogRule::Header) } else { Ok(()) }
    }

    /// Reads a request.
    pub(crate) fn read<'l>(&self, line: &'l [u8]) -> Result<LogRequest<'l>, LogRule> {
        if self.kinds.is_empty() {
            return Err(LogRule::Header);
        }
        let mut values = [&b""[..]; KINDS];
        let mut rest = Some(line);
        for kind in &self.kinds {
            let Some(text) = rest else { break };
            let end = memchr(b'\t', text);
            let value = &text[..end.unwrap_or(text.len())];
            rest = end.map(|end| &text[end + 1..]);
            if let Some(kind) = kind {
                values[*kind as usize] = value;
            }
        }
        let value = |kind: Kind| values[kind as usize];
        let number = |kind: Kind| text::bytes(value(kind)).flatten();

        let time = time::date_and_time(value(Kind::Date), value(Kind::Time))
            .or_else(|| {
                number(Kind::Milliseconds).and_then(|number| i64::try_from(number).ok()?.checked_mul(1000))
            })
            .or_else(|| {
                number(Kind::Seconds).and_then(|number| i64::try_from(number).ok()?.checked_mul(1_000_000))
            })
            .ok_or(LogRule::Time)?;
        let method = text::lossy(value(Kind::Method));
        let path = value(Kind::Path);
        if !text::is_method(&method) || matches!(path, b"" | b"-") {
            return Err(LogRule::Request);
        }
        let mut target = text::target(text::target_decoded(path));
        if let Some(query) = text::value(text::target_decoded(value(Kind::Query))) {
            let path = target.path.to_mut();
            path.push('?');
            path.push_str(&query);
        }
        let absent = |text: &[u8]| text.is_empty();
        let status = value(Kind::Status);
        let bytes = value(Kind::Bytes);
        let host = [Kind::Host, Kind::Distribution].into_iter();
        Ok(LogRequest {
            time,
            ip: str::from_utf8(value(Kind::Ip)).ok().and_then(text::ip),
            method,
            host: host.map(value).find_map(|host| text::host(text::url_decoded(host))).or(target.host),
            target: target.path,
            scheme: str::from_utf8(value(Kind::Scheme)).ok().and_then(text::scheme).or(target.scheme),
            status: if absent(status) { None } else { text::status(status).ok_or(LogRule::Status)? },
            bytes: if absent(bytes) { None } else { text::bytes(bytes).ok_or(LogRule::Bytes)? },
            agent: text::value(text::url_decoded(value(Kind::Agent))),
            referer: text::value(text::url_decoded(value(Kind::Referer))),
        })
    }
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "date" => Kind::Date,
        "time" => Kind::Time,
        "timestamp" => Kind::Seconds,
        "timestamp(ms)" => Kind::Milliseconds,
        "c-ip" => Kind::Ip,
        "cs-method" => Kind::Method,
        "cs(Host)" => Kind::Distribution,
        "x-host-header" => Kind::Host,
        "cs-uri-stem" => Kind::Path,
        "cs-uri-query" => Kind::Query,
        "sc-status" => Kind::Status,
        "sc-bytes" => Kind::Bytes,
        "cs(Referer)" => Kind::Referer,
        "cs(User-Agent)" => Kind::Agent,
        "cs-protocol" => Kind::Scheme,
        _ => return None,
    })
}
