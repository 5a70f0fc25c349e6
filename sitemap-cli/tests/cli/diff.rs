//! `sitemap diff`.

use crate::support::{Sandbox, urlset};

fn two() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "old.xml",
            urlset(
                "<url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n\
                 <url><loc>https://example.com/gone</loc></url>\n\
                 <url><loc>https://example.com/changed</loc><lastmod>2026-01-01</lastmod><priority>0.5</priority></url>\n",
            ),
        )
        .write(
            "new.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
             <url><loc>https://example.com/changed</loc><lastmod>2026-01-31</lastmod><changefreq>daily</changefreq>\
             <image:image><image:loc>https://example.com/1.jpg</image:loc></image:image></url>\n\
             <url><loc>https://example.com/new</loc></url>\n\
             <url><loc>https://example.com/new</loc></url>\n\
             <url><loc>https://example.com/same</loc><lastmod>2026-01-01</lastmod></url>\n\
             </urlset>\n",
        );
    sandbox
}

#[test]
fn pages_added_removed_and_changed() {
    let ran = two().run(&["diff", "old.xml", "new.xml"]);
    assert_eq!(
        ran.stdout,
        "~ https://example.com/changed\n    lastmod: 2026-01-01 -> 2026-01-31\n    changefreq: none -> daily\n    \
         priority: 0.5 -> none\n    images: changed\n\
         + https://example.com/new\n\
         - https://example.com/gone\n"
    );
    assert_eq!(ran.stderr, "1 added, 1 removed, 1 changed, 1 unchanged\n");
    assert_eq!(ran.status, 1);
}

#[test]
fn as_ndjson() {
    let ran = two().run(&["diff", "old.xml", "new.xml", "--format", "ndjson"]);
    assert_eq!(
        ran.stdout,
        concat!(
            r#"{"change":"changed","loc":"https://example.com/changed","values":{"lastmod":{"old":"2026-01-01","new":"2026-01-31"},"#,
            r#""changefreq":{"new":"daily"},"priority":{"old":"0.5"},"images":{}},"#,
            r#""page":{"loc":"https://example.com/changed","lastmod":"2026-01-31","changefreq":"daily","#,
            r#""images":[{"loc":"https://example.com/1.jpg"}]}}"#,
            "\n",
            r#"{"change":"added","page":{"loc":"https://example.com/new"}}"#,
            "\n",
            r#"{"change":"removed","loc":"https://example.com/gone"}"#,
            "\n",
        )
    );
}

#[test]
fn nothing_differs() {
    let sandbox = two();
    let ran = sandbox.run(&["diff", "old.xml", "old.xml"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 0));
    assert_eq!(ran.stderr, "0 added, 0 removed, 0 changed, 3 unchanged\n");
    assert_eq!(sandbox.run(&["diff", "-", "-"]).status, 2);
    assert_eq!(sandbox.run(&["diff", "missing.xml", "old.xml"]).status, 2);
}

#[test]
fn pages_of_unreadable_files_do_not_count_as_removed() {
    let sandbox = two();
    sandbox.write(
        "index.xml",
        crate::support::index(&["https://example.com/new.xml", "https://example.com/lost.xml"]),
    );
    let ran = sandbox.run(&["diff", "old.xml", "index.xml"]);
    assert_eq!(ran.status, 2);
    assert!(!ran.stdout.contains("- "), "{}", ran.stdout);
}
