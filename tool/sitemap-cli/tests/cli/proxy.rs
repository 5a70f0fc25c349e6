//! Proxies: which requests use them, and what the command reports if they fail.

use std::io::Write as _;
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

use crate::support::server::{Responder, Server, ok, status};
use crate::support::{Ran, Sandbox, urlset};

// A certificate for `a.test`, and the test authority that issued it.
const AUTHORITY: &str = include_str!("tls/authority.pem");
const CERTIFICATE: &str = include_str!("tls/server.pem");
const KEY: &str = include_str!("tls/server.key");

const PAGE: &str = "<url><loc>https://example.com/</loc></url>\n";

/// Runs `sitemap list` with these variables and no other proxy.
fn list(sandbox: &Sandbox, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command: Command = sandbox.command(&[&["list"][..], args].concat());
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap(),
    }
}

/// Returns the URL of a server to use as a proxy, with a user name and password.
fn with_password(proxy: &Server) -> String {
    proxy.url("").replace("http://", "http://user:secret@")
}

/// Responds to `CONNECT` as if it were the server `a.test`, which has a sitemap.
fn tunnel() -> Responder {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    Box::new(move |stream: &mut TcpStream| {
        stream.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
        let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut stream = Stream::new(&mut connection, stream);
        let body = urlset(PAGE);
        let mut request = [0; 4_096];
        // A single record contains the whole request.
        let _ = std::io::Read::read(&mut stream, &mut request)?;
        let len = body.len();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}")?;
        stream.conn.send_close_notify();
        stream.flush()
    })
}

#[test]
fn an_http_url_is_requested_from_the_proxy_with_its_credentials() {
    let proxy = Server::start(vec![("http://sitemap.test/sitemap.xml", ok(urlset(PAGE)))]);
    let variables = [("http_proxy", &*with_password(&proxy))];
    let ran = list(&Sandbox::new(), &["http://sitemap.test/sitemap.xml"], &variables);
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (0, "https://example.com/\n", ""));
    let sent = ["http://sitemap.test/sitemap.xml Basic dXNlcjpzZWNyZXQ="];
    assert_eq!(proxy.headers("Proxy-Authorization"), sent);
}

#[test]
fn hosts_in_no_proxy_are_requested_directly() {
    let proxy = Server::start(Vec::new());
    let server = Server::start(vec![("/sitemap.xml", ok(urlset(PAGE)))]);
    let variables = [("http_proxy", &*proxy.url("")), ("NO_PROXY", "127.0.0.1")];
    let ran = list(&Sandbox::new(), &[&server.url("/sitemap.xml"), "--allow-private"], &variables);
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (0, "https://example.com/\n", ""));
    assert_eq!((proxy.requested().len(), server.requested().len()), (0, 1));
}

#[test]
fn a_proxy_that_asks_for_credentials_is_named() {
    let proxy = Server::start(vec![
        ("http://sitemap.test/sitemap.xml", status(407, "Proxy-Authenticate: Basic\r\n")),
        ("sitemap.test:443", status(407, "Proxy-Authenticate: Basic\r\n")),
    ]);
    let name = proxy.url("").replace("http://", "");
    for (url, variables, why) in [
        (
            "http://sitemap.test/sitemap.xml",
            ("http_proxy", proxy.url("")),
            "status 407: the proxy asks for credentials; give them in the URL of the proxy".to_owned(),
        ),
        (
            "https://sitemap.test/sitemap.xml",
            ("https_proxy", proxy.url("")),
            format!("the proxy `{name}` asks for credentials; give them in the URL of the proxy"),
        ),
        (
            "https://sitemap.test/sitemap.xml",
            ("https_proxy", with_password(&proxy)),
            format!("the proxy `{name}` does not accept the credentials in its URL; check them"),
        ),
    ] {
        let ran = list(&Sandbox::new(), &[url], &[(variables.0, &variables.1)]);
        assert_eq!((ran.status, ran.stderr), (2, format!("error: cannot read `{url}`: {why}\n")));
    }
}

#[test]
fn a_host_that_the_proxy_cannot_reach_is_named() {
    let closes: Responder = Box::new(|_| Ok(()));
    let proxy = Server::start(vec![("a.test:443", status(502, "")), ("b.test:443", closes)]);
    let name = proxy.url("").replace("http://", "");
    for host in ["a.test", "b.test"] {
        let url = format!("https://{host}/sitemap.xml");
        let ran = list(&Sandbox::new(), &[&url], &[("https_proxy", &proxy.url(""))]);
        assert_eq!(
            (ran.status, ran.stderr),
            (
                2,
                format!(
                    "error: cannot read `{url}`: no connection to `{host}` through the proxy `{name}`; check the proxy, \
                     or list the host in `NO_PROXY`\n"
                )
            )
        );
    }
}

#[test]
fn a_certificate_behind_a_proxy_is_that_of_the_host() {
    let proxy = Server::start(vec![("a.test:443", tunnel())]);
    let (sandbox, url) = (Sandbox::new(), "https://a.test/sitemap.xml");
    let ran = list(&sandbox, &[url], &[("https_proxy", &proxy.url(""))]);
    let why = "the certificate of `a.test` is not issued by a trusted authority";
    assert_eq!((ran.status, ran.stderr), (2, format!("error: cannot read `{url}`: {why}\n")));
    sandbox.write("authority.pem", AUTHORITY);
    let variables = [("https_proxy", &*proxy.url("")), ("SSL_CERT_FILE", "authority.pem")];
    let ran = list(&sandbox, &[url], &variables);
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (0, "https://example.com/\n", ""));
}

#[test]
fn a_proxy_that_is_down_is_named_without_its_password() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["list", "http://sitemap.test/sitemap.xml"]);
    command.env("http_proxy", "http://user:secret@127.0.0.1:9").env_remove("no_proxy").env_remove("NO_PROXY");
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(
        stderr,
        "error: cannot read `http://sitemap.test/sitemap.xml`: no connection to `sitemap.test` through the proxy \
         `127.0.0.1:9`; check the proxy, or list the host in `NO_PROXY`\n"
    );
}
