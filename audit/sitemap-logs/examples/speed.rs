//! Measures how fast each format is read:
//!
//! ```sh
//! cargo run --release -p sitemap-logs --example speed
//! ```
//!
//! The lines are about 300 bytes long and vary in clients, targets and user agents. The program reads 256 MB of each
//! format from memory on one thread, and prints the best of five rounds.

use std::fmt::Write as _;
use std::io::BufReader;
use std::time::{Duration, Instant};

use sitemap_logs::{LogFormat, LogReader};

const AGENTS: [&str; 4] = [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/125.0.6422.175 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
];

/// The size of each log in bytes. The log is read repeatedly.
const SIZE: usize = 16 << 20;

/// The number of times that a log is read in each round.
const REPEATS: usize = 16;

fn main() {
    for (name, format, line) in [
        ("combined", LogFormat::Combined, combined as fn(&mut String, usize)),
        ("json (nginx)", LogFormat::Json, nginx_json),
        ("json (Caddy)", LogFormat::Json, caddy),
        ("json (Cloudflare)", LogFormat::Json, cloudflare),
        ("cloudfront", LogFormat::CloudFront, cloudfront),
        ("alb", LogFormat::Alb, alb),
    ] {
        let mut log = String::new();
        let mut lines = 0;
        while log.len() < SIZE {
            line(&mut log, lines);
            log.push('\n');
            lines += 1;
        }
        let time = (0..5).map(|_| round(log.as_bytes(), format, lines)).min().unwrap_or_default();
        let megabytes = u32::try_from(log.len() * REPEATS / 1_000_000).unwrap_or(u32::MAX);
        let speed = f64::from(megabytes) / time.as_secs_f64();
        println!("{name:<18} {speed:>6.0} MB/s, {:>4} bytes a line", log.len() / lines);
    }
}

fn round(log: &[u8], format: LogFormat, lines: usize) -> Duration {
    let start = Instant::now();
    for _ in 0..REPEATS {
        // As with a file, the reader copies the bytes in pieces.
        let mut reader = LogReader::new(BufReader::with_capacity(1 << 16, log), format);
        let mut bytes = 0;
        while let Some(request) = reader.next_request() {
            bytes += request.expect("a valid line").bytes.unwrap_or_default();
        }
        assert_eq!(reader.requests(), lines as u64);
        assert!(bytes > 0);
    }
    start.elapsed()
}

/// The values that vary.
fn values(at: usize) -> (String, String, usize, &'static str) {
    let ip = format!("{}.{}.{}.{}", 20 + at % 200, at * 7 % 256, at * 31 % 256, at * 13 % 256);
    let target = format!("/category-{}/product-{}.html?ref={}", at % 37, at * 7919 % 1_000_003, at % 11);
    (ip, target, 500 + at * 37 % 60_000, AGENTS[at % AGENTS.len()])
}

fn clock(at: usize) -> String {
    format!("{:02}:{:02}:{:02}", at / 3600 % 24, at / 60 % 60, at % 60)
}

fn combined(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let _ = write!(
        log,
        "{ip} - - [27/Nov/2026:{} +0000] \"GET {target} HTTP/1.1\" 200 {bytes} \
         \"https://www.example.com/category-{}/\" \"{agent}\"",
        clock(at),
        at % 37,
    );
}

fn nginx_json(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let _ = write!(
        log,
        "{{\"time_iso8601\":\"2026-11-27T{}+00:00\",\"remote_addr\":\"{ip}\",\"request_method\":\"GET\",\
         \"request_uri\":\"{target}\",\"host\":\"www.example.com\",\"status\":\"200\",\"body_bytes_sent\":\"{bytes}\",\
         \"http_referer\":\"\",\"http_user_agent\":\"{agent}\"}}",
        clock(at),
    );
}

fn caddy(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let _ = write!(
        log,
        "{{\"level\":\"info\",\"ts\":{}.{:06},\"logger\":\"http.log.access\",\"msg\":\"handled request\",\"request\":{{\
         \"remote_ip\":\"{ip}\",\"remote_port\":\"41342\",\"client_ip\":\"{ip}\",\"proto\":\"HTTP/2.0\",\
         \"method\":\"GET\",\"host\":\"www.example.com\",\"uri\":\"{target}\",\"headers\":{{\"User-Agent\":[\"{agent}\"],\
         \"Accept\":[\"*/*\"],\"Accept-Encoding\":[\"gzip, deflate, br\"]}},\"tls\":{{\"resumed\":false,\
         \"version\":772,\"cipher_suite\":4865,\"proto\":\"h2\"}}}},\"bytes_read\":0,\"duration\":0.000929675,\
         \"size\":{bytes},\"status\":200,\"resp_headers\":{{\"Server\":[\"Caddy\"]}}}}",
        1_795_787_736 + at,
        at * 7919 % 1_000_000,
    );
}

fn cloudflare(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let _ = write!(
        log,
        "{{\"ClientIP\":\"{ip}\",\"ClientRequestHost\":\"www.example.com\",\"ClientRequestMethod\":\"GET\",\
         \"ClientRequestURI\":\"{target}\",\"ClientRequestUserAgent\":\"{agent}\",\"EdgeResponseBytes\":{bytes},\
         \"EdgeResponseStatus\":200,\"EdgeStartTimestamp\":\"2026-11-27T{}Z\",\"RayID\":\"{at:016x}\"}}",
        clock(at),
    );
}

fn cloudfront(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let (path, query) = target.split_once('?').unwrap_or((&target, "-"));
    let _ = write!(
        log,
        "2026-11-27\t{}\tLAX1\t{bytes}\t{ip}\tGET\td111111abcdef8.cloudfront.net\t{path}\t200\t-\t{}\t{query}\t-\tHit\t\
         SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\twww.example.com\thttps\t23\t0.001\t-\tTLSv1.2\t\
         ECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-",
        clock(at),
        agent.replace(' ', "%20"),
    );
}

fn alb(log: &mut String, at: usize) {
    let (ip, target, bytes, agent) = values(at);
    let _ = write!(
        log,
        "https 2026-11-27T{}.186641Z app/my-loadbalancer/50dc6c495c0c9188 {ip}:2817 10.0.0.1:80 0.086 0.048 0.037 200 \
         200 0 {bytes} \"GET https://www.example.com:443{target} HTTP/1.1\" \"{agent}\" ECDHE-RSA-AES128-GCM-SHA256 \
         TLSv1.2 - \"Root=1-58337281-1d84f3d73c47ec4e58577259\" \"www.example.com\" \"-\" 1 - \"forward\" \"-\" \"-\"",
        clock(at),
    );
}
