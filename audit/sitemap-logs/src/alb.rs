//! Access logs of AWS application load balancers.

use crate::combined::word;
use crate::error::LogRule;
use crate::request::LogRequest;
use crate::text::{self, Quoted};
use crate::time;

/// Reads the first 14 fields of a line and ignores any further ones, as AWS recommends.
///
/// Source: [AWS, access log entries](https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html).
pub(crate) fn read(line: &[u8]) -> Result<LogRequest<'_>, LogRule> {
    let kind = line.iter().position(|byte| *byte == b' ').ok_or(LogRule::Time)?;
    let (time, rest) = word(&line[kind..]).ok_or(LogRule::Time)?;
    let time = time::rfc3339(time).ok_or(LogRule::Time)?;
    let (_load_balancer, rest) = word(rest).ok_or(LogRule::Request)?;
    let (client, mut rest) = word(rest).ok_or(LogRule::Request)?;
    for _ in ["target", "request time", "target time", "response time"] {
        (_, rest) = word(rest).ok_or(LogRule::Status)?;
    }
    let (status, rest) = word(rest).ok_or(LogRule::Status)?;
    let status = text::status(status).ok_or(LogRule::Status)?;
    let (_target_status, rest) = word(rest).ok_or(LogRule::Bytes)?;
    let (_received, rest) = word(rest).ok_or(LogRule::Bytes)?;
    let (bytes, rest) = word(rest).ok_or(LogRule::Bytes)?;
    let bytes = text::bytes(bytes).ok_or(LogRule::Bytes)?;

    let (request, rest) = rest.strip_prefix(b" ").and_then(Quoted::read).ok_or(LogRule::Request)?;
    let (method, target) = text::request_line(&request.text()).ok_or(LogRule::Request)?;
    let target = text::target(target);
    let (agent, _) = rest.strip_prefix(b" ").and_then(Quoted::read).ok_or(LogRule::Quotes)?;
    Ok(LogRequest {
        time,
        ip: client_ip(client),
        method,
        host: target.host,
        target: target.path,
        scheme: target.scheme,
        status,
        bytes,
        agent: agent.value(),
        referer: None,
    })
}

/// Parses a client's address and port. IPv6 addresses may be written without brackets.
fn client_ip(client: &[u8]) -> Option<std::net::IpAddr> {
    let client = str::from_utf8(client).ok()?;
    let (host, _port) = client.rsplit_once(':')?;
    text::ip(host.trim_start_matches('[').trim_end_matches(']'))
}
