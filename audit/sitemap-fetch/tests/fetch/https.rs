//! Tests for HTTPS: certificates and HTTP/2.
//!
//! The certificate in `tls` is for `a.test`, signed by its own authority, and valid until 2120. The authority's key was
//! not kept.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::work::{Pages, options, visit};

const AUTHORITY: &str = include_str!("tls/authority.pem");
const CERTIFICATE: &str = include_str!("tls/server.pem");
const KEY: &str = include_str!("tls/server.key");

/// An HTTP/2 server that counts its connections.
struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

/// Starts a server that offers HTTP/2 only.
async fn start() -> Server {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server { address: listener.local_addr().unwrap(), connections: Arc::default() };
    let connections = Arc::clone(&server.connections);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, connections) = (acceptor.clone(), Arc::clone(&connections));
            tokio::spawn(async move {
                // A client that doesn't accept the certificate closes the connection.
                let Ok(stream) = acceptor.accept(stream).await else { return };
                assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
                connections.fetch_add(1, Ordering::SeqCst);
                let _ = serve(stream).await;
            });
        }
    });
    server
}

/// Answers every request on an HTTP/2 connection with a page.
///
/// Source: RFC 9113, section 4.1, and RFC 7541, section 6.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    const DATA: u8 = 0;
    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;
    const END_STREAM: u8 = 1;
    const END_HEADERS: u8 = 4;

    let frame = |kind: u8, flags: u8, id: u32, payload: &[u8]| {
        let mut bytes = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
        bytes.extend([kind, flags]);
        bytes.extend(id.to_be_bytes());
        bytes.extend(payload);
        bytes
    };
    stream.read_exact(&mut [0; 24]).await?;
    stream.write_all(&frame(SETTINGS, 0, 0, &[])).await?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await?;
        let [l1, l2, l3, kind, flags, id @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, l1, l2, l3]) as usize];
        stream.read_exact(&mut payload).await?;
        match kind {
            SETTINGS if flags == 0 => stream.write_all(&frame(SETTINGS, 1, 0, &[])).await?,
            HEADERS => {
                let id = u32::from_be_bytes(id);
                // `:status: 200` and `content-type: text/html`.
                let headers = [&[0x88, 0x0F, 0x10, 9][..], b"text/html"].concat();
                stream.write_all(&frame(HEADERS, END_HEADERS, id, &headers)).await?;
                stream.write_all(&frame(DATA, END_STREAM, id, b"<title>Two</title>")).await?;
            }
            _ => {}
        }
        stream.flush().await?;
    }
}

#[tokio::test]
async fn http_2_is_used_where_it_is_offered() {
    let server = start().await;
    let mut pages =
        Pages::of((10..40).map(|number| format!("https://a.test/{number}"))).allow("https://a.test");
    let summary = pages.run(options(server.address).authority(AUTHORITY)).await;
    let expected: Vec<_> = (10..40).map(|number| format!("https://a.test/{number}: 200 Two")).collect();
    assert_eq!(pages.said(), expected);
    assert_eq!((summary.progress.requests, summary.progress.retries), (30, 0));
    assert!(server.connections.load(Ordering::SeqCst) <= 4, "requests share connections");
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_a_failure() {
    let server = start().await;
    assert_eq!(
        visit(options(server.address), "https://a.test/").await,
        "https://a.test/: tls: the certificate of `a.test` is not issued by a trusted authority"
    );
}

#[tokio::test]
async fn a_certificate_for_another_host_is_a_failure() {
    let server = start().await;
    let mut pages = Pages::of(["https://b.test/"]).allow("https://b.test");
    pages.run(options(server.address).authority(AUTHORITY)).await;
    assert_eq!(pages.said(), ["https://b.test/: tls: the certificate of `b.test` is for another host"]);
}
