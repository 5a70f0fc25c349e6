//! Tests with log lines from the documentation of servers.

use sitemap_logs::{LogFormat, LogReader, LogRule};

use crate::{rule_of, with_one};

#[test]
fn apache_combined() {
    // https://httpd.apache.org/docs/2.4/logs.html
    let line = r#"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)""#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!(request.time, 971_211_336_000_000);
        assert_eq!(request.ip, Some([127, 0, 0, 1].into()));
        assert_eq!((&*request.method, &*request.target), ("GET", "/apache_pb.gif"));
        assert_eq!((request.status, request.bytes), (Some(200), Some(2326)));
        assert_eq!(request.referer.as_deref(), Some("http://www.example.com/start.html"));
        assert_eq!(request.agent.as_deref(), Some("Mozilla/4.08 [en] (Win98; I ;Nav)"));
        assert_eq!((request.host, request.scheme), (None, None));
    });
    assert_eq!(LogFormat::detect(line.as_bytes()), Some(LogFormat::Combined));
}

#[test]
fn apache_common() {
    let line = r#"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326"#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!(request.time, 971_211_336_000_000);
        assert_eq!((request.status, request.bytes), (Some(200), Some(2326)));
        assert_eq!((request.referer, request.agent), (None, None));
    });
}

#[test]
fn apache_with_virtual_hosts() {
    // Debian's `vhost_combined`, `%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"`.
    for (start, host, ip) in [
        ("www.example.com:443 192.0.2.1 - -", Some("www.example.com"), Some([192, 0, 2, 1])),
        ("www.example.com:8080 192.0.2.1 - -", Some("www.example.com:8080"), Some([192, 0, 2, 1])),
        ("www.example.com 192.0.2.1 - bob", Some("www.example.com"), Some([192, 0, 2, 1])),
        ("192.0.2.9:80 192.0.2.1 - -", Some("192.0.2.9"), Some([192, 0, 2, 1])),
        ("www.example.com:80 crawl.example - -", Some("www.example.com"), None),
        ("crawl.example - -", None, None),
        ("192.0.2.1 - bob [the builder]", None, Some([192, 0, 2, 1])),
        ("crawl.example - bob builder", None, None),
        ("- - -", None, None),
    ] {
        let line = format!(r#"{start} [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 - "-" "-""#);
        with_one(LogFormat::Combined, &line, |request| {
            assert_eq!(request.host.as_deref(), host, "{start}");
            assert_eq!(request.ip, ip.map(Into::into), "{start}");
            assert_eq!((request.bytes, request.referer, request.agent), (None, None, None));
        });
    }
}

#[test]
fn traefik_common() {
    // The format is from https://doc.traefik.io/traefik/observability/access-logs/, and the values are from Traefik's
    // tests.
    let line = r#"2001:db8::1 - TestUser [13/Apr/2016:07:14:19 -0700] "POST testpath HTTP/0.0" 123 12 "testReferer" "testUserAgent" 1 "testRouter" "http://127.0.0.1/testService" 1ms"#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!(request.ip.unwrap().to_string(), "2001:db8::1");
        assert_eq!((&*request.method, &*request.target), ("POST", "testpath"));
        assert_eq!(request.agent.as_deref(), Some("testUserAgent"));
    });
}

#[test]
fn escapes_of_nginx_and_apache() {
    let line = r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET /\xC3\xA9?q=\x22a\x22 HTTP/1.1" 200 5 "-" "\x5C \xFF""#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!(request.target, "/é?q=\"a\"");
        assert_eq!(request.agent.as_deref(), Some("\\ \u{fffd}"));
    });
    let line = r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5 "-" "say \"tea\"\t\\o/ \xe2\x98\x95""#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!(request.agent.as_deref(), Some("say \"tea\"\t\\o/ ☕"));
    });
}

#[test]
fn requests_to_proxies_have_the_host() {
    let line =
        r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET http://www.example.com:80/tea HTTP/1.1" 200 5"#;
    with_one(LogFormat::Combined, line, |request| {
        assert_eq!((request.scheme, request.host.as_deref()), (Some("http"), Some("www.example.com")));
        assert_eq!(request.target, "/tea");
    });
}

#[test]
fn lines_that_are_not_requests() {
    let rule = |line: &str| rule_of(LogFormat::Combined, line);
    assert_eq!(rule("nonsense"), LogRule::Time);
    assert_eq!(rule(r#"192.0.2.1 - - [31/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5"#), LogRule::Time);
    assert_eq!(
        rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "\x16\x03\x01" 400 157"#),
        LogRule::Request
    );
    assert_eq!(rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "-" 408 0"#), LogRule::Request);
    assert_eq!(rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" ok 5"#), LogRule::Status);
    assert_eq!(rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5k"#), LogRule::Bytes);
    assert_eq!(
        rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5 "-" "Moz"#),
        LogRule::Quotes
    );
    assert_eq!(
        rule(r#"192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5 0.003"#),
        LogRule::Quotes
    );
}

/// <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html>
const CLOUDFRONT: &str = "#Version: 1.0\n\
    #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
    cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes \
    time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status \
    fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len \
    sc-range-start sc-range-end\n\
    2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\t\
    Mozilla/5.0%20(Windows%20NT%2010.0;%20Win64;%20x64)%20AppleWebKit/537.36%20(KHTML,%20like%20Gecko)%20\
    Chrome/78.0.3904.108%20Safari/537.36\t-\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\t\
    d111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t\
    11040\t0.001\tHit\ttext/html\t78\t-\t-\t\n\
    2019-12-13\t22:36:27\tSEA19-C1\t900\t192.0.2.200\tGET\td111111abcdef8.cloudfront.net\t/favicon.ico\t502\t\
    http://www.example.com/\tcurl/7.55.1\ta=%25C3%25A9&b\t-\tError\t1pkpNfBQ39sYMnjjUQjmH2w1wdJnbHYTbag21o_3OfcQgPzdL2RSSQ==\t\
    www.example.com\thttp\t675\t0.102\t-\t-\t-\tError\tHTTP/1.1\t-\t-\t25260\t0.102\tOriginDnsError\ttext/html\t507\t-\t-\n";

#[test]
fn cloudfront() {
    let mut reader = LogReader::detect(CLOUDFRONT.as_bytes()).unwrap();
    assert_eq!(reader.format(), LogFormat::CloudFront);
    let request = reader.next_request().unwrap().unwrap();
    assert_eq!(request.time, 1_575_493_351_000_000);
    assert_eq!(request.ip, Some([192, 0, 2, 100].into()));
    assert_eq!((&*request.method, &*request.target), ("GET", "/index.html"));
    assert_eq!(
        (request.scheme, request.host.as_deref()),
        (Some("https"), Some("d111111abcdef8.cloudfront.net"))
    );
    assert_eq!((request.status, request.bytes), (Some(200), Some(392)));
    assert_eq!(
        request.agent.as_deref(),
        Some(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
             Chrome/78.0.3904.108 Safari/537.36"
        )
    );
    let request = reader.next_request().unwrap().unwrap();
    assert_eq!(request.target, "/favicon.ico?a=%C3%A9&b");
    assert_eq!((request.scheme, request.host.as_deref()), (Some("http"), Some("www.example.com")));
    assert_eq!(request.referer.as_deref(), Some("http://www.example.com/"));
    assert!(reader.next_request().is_none());
    assert_eq!((reader.lines(), reader.requests(), reader.skipped(), reader.garbage()), (4, 2, 2, 0));
}

#[test]
fn cloudfront_with_chosen_fields_and_without_a_header() {
    let log = "#Fields: timestamp(ms) cs-method cs-uri-stem c-ip\n1575493351123\tGET\t/a\t2001:db8::1\n";
    let mut reader = LogReader::new(log.as_bytes(), LogFormat::CloudFront);
    let request = reader.next_request().unwrap().unwrap();
    assert_eq!((request.time, &*request.target), (1_575_493_351_123_000, "/a"));
    assert_eq!((request.status, request.bytes, request.agent), (None, None, None));

    let without_header = CLOUDFRONT.lines().nth(2).unwrap();
    with_one(LogFormat::CloudFront, without_header, |request| assert_eq!(request.target, "/index.html"));
    assert_eq!(LogFormat::detect(without_header.as_bytes()), Some(LogFormat::CloudFront));
}

#[test]
fn cloudfront_without_a_needed_field() {
    let log = "#Fields: date time c-ip\n2019-12-04\t21:02:31\t192.0.2.100\n#Fields: date time cs-method cs-uri-stem\n\
        2019-12-04\t21:02:31\tGET\t/a\n2019-12-04\t21:02:31\tGET\n";
    let mut reader = LogReader::new(log.as_bytes(), LogFormat::CloudFront);
    assert_eq!(
        reader.next_request().unwrap().unwrap_err().to_string(),
        "line 1 is not a request in the format `cloudfront`: the header line lacks fields, \
         found `#Fields: date time c-ip`; log at least `date`, `time`, `cs-method` and `cs-uri-stem`"
    );
    assert!(reader.next_request().unwrap().is_err());
    assert_eq!(reader.next_request().unwrap().unwrap().target, "/a");
    assert!(reader.next_request().unwrap().is_err());
    assert_eq!((reader.requests(), reader.garbage(), reader.skipped()), (1, 3, 1));
}

#[test]
fn alb() {
    // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
    let line = r#"https 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/ HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "arn:aws:acm:us-east-2:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 2018-07-02T22:22:48.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-" TID_123456"#;
    with_one(LogFormat::Alb, line, |request| {
        assert_eq!(request.time, 1_530_570_180_186_641);
        assert_eq!(request.ip, Some([192, 168, 131, 39].into()));
        assert_eq!((&*request.method, &*request.target), ("GET", "/"));
        assert_eq!((request.scheme, request.host.as_deref()), (Some("https"), Some("www.example.com")));
        assert_eq!((request.status, request.bytes), (Some(200), Some(57)));
        assert_eq!(request.agent.as_deref(), Some("curl/7.46.0"));
    });
    assert_eq!(LogFormat::detect(line.as_bytes()), Some(LogFormat::Alb));

    let malformed =
        line.replace("GET https://www.example.com:443/ HTTP/1.1", "- http://www.example.com:80- ");
    assert_eq!(rule_of(LogFormat::Alb, &malformed), LogRule::Request);
    assert_eq!(rule_of(LogFormat::Alb, &line[..60]), LogRule::Request);
}

#[test]
fn caddy() {
    // https://caddyserver.com/docs/logging, on one line
    let line = r#"{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"41342","client_ip":"127.0.0.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"],"Accept-Encoding":["gzip, deflate, br"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"example.com"}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Encoding":["gzip"],"Content-Type":["text/html; charset=utf-8"],"Vary":["Accept-Encoding"]}}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!(request.time, 1_646_861_401_524_102);
        assert_eq!(request.ip, Some([127, 0, 0, 1].into()));
        assert_eq!((&*request.method, &*request.target), ("GET", "/"));
        assert_eq!((request.scheme, request.host.as_deref()), (Some("https"), Some("localhost")));
        assert_eq!((request.status, request.bytes), (Some(200), Some(10900)));
        assert_eq!((request.agent.as_deref(), request.referer), (Some("curl/7.82.0"), None));
    });
    assert_eq!(LogFormat::detect(line.as_bytes()), Some(LogFormat::Json));
    assert_eq!(
        rule_of(LogFormat::Json, r#"{"level":"info","ts":1646861401.5,"msg":"serving"}"#),
        LogRule::Request
    );
}

#[test]
fn cloudflare_logpush() {
    // The names are from https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests/.
    let line = r#"{"ClientIP":"2620:1f7:8c5::1f:949e:c04d","ClientRequestHost":"test.logpull.load.com","ClientRequestMethod":"GET","ClientRequestPath":"/assets/3d.gif","ClientRequestURI":"/assets/3d.gif?v=1","EdgeEndTimestamp":1545067627970000000,"EdgeResponseBytes":2538446,"EdgeResponseStatus":200,"EdgeStartTimestamp":1545067627951000000,"RayID":"48ab1942bf96c7a7","ClientRequestScheme":"https","ClientRequestUserAgent":"Googlebot/2.1","ClientRequestReferer":""}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!(request.time, 1_545_067_627_951_000);
        assert_eq!(request.ip.unwrap().to_string(), "2620:1f7:8c5::1f:949e:c04d");
        assert_eq!((&*request.method, &*request.target), ("GET", "/assets/3d.gif?v=1"));
        assert_eq!((request.scheme, request.host.as_deref()), (Some("https"), Some("test.logpull.load.com")));
        assert_eq!((request.status, request.bytes), (Some(200), Some(2_538_446)));
        assert_eq!((request.agent.as_deref(), request.referer), (Some("Googlebot/2.1"), None));
    });
}

#[test]
fn traefik_json() {
    let line = r#"{"ClientAddr":"192.0.2.1:50000","ClientHost":"192.0.2.1","DownstreamContentSize":512,"DownstreamStatus":200,"Duration":1500000,"OriginStatus":502,"RequestAddr":"www.example.com","RequestHost":"www.example.com","RequestMethod":"GET","RequestPath":"/tea?a=1","RequestScheme":"https","StartLocal":"2026-11-27T14:55:36.123456789+01:00","StartUTC":"2026-11-27T13:55:36.123456789Z","level":"info","msg":"","request_Referer":"https://a.example/","request_User-Agent":"Googlebot/2.1","time":"2026-11-27T14:55:37+01:00"}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!(request.time, 1_795_787_736_123_456);
        assert_eq!(request.ip, Some([192, 0, 2, 1].into()));
        assert_eq!((&*request.method, &*request.target), ("GET", "/tea?a=1"));
        assert_eq!((request.scheme, request.host.as_deref()), (Some("https"), Some("www.example.com")));
        assert_eq!((request.status, request.bytes), (Some(200), Some(512)));
        assert_eq!(request.agent.as_deref(), Some("Googlebot/2.1"));
        assert_eq!(request.referer.as_deref(), Some("https://a.example/"));
    });
}

#[test]
fn google_cloud() {
    let line = r#"{"httpRequest":{"latency":"0.09s","referer":"https://a.example/","remoteIp":"192.0.2.1","requestMethod":"GET","requestSize":"411","requestUrl":"https://www.example.com/tea?a=1","responseSize":"512","serverIp":"10.0.0.1","status":200,"userAgent":"Googlebot/2.1"},"insertId":"1","receiveTimestamp":"2026-11-27T13:55:37Z","timestamp":"2026-11-27T13:55:36.123456Z"}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!(request.time, 1_795_787_736_123_456);
        assert_eq!(request.ip, Some([192, 0, 2, 1].into()));
        assert_eq!((request.scheme, request.host.as_deref()), (Some("https"), Some("www.example.com")));
        assert_eq!((&*request.method, &*request.target), ("GET", "/tea?a=1"));
        assert_eq!((request.status, request.bytes), (Some(200), Some(512)));
    });
}

#[test]
fn nginx_json() {
    let line = r#"{"time_local":"27/Nov/2026:13:55:36 +0000","msec":"1795787736.123","remote_addr":"192.0.2.1","request":"GET /a\"b?c HTTP/1.1","uri":"/normalized","args":"c","host":"www.example.com","server_name":"_","status":"000","body_bytes_sent":"512","bytes_sent":"800","http_referer":"","http_user_agent":"a\u0007b"}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!(request.time, 1_795_787_736_123_000);
        assert_eq!((&*request.method, &*request.target), ("GET", "/a\"b?c"));
        assert_eq!((request.scheme, request.host.as_deref()), (None, Some("www.example.com")));
        assert_eq!((request.status, request.bytes), (None, Some(512)));
        assert_eq!((request.agent.as_deref(), request.referer), (Some("a\u{7}b"), None));
    });
    let line = r#"{"time_iso8601":"2026-11-27T14:55:36+01:00","request_method":"GET","uri":"/tea","args":"a=1","status":200}"#;
    with_one(LogFormat::Json, line, |request| {
        assert_eq!((request.time, &*request.target), (1_795_787_736_000_000, "/tea?a=1"));
    });
}

#[test]
fn json_that_is_not_a_request() {
    let rule = |line: &str| rule_of(LogFormat::Json, line);
    assert_eq!(rule("[1]"), LogRule::Json);
    assert_eq!(rule(r#"{"ts":1"#), LogRule::Json);
    assert_eq!(rule(r#"{"ts":1} x"#), LogRule::Json);
    assert_eq!(rule(&"[".repeat(100_000)), LogRule::Json);
    assert_eq!(rule(r#"{"time":"soon","method":"GET","request_uri":"/"}"#), LogRule::Time);
    assert_eq!(rule(r#"{"ts":1646861401,"method":"GET"}"#), LogRule::Request);
    assert_eq!(rule(r#"{"ts":1646861401,"method":"GET","request_uri":"/","status":2000}"#), LogRule::Status);
    assert_eq!(rule(r#"{"ts":1646861401,"method":"GET","request_uri":"/","size":"1k"}"#), LogRule::Bytes);
}
