//! A site with at least two faults for each rule about pages. Crawls and a check must find exactly these faults.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use sitemap_read::Rule;

use crate::support::server::{Responder, Server, either, ok, ok_with, status, truncated};
use crate::support::{Sandbox, urlset};

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
const LOGIN: &str = "<!doctype html><meta name=robots content=noindex><title>Log in</title><form>Name <input><input type=password></form>";
const SHELL: &str = "<!doctype html><title>App</title><body><div id=root></div><script src=/app.js></script>";
const SORRY: &str = "<!doctype html><title>Sorry</title><h1>Sorry</h1><p>Nothing is sold here any more</p>";

/// The times of the two crawls and of the check: 2026-11-01, 2026-11-21 and 2026-11-22, at noon.
const CRAWLED: [&str; 2] = ["1793534400", "1795262400"];
const CHECKED: &str = "1795348800";

/// Hosts where all pages have the same fault, and the number of these pages.
const HOSTS: [(&str, usize); 4] = [("DOWN", 3), ("AWAY", 1), ("TEST", 10), ("STAGE", 12)];

/// Returns a page with its own text and the template that all pages share.
fn html(name: &str, head: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>{name} | Woods</title>{head}</head><body><p>All about wood</p>\
         <h1>{name}</h1><p>{name} grows in many places.</p><p>Tables of {name} last long.</p><p>Write to us</p></body>"
    )
}

/// The sitemap's entries, and the responses of the main host.
#[derive(Default)]
struct Plan {
    answers: Vec<(&'static str, Responder)>,
    /// True once the crawl is over. A crawl is complete only if all pages respond.
    is_crawled: Arc<AtomicBool>,
    /// The path or URL of each entry, and the elements after its `loc`.
    entries: Vec<(String, String)>,
}

impl Plan {
    fn list(&mut self, path: &str) -> &mut String {
        self.entries.push((path.to_owned(), String::new()));
        &mut self.entries.last_mut().unwrap().1
    }

    fn add(&mut self, path: &'static str, answer: Responder) -> &mut String {
        self.answers.push((path, answer));
        self.list(path)
    }

    /// Adds a page that responds correctly until the crawl is over.
    fn later(&mut self, path: &'static str, answer: Responder) -> &mut String {
        let before = ok_with(HTML, html(&format!("Page {path}"), ""));
        let answer = either(Arc::clone(&self.is_crawled), before, answer);
        self.add(path, answer)
    }

    fn page(&mut self, path: &'static str, head: &str) -> &mut String {
        self.add(path, ok_with(HTML, html(&format!("Page {path}"), head)))
    }

    fn page_with(&mut self, path: &'static str, headers: &'static str, head: &str) {
        self.add(path, ok_with(headers, html(&format!("Page {path}"), head)));
    }
}

fn plan(is_crawled: &Arc<AtomicBool>) -> Plan {
    let mut plan = Plan { is_crawled: Arc::clone(is_crawled), ..Plan::default() };
    plan.answers.push(("/robots.txt", ok("User-agent: *\nDisallow: /cart\nDisallow: /search\n")));
    plan.page("/oak", "");
    plan.page("/elm", "");
    answers(&mut plan);
    redirects(&mut plan);
    directives(&mut plan);
    canonicals(&mut plan);
    contents(&mut plan);
    languages(&mut plan);
    dates(&mut plan);
    plan
}

fn answers(plan: &mut Plan) {
    for (path, code) in
        [("/gone", 410), ("/lost", 404), ("/members", 401), ("/admin", 403), ("/nothing", 204)]
    {
        plan.add(path, status(code, HTML));
    }
    for (path, code) in [("/broken", 503), ("/broken-too", 500), ("/busy", 429), ("/too-busy", 429)] {
        plan.later(path, status(code, HTML));
    }
    plan.later("/cut", truncated("<p>An oak"));
    plan.list("/cart");
    plan.list("/search?q=oak");
    plan.add("/logo.png", ok_with("Content-Type: image/png\r\n", "PNG"));
    plan.add("/feed.json", ok_with("Content-Type: application/json\r\n", "{}"));
}

fn redirects(plan: &mut Plan) {
    for (path, code, target) in [
        ("/old", 301, "/oak"),
        ("/older", 308, "/elm"),
        ("/temporary", 302, "/oak"),
        ("/seasonal", 307, "/elm"),
        ("/chain", 301, "/old"),
        ("/longer-chain", 302, "/older"),
        ("/account", 302, "/login"),
        ("/to-nothing", 301, "/never"),
    ] {
        plan.add(path, status(code, format!("Location: {target}\r\n")));
    }
    plan.later("/loop", status(302, "Location: /pool\r\n"));
    plan.later("/self", status(301, "Location: /self2\r\n"));
    plan.answers.push(("/pool", status(302, "Location: /loop\r\n")));
    plan.answers.push(("/self2", status(301, "Location: /self\r\n")));
    plan.answers.push(("/login", ok_with(HTML, LOGIN)));
}

fn directives(plan: &mut Plan) {
    plan.page("/draft", "<meta name=robots content='noindex, follow'>");
    plan.page_with("/none", "Content-Type: text/html\r\nX-Robots-Tag: none\r\n", "");
    plan.page("/not-google", "<meta name=GoogleBot content=noindex>");
    plan.page_with("/not-bing", "Content-Type: text/html\r\nX-Robots-Tag: bingbot: noindex\r\n", "");
    plan.page("/in-body", "<img src=pixel.png><meta name=robots content=noindex>");
    plan.page("/no-comma", "<meta name=robots content='noindex nofollow'>");
    plan.page("/expired", "<meta name=robots content='unavailable_after: 2026-10-31'>");
    let over = "Content-Type: text/html\r\nX-Robots-Tag: unavailable_after: 2020-01-01\r\n";
    plan.page_with("/over", over, "");
    plan.page("/for-ever", "<meta name=robots content='unavailable_after: never'>");
    let some_day = "Content-Type: text/html\r\nX-Robots-Tag: bingbot: unavailable_after: some day\r\n";
    plan.page_with("/some-day", some_day, "");
}

fn canonicals(plan: &mut Plan) {
    let named = |target: &str| format!("<link rel=canonical href='{target}'>");
    plan.page("/list?sort=price", &named("/oak"));
    let header = "Content-Type: text/html\r\nLink: </elm>; rel=canonical\r\n";
    plan.page_with("/paper", header, "");
    plan.page("/to-gone", &named("/gone"));
    plan.page("/to-draft", &named("/draft"));
    plan.page("/two", &[named("/two"), named("/2")].concat());
    plan.page("/three", &[named("/three"), named("/oak"), named("/elm")].concat());
    plan.page("/empty-canonical", &named(""));
    plan.page("/no-url", &named("https://[/"));
    plan.page("/late", &["<img src=a>".to_owned(), named("/late")].concat());
    plan.page("/later", &["<p>Text</p>".to_owned(), named("/oak")].concat());
}

fn contents(plan: &mut Plan) {
    plan.page("/refresh", "<meta http-equiv=refresh content='0; url=/oak'>");
    plan.page_with("/refresh-later", "Content-Type: text/html\r\nRefresh: 5; url=/elm\r\n", "");
    plan.later("/app", ok_with(HTML, SHELL));
    plan.later("/app/two", ok_with(HTML, SHELL));
    for path in ["/original", "/copy", "/copy?again"] {
        plan.add(path, ok_with(HTML, html("Original", "")));
    }
    plan.list("/shop/chair");
    plan.list("/shop/table");
    plan.answers.push(("/shop/*", ok_with(HTML, SORRY)));
}

fn languages(plan: &mut Plan) {
    let versions = |pairs: &[(&str, &str)]| -> String {
        let link = |(tag, path): &(_, _)| format!("<link rel=alternate hreflang={tag} href={path}>");
        pairs.iter().map(link).collect()
    };
    plan.page("/en/b", &versions(&[("en", "/en/b"), ("de", "/de/b")]));
    plan.page("/de/b", "");
    plan.page("/fr/b", &versions(&[("fr", "/fr/b"), ("en", "/en/b")]));
    plan.page("/en/d", &versions(&[("en", "/en/d"), ("de", "/gone")]));
    plan.page("/fr/d", &versions(&[("fr", "/fr/d"), ("de", "/draft")]));
    plan.page("/en/h", &versions(&[("de", "/de/h")]));
    plan.page("/de/h", &versions(&[("en", "/en/h")]));
    let both = versions(&[("en", "/en/f"), ("de", "/de/f")]);
    let alternate = |tag: &str, path: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{tag}\" href=\"HOST{path}\"/>")
    };
    *plan.page("/en/f", &both) = alternate("en", "/en/f") + &alternate("de-AT", "/de/f");
    *plan.page("/de/f", &both) = alternate("en", "/en/f") + &alternate("fr", "/fr/b");
}

fn dates(plan: &mut Plan) {
    let lastmod = |date: &str| format!("<lastmod>{date}</lastmod>");
    for (path, date) in [("/stale", "2026-10-03"), ("/very-stale", "2024-01-01")] {
        let changed = html(&format!("Page {path}"), "").replace("in many places", "nowhere any more");
        *plan.later(path, ok_with(HTML, changed)) = lastmod(date);
    }
    *plan.page("/rebuilt", "") = lastmod("2026-11-22");
    *plan.page("/rebuilt-too", "") = lastmod("2026-11-20");
    let json = "<script type=application/ld+json>{\"dateModified\": \"2026-09-02\"}</script>";
    *plan.page("/json", json) = lastmod("2026-10-01");
    let article = "<meta property=article:modified_time content=2026-09-01>";
    *plan.page("/article", article) = lastmod("2026-10-01");
}

/// The whole site: a main host, and hosts where all pages have the same fault.
struct Site {
    main: Server,
    others: Vec<(&'static str, Server)>,
    paths: Vec<String>,
    sitemap: String,
}

impl Site {
    fn start(is_crawled: &Arc<AtomicBool>) -> Self {
        let mut plan = plan(is_crawled);
        // The home page links to all pages except three, and to a copy of the third one.
        let linked = plan.entries.iter().map(|(path, _)| path.as_str()).chain([
            "/forgotten",
            "/new",
            "/faq/index.html",
        ]);
        let links: String = linked.map(|path| format!("<a href='{path}'>{path}</a> ")).collect();
        plan.add("/", ok_with(HTML, format!("<title>Woods</title><p>Welcome to the woods</p>{links}")));
        plan.page("/alone", "");
        plan.page("/lonely", "");
        plan.page("/faq/", "");
        plan.answers.push(("/faq/index.html", ok_with(HTML, html("Page /faq/", ""))));
        for path in ["/forgotten", "/new"] {
            plan.answers.push((path, ok_with(HTML, html(&format!("Page {path}"), ""))));
        }
        let noindex = || ok_with("Content-Type: text/html\r\nX-Robots-Tag: noindex\r\n", "<p>Test");
        let others = vec![
            ("DOWN", Server::start(vec![("/robots.txt", status(500, ""))])),
            ("AWAY", Server::start(vec![("/robots.txt", status(503, ""))])),
            ("TEST", Server::start(vec![("/robots.txt", ok("")), ("/*", noindex())])),
            ("STAGE", Server::start(vec![("/robots.txt", ok("")), ("/*", noindex())])),
        ];
        for (name, pages) in HOSTS {
            (1..=pages).for_each(|page| _ = plan.list(&format!("{name}/{page}")));
        }
        let main = Server::start(plan.answers);
        let mut site = Self { main, others, paths: Vec::new(), sitemap: String::new() };
        for (path, more) in plan.entries {
            let path = if path.starts_with('/') { format!("HOST{path}") } else { path };
            let line = format!("<url><loc>{path}</loc>{more}</url>\n");
            site.sitemap += &line;
            site.paths.push(path);
        }
        site.sitemap = urlset(&site.with_urls(&site.sitemap));
        let head = "<urlset xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
        site.sitemap = site.sitemap.replace("<urlset", head);
        site
    }

    fn servers(&self) -> impl Iterator<Item = (&'static str, &Server)> {
        self.others.iter().map(|(name, server)| (*name, server)).chain([("HOST", &self.main)])
    }

    fn with_urls(&self, text: &str) -> String {
        self.servers().fold(text.to_owned(), |text, (name, server)| text.replace(name, &server.url("")))
    }

    fn without_urls(&self, text: &str) -> String {
        let text = self.servers().fold(text.to_owned(), |text, (name, server)| {
            let url = server.url("");
            let authority = &url["http://".len()..];
            named(&named(&text, &url, name), authority, name)
        });
        // The name of the page that can't exist depends on its folder's URL.
        let Some((before, after)) = text.split_once("no-such-page-") else { return text };
        format!("{before}no-such-page-X{}", after.trim_start_matches(|next: char| next.is_ascii_hexdigit()))
    }
}

/// Replaces a server's URL with a name. A longer port that starts with the same digits belongs to a different server.
fn named(text: &str, url: &str, name: &str) -> String {
    let mut parts = text.split(url);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        named += if part.starts_with(|next: char| next.is_ascii_digit()) { url } else { name };
        named += part;
    }
    named
}

const EXPECTED: &[&str] = &[
    " page-unlisted: the page \"HOST/forgotten\" is linked and can be indexed, but is not listed",
    " page-unlisted: the page \"HOST/new\" is linked and can be indexed, but is not listed",
    "HOST/gone page-missing: the page answers with status 410",
    "HOST/lost page-missing: the page answers with status 404",
    "HOST/members page-login: the page answers with status 401",
    "HOST/admin page-login: the page answers with status 403",
    "HOST/nothing page-not-a-page: the page has no content (status 204)",
    "HOST/broken page-failing: the page answers with status 503",
    "HOST/broken-too page-failing: the page answers with status 500",
    "HOST/busy page-throttled: the page answers with status 429",
    "HOST/too-busy page-throttled: the page answers with status 429",
    "HOST/cut page-failing: the page cannot be fetched: `HOST` ended the connection before the response was complete",
    "HOST/cart page-blocked: line 2 of robots.txt disallows \"/cart\"",
    "HOST/search?q=oak page-blocked: line 3 of robots.txt disallows \"/search\"",
    "HOST/logo.png page-not-a-page: the URL has the content type \"image/png\"",
    "HOST/feed.json page-not-a-page: the URL has the content type \"application/json\"",
    "HOST/old page-redirected: the page redirects permanently (status 301) to \"HOST/oak\"",
    "HOST/older page-redirected: the page redirects permanently (status 308) to \"HOST/elm\"",
    "HOST/temporary page-redirected-temporarily: the page redirects temporarily (status 302) to \"HOST/oak\"",
    "HOST/seasonal page-redirected-temporarily: the page redirects temporarily (status 307) to \"HOST/elm\"",
    "HOST/chain page-redirect-chain: the page redirects in several steps: 301 to \"HOST/old\", 301 to \"HOST/oak\"",
    "HOST/longer-chain page-redirect-chain: the page redirects in several steps: 302 to \"HOST/older\", 308 to \"HOST/elm\"",
    "HOST/account page-login: the page redirects to \"HOST/login\", which asks for a password",
    "HOST/to-nothing page-missing: the page redirects to \"HOST/never\", which answers with status 404",
    "HOST/loop page-redirect-loop: the redirects lead to no page: 302 to \"HOST/pool\", 302 to \"HOST/loop\"",
    "HOST/self page-redirect-loop: the redirects lead to no page: 301 to \"HOST/self2\", 301 to \"HOST/self\"",
    "HOST/draft page-noindex: the page has `noindex` in `<meta name=\"robots\">`",
    "HOST/none page-noindex: the page has `none` in the header `X-Robots-Tag`",
    "HOST/not-google page-noindex-agent: the page has `noindex` in a `<meta>` for the crawler \"googlebot\"",
    "HOST/not-bing page-noindex-agent: the page has `noindex` in the header `X-Robots-Tag` for the crawler \"bingbot\"",
    "HOST/in-body page-noindex-unclear: the page has `noindex` in `<meta name=\"robots\">` in its body",
    "HOST/no-comma page-noindex-unclear: the page has `noindex` in `<meta name=\"robots\">` without a comma before or after it",
    "HOST/expired page-expired: the page was available until \"2026-10-31\"",
    "HOST/over page-expired: the page was available until \"2020-01-01\"",
    "HOST/for-ever page-expiry-invalid: `unavailable_after` of the page has \"never\", which is not a date",
    "HOST/some-day page-expiry-invalid: `unavailable_after` of the page has \"some day\", which is not a date",
    "HOST/list?sort=price page-canonical-elsewhere: the page names \"HOST/oak\" as its canonical",
    "HOST/paper page-canonical-elsewhere: the page names \"HOST/elm\" as its canonical",
    "HOST/to-gone page-canonical-broken: the page names \"HOST/gone\" as its canonical, which cannot be indexed (missing)",
    "HOST/to-draft page-canonical-broken: the page names \"HOST/draft\" as its canonical, which cannot be indexed (noindex)",
    "HOST/two page-canonical-several: the page names 2 different canonicals, \"HOST/two\" in its head and \"HOST/2\" in its head",
    "HOST/three page-canonical-several: the page names 3 different canonicals, \"HOST/three\" in its head and \"HOST/oak\" in its head",
    "HOST/empty-canonical page-canonical-invalid: the page names an empty canonical",
    "HOST/no-url page-canonical-invalid: the page names the canonical \"https://[/\", which is not an http or https URL",
    "HOST/late page-canonical-body: the page names the canonical \"HOST/late\" in its body",
    "HOST/later page-canonical-body: the page names the canonical \"HOST/oak\" in its body",
    "HOST/refresh page-refresh: the page refreshes to \"HOST/oak\" after 0 s",
    "HOST/refresh-later page-refresh: the page refreshes to \"HOST/elm\" after 5 s",
    "HOST/app page-empty-without-javascript: the page looks empty without JavaScript",
    "HOST/app/two page-empty-without-javascript: the page looks empty without JavaScript",
    "HOST/copy page-duplicate: the page has the same main content as \"HOST/original\"",
    "HOST/copy?again page-duplicate: the page has the same main content as \"HOST/original\"",
    "HOST/shop/chair page-soft-404: the page looks like the answer to \"HOST/shop/no-such-page-X\", a URL that does not exist",
    "HOST/shop/table page-soft-404: the page looks like the answer to \"HOST/shop/no-such-page-X\", a URL that does not exist",
    "HOST/en/b page-hreflang-no-return: the page names a language version that does not link back, \"HOST/de/b\" for \"de\"",
    "HOST/fr/b page-hreflang-no-return: the page names a language version that does not link back, \"HOST/en/b\" for \"en\"",
    "HOST/en/d page-hreflang-broken: the page names a language version that cannot be indexed, \"HOST/gone\" for \"de\" (missing)",
    "HOST/fr/d page-hreflang-broken: the page names a language version that cannot be indexed, \"HOST/draft\" for \"de\" (noindex)",
    "HOST/en/h page-hreflang-no-self: the page names its language version \"HOST/de/h\" for \"de\", but not itself",
    "HOST/de/h page-hreflang-no-self: the page names its language version \"HOST/en/h\" for \"en\", but not itself",
    "HOST/en/f page-hreflang-differs: the page names \"HOST/de/f\" for \"de\", its entry does not",
    "HOST/de/f page-hreflang-differs: the entry names \"HOST/fr/b\" for \"fr\", the page does not",
    "HOST/stale page-lastmod-old: the content changed between 2026-11-21 and 2026-11-22, but the `lastmod` is 2026-10-03",
    "HOST/very-stale page-lastmod-old: the content changed between 2026-11-21 and 2026-11-22, but the `lastmod` is 2024-01-01",
    "HOST/rebuilt page-lastmod-unfounded: the content has not changed since 2026-11-01, but the `lastmod` is 2026-11-22",
    "HOST/rebuilt-too page-lastmod-unfounded: the content has not changed since 2026-11-01, but the `lastmod` is 2026-11-20",
    "HOST/json page-lastmod-differs: the page states 2026-09-02 as its `dateModified`, but the `lastmod` is 2026-10-01",
    "HOST/article page-lastmod-differs: the page states 2026-09-01 as its `article:modified_time`, but the `lastmod` is 2026-10-01",
    "HOST/alone page-orphan: no crawled page links to the page",
    "HOST/lonely page-orphan: no crawled page links to the page",
    "HOST/faq/ page-orphan: no crawled page links to the page, but to \"HOST/faq/index.html\", which has the same main content",
    "DOWN/1 page-robots-unreachable: the robots.txt of \"DOWN\" cannot be fetched (it answered with status 500), so 3 listed pages were not fetched",
    "AWAY/1 page-robots-unreachable: the robots.txt of \"AWAY\" cannot be fetched (it answered with status 503), so 1 listed page was not fetched",
    "TEST/1 page-noindex-everywhere: 10 of 10 listed pages of \"TEST\" ask search engines not to index them; first, the page has `noindex` in the header `X-Robots-Tag`",
    "STAGE/1 page-noindex-everywhere: 12 of 12 listed pages of \"STAGE\" ask search engines not to index them; first, the page has `noindex` in the header `X-Robots-Tag`",
];

const OF_ENTRIES: [&str; 3] = [
    "HOST/de/f hreflang-no-self: the language versions of a page do not include the page itself, found \"HOST/de/f\"",
    "HOST/de/f hreflang-sets-differ: the version for `en` lists different versions than this page, found \"HOST/en/f\"",
    "HOST/de/f hreflang-not-reciprocal: the version for `fr` does not link back to HOST/de/f, found \"HOST/fr/b\"",
];

#[test]
fn exactly_the_planted_faults_are_found() {
    let is_crawled = Arc::new(AtomicBool::new(false));
    let (sandbox, site) = (Sandbox::new(), Site::start(&is_crawled));
    sandbox.write("sitemap.xml", &site.sitemap);
    let run = |time: &str, args: &[&str]| {
        let mut command = sandbox.command(args);
        command.args(["--state", "s", "--allow-private", "--retries", "0", "--jobs", "8"]);
        let output = command.env("SOURCE_DATE_EPOCH", time).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (String::from_utf8(output.stdout).unwrap(), stderr, output.status.code())
    };
    for time in CRAWLED {
        let (_, stderr, code) = run(time, &["crawl", &site.main.url("/"), "--sitemap", "sitemap.xml"]);
        assert!(stderr.ends_with("\ncomplete\n") && code == Some(0), "{stderr}");
    }
    is_crawled.store(true, Ordering::SeqCst);
    let check = ["check", "sitemap.xml", "--pages", "--format", "json", "--max-findings", "0"];
    let (json, stderr, code) = run(CHECKED, &check);
    assert_eq!(code, Some(1), "{stderr}");

    let report: Value = serde_json::from_str(&json).unwrap();
    let mut counts = BTreeMap::<String, usize>::new();
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for finding in report["files"][0]["findings"].as_array().unwrap() {
        let text = |key: &str| finding[key].as_str().unwrap();
        // The entries start in line 3. Findings that don't concern an entry are in line 1.
        let line = usize::try_from(finding["line"].as_u64().unwrap()).unwrap();
        let path = line.checked_sub(3).map_or("", |entry| &*site.paths[entry]);
        let list = if text("rule").starts_with("page-") { &mut found } else { &mut others };
        let (loc, message) = (finding["loc"].as_str(), text("message"));
        let message = loc.and_then(|loc| message.strip_prefix(loc)?.strip_prefix(": ")).unwrap_or(message);
        list.push(format!("{path} {}: {}", text("rule"), site.without_urls(message)));
        *counts.entry(text("rule").to_owned()).or_default() += 1;
    }
    assert_eq!(found, EXPECTED, "{found:#?}");
    // Findings about the entries themselves: two language versions that only entries name, and pages on several hosts.
    let hosts = HOSTS.iter().flat_map(|&(name, pages)| (1..=pages).map(move |page| format!("{name}/{page}")));
    let mixed = hosts
        .map(|page| format!("{page} mixed-hosts: the first page is on HOST, but this page is \"{page}\""));
    assert_eq!(others, OF_ENTRIES.iter().map(|line| (*line).to_owned()).chain(mixed).collect::<Vec<_>>());

    // Other tests cover incomplete crawls and moves.
    let is_elsewhere = |rule: Rule| rule == Rule::PageCrawlIncomplete || rule.id().starts_with("move-");
    let rules = Rule::ALL.iter().filter(|rule| rule.is_about_pages() && !is_elsewhere(**rule));
    let rare: Vec<_> =
        rules.map(|rule| rule.id()).filter(|id| counts.get(*id).is_none_or(|n| *n < 2)).collect();
    assert!(rare.is_empty(), "{rare:?}");
    assert!(found.len() >= 70, "{}", found.len());
}
