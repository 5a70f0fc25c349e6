//! One request.

use std::borrow::Cow;
use std::net::IpAddr;

/// A request that a server has logged.
///
/// Texts borrow from the line wherever the line has them unescaped. Values that the log lacks are `None`, and so are
/// empty ones and `-`.
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
    /// The time in microseconds since 1970, in UTC. Whether it is the begin or the end of the request depends on the
    /// server.
    pub time: i64,
    /// The IP address of the client. An IPv4 address that is written as IPv6 becomes IPv4. `None` if the log has a host
    /// name instead.
    pub ip: Option<IpAddr>,
    /// The method, such as `GET`.
    pub method: Cow<'l, str>,
    /// The host that the client asked, without the port if that is 80 or 443.
    pub host: Option<Cow<'l, str>>,
    /// The path and the query, as the client sent them. Bytes that are not UTF-8 are U+FFFD, as in all texts.
    pub target: Cow<'l, str>,
    /// The scheme: `http`, `https`, `ws` or `wss`.
    pub scheme: Option<&'static str>,
    /// The status of the response. `None` also for `000`, which servers log if they sent no response.
    pub status: Option<u16>,
    /// The number of bytes sent. It depends on the server and its format whether headers count.
    pub bytes: Option<u64>,
    /// The user agent.
    pub agent: Option<Cow<'l, str>>,
    /// The URL of the page that led to the request.
    pub referer: Option<Cow<'l, str>>,
}
