//! Tests that the HTTP client of the tests detects an incomplete response.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use drive::{Connection, Response};

/// Starts a server that sends `answer` and then closes the connection. Returns the response that the client reads.
fn ask(answer: &'static str) -> std::io::Result<Response> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let read = stream.read(&mut [0; 1024]).unwrap();
        assert!(read > 0);
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let response = Connection::open(address).unwrap().get("/");
    server.join().unwrap();
    response
}

#[test]
fn a_whole_answer_is_read() {
    let response = ask("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nwhole").unwrap();
    assert_eq!((response.status, response.text(), response.header("etag")), (200, "whole", Some("\"a\"")));
    let response =
        ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwh\r\n3\r\nole\r\n0\r\n\r\n").unwrap();
    assert_eq!(response.text(), "whole");
}

#[test]
fn a_torn_answer_is_an_error() {
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Len",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhol",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhol",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n",
        "HTTP/1.1 200 OK\r\n\r\nof unknown length",
    ] {
        assert!(ask(answer).is_err(), "{answer:?}");
    }
}
