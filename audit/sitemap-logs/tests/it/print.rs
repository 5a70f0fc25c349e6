//! Prints a request as servers log it.

use std::fmt::Write as _;
use std::net::IpAddr;

use proptest::prelude::*;

/// A request with every value that logs can contain.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub(crate) seconds: i64,
    pub(crate) micros: i64,
    pub(crate) ip: IpAddr,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    pub(crate) status: u16,
    pub(crate) bytes: u64,
    pub(crate) agent: Option<String>,
    pub(crate) referer: Option<String>,
}

pub(crate) const HOST: &str = "www.example.com";

pub(crate) fn requests() -> impl Strategy<Value = Printed> {
    let text = || {
        proptest::option::of(any::<String>().prop_filter("no value", |text| !text.is_empty() && text != "-"))
    };
    (
        (0_i64..4_000_000_000, 0_i64..1_000_000, any::<IpAddr>()),
        (proptest::sample::select(&["GET", "HEAD", "POST", "PROPFIND"][..]), "/[!-~&&[^?]]{0,20}"),
        (proptest::option::of("[!-~]{2,20}"), 100_u16..1000, 0..u64::MAX / 2),
        (text(), text()),
    )
        .prop_map(|((seconds, micros, ip), (method, path), (query, status, bytes), (agent, referer))| {
            Printed {
                seconds,
                micros,
                ip: ip.to_canonical(),
                method,
                path,
                query,
                status,
                bytes,
                agent,
                referer,
            }
        })
}

impl Printed {
    pub(crate) fn target(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    pub(crate) fn nginx(&self) -> String {
        self.combined(nginx_escaped)
    }

    pub(crate) fn apache(&self) -> String {
        format!("{HOST}:443 {}", self.combined(apache_escaped))
    }

    fn combined(&self, escaped: fn(&str) -> String) -> String {
        let Self { ip, method, status, bytes, .. } = self;
        let value = |text: &Option<String>| text.as_deref().map_or("-".to_owned(), escaped);
        format!(
            r#"{ip} - - [{}] "{method} {} HTTP/1.1" {status} {bytes} "{}" "{}""#,
            combined_time(self.seconds),
            escaped(&self.target()),
            value(&self.referer),
            value(&self.agent),
        )
    }

    pub(crate) fn alb(&self) -> String {
        let Self { ip, method, status, bytes, micros, .. } = self;
        let (date, clock) = date_and_clock(self.seconds);
        format!(
            "https {date}T{clock}.{micros:06}Z app/lb/50dc6c49 {ip}:2817 10.0.0.1:80 0.086 0.048 0.037 {status} 200 12 \
             {bytes} \"{method} https://{HOST}:443{} HTTP/1.1\" \"{}\" - - arn \"Root=1\" \"-\" \"-\" 1 -",
            nginx_escaped(&self.target()),
            self.agent.as_deref().map_or("-".to_owned(), nginx_escaped),
        )
    }

    pub(crate) fn cloudfront(&self) -> String {
        let Self { ip, method, status, bytes, .. } = self;
        let (date, clock) = date_and_clock(self.seconds);
        let value = |text: &Option<String>| text.as_deref().map_or("-".to_owned(), url_encoded);
        format!(
            "{date}\t{clock}\tLAX1\t{bytes}\t{ip}\t{method}\td1.cloudfront.net\t{}\t{status}\t{}\t{}\t{}\t-\tHit\tid\t\
             {HOST}\thttps\t23",
            url_encoded(&self.path),
            value(&self.referer),
            value(&self.agent),
            value(&self.query),
        )
    }

    pub(crate) fn nginx_json(&self) -> String {
        let (date, clock) = date_and_clock(self.seconds);
        serde_json::json!({
            "time_iso8601": format!("{date}T{clock}.{:06}+00:00", self.micros),
            "remote_addr": self.ip.to_string(),
            "request": format!("{} {} HTTP/1.1", self.method, self.target()),
            "host": HOST,
            "scheme": "https",
            "status": self.status.to_string(),
            "body_bytes_sent": self.bytes.to_string(),
            "http_user_agent": self.agent.as_deref().unwrap_or(""),
            "http_referer": self.referer.as_deref().unwrap_or("-"),
        })
        .to_string()
    }

    pub(crate) fn caddy(&self) -> String {
        let list = |text: &Option<String>| text.iter().cloned().collect::<Vec<_>>();
        serde_json::json!({
            "ts": (self.seconds.unsigned_abs() * 1_000_000 + self.micros.unsigned_abs()) * 1000,
            "request": {
                "remote_ip": "10.0.0.1",
                "client_ip": self.ip.to_string(),
                "method": self.method,
                "host": HOST,
                "uri": self.target(),
                "headers": {"User-Agent": list(&self.agent), "Referer": list(&self.referer)},
                "tls": {"version": 772},
            },
            "size": self.bytes,
            "status": self.status,
        })
        .to_string()
    }
}

fn nginx_escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | ..b' ' | 0x7f.. => write!(escaped, "\\x{byte:02X}").unwrap(),
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}

fn apache_escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => escaped.extend(['\\', char::from(byte)]),
            b'\n' => escaped.push_str("\\n"),
            b'\r' => escaped.push_str("\\r"),
            b'\t' => escaped.push_str("\\t"),
            0x08 => escaped.push_str("\\b"),
            0x0b => escaped.push_str("\\v"),
            ..b' ' | 0x7f.. => write!(escaped, "\\x{byte:02x}").unwrap(),
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}

fn url_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            ..=b' ' | 0x7f.. => write!(encoded, "%{byte:02X}").unwrap(),
            _ if b"<>\"#%{}|\\^~[]`'".contains(&byte) => write!(encoded, "%{byte:02X}").unwrap(),
            _ => encoded.push(char::from(byte)),
        }
    }
    encoded
}

fn combined_time(seconds: i64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // This zone is an hour east of Greenwich.
    let (date, clock) = date_and_clock(seconds + 3600);
    let month = MONTHS[date[5..7].parse::<usize>().unwrap() - 1];
    format!("{}/{month}/{}:{clock} +0100", &date[8..], &date[..4])
}

/// Counts days one by one, so that no code is shared with the crate.
fn date_and_clock(seconds: i64) -> (String, String) {
    let (mut days, clock) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut month) = (1970, 1);
    loop {
        let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + i64::from(is_leap_year),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if days < length {
            break;
        }
        days -= length;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
    (
        format!("{year:04}-{month:02}-{:02}", days + 1),
        format!("{:02}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60),
    )
}
