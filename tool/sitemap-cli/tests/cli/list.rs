//! `sitemap list`.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::support::{Sandbox, gzip, index, urlset};

fn set() -> Sandbox {
    let sandbox = Sandbox::new();
    let posts = "<url><loc>https://example.com/blog/1</loc><lastmod>2026-01-31</lastmod></url>\n\
                 <url><loc>https://example.com/blog/2</loc><lastmod>2026-02</lastmod></url>\n\
                 <url><loc>https://example.com/blog/3</loc></url>\n";
    let shop =
        "<url><loc>https://example.com/shop/1</loc><lastmod>2025-12-31T23:30:00-01:00</lastmod></url>\n";
    sandbox
        .write(
            "set/sitemap.xml",
            index(&[
                "https://example.com/sitemap-posts-1.xml.gz",
                "https://example.com/sub/sitemap-shop-1.xml",
            ]),
        )
        .write("set/sitemap-posts-1.xml.gz", gzip(urlset(posts).as_bytes()))
        .write("set/sub/sitemap-shop-1.xml", urlset(shop))
        .write("set/other.xml", "<project/>")
        .write("set/robots.txt", "https://example.com/no\n");
    sandbox
}

#[test]
fn a_folder_and_an_index_are_followed() {
    let sandbox = set();
    let pages = "https://example.com/blog/1\nhttps://example.com/blog/2\nhttps://example.com/blog/3\n\
                 https://example.com/shop/1\n";
    assert_eq!(sandbox.stdout(&["list", "set"]), pages);
    assert_eq!(sandbox.stdout(&["list", "set/sitemap.xml"]), pages);
}

#[test]
fn filters() {
    let sandbox = set();
    for (filter, expected) in [
        (&["--since", "2026"][..], "blog/1 blog/2 shop/1"),
        (&["--since", "2026-02-15"], "blog/2"),
        (&["--until", "2026-01"], "blog/1 shop/1"),
        (&["--since", "2026-01-31", "--until", "2026-01-31"], "blog/1"),
        (&["--until", "2026-01-01T00:29:59Z"], ""),
        (&["--prefix", "https://EXAMPLE.com/blog/"], "blog/1 blog/2 blog/3"),
        (&["--section", "shop"], "shop/1"),
        (&["--section", "posts", "--since", "2026-02"], "blog/2"),
    ] {
        let listed = sandbox.stdout(&[&["list", "set"], filter].concat());
        let found: Vec<_> = listed.lines().map(|line| &line["https://example.com/".len()..]).collect();
        assert_eq!(found.join(" "), expected, "{filter:?}");
    }
    let ran = sandbox.run(&["list", "set", "--since", "yesterday"]);
    assert_eq!(
        ran.stderr,
        "error: `--since` must be a W3C datetime, found \"yesterday\"; write it like `2024-03-09` or \
         `2024-03-09T16:05:30Z`\n"
    );
    assert_eq!(ran.status, 2);
    let ran = sandbox.run(&["list", "set", "--until", "2026-13"]);
    assert_eq!(ran.stderr, "error: `--until` must have a month from 01 to 12, found \"2026-13\"\n");
}

#[test]
fn an_unknown_section() {
    let sandbox = set();
    let ran = sandbox.run(&["list", "set", "--section", "nope"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 0));
    assert_eq!(ran.stderr, "no section `nope`; the sections are `posts`, `shop`\n");
    // The section exists, but none of its entries is in the range.
    assert_eq!(sandbox.stdout(&["list", "set", "--section", "shop", "--since", "2026-03"]), "");
    let ran = sandbox.run(&["list", "set/sub/sitemap-shop-1.xml", "--section", "nope"]);
    assert_eq!(ran.stderr, "no section `nope`; the only section is `shop`\n");
    let ran = sandbox.run_with(&["list", "-", "--section", "nope"], index(&[]).as_bytes());
    assert!(ran.stderr.starts_with("no section `nope`; the sitemap has no sections\n"), "{}", ran.stderr);
}

#[test]
fn sections_are_what_a_publisher_was_told() {
    let sandbox = Sandbox::new();
    for names in ["stable", "digest"] {
        let to_out = ["build", "--base", "https://example.com", "--out", names, "--max-urls", "1"];
        let more = ["--section", "my-2024", "--names", names];
        assert_eq!(sandbox.run_with(&[&to_out[..], &more].concat(), b"/a\n/b\n").status, 0);
        let listed = sandbox.stdout(&["list", names, "--section", "my-2024"]);
        assert_eq!(listed, "https://example.com/a\nhttps://example.com/b\n");
        let stats = sandbox.stdout(&["stats", names]);
        assert!(stats.contains("Sections\n  my-2024             2 "), "{stats}");
    }
}

#[test]
fn standard_input_of_any_format() {
    let sandbox = Sandbox::new();
    for input in [
        urlset("<url><loc>https://example.com/</loc></url>").into_bytes(),
        gzip(b"https://example.com/\n"),
        b"<rss version='2.0'><channel><item><link>https://example.com/</link></item></channel></rss>"
            .to_vec(),
    ] {
        let ran = sandbox.run_with(&["list", "-"], &input);
        assert_eq!((ran.stdout.as_str(), ran.status), ("https://example.com/\n", 0), "{}", ran.stderr);
    }
}

#[test]
fn two_children_of_an_index_never_share_a_file() {
    let sandbox = Sandbox::new();
    sandbox
        .write("sitemap.xml", index(&["https://example.com/de/map.xml", "https://example.com/fr/map.xml"]))
        .write("map.xml", urlset("<url><loc>https://example.com/other</loc></url>\n"));
    for command in ["list", "stats", "check"] {
        let ran = sandbox.run(&[command, "sitemap.xml"]);
        assert!(!ran.stdout.contains("other"), "{command}: {}", ran.stdout);
        assert_ne!(ran.status, 0, "{command}: {}", ran.stderr);
        let all = ran.stdout + &ran.stderr;
        for child in ["de/map.xml", "fr/map.xml"] {
            assert!(
                all.contains(&format!("no file `{child}` in the folder of the index")),
                "{command}: {all}"
            );
        }
    }
}

#[test]
fn children_that_differ_in_their_query_are_not_one_file() {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "sitemap.xml",
            index(&["https://example.com/map.xml?page=1", "https://example.com/map.xml?page=2"]),
        )
        .write("map.xml", urlset("<url><loc>https://example.com/a</loc></url>\n"));
    for command in ["list", "check"] {
        let ran = sandbox.run(&[command, "sitemap.xml"]);
        assert_ne!(ran.status, 0, "{command}: {}", ran.stderr);
        let all = ran.stdout + &ran.stderr;
        let why = "the index lists another URL with the same file `map.xml`; give the URL of the index";
        assert_eq!(all.matches(why).count(), 2, "{command}: {all}");
    }
}

#[test]
fn an_index_that_lists_itself_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", index(&["https://example.com/sitemap.xml?page=1"]));
    let ran = sandbox.run(&["list", "sitemap.xml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("the index lists itself; remove the entry"), "{}", ran.stderr);
}

#[test]
fn children_of_a_nested_index_are_next_to_it() {
    let sandbox = Sandbox::new();
    sandbox
        .write("sitemap.xml", index(&["https://example.com/index-de.xml"]))
        .write("index-de.xml", index(&["https://example.com/sitemaps/de-1.xml"]))
        .write("de-1.xml", urlset("<url><loc>https://example.com/de</loc></url>\n"));
    for (command, status) in [("list", 0), ("check", 1)] {
        let ran = sandbox.run(&[command, "sitemap.xml"]);
        assert_eq!(ran.status, status, "{command}: {}", ran.stderr);
        let all = ran.stdout + &ran.stderr;
        assert!(!all.contains("no file"), "{command}: {all}");
        assert!(
            all.contains("example.com/de\n") || all.contains("in 3 files with 1 page"),
            "{command}: {all}"
        );
    }
}

#[test]
fn unreadable_files_are_reported_and_the_status_is_2() {
    let sandbox = Sandbox::new();
    sandbox
        .write("sitemap.xml", index(&["https://example.com/a.xml", "https://example.com/b.xml"]))
        .write("b.xml", urlset("<url><loc>https://example.com/b</loc><priority>9</priority></url>\n"));
    let ran = sandbox.run(&["list", "sitemap.xml"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("https://example.com/b\n", 2));
    assert_eq!(
        ran.stderr,
        "error: cannot read `https://example.com/a.xml`: no file `a.xml` in the folder of the index; put it there, or \
         give the URL of the index\n\
         warning: 1 finding; see it with `sitemap check sitemap.xml`\n\
         error: the result is incomplete, because 1 sitemap could not be read; see the errors above\n"
    );
    let long = format!("https://example.com/{}", "a".repeat(2_028));
    sandbox.write("long.txt", format!("{long}\nhttps://example.com/\nftp://example.com/\n"));
    let ran = sandbox.run(&["list", "long.txt"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("https://example.com/\n", 0));
    assert_eq!(
        ran.stderr,
        "warning: 2 findings, 2 entries left out; see them with `sitemap check long.txt`\n"
    );
    let ran = sandbox.run(&["list", "missing.xml"]);
    assert_eq!(ran.stderr, "error: cannot read `missing.xml`: no such file or directory\n");
    let ran = sandbox.run_with(&["list", "-"], index(&["https://example.com/a.xml"]).as_bytes());
    assert!(ran.stderr.starts_with(
        "error: cannot read `https://example.com/a.xml`: the index on standard input has no folder"
    ));
}

#[test]
fn indexes_in_circles_end() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.xml", index(&["https://example.com/b.xml"]))
        .write("b.xml", index(&["https://example.com/a.xml", "https://example.com/c.xml"]))
        .write("c.xml", urlset("<url><loc>https://example.com/c</loc></url>\n"));
    let ran = sandbox.run(&["list", "a.xml"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("https://example.com/c\n", 0), "{}", ran.stderr);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let sandbox = Sandbox::new();
    let pages: String = (0..100_000).map(|n| format!("https://example.com/{n}\n")).collect();
    sandbox.write("sitemap.txt", pages);
    for args in [
        &["list", "sitemap.txt"][..],
        &["list", "sitemap.txt", "--format", "csv"],
        &["diff", "-", "sitemap.txt"],
    ] {
        let mut child = sandbox
            .command(args)
            .stdin(Stdio::from(std::fs::File::open(sandbox.path().join("sitemap.txt")).unwrap()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if args[0] == "list" {
            let mut line = String::new();
            BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("error"), "{stderr}");
        assert!(output.status.success());
    }
}

#[test]
fn a_set_that_is_cut_off_is_never_taken_for_a_whole_one() {
    let sandbox = Sandbox::new();
    let urlset = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                  <url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>\n";
    sandbox.write("whole.xml", format!("{urlset}</urlset>\n"));
    let reason = "the document ends before its root element is closed; upload the whole file";
    for rest in ["", "<url><loc>https://example.com/c", "<url><loc>https://example.com/c</loc>", "</urls"] {
        sandbox.write("cut.xml", format!("{urlset}{rest}"));
        for (args, printed) in [
            (&["list", "cut.xml"][..], "https://example.com/a\nhttps://example.com/b\n"),
            (&["stats", "cut.xml"], ""),
            (&["diff", "whole.xml", "cut.xml"], ""),
            (&["diff", "cut.xml", "whole.xml"], ""),
            (&["notify", "--key", "12345678", "--dry-run", "whole.xml", "cut.xml"], ""),
            (&["notify", "--key", "12345678", "--dry-run", "cut.xml", "whole.xml"], ""),
        ] {
            let ran = sandbox.run(args);
            assert_eq!(ran.status, 2, "{args:?} {rest:?}: {}", ran.stderr);
            assert!(ran.stderr.contains("error: cannot read all of `cut.xml`: "), "{}", ran.stderr);
            assert!(ran.stderr.contains("; upload the whole file\n"), "{}", ran.stderr);
            assert!(
                ran.stderr.ends_with(
                    "the result is incomplete, because 1 sitemap could not be read; see the errors above\n"
                ),
                "{}",
                ran.stderr
            );
            assert!(ran.stdout.starts_with(printed), "{}", ran.stdout);
            if args[0] == "notify" {
                assert_eq!(ran.stdout, "", "{rest:?}");
            }
        }
    }
    sandbox.write("cut.xml", urlset);
    let ran = sandbox.run(&["list", "cut.xml"]);
    assert!(
        ran.stderr.contains(&format!("error: cannot read all of `cut.xml`: {reason}\n")),
        "{}",
        ran.stderr
    );
}

#[test]
fn limits_are_named_in_the_words_of_the_command() {
    let sandbox = Sandbox::new();
    sandbox.write("two.txt", "https://example.com/a\nhttps://example.com/b\n");
    let nested = "<a>".repeat(100);
    sandbox.write(
        "deep.xml",
        format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>{nested}"),
    );
    for (args, message) in [
        (
            &["list", "two.txt", "--max-bytes", "10"][..],
            "error: cannot read `two.txt`: the document has more than 10 bytes; allow more with `--max-bytes`\n",
        ),
        (
            &["stats", "deep.xml"],
            "error: cannot read `deep.xml`: the document exceeds the limit `depth` of 64 at 1:255; no option of this \
             command raises it\n",
        ),
    ] {
        let ran = sandbox.run(args);
        assert_eq!((ran.status, ran.stderr.as_str()), (2, message), "{args:?}");
    }
    let ran = sandbox.run(&["check", "deep.xml"]);
    assert!(
        ran.stdout.contains("error[read-limit]: the document exceeds the limit `depth` of 64\n"),
        "{}",
        ran.stdout
    );
}

/// A news sitemap with language tags that Google doesn't document, and a video without a title.
fn faulty_extensions(language: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n\
         <url><loc>https://example.com/1</loc><news:news><news:publication><news:name>N</news:name>\
         <news:language>{language}</news:language></news:publication>\
         <news:publication_date>2026-01-31</news:publication_date><news:title>T</news:title></news:news></url>\n\
         <url><loc>https://example.com/2</loc><video:video>\
         <video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc>\
         <video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc>\
         </video:video></url>\n</urlset>\n"
    )
}

#[test]
fn extensions_with_invalid_or_missing_values_are_listed_counted_and_compared() {
    let sandbox = Sandbox::new();
    sandbox.write("a.xml", faulty_extensions("en-US")).write("b.xml", faulty_extensions("en-GB"));
    let ran = sandbox.run(&["list", "a.xml", "--format", "ndjson"]);
    assert_eq!(
        ran.stdout,
        "{\"loc\":\"https://example.com/1\",\"news\":{\"publication\":{\"name\":\"N\",\"language\":\"en-US\"},\
         \"publication_date\":\"2026-01-31\",\"title\":\"T\"},\"sitemap\":\"a.xml\",\"section\":\"a\"}\n\
         {\"loc\":\"https://example.com/2\",\"videos\":[{\"thumbnail_loc\":\"https://example.com/t.jpg\",\
         \"description\":\"D\",\"content_loc\":\"https://example.com/v.mp4\"}],\"sitemap\":\"a.xml\",\"section\":\"a\"}\n"
    );
    assert_eq!(ran.stderr, "warning: 2 findings; see them with `sitemap check a.xml`\n");
    assert_eq!(ran.status, 0);

    let stats = sandbox.run(&["stats", "a.xml"]).stdout;
    let values: Vec<_> = stats.lines().filter(|line| line.contains("50.0 %")).collect();
    assert_eq!(values, ["  videos                    1   50.0 %", "  news                      1   50.0 %"]);

    let diff = sandbox.run(&["diff", "a.xml", "b.xml"]);
    assert_eq!(diff.stdout, "~ https://example.com/1\n    news: changed\n");
    assert_eq!(diff.status, 1);

    let check = sandbox.run(&["check", "a.xml", "--format", "json"]);
    let found: Vec<_> = check.stdout.matches("\"rule\":\"extension-").collect();
    assert_eq!(found.len(), 2, "{}", check.stdout);
    assert!(check.stdout.contains("an invalid value is kept as it is: `news:language` is \\\"en-US\\\"; "));
    assert!(check.stdout.contains("`video:video` has no `video:title` and is kept without it"));

    let build = ["build", "--base", "https://example.com", "--out", "out", "-"];
    let ran = sandbox.run_with(&build, ran.stdout.as_bytes());
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "`news:language` is \"en-US\"; write two or three lower-case letters, `zh-cn` or `zh-tw`"
        ),
        "{}",
        ran.stderr
    );
}

/// Each row contains a kind of damage, the damaged bytes, and the rule of the finding. Every command must notice the
/// damage.
#[test]
fn every_command_notices_every_kind_of_damage() {
    let sandbox = Sandbox::new();
    let page =
        |number: usize| format!("<url><loc>https://example.com/{number}/{:x}</loc></url>\n", number * 7_919);
    let xml = urlset(&(0..500).map(page).collect::<String>());
    let packed = gzip(xml.as_bytes());
    let text: String = (0..500).map(|number| format!("https://example.com/{number}\n")).collect();
    let changed = |at: usize| {
        let mut bytes = packed.clone();
        bytes[at] ^= 0xFF;
        bytes
    };
    let end = packed.len();
    let garbage = [&packed[..], b"other bytes, no member"].concat();
    let zeros = [&packed[..], &[0; 512]].concat();
    let second_cut = [&packed[..], &packed[..end / 2]].concat();
    let damages: [(&str, Vec<u8>, &str); 12] = [
        ("gzip cut in its header", packed[..9].to_vec(), "file-empty"),
        ("gzip cut in its data", packed[..end / 2].to_vec(), "gzip-truncated"),
        ("gzip cut in its checksum", packed[..end - 6].to_vec(), "gzip-truncated"),
        ("gzip cut in its length", packed[..end - 1].to_vec(), "gzip-truncated"),
        ("gzip with a wrong checksum", changed(end - 6), "gzip-damaged"),
        ("gzip with a wrong length", changed(end - 2), "gzip-damaged"),
        ("gzip with damaged data", changed(end / 2), "gzip-damaged"),
        ("gzip and other bytes", garbage, "gzip-damaged"),
        ("gzip and zeros", zeros, "gzip-damaged"),
        ("a second member that is cut", second_cut, "gzip-truncated"),
        (
            "compressed text cut in its data",
            {
                let bytes = gzip(text.as_bytes());
                bytes[..bytes.len() / 2].to_vec()
            },
            "gzip-truncated",
        ),
        ("document cut", xml.as_bytes()[..xml.len() / 2].to_vec(), "truncated"),
    ];
    sandbox.write("whole.xml", &xml);
    for (damage, bytes, rule) in damages {
        sandbox.write("bad.xml", &bytes);
        for args in [
            &["list", "bad.xml"][..],
            &["list", "bad.xml", "--format", "ndjson"],
            &["stats", "bad.xml"],
            &["diff", "whole.xml", "bad.xml"],
            &["diff", "bad.xml", "whole.xml"],
            &["notify", "--key", "12345678", "--dry-run", "whole.xml", "bad.xml"],
            &["notify", "--key", "12345678", "--dry-run", "bad.xml", "whole.xml"],
        ] {
            let ran = sandbox.run(args);
            assert_eq!(ran.status, 2, "{damage}: {args:?}: {}", ran.stderr);
            assert!(ran.stderr.contains("error: cannot read "), "{damage}: {args:?}: {}", ran.stderr);
            if args[0] == "notify" {
                assert_eq!(ran.stdout, "", "{damage}");
            }
            assert!(!ran.stdout.contains("\n- "), "{damage}: {args:?} reports removed pages: {}", ran.stdout);
        }
        let ran = sandbox.run(&["check", "bad.xml", "--format", "json"]);
        assert_eq!(ran.status, 1, "{damage}: {}", ran.stderr);
        assert!(ran.stdout.contains(&format!("\"rule\":\"{rule}\"")), "{damage}: {}", ran.stdout);
    }
    // Several gzip members in a row form one document.
    let halves = [gzip(&xml.as_bytes()[..1_000]), gzip(&xml.as_bytes()[1_000..])].concat();
    sandbox.write("members.xml", &halves);
    assert_eq!(sandbox.stdout(&["list", "members.xml"]).lines().count(), 500);
    assert_eq!(sandbox.run(&["diff", "whole.xml", "members.xml"]).status, 0);
}

#[test]
fn damage_is_noticed_behind_many_findings() {
    let sandbox = Sandbox::new();
    let bad = "<url><loc>/relative</loc></url>\n".repeat(3_000);
    let xml = urlset(&bad);
    sandbox.write("cut.xml", &xml.as_bytes()[..xml.len() - 12]);
    let ran = sandbox.run(&["list", "cut.xml"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot read all of `cut.xml`: "), "{}", ran.stderr);
}

#[test]
fn no_command_reads_beyond_the_limit_of_bytes() {
    let sandbox = Sandbox::new();
    let xml = urlset(&"<url><loc>https://example.com/</loc></url>\n".repeat(1_000));
    sandbox.write("a.xml", gzip(xml.as_bytes()));
    let ran = sandbox.run(&["check", "a.xml", "--max-bytes", "20000"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout
            .contains("error[too-large]: the document has more than 20000 bytes, so the rest was not read\n"),
        "{}",
        ran.stdout
    );
    let ran = sandbox.run(&["list", "a.xml", "--max-bytes", "20000"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("the document has more than 20000 bytes; allow more with `--max-bytes`"));
}
