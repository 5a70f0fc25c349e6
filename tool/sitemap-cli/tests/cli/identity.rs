//! `sitemap list --format ndjson | sitemap build` reproduces the entries with all extensions.

use crate::support::Sandbox;

/// Entries with every possible value, one per line.
const PAGES: &str = concat!(
    r#"{"loc":"https://example.com/","lastmod":"2026","changefreq":"always","priority":1.0}"#,
    "\n",
    r#"{"loc":"https://example.com/%FC?a=b&c='d'%22","lastmod":"2026-01-31T12:00:01.25+01:00","priority":0.0}"#,
    "\n",
    r#"{"loc":"https://example.com/en","alternates":[{"hreflang":"en","href":"https://example.com/en"},"#,
    r#"{"hreflang":"x-default","href":"https://example.org/"}]}"#,
    "\n",
    r#"{"loc":"https://example.com/images","images":[{"loc":"https://cdn.example.net/1.jpg"},"#,
    r#"{"loc":"https://cdn.example.net/2.jpg","caption":"A \"cat\" & <dog>","geo_location":"Limerick, Ireland","#,
    r#""title":"Zoë 🐈","license":"https://example.com/license"}]}"#,
    "\n",
    r#"{"loc":"https://example.com/video","videos":[{"thumbnail_loc":"https://example.com/t.jpg","title":"A","#,
    r#""description":"B","content_loc":"https://example.com/v.mp4","player_loc":"https://example.com/p?v=1&x","#,
    r#""allow_embed":true,"autoplay":"ap=1","duration":600,"expiration_date":"2027-01-31","rating":4.2,"#,
    r#""content_segments":[{"loc":"https://example.com/s1.mp4","duration":300},{"loc":"https://example.com/s2.mp4"}],"#,
    r#""view_count":12345,"publication_date":"2026-01-31T12:00:00Z","tags":["steak","meat & fish"],"#,
    r#""category":"grilling","family_friendly":false,"#,
    r#""restriction":{"relationship":"deny","countries":["DE","AT"]},"#,
    r#""gallery":{"loc":"https://example.com/g","title":"Cooking"},"#,
    r#""prices":[{"amount":"1.99","currency":"EUR","type":"rent","resolution":"hd"},{"type":"purchase"}],"#,
    r#""requires_subscription":true,"uploader":{"name":"Grill Master","info":"https://example.com/users/1"},"#,
    r#""tv_show":{"show_title":"Grill","video_type":"clip","episode_title":"One","season_number":1,"#,
    r#""episode_number":2,"premier_date":"2025-12-31"},"#,
    r#""platforms":{"relationship":"allow","platforms":["web","tv"]},"live":true,"#,
    r#""ids":[{"type":"tms:series","id":"SH1"},{"type":"url","id":"https://example.com/"}]}]}"#,
    "\n",
    r#"{"loc":"https://example.com/news","news":{"publication":{"name":"The Times","language":"en"},"#,
    r#""access":"Subscription","genres":["Blog","OpEd"],"publication_date":"2026-11-19T08:00+01:00","#,
    r#""title":"A & B","keywords":"a, b","stock_tickers":["NASDAQ:A","NYSE:B"]}}"#,
    "\n",
    r#"{"loc":"https://example.com/elements","elements":[{"namespace":"http://www.baidu.com/schemas/sitemap-mobile/1/","#,
    r#""prefix":"mobile","name":"mobile","attributes":{"type":"pc,mobile","a":"\"<&"}},"#,
    r#"{"namespace":"http://example.com/x","prefix":"x","name":"a","#,
    r#""qualified":[{"namespace":"http://www.w3.org/XML/1998/namespace","prefix":"xml","name":"lang","value":"de"},"#,
    r#"{"namespace":"http://example.com/z","prefix":"z","name":"b","value":"<1>"}],"#,
    r#""content":["one ",{"namespace":"http://example.com/y","#,
    r#""prefix":"y","name":"b"}," two & three"]}]}"#,
    "\n",
);

#[test]
fn pages_come_back_as_they_were() {
    let sandbox = Sandbox::new();
    for (out, more) in [("plain", None), ("packed", Some("--gzip"))] {
        let mut args = vec!["build", "--base", "https://example.com", "--out", out];
        args.extend(more);
        let ran = sandbox.run_with(&args, PAGES.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_eq!(sandbox.entries(out, "ndjson"), PAGES);
    }
    let listed = sandbox.entries("plain", "ndjson");
    sandbox.write("again.ndjson", listed);
    sandbox.run(&["build", "--base", "https://example.com", "--out", "again", "again.ndjson"]);
    assert_eq!(sandbox.read("again/sitemap.xml"), sandbox.read("plain/sitemap.xml"));
}

#[test]
fn two_namespaces_with_one_prefix_get_two() {
    let sandbox = Sandbox::new();
    let pages = concat!(
        r#"{"loc":"/1","elements":[{"namespace":"http://example.com/x","prefix":"x","name":"a"}]}"#,
        "\n",
        r#"{"loc":"/2","elements":[{"namespace":"http://example.com/y","prefix":"x","name":"a"}]}"#,
        "\n",
        r#"{"loc":"/3","elements":[{"namespace":"http://example.com/x","prefix":"other","name":"a"}]}"#,
        "\n",
        r#"{"loc":"/4","elements":[{"namespace":"http://example.com/x","prefix":"x","name":"a","#,
        r#""content":[{"namespace":"http://example.com/y","prefix":"x","name":"b"}]}]}"#,
        "\n",
    );
    let ran = sandbox.run_with(&["build", "--base", "https://example.com", "--out", "out"], pages.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(
        sandbox.read("out/sitemap.xml"),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://example.com/x" xmlns:x2="http://example.com/y">
<url><loc>https://example.com/1</loc><x:a/></url>
<url><loc>https://example.com/2</loc><x2:a/></url>
<url><loc>https://example.com/3</loc><x:a/></url>
<url><loc>https://example.com/4</loc><x:a><x2:b/></x:a></url>
</urlset>
"#
    );
}

#[test]
fn pages_of_many_files_come_in_their_order() {
    let sandbox = Sandbox::new();
    let pages: String = (0..12).map(|n| format!("{{\"loc\":\"https://example.com/{n}\"}}\n")).collect();
    let args = ["build", "--base", "https://example.com", "--out", "out", "--max-urls", "1"];
    assert_eq!(sandbox.run_with(&args, pages.as_bytes()).status, 0);
    assert_eq!(sandbox.entries("out", "ndjson"), pages);
    assert_eq!(sandbox.entries("out/sitemap.xml", "ndjson"), pages);
}
