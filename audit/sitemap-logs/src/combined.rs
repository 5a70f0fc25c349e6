//! The `combined` and `common` formats of nginx and Apache, optionally with a virtual host in front.

use std::borrow::Cow;

use memchr::memchr;

use crate::error::LogRule;
use crate::request::LogRequest;
use crate::text::{self, Quoted};
use crate::time;

/// Reads `[host[:port] ]client ident user [time] "request" status bytes[ "referer" "agent"[ …]]`.
pub(crate) fn read(line: &[u8]) -> Result<LogRequest<'_>, LogRule> {
    let line = line.trim_ascii_end();
    let (before, time, rest) = split_at_time(line).ok_or(LogRule::Time)?;
    let (host, ip) = host_and_client(before);

    let (request, rest) = rest.strip_prefix(b" ").and_then(Quoted::read).ok_or(LogRule::Request)?;
    let (method, target) = text::request_line(&request.text()).ok_or(LogRule::Request)?;
    let target = text::target(target);

    let (status, rest) = word(rest).ok_or(LogRule::Status)?;
    let status = text::status(status).ok_or(LogRule::Status)?;
    let (bytes, rest) = word(rest).ok_or(LogRule::Bytes)?;
    let bytes = text::bytes(bytes).ok_or(LogRule::Bytes)?;

    let (mut referer, mut agent) = (None, None);
    if !rest.is_empty() {
        let (value, rest) = rest.strip_prefix(b" ").and_then(Quoted::read).ok_or(LogRule::Quotes)?;
        referer = value.value();
        let (value, _) = rest.strip_prefix(b" ").and_then(Quoted::read).ok_or(LogRule::Quotes)?;
        agent = value.value();
    }
    Ok(LogRequest {
        time,
        ip,
        method,
        host: target.host.or(host),
        target: target.path,
        scheme: target.scheme,
        status,
        bytes,
        agent,
        referer,
    })
}

/// Finds the time. Returns the parts of the line before and after it. User names can contain brackets and spaces.
fn split_at_time(line: &[u8]) -> Option<(&[u8], i64, &[u8])> {
    /// This is longer than the longest time.
    const LONGEST: usize = 40;

    let mut from = 0;
    loop {
        let start = from + memchr(b'[', &line[from..])?;
        from = start + 1;
        let rest = &line[from..];
        let Some(end) = memchr(b']', &rest[..rest.len().min(LONGEST)]) else { continue };
        let Some(before) = line[..start].strip_suffix(b" ") else { continue };
        if let Some(time) = time::combined(&rest[..end]).or_else(|| time::rfc3339(&rest[..end])) {
            return Some((before, time, &rest[end + 1..]));
        }
    }
}

/// Returns the virtual host, if the line contains one, and the client.
fn host_and_client(before: &[u8]) -> (Option<Cow<'_, str>>, Option<std::net::IpAddr>) {
    let ip = |word: &[u8]| str::from_utf8(word).ok().and_then(text::ip);
    let mut words = before.split(|byte| *byte == b' ');
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    // The client comes right before the identity and the user.
    if second == b"-" || words.nth(1).is_none() {
        let has_port = has_port(first) && second == b"-" && ip(first).is_none();
        let host = if has_port { text::host(text::lossy(first)) } else { None };
        return (host, if has_port { None } else { ip(first) });
    }
    let client = ip(second);
    if client.is_some() || has_port(first) {
        return (text::host(text::lossy(first)), client);
    }
    (None, ip(first))
}

/// Returns whether a word is a host with a port.
fn has_port(word: &[u8]) -> bool {
    let Some(colon) = word.iter().rposition(|byte| *byte == b':') else { return false };
    let port = &word[colon + 1..];
    colon > 0 && !port.is_empty() && port.iter().all(u8::is_ascii_digit)
}

/// Returns the word after a space, and the rest of the line.
pub(crate) fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b" ")?;
    Some(text.split_at(memchr(b' ', text).unwrap_or(text.len())))
}
