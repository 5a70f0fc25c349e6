//! `sitemap check --baseline`.

use crate::support::{Sandbox, urlset};

const HELP: &str =
    "help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n";

fn page(loc: &str) -> String {
    format!("<url><loc>{loc}</loc></url>\n")
}

#[test]
fn only_new_findings_fail() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(&page("/old")));
    let ran = sandbox.run(&["check", "sitemap.xml", "--write-baseline", "known.json"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.ends_with("\n1 error in 1 file with 1 page\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr, format!("1 finding written to `known.json`\n{HELP}"));
    assert_eq!(
        sandbox.read("known.json"),
        "{\"format\": \"sitemap baseline\", \"version\": 1, \"findings\": [\n\
         {\"file\": \"sitemap.xml\", \"rule\": \"loc-relative\", \
         \"message\": \"`loc` must be an absolute URL, found \\\"/old\\\"; start it with `https://` or `http://`\", \
         \"count\": 1}\n]}\n"
    );

    sandbox.write("sitemap.xml", urlset(&["\n\n", &page("https://example.com/"), &page("/old")].concat()));
    let ran = sandbox.run(&["check", "./sitemap.xml", "--baseline", "known.json"]);
    assert_eq!((ran.stderr.as_str(), ran.status), ("", 0));
    assert_eq!(ran.stdout, "no findings in 1 file with 2 pages\n1 finding known from `known.json`\n");

    sandbox.write("sitemap.xml", urlset(&[page("/new"), page("/old")].concat()));
    let ran = sandbox.run(&["check", "sitemap.xml", "--baseline", "known.json"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.starts_with("error[loc-relative]: `loc` must be an absolute URL, found \"/new\";"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.matches("error[").count(), 1);
    let totals = "\n1 error in 1 file with 2 pages\n1 finding known from `known.json`\n";
    assert!(ran.stdout.ends_with(totals), "{}", ran.stdout);
    assert_eq!(ran.stderr, HELP);
}

#[test]
fn stale_findings_are_counted() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(&[page("/a"), page("/b")].concat()));
    sandbox.run(&["check", "sitemap.xml", "--write-baseline", "known.json"]);
    sandbox.write("sitemap.xml", urlset(&page("https://example.com/")));
    let ran = sandbox.run(&["check", "sitemap.xml", "--baseline", "known.json"]);
    assert_eq!(
        ran.stdout,
        "no findings in 1 file with 1 page\n0 findings known from `known.json`\n\
         2 findings of `known.json` not found again; remove with `--write-baseline known.json`\n"
    );
    assert_eq!(ran.status, 0);
    let both = ["check", "sitemap.xml", "--baseline", "known.json", "--write-baseline", "known.json"];
    assert_eq!(sandbox.run(&both).status, 0);
    assert_eq!(
        sandbox.read("known.json"),
        "{\"format\": \"sitemap baseline\", \"version\": 1, \"findings\": []}\n"
    );
}

#[test]
fn a_baseline_that_cannot_be_used_ends_with_2() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset(&page("/a")));
    let check = |text: &str| {
        sandbox.write("known.json", text);
        sandbox.run(&["check", "sitemap.xml", "--baseline", "known.json"])
    };
    let ran = check("{\"format\": \"sitemap baseline\", \"version\": 7}");
    assert_eq!(
        ran.stderr,
        "error: cannot use the baseline `known.json`: it has version 7, and this command reads version 1; write it \
         again with `--write-baseline known.json`\n"
    );
    assert_eq!(ran.status, 2);
    let ran = check("{\"format\": \"sitemap baseline\", \"version\": 1, \"findings\": [\n{\"file\":");
    assert_eq!(
        ran.stderr,
        "error: cannot use the baseline `known.json`: it is damaged: EOF while parsing a value at line 2 column 8; \
         write it again with `--write-baseline known.json`\n"
    );
    let ran = sandbox.run(&["check", "sitemap.xml", "--baseline", "missing.json"]);
    assert_eq!(ran.stderr, "error: cannot read `missing.json`: no such file or directory\n");
    assert_eq!(ran.status, 2);
    let ran = sandbox.run(&["check", "sitemap.xml", "--write-baseline", "missing/known.json"]);
    assert_eq!(ran.stderr, "error: cannot write `missing/known.json`: no such file or directory\n");
    assert_eq!(ran.status, 2);
}

#[test]
fn a_check_that_fails_keeps_the_old_baseline() {
    let sandbox = Sandbox::new();
    sandbox.write("known.json", "old");
    let ran = sandbox.run(&["check", "missing.xml", "--write-baseline", "known.json"]);
    assert_eq!((ran.status, sandbox.read("known.json").as_str()), (2, "old"));
}
