//! The names of JSON fields.

/// The kind of value that a field contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Time,
    Ip,
    Method,
    Host,
    /// The path and the query.
    Target,
    /// The path, with or without the query.
    Path,
    Query,
    Scheme,
    Status,
    Bytes,
    Agent,
    Referer,
    /// The request line, or the request as an object.
    Request,
    /// The request headers, each with a list of values.
    Headers,
    /// The TLS connection. If this field is present, the scheme is `https`.
    Tls,
}

/// The object that contains a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Top,
    Request,
    Headers,
}

/// Returns what a field contains and its priority. Among fields with the same content, the one with the highest
/// priority wins.
///
/// The crate documentation lists the names and their sources.
#[rustfmt::skip]
pub(super) fn field(level: Level, name: &str) -> Option<(Field, u8)> {
    if level == Level::Headers {
        return match name.len() {
            10 if name.eq_ignore_ascii_case("User-Agent") => Some((Field::Agent, 1)),
            7 if name.eq_ignore_ascii_case("Referer") => Some((Field::Referer, 1)),
            _ => None,
        };
    }
    Some(match name {
        "msec" | "StartUTC" | "EdgeStartTimestamp" => (Field::Time, 4),
        "ts" | "time_iso8601" | "StartLocal" => (Field::Time, 3),
        "timestamp" | "@timestamp" | "time_local" | "EdgeEndTimestamp" => (Field::Time, 2),
        "time" => (Field::Time, 1),

        "client_ip" => (Field::Ip, 3),
        "remote_addr" | "remote_ip" | "remoteIp" | "ClientHost" | "ClientIP" => (Field::Ip, 2),
        "ClientAddr" => (Field::Ip, 1),

        "request_method" | "method" | "requestMethod" | "RequestMethod" | "ClientRequestMethod" => (Field::Method, 1),

        "http_host" | "RequestHost" | "ClientRequestHost" => (Field::Host, 3),
        "host" => (Field::Host, 2),
        "server_name" | "RequestAddr" => (Field::Host, 1),

        "request_uri" | "requestUrl" | "RequestPath" | "ClientRequestURI" => (Field::Target, 1),
        // Caddy's `uri` includes the query; nginx's doesn't.
        "uri" if level == Level::Request => (Field::Target, 1),
        "uri" => (Field::Path, 3),
        "url" => (Field::Path, 2),
        "path" | "ClientRequestPath" => (Field::Path, 1),
        "args" | "query_string" => (Field::Query, 2),
        "query" => (Field::Query, 1),

        "scheme" | "RequestScheme" | "ClientRequestScheme" => (Field::Scheme, 2),
        "tls" if level == Level::Request => (Field::Tls, 1),

        "status" | "DownstreamStatus" | "EdgeResponseStatus" => (Field::Status, 1),

        "body_bytes_sent" => (Field::Bytes, 2),
        "bytes_sent" | "size" | "responseSize" | "DownstreamContentSize" | "EdgeResponseBytes" => (Field::Bytes, 1),

        "http_user_agent" | "user_agent" | "userAgent" | "request_User-Agent" | "ClientRequestUserAgent" => (Field::Agent, 1),
        "http_referer" | "referer" | "request_Referer" | "ClientRequestReferer" => (Field::Referer, 1),

        "request" | "httpRequest" if level == Level::Top => (Field::Request, 1),
        "headers" if level == Level::Request => (Field::Headers, 1),
        _ => return None,
    })
}
