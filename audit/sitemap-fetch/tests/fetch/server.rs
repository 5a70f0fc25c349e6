//! A server that writes raw bytes.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, watch};

/// How the server reacts to a request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends bytes, then reads the next request.
    Send(Vec<u8>),
    /// Sends bytes, then closes the connection.
    Close(Vec<u8>),
    /// Sends bytes, then nothing more. Keeps the connection open.
    Hang(Vec<u8>),
    /// Sends bytes, then repeats other bytes forever.
    Repeat(Vec<u8>, Vec<u8>),
    /// Sends bytes, then repeats other bytes forever, with pauses in between.
    Drip(Vec<u8>, Vec<u8>, Duration),
    /// Resets the connection.
    Reset,
    /// Waits for other requests, then sends bytes.
    Meet(Arc<Barrier>, Vec<u8>),
    /// Waits until the value is `true`, then sends bytes.
    Wait(watch::Receiver<bool>, Vec<u8>),
}

/// A request that the server received.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) host: String,
    pub(crate) path: String,
    /// Header names are in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The number of earlier requests for the same host and path.
    pub(crate) earlier: usize,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Default)]
struct State {
    seen: Vec<Seen>,
    count: HashMap<String, usize>,
    connections: usize,
    /// The number of requests that are being answered now, and the maximum so far.
    open: usize,
    most_open: usize,
}

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Server {
    /// Starts a server on the current runtime. It runs until the runtime ends.
    pub(crate) async fn start(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, act) = (Arc::new(Mutex::new(State::default())), Arc::new(act));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                shared.lock().unwrap().connections += 1;
                tokio::spawn(serve(stream, Arc::clone(&shared), Arc::clone(&act)));
            }
        });
        Self { address, state }
    }

    /// Returns the requests so far, as `host/path`.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.state.lock().unwrap().seen.iter().map(|seen| format!("{}{}", seen.host, seen.path)).collect()
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    pub(crate) fn most_open(&self) -> usize {
        self.state.lock().unwrap().most_open
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>, act: Arc<impl Fn(&Seen) -> Act>) {
    let mut head = Vec::new();
    loop {
        while !head.ends_with(b"\r\n\r\n") {
            let Ok(byte) = stream.read_u8().await else { return };
            head.push(byte);
        }
        let seen = see(&String::from_utf8(std::mem::take(&mut head)).unwrap(), &state);
        let act = act(&seen);
        let is_open = !matches!(act, Act::Send(_) | Act::Wait(..) | Act::Meet(..));
        let bytes = match act {
            Act::Send(bytes) | Act::Close(bytes) => bytes,
            Act::Meet(barrier, bytes) => {
                barrier.wait().await;
                bytes
            }
            Act::Wait(mut receiver, bytes) => {
                receiver.wait_for(|value| *value).await.unwrap();
                bytes
            }
            Act::Reset => return stream.set_zero_linger().unwrap(),
            Act::Hang(bytes) => {
                stream.write_all(&bytes).await.unwrap();
                return std::future::pending().await;
            }
            Act::Drip(bytes, again, pause) => {
                stream.write_all(&bytes).await.unwrap();
                while stream.write_all(&again).await.is_ok() {
                    tokio::time::sleep(pause).await;
                }
                return;
            }
            Act::Repeat(bytes, again) => {
                stream.write_all(&bytes).await.unwrap();
                while stream.write_all(&again).await.is_ok() {}
                return;
            }
        };
        state.lock().unwrap().open -= 1;
        if stream.write_all(&bytes).await.is_err() || is_open {
            return;
        }
    }
}

/// Counts a request.
fn see(head: &str, state: &Mutex<State>) -> Seen {
    let (first, rest) = head.split_once("\r\n").unwrap();
    let path = first.split(' ').nth(1).unwrap().to_owned();
    let headers: Vec<_> = rest
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let host = headers.iter().find(|(name, _)| name == "host").unwrap().1.clone();
    let mut state = state.lock().unwrap();
    let count = state.count.entry(format!("{host}{path}")).or_default();
    let earlier = *count;
    *count += 1;
    state.open += 1;
    state.most_open = state.most_open.max(state.open);
    let seen = Seen { host, path, headers, earlier };
    state.seen.push(seen.clone());
    seen
}

/// Returns a response with a body of known length.
pub(crate) fn answer(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// Returns an HTML page with a title.
pub(crate) fn page(title: &str) -> Act {
    Act::Send(answer(200, "Content-Type: text/html\r\n", format!("<title>{title}</title>")))
}

/// Returns a response without a body.
pub(crate) fn status(status: u16) -> Act {
    Act::Send(answer(status, "", ""))
}

/// Returns a redirect.
pub(crate) fn redirect(status: u16, location: &str) -> Act {
    Act::Send(answer(status, &format!("Location: {location}\r\n"), ""))
}
