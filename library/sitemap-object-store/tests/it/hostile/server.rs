//! An S3 server that fails as planned. It keeps files in memory, or forwards requests to another S3 server.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sitemap_core::publish::files::content_digest;
use sitemap_object_store::ObjectStorage;

/// What the server does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Answer,
    /// Executes the request, but closes the connection without a response.
    LoseAnswer,
    /// Closes the connection without executing the request.
    Drop,
    /// Responds with this status and error code, without executing the request.
    Refuse(u16, &'static str),
    /// Executes the request, but sends only half of the response.
    CutAnswer,
    /// Does nothing for a minute.
    Hang,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HashMap<String, String>,
    body: Vec<u8>,
    raw: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

pub(crate) type Plan = Box<dyn FnMut(&Request) -> Act + Send>;

pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    plan: Mutex<Plan>,
    seen: Mutex<Vec<Request>>,
    files: Mutex<Files>,
    /// The server that executes the requests.
    behind: Option<String>,
}

#[derive(Default)]
struct Files {
    stored: BTreeMap<String, Stored>,
    parts: BTreeMap<u64, BTreeMap<u32, Vec<u8>>>,
    uploads: u64,
}

#[derive(Clone)]
struct Stored {
    bytes: Vec<u8>,
    tag: String,
}

impl Server {
    /// Starts a server that keeps files in memory.
    pub(crate) fn start(plan: impl FnMut(&Request) -> Act + Send + 'static) -> Self {
        Self::before(None, plan)
    }

    /// Starts a server that forwards requests to the server at this address.
    pub(crate) fn before(behind: Option<String>, plan: impl FnMut(&Request) -> Act + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, files) = Default::default();
        let shared = Arc::new(Shared { plan: Mutex::new(Box::new(plan)), seen, files, behind });
        let of_server = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&of_server);
                thread::spawn(move || stream.ok().and_then(|stream| shared.serve(stream)));
            }
        });
        Self { address, shared }
    }

    pub(crate) fn plan(&self, plan: impl FnMut(&Request) -> Act + Send + 'static) {
        *self.shared.plan.lock().unwrap() = Box::new(plan);
    }

    /// Returns the requests since the last call.
    pub(crate) fn seen(&self) -> Vec<Request> {
        std::mem::take(&mut *self.shared.seen.lock().unwrap())
    }

    /// Opens a folder of the bucket with retry pauses of a few milliseconds.
    pub(crate) fn open(&self, url: &str) -> ObjectStorage {
        let endpoint = format!("http://{}", self.address);
        let options = [
            ("aws_endpoint", endpoint.as_str()),
            ("aws_allow_http", "true"),
            ("aws_access_key_id", "test"),
            ("aws_secret_access_key", "not a secret"),
            ("aws_region", "us-east-1"),
        ];
        let storage = ObjectStorage::open_with(url, options).unwrap();
        storage.retry_pauses(Duration::from_millis(1), Duration::from_millis(20))
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }
}

impl Shared {
    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let request = read_request(&mut stream)?;
        self.seen.lock().unwrap().push(request.clone());
        let act = (self.plan.lock().unwrap())(&request);
        let answer = match act {
            Act::Drop => return None,
            Act::Hang => {
                thread::sleep(Duration::from_secs(60));
                return None;
            }
            Act::Refuse(status, code) => {
                let body = format!("<Error><Code>{code}</Code><Message>Planned.</Message></Error>");
                respond(status, &[], body.as_bytes(), request.method == "HEAD")
            }
            Act::Answer | Act::LoseAnswer | Act::CutAnswer => match &self.behind {
                Some(server) => pass_on(server, &request.raw),
                None => self.files.lock().unwrap().carry_out(&request),
            },
        };
        match act {
            Act::LoseAnswer => return None,
            Act::CutAnswer => stream.write_all(&answer[..answer.len() - answer.len() / 4]).ok()?,
            _ => stream.write_all(&answer).ok()?,
        }
        Some(())
    }
}

fn pass_on(server: &str, raw: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(server).unwrap();
    stream.write_all(raw).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// Reads a request. The returned text, which is forwarded, asks the other server to close the connection after its
/// response.
fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut raw = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let head = loop {
        if let Some(end) = raw.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut piece).ok()? {
            0 => return None,
            len => raw.extend_from_slice(&piece[..len]),
        }
    };
    let text = String::from_utf8(raw[..head].to_vec()).ok()?;
    let mut lines = text.lines();
    let mut start = lines.next()?.split(' ');
    let (method, target) = (start.next()?.to_owned(), start.next()?.to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let len: usize = headers.get("content-length").map_or(0, |len| len.parse().unwrap());
    while raw.len() < head + 4 + len {
        match stream.read(&mut piece).ok()? {
            0 => return None,
            read => raw.extend_from_slice(&piece[..read]),
        }
    }
    let body = raw[head + 4..].to_vec();
    let closing = [&raw[..head], b"\r\nConnection: close\r\n\r\n", &body].concat();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    Some(Request { method, path: path.to_owned(), query: query.to_owned(), headers, body, raw: closing })
}

fn respond(status: u16, headers: &[(&str, String)], body: &[u8], is_head: bool) -> Vec<u8> {
    let mut text =
        format!("HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        text += &[*name, ": ", value, "\r\n"].concat();
    }
    text.push_str("\r\n");
    let mut answer = text.into_bytes();
    answer.extend_from_slice(if is_head { b"" } else { body });
    answer
}

impl Files {
    fn carry_out(&mut self, request: &Request) -> Vec<u8> {
        let is_head = request.method == "HEAD";
        let fail = |status, code: &str| {
            respond(status, &[], format!("<Error><Code>{code}</Code></Error>").as_bytes(), is_head)
        };
        let query: HashMap<&str, &str> =
            request.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, ""))).collect();
        let upload = query.get("uploadId").map(|id| id.parse::<u64>().unwrap());
        match request.method.as_str() {
            "GET" if query.contains_key("list-type") => {
                self.list(&query.get("prefix").copied().unwrap_or_default().replace("%2F", "/"))
            }
            "GET" | "HEAD" => match self.stored.get(&request.path) {
                None => fail(404, "NoSuchKey"),
                Some(Stored { bytes, tag }) => {
                    let mut headers = vec![
                        ("ETag", format!("\"{tag}\"")),
                        ("Last-Modified", "Sat, 31 Jan 2026 00:00:00 GMT".to_owned()),
                    ];
                    let range = request
                        .header("range")
                        .and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
                    let Some((start, end)) = range else { return respond(200, &headers, bytes, is_head) };
                    let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
                    headers.push(("Content-Range", format!("bytes {start}-{end}/{}", bytes.len())));
                    respond(206, &headers, &bytes[start..=end], is_head)
                }
            },
            "PUT" if upload.is_some() => {
                let number = query["partNumber"].parse().unwrap();
                let Some(parts) = self.parts.get_mut(&upload.unwrap()) else {
                    return fail(404, "NoSuchUpload");
                };
                parts.insert(number, request.body.clone());
                respond(200, &[("ETag", "\"part\"".to_owned())], b"", false)
            }
            "PUT" => {
                let current = self.stored.get(&request.path).map(|stored| format!("\"{}\"", stored.tag));
                if request.header("if-none-match").is_some() && current.is_some()
                    || request.header("if-match").is_some_and(|tag| Some(tag) != current.as_deref())
                {
                    return fail(412, "PreconditionFailed");
                }
                if let Some(source) = request.header("x-amz-copy-source") {
                    let Some(stored) = self.stored.get(&format!("/{source}")).cloned() else {
                        return fail(404, "NoSuchKey");
                    };
                    self.stored.insert(request.path.clone(), stored);
                    return respond(200, &[], b"<CopyObjectResult></CopyObjectResult>", false);
                }
                let tag = self.store(&request.path, request.body.clone());
                respond(200, &[("ETag", tag)], b"", false)
            }
            "POST" if query.contains_key("uploads") => {
                self.uploads += 1;
                self.parts.insert(self.uploads, BTreeMap::new());
                let id = self.uploads;
                let xml = format!(
                    "<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"
                );
                respond(200, &[], xml.as_bytes(), false)
            }
            "POST" if upload.is_some() => {
                let Some(parts) = self.parts.remove(&upload.unwrap()) else {
                    return fail(404, "NoSuchUpload");
                };
                let tag = self.store(&request.path, parts.into_values().flatten().collect());
                let xml = format!(
                    "<CompleteMultipartUploadResult><ETag>{tag}</ETag></CompleteMultipartUploadResult>"
                );
                respond(200, &[], xml.as_bytes(), false)
            }
            "POST" => {
                let body = String::from_utf8(request.body.clone()).unwrap();
                let mut deleted = String::new();
                for key in body.split("<Key>").skip(1).filter_map(|rest| rest.split('<').next()) {
                    self.stored.remove(&format!("/bucket/{key}"));
                    deleted += &["<Deleted><Key>", key, "</Key></Deleted>"].concat();
                }
                let xml = format!("<DeleteResult>{deleted}</DeleteResult>");
                respond(200, &[], xml.as_bytes(), false)
            }
            _ => {
                upload.map(|id| self.parts.remove(&id));
                respond(204, &[], b"", false)
            }
        }
    }

    fn list(&self, prefix: &str) -> Vec<u8> {
        let of_file = |(path, stored): (&String, &Stored)| {
            let name = path.strip_prefix("/bucket/")?;
            let in_folder = !name.strip_prefix(prefix)?.contains('/');
            in_folder.then(|| {
                format!(
                    "<Contents><Key>{name}</Key><LastModified>2026-01-31T00:00:00.000Z</LastModified>\
                             <ETag>\"{}\"</ETag><Size>{}</Size></Contents>",
                    stored.tag,
                    stored.bytes.len()
                )
            })
        };
        let files: String = self.stored.iter().filter_map(of_file).collect();
        let xml = format!("<ListBucketResult><IsTruncated>false</IsTruncated>{files}</ListBucketResult>");
        respond(200, &[], xml.as_bytes(), false)
    }

    fn store(&mut self, path: &str, bytes: Vec<u8>) -> String {
        let tag = content_digest(&bytes);
        self.stored.insert(path.to_owned(), Stored { bytes, tag: tag.clone() });
        format!("\"{tag}\"")
    }
}
