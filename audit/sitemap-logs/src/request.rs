//! One request.

use std::borrow::Cow;
use std::net::IpAddr;

/// A request as logged by a server.
///
/// Strings borrow from the line unless they contain escapes. Values that are missing, empty or `-` are `None`.
///
/// ```
/// use sitemap_logs::{LogFormat, LogReader};
///
/// let log = br#"66.249.66.1 - - [27/Nov/2026:13:55:36 +0100] "GET /tea?page=2 HTTP/1.1" 200 2326 "-" "Googlebot/2.1""#;
/// let mut reader = LogReader::new(&log[..], LogFormat::Combined);
/// let request = reader.next_request().unwrap()?;
/// assert_eq!(request.time, 1_795_784_136_000_000);
/// assert_eq!(request.ip, Some("66.249.66.1".parse()?));
/// assert_eq!((&*request.method, &*request.target), ("GET", "/tea?page=2"));
/// assert_eq!((request.host, request.scheme, request.referer), (None, None, None));
/// assert_eq!((request.status, request.bytes), (Some(200), Some(2326)));
/// assert_eq!(request.agent.as_deref(), Some("Googlebot/2.1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogRequest<'l> {
    /// The time in microseconds since 1970, in UTC. It depends on the server whether this is the start or the end of
    /// the request.
    pub time: i64,
    /// The client's IP address. IPv4-mapped IPv6 addresses are converted to IPv4. `None` if the log contains a host
    /// name instead.
    pub ip: Option<IpAddr>,
    /// The method, such as `GET`.
    pub method: Cow<'l, str>,
    /// The host that the client requested. The port is omitted if it is 80 or 443.
    pub host: Option<Cow<'l, str>>,
    /// The path and query as the client sent them. As in all strings, bytes that are not UTF-8 become U+FFFD.
    pub target: Cow<'l, str>,
    /// The scheme: `http`, `https`, `ws` or `wss`.
    pub scheme: Option<&'static str>,
    /// The response status. `None` if it is missing or `000`, which servers log if they sent no response.
    pub status: Option<u16>,
    /// The number of bytes sent. Whether headers are included depends on the server and its log format.
    pub bytes: Option<u64>,
    /// The user agent.
    pub agent: Option<Cow<'l, str>>,
    /// The URL of the page that linked to the target.
    pub referer: Option<Cow<'l, str>>,
}
