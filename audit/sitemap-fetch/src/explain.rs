//! Explains to people why a request failed.

use std::error::Error as StdError;
use std::io;

use sitemap_pages::visit::{Failure, FailureKind};
use url::Url;

use crate::guard::Refused;
use crate::options::FetchOptions;
use crate::url_parts::server;

/// Returns the failure that describes why a request failed.
pub(crate) fn explain(error: &reqwest::Error, url: &Url, options: &FetchOptions) -> Failure {
    let host = server(url);
    let of = |kind, message: String| Failure::new(kind, message);
    if let Some(refused) = find::<Refused>(error) {
        return of(FailureKind::ForbiddenAddress, refused.to_string());
    }
    if error.is_dns() {
        return of(FailureKind::Dns, format!("`{host}` has no address"));
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        return of(FailureKind::Tls, tls_message(tls, &host));
    }
    let io_kind = find::<io::Error>(error).map(io::Error::kind);
    if error.is_timeout() {
        let limit = seconds(options.connect_timeout);
        return if error.is_connect() {
            of(FailureKind::Timeout, format!("no connection to `{host}` within {limit}"))
        } else {
            of(FailureKind::Timeout, format!("`{host}` stopped answering"))
        };
    }
    if error.is_connect() {
        let ended = matches!(io_kind, Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset));
        return if ended && url.scheme() == "https" {
            of(FailureKind::Tls, format!("`{host}` ended the connection before it was encrypted"))
        } else if io_kind == Some(io::ErrorKind::ConnectionRefused) {
            of(FailureKind::Connect, format!("`{host}` refused the connection"))
        } else {
            of(FailureKind::Connect, format!("no connection to `{host}`"))
        };
    }
    let not_http = || of(FailureKind::Protocol, format!("`{host}` sent a response that is not valid HTTP"));
    if let Some(http) = find::<hyper::Error>(error) {
        // The body doesn't match `Transfer-Encoding`.
        let is_bad_body = matches!(io_kind, Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData));
        return if http.is_parse() || is_bad_body {
            not_http()
        } else {
            of(
                FailureKind::Interrupted,
                format!("`{host}` ended the connection before the response was complete"),
            )
        };
    }
    if error.is_decode() || error.is_body() {
        return undecodable(&host);
    }
    not_http()
}

/// Returns the failure for a request that timed out.
pub(crate) fn too_slow(url: &Url, options: &FetchOptions) -> Failure {
    let limit = seconds(options.timeout);
    Failure::new(FailureKind::Timeout, format!("`{}` sent no complete response within {limit}", server(url)))
}

/// Returns the failure for a body that isn't encoded as `Content-Encoding` claims.
fn undecodable(host: &str) -> Failure {
    let why = format!("`{host}` sent a body that does not have the encoding that `Content-Encoding` names");
    Failure::new(FailureKind::Encoding, why)
}

fn tls_message(error: &rustls::Error, host: &str) -> String {
    use rustls::CertificateError as C;
    let rustls::Error::InvalidCertificate(reason) = error else {
        return format!("`{host}` does not encrypt the connection in a way that is accepted");
    };
    let reason = match reason {
        C::Expired | C::ExpiredContext { .. } => "has expired",
        C::NotValidYet | C::NotValidYetContext { .. } => "is not valid yet",
        C::NotValidForName | C::NotValidForNameContext { .. } => "is for another host",
        C::UnknownIssuer => "is not issued by a trusted authority",
        C::Revoked => "is revoked",
        _ => "is not valid",
    };
    format!("the certificate of `{host}` {reason}")
}

/// The reason why a proxy refused to connect for an https URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TunnelError {
    /// The status 407.
    NeedsCredentials,
    Other,
}

/// If a proxy refused to connect for an https URL, returns the reason.
pub(crate) fn tunnel_error(error: &reqwest::Error) -> Option<TunnelError> {
    let mut next = Some(error as &(dyn StdError + 'static));
    while let Some(error) = next {
        // The error's type is private, so we have to match its message.
        if let Some(why) = error.to_string().strip_prefix("tunnel error: ") {
            let needs_credentials = why == "proxy authorization required";
            return Some(if needs_credentials { TunnelError::NeedsCredentials } else { TunnelError::Other });
        }
        next = error.source();
    }
    None
}

/// Formats a time with its unit.
pub(crate) fn seconds(time: std::time::Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// Searches an error and its causes for an error of a given type.
fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // `io::Error::source` returns the source of the inner error, which would skip the inner error itself.
        let inside = error.downcast_ref().and_then(io::Error::get_ref);
        next = inside.map(|inside| inside as &(dyn StdError + 'static)).or_else(|| error.source());
    }
    None
}
