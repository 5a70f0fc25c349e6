//! Tests of `CREATE EXTERNAL TABLE … STORED AS ACCESSLOG` and of the functions about crawlers.

use std::io::Write as _;

use sitemap_datafusion::register_crawlers;
use sitemap_logs::Crawlers;

use crate::support::Sandbox;

const GOOGLEBOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

fn combined(ip: &str, day: u32, target: &str, agent: &str) -> String {
    format!(
        "{ip} - - [{day:02}/Jan/2026:10:00:00 +0100] \"GET {target} HTTP/1.1\" 200 512 \"-\" \"{agent}\"\n"
    )
}

async fn table(sandbox: &Sandbox, location: &str, options: &str) {
    let location = format!("{}{location}", sandbox.out());
    let options = if options.is_empty() { String::new() } else { format!(" OPTIONS ({options})") };
    sandbox
        .run(&format!("CREATE EXTERNAL TABLE requests STORED AS ACCESSLOG LOCATION '{location}'{options}"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_value_of_a_request_is_a_column() {
    let sandbox = Sandbox::new(2);
    sandbox.write("access.log", &combined("66.249.64.5", 5, "/tea?page=2", GOOGLEBOT));
    table(&sandbox, "access.log", "base 'https://www.example.com/'").await;
    let found = sandbox
        .text("SELECT time, ip, method, url, host, target, status, bytes, referer, file FROM requests")
        .await;
    let row = "| 2026-01-05T09:00:00Z | 66.249.64.5 | GET    | https://www.example.com/tea?page=2 |      | /tea?page=2 | 200    | 512   |         | access.log |";
    assert!(found.contains(row), "{found}");
    assert_eq!(sandbox.number("SELECT count(*) FROM requests").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_has_files_of_several_formats_also_compressed() {
    let sandbox = Sandbox::new(3);
    sandbox.write("access.log", &combined("192.0.2.1", 5, "/tea", "curl/8"));
    let mut compressed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(combined("192.0.2.2", 4, "/cups", "curl/8").repeat(3).as_bytes()).unwrap();
    sandbox.write_bytes("access.log.1.gz", &compressed.finish().unwrap());
    sandbox.write(
        "caddy.json",
        "{\"ts\":1767607200.5,\"request\":{\"remote_ip\":\"192.0.2.3\",\"method\":\"GET\",\"host\":\"example.org\",\
          \"uri\":\"/pots\",\"headers\":{\"User-Agent\":[\"curl/8\"]},\"tls\":{}},\"status\":404,\"size\":12}\n",
    );
    sandbox.write(".hidden", "not a log");
    table(&sandbox, "", "").await;
    let found =
        sandbox.text("SELECT file, url, count(*) AS n FROM requests GROUP BY file, url ORDER BY file").await;
    for row in [
        "| access.log      |                          | 1 |",
        "| access.log.1.gz |                          | 3 |",
        "| caddy.json      | https://example.org/pots | 1 |",
    ] {
        assert!(found.contains(row), "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_garbage_is_left_out_or_ends_the_query() {
    let sandbox = Sandbox::new(1);
    let log =
        [combined("192.0.2.1", 5, "/tea", "curl/8"), "worker \u{1b}[31m restarted\n".to_owned()].concat();
    sandbox.write("access.log", &log.repeat(2));
    table(&sandbox, "access.log", "format 'combined'").await;
    assert_eq!(sandbox.number("SELECT count(*) FROM requests").await, 2);
    sandbox.run("DROP TABLE requests").await;
    table(&sandbox, "access.log", "on_invalid 'stop'").await;
    let error = sandbox.error("SELECT count(*) FROM requests").await;
    assert!(error.contains("`access.log`: line 2 is not a request in the format `combined`: "), "{error}");
    assert!(!error.contains('\u{1b}'), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_table_cannot_have_is_an_error_when_it_is_created() {
    let sandbox = Sandbox::new(1);
    sandbox.write("access.log", "nothing of the kind\n");
    let out = sandbox.out();
    let create = |location: &str, options: &str| {
        format!("CREATE EXTERNAL TABLE requests STORED AS ACCESSLOG LOCATION '{out}{location}'{options}")
    };
    for (statement, message) in [
        (create("access.log", " OPTIONS (format 'iis')"), "`format`: "),
        (create("access.log", " OPTIONS (on_invalid 'go')"), "`on_invalid` is \"go\"; use `skip` or `stop`"),
        (create("access.log", " OPTIONS (base 'example.com')"), "`base`: "),
        (create("access.log", " OPTIONS (gzip true)"), "`gzip` is not an option of an access log"),
    ] {
        let error = sandbox.error(&statement).await;
        assert!(error.contains(message), "{error}");
    }
    sandbox.run(&create("access.log", "")).await;
    let error = sandbox.error("SELECT count(*) FROM requests").await;
    assert!(error.contains("`access.log`: the format of the log is not known"), "{error}");
    sandbox.run("DROP TABLE requests").await;
    sandbox
        .run("CREATE EXTERNAL TABLE theirs STORED AS ACCESSLOG LOCATION 'https://example.com/access.log'")
        .await;
    let error = sandbox.error("SELECT count(*) FROM theirs").await;
    assert!(
        error.contains("an access log cannot be read from `https://example.com/access.log`; download it"),
        "{error}"
    );
    sandbox.run(&create("none.log", "")).await;
    let error = sandbox.error("SELECT count(*) FROM requests").await;
    assert!(error.contains("cannot read `none.log` in `"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawler_is_verified_by_its_address() {
    let sandbox = Sandbox::new(2);
    let error = sandbox.error("SELECT is_verified_bot('66.249.64.5', 'Googlebot/2.1')").await;
    assert!(error.contains("no address ranges of crawlers are known; download them"), "{error}");

    let prefixes = |prefix: &str| format!("{{\"prefixes\": [{{\"ipv4Prefix\": \"{prefix}\"}}]}}");
    let crawlers = Crawlers::builder().google(&prefixes("66.249.64.0/27")).unwrap();
    let crawlers = crawlers.bing(&prefixes("157.55.39.0/24")).unwrap().build();
    register_crawlers(&sandbox.session, crawlers);
    let log = [
        combined("66.249.64.5", 5, "/google", GOOGLEBOT),
        combined(
            "157.55.39.1",
            5,
            "/bing",
            "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        ),
        combined("157.55.39.1", 5, "/mixed", GOOGLEBOT),
        combined("198.51.100.7", 5, "/fake", GOOGLEBOT),
        combined("66.249.64.5", 5, "/person", "Firefox"),
    ];
    sandbox.write("access.log", &log.concat());
    table(&sandbox, "access.log", "").await;
    let found =
        sandbox.text("SELECT target, verified_bot(ip, agent) AS bot FROM requests ORDER BY target").await;
    for row in [
        "| /bing   | bingbot",
        "| /fake   |     ",
        "| /google | Googlebot",
        "| /mixed  |     ",
        "| /person |     ",
    ] {
        assert!(found.to_lowercase().contains(&row.to_lowercase()), "{found}");
    }
    assert_eq!(sandbox.number("SELECT count(*) FROM requests WHERE is_verified_bot(ip, agent)").await, 2);
    assert_eq!(
        sandbox.number("SELECT count(*) FROM requests WHERE is_verified_bot('no address', agent)").await,
        0
    );
}
