//! One JSON object per line, as written by nginx, Caddy, Traefik, Cloudflare and Google Cloud.

mod names;
mod values;

use std::borrow::Cow;

use serde_core::de::DeserializeSeed as _;
use serde_json::Deserializer;

use self::values::{Object, Values};
use crate::error::LogRule;
use crate::request::LogRequest;
use crate::text;

/// Reads a line's JSON object.
pub(crate) fn read(line: &str) -> Result<LogRequest<'_>, LogRule> {
    let mut values = Values::default();
    let mut deserializer = Deserializer::from_str(line);
    Object::top(&mut values).deserialize(&mut deserializer).map_err(|_| LogRule::Json)?;
    deserializer.end().map_err(|_| LogRule::Json)?;

    let time = values.time.get().ok_or(LogRule::Time)?;
    let line = values.line.take().and_then(|line| text::request_line(&line));
    let (line_method, line_target) =
        line.map_or((None, None), |(method, target)| (Some(method), Some(target)));
    let method = values.method.take().or(line_method).filter(|method| text::is_method(method));
    let whole_target = values.target.take();
    // A path without its query is used only as a last resort.
    let target = match (whole_target.or(line_target), values.path.take()) {
        (Some(target), _) => target,
        (None, Some(path)) => with_query(path, values.query.take()),
        (None, None) => return Err(LogRule::Request),
    };
    let target = text::target(target);
    if let Some(broken) = values.broken {
        return Err(broken);
    }
    Ok(LogRequest {
        time,
        ip: values.ip.get(),
        method: method.ok_or(LogRule::Request)?,
        host: target.host.or_else(|| values.host.take().and_then(text::host)),
        target: target.path,
        scheme: target.scheme.or(values.scheme.get()),
        status: values.status.get(),
        bytes: values.bytes.get(),
        agent: values.agent.take(),
        referer: values.referer.take(),
    })
}

fn with_query<'l>(path: Cow<'l, str>, query: Option<Cow<'l, str>>) -> Cow<'l, str> {
    match query {
        Some(query) if !path.contains('?') => Cow::Owned(format!("{path}?{}", query.trim_start_matches('?'))),
        _ => path,
    }
}
