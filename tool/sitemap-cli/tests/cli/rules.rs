//! Levels of rules, and `sitemap check --explain`.

use serde_json::Value;

use crate::support::{Sandbox, urlset};

const HELP: &str =
    "help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("sitemap.xml", urlset("<url><loc>https://example.com/#a</loc><priority>7</priority></url>\n"));
    sandbox
}

/// Returns the first lines of the findings.
fn titles(stdout: &str) -> Vec<&str> {
    stdout.lines().filter_map(|line| line.split_once("]: ").map(|(title, _)| title)).collect()
}

#[test]
fn the_command_line_sets_levels() {
    let sandbox = sandbox();
    let check = |more: &[&str]| sandbox.run(&[&["check", "sitemap.xml"], more].concat());
    assert_eq!(titles(&check(&[]).stdout), ["warning[loc-fragment", "error[priority-invalid"]);
    let ran = check(&["--allow", "loc", "--warn", "priority-invalid"]);
    assert_eq!(titles(&ran.stdout), ["warning[priority-invalid"]);
    let totals = "\n1 warning in 1 file with 1 page\n1 finding allowed: 1 `loc-fragment`\n";
    assert!(ran.stdout.ends_with(totals), "{}", ran.stdout);
    assert_eq!(ran.stderr, HELP);
    assert_eq!(ran.status, 0);
    let ran = check(&["--allow", "all", "--deny", "warning"]);
    assert_eq!((titles(&ran.stdout), ran.status), (vec!["error[loc-fragment"], 1));
    let ran = check(&["--allow", "lock-fragment"]);
    assert_eq!(
        ran.stderr.lines().next(),
        Some(
            "error: invalid value 'lock-fragment' for '--allow <RULE>': unknown rule `lock-fragment`; did you mean \
             `loc-fragment`?"
        )
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn an_override_with_path_and_section_needs_both() {
    let sandbox = Sandbox::new();
    let names = ["new/sitemap-blog-1.xml", "old/sitemap-blog-1.xml", "old/sitemap-shop-1.xml"];
    for (number, name) in names.iter().enumerate() {
        let page = format!("<url><loc>https://example.com/{number}#a</loc></url>\n");
        sandbox.write(name, urlset(&page));
    }
    sandbox.write(
        "sitemap.toml",
        "[[check.override]]\npath = \"old/*.xml\"\nsection = \"blog\"\nallow = [\"loc-fragment\"]\n",
    );
    let found = names.map(|name| {
        let ran = sandbox.run(&["check", name]);
        (name, titles(&ran.stdout).len(), ran.stdout.contains("1 finding allowed: 1 `loc-fragment`"))
    });
    assert_eq!(found, [(names[0], 1, false), (names[1], 0, true), (names[2], 1, false)]);
}

#[test]
fn the_configuration_sets_levels_by_path_and_section() {
    let sandbox = Sandbox::new();
    for name in ["sitemap-blog-1.xml", "sitemap-shop-1.xml", "sitemap-shop-2.xml"] {
        sandbox.write(&format!("set/{name}"), urlset(&format!("<url><loc>/{name}</loc></url>\n")));
    }
    sandbox.write(
        "sitemap.toml",
        "[check]\nwarn = [\"loc\"]\n\n\
         [[check.override]]\nsection = \"shop\"\nallow = [\"loc-relative\"]\n\n\
         [[check.override]]\npath = [\"*-2.xml\"]\ndeny = [\"error\"]\n",
    );
    let ran = sandbox.run(&["check", "set", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let found: Vec<_> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| file["findings"].as_array().unwrap().iter().map(|finding| (&file["name"], finding)))
        .map(|(name, finding)| {
            format!("{} {}", name.as_str().unwrap(), finding["severity"].as_str().unwrap())
        })
        .collect();
    assert_eq!(found, ["set/sitemap-blog-1.xml warning", "set/sitemap-shop-2.xml error"]);
    assert_eq!(report["summary"]["allowed"]["loc-relative"], 1);
    assert_eq!(
        ran.stderr,
        "1 error, 1 warning in 3 files with 3 pages\n1 finding allowed: 1 `loc-relative`\n"
    );
    // The command line takes precedence.
    let ran = sandbox.run(&["check", "set", "--allow", "loc-relative"]);
    assert!(ran.stdout.starts_with("no findings in "), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
}

#[test]
fn a_rule_is_explained() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.stdout(&["check", "--explain", "loc-fragment"]),
        "\
loc-fragment: a URL has a fragment, which crawlers ignore
  severity: warning
  group:    loc
  source:   practice
  help:     remove the `#` and everything after it

Crawlers drop the fragment, so entries that differ only there name the same page.

Wrong:
  <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
  <url><loc>https://example.com/tea#prices</loc></url>
  </urlset>

Right:
  <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
  <url><loc>https://example.com/tea</loc></url>
  </urlset>

`--allow loc-fragment`, or `allow = [\"loc-fragment\"]` below `[check]` in `sitemap.toml`, switches the rule off.
"
    );
    let prose = sandbox.stdout(&["check", "--explain", "text-name"]);
    assert!(prose.contains("\n  engines:  google (with `--engine`)\n"), "{prose}");
    assert!(
        prose.contains("\nWrong:\n  a text sitemap at `https://example.com/urls`\n\nRight:\n"),
        "{prose}"
    );
}

#[test]
fn the_page_of_rules_is_printed() {
    let page = Sandbox::new().stdout(&["check", "--explain", "all", "--format", "markdown"]);
    assert!(
        page.starts_with("| group | rules |\n|---|---|\n| `bytes` | [`gzip-truncated`](#gzip-truncated), "),
        "{page}"
    );
    assert!(
        page.contains(
            "
### loc-fragment

A URL has a fragment, which crawlers ignore. *(warning, from practice)*

Crawlers drop the fragment, so entries that differ only there name the same page.

Remove the `#` and everything after it.

Wrong:

```xml
<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
<url><loc>https://example.com/tea#prices</loc></url>
</urlset>
```
"
        ),
        "{page}"
    );
    assert!(page.contains("*(warning, from Google (only for google))*\n"), "{page}");
    assert!(page.contains("\nWrong: a text sitemap at `https://example.com/urls`.\n"), "{page}");
}

#[test]
fn the_rules_of_a_group_are_listed() {
    let sandbox = Sandbox::new();
    let listed = sandbox.stdout(&["check", "--explain", "formats"]);
    let line = |id: &str| listed.lines().find(|line| line.starts_with(id)).unwrap();
    let columns: Vec<&str> =
        line("feed-date ").split("  ").map(str::trim).filter(|text| !text.is_empty()).collect();
    let summary = "a date of a feed is not in the format of the feed's specification";
    assert_eq!(columns, ["feed-date", "note", "formats", summary]);
    assert_eq!(line("text-line-invalid ").find("error  "), line("feed-date ").find("note "));
    assert!(!listed.contains("loc-fragment"), "{listed}");
    let ran = sandbox.run(&["check", "--explain", "format"]);
    assert_eq!(
        ran.stderr.lines().next(),
        Some(
            "error: invalid value 'format' for '--explain <RULE>': unknown rule `format`; did you mean `formats`?"
        )
    );
    assert_eq!(ran.status, 2);
}
