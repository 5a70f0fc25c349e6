//! The output formats of `sitemap check` for pipelines, validated by third-party programs that `dev/ci/formats`
//! installs.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Sandbox, skip, urlset};

const NAME: &str = "a,b 1.xml";

/// Returns a folder with a file whose findings contain characters that must be escaped.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        NAME,
        urlset(
            "<url><loc>https://example.com/é#50%|*b*&lt;i&gt;</loc></url>\n\
             <url><loc>https://example.com/a</loc><priority>7|*b*`[x](y)</priority></url>\n",
        ),
    );
    sandbox
}

fn check(sandbox: &Sandbox, format: &str, more: &[&str]) -> String {
    let ran =
        sandbox.run(&[&["check", NAME, "--format", format, "--allow", "loc-not-encoded"], more].concat());
    assert_eq!(ran.stderr.lines().nth(1), Some("1 finding allowed: 1 `loc-not-encoded`"));
    ran.stdout
}

/// Passes the input to a third-party program, and returns its output. Returns `None` if the programs are not installed.
fn judge(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("SITEMAP_FORMATS").map(PathBuf::from) else {
        skip("SITEMAP_FORMATS names no folder; set it to the folder that `dev/ci/formats` prints");
        return None;
    };
    let judges = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/judges");
    let mut child = Command::new(program)
        .arg(judges.join(arguments[0]))
        .args(&arguments[1..])
        .env("PYTHONPATH", folder.join("python"))
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn is_valid_sarif(text: &str) {
    if let Some(errors) = judge("node", &["formats.mjs", "sarif"], text) {
        assert_eq!(errors, "");
    }
}

#[test]
fn sarif_is_valid() {
    let sandbox = sandbox();
    let text = check(&sandbox, "sarif", &[]);
    is_valid_sarif(&text);
    let log: Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["informationUri"], env!("CARGO_PKG_REPOSITORY"));
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "loc-fragment");
    assert_eq!(
        rule["fullDescription"]["text"],
        "Crawlers drop the fragment, so entries that differ only there name the same page."
    );
    assert_eq!(rule["helpUri"], sitemap_read::Rule::LocFragment.url());
    assert_eq!(run["properties"]["allowed"], json!({"loc-not-encoded": 1}));
    let regions: Vec<_> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["locations"][0]["physicalLocation"]["region"].clone())
        .collect();
    assert_eq!(
        regions,
        [
            json!({"startLine": 3, "startColumn": 11, "endColumn": 49}),
            json!({"startLine": 4, "startColumn": 48, "endColumn": 60}),
        ]
    );
    // The validator must find errors in input that isn't SARIF.
    if let Some(errors) = judge("node", &["formats.mjs", "sarif"], "{\"version\":\"2.1.0\",\"runs\":[{}]}") {
        assert_eq!(errors, "/runs/0: must have required property 'tool'\n");
    }
}

#[test]
fn sarif_has_the_state_of_each_finding_against_the_baseline() {
    let sandbox = sandbox();
    sandbox.run(&["check", NAME, "--write-baseline", "known.json", "--allow", "loc-not-encoded"]);
    sandbox.write(
        NAME,
        urlset(
            "<url><loc>https://example.com/é#50%|*b*&lt;i&gt;</loc></url>\n\
             <url><loc>https://example.com/a</loc><priority>8</priority></url>\n",
        ),
    );
    let text = check(&sandbox, "sarif", &["--baseline", "known.json"]);
    is_valid_sarif(&text);
    let log: Value = serde_json::from_str(&text).unwrap();
    let states: Vec<_> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| format!("{} {} {}", result["ruleId"], result["baselineState"], result["suppressions"]))
        .collect();
    assert_eq!(
        states,
        [
            "\"priority-invalid\" \"new\" null",
            "\"loc-fragment\" \"unchanged\" [{\"justification\":\"known from `known.json`\",\"kind\":\"external\"}]",
            "\"priority-invalid\" \"absent\" null",
        ]
    );
}

#[test]
fn annotations_are_those_of_the_toolkit() {
    let printed = check(&sandbox(), "github", &[]);
    assert_eq!(
        printed,
        "::warning title=loc-fragment,file=a%2Cb 1.xml,line=3,endLine=3,col=11,endColumn=48::a URL has a fragment, which \
         crawlers ignore, found \"https://example.com/%25C3%25A9#50%2525%257C*b*%253Ci%253E\"; remove the `#` and everything \
         after it\n\
         ::error title=priority-invalid,file=a%2Cb 1.xml,line=4,endLine=4,col=48,endColumn=59::https://example.com/a: a \
         priority is not a number from 0.0 to 1.0 and is ignored, found \"7|*b*`[x](y)\"; write a decimal number from 0.0 to 1.0\n"
    );
}

#[test]
fn the_escapes_of_annotations_are_those_of_the_toolkit() {
    let sandbox = sandbox();
    let report: Value = serde_json::from_str(&check(&sandbox, "json", &[])).unwrap();
    let ends = [48, 59];
    let calls: Vec<Value> = report["files"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .zip(ends)
        .map(|(finding, end)| {
            let text = |key: &str| finding[key].as_str().unwrap();
            json!([
                text("severity"),
                format!("{}; {}", text("message"), text("help")),
                {
                    "title": text("rule"), "file": NAME, "startLine": finding["line"], "endLine": finding["line"],
                    "startColumn": finding["column"], "endColumn": end,
                },
            ])
        })
        .collect();
    if let Some(expected) = judge("node", &["formats.mjs", "github"], &Value::from(calls).to_string()) {
        assert_eq!(check(&sandbox, "github", &[]), expected);
    }
}

#[test]
fn annotations_of_downloads_name_the_place_in_the_message() {
    let ran = Sandbox::new().run_with(&["check", "-", "--format", "github"], b"https://example.com/#a\n");
    assert_eq!(
        ran.stdout,
        "::warning title=loc-fragment::<stdin>:1:1: a URL has a fragment, which crawlers ignore, found \
         \"https://example.com/#a\"; remove the `#` and everything after it\n"
    );
}

#[test]
fn junit_fails_for_errors_only() {
    let printed = check(&sandbox(), "junit", &[]);
    let Some(read) = judge("python3", &["junit.py"], &printed) else {
        return;
    };
    assert_eq!(
        read,
        "2 1 2 1\n\
         a,b 1.xml: 2 tests, 1 failures\n\
         \x20 a,b 1.xml | loc-fragment 3:11 https://example.com/%C3%A9#50%25%7C*b*%3Ci%3E | [] | warning: a URL has a fragment, which crawlers ignore, found \
         \"https://example.com/%C3%A9#50%25%7C*b*%3Ci%3E\"; remove the `#` and everything after it\n\
         \x20 a,b 1.xml | priority-invalid 4:48 https://example.com/a | ['Failure priority-invalid: https://example.com/a: a priority is not a number from 0.0 to 1.0 \
         and is ignored, found \"7|*b*`[x](y)\"; write a decimal number from 0.0 to 1.0'] | None\n"
    );
}

#[test]
fn junit_counts_what_it_omits() {
    let sandbox = Sandbox::new();
    let wrong = "<url><loc>https://example.com/a</loc><priority>7</priority></url>\n";
    sandbox.write(NAME, urlset(&wrong.repeat(3))).write("good.xml", urlset(""));
    let printed = sandbox.run(&["check", NAME, "--format", "junit", "--max-findings", "1"]).stdout;
    let cases: Vec<_> = printed.lines().filter(|line| line.contains("omitted")).collect();
    assert_eq!(
        cases,
        [
            "<testcase classname=\"a,b 1.xml\" name=\"duplicate-loc omitted\"><system-out>warning: 1 more of \
             `duplicate-loc`; see them with `--max-findings 0`</system-out></testcase>",
            "<testcase classname=\"a,b 1.xml\" name=\"priority-invalid omitted\"><failure type=\"priority-invalid\" \
             message=\"2 more of `priority-invalid`; see them with `--max-findings 0`\"/></testcase>",
        ]
    );
    let printed = sandbox.run(&["check", "good.xml", "--format", "junit", "--allow", "all"]).stdout;
    assert!(printed.contains("<testcase classname=\"good.xml\" name=\"no findings\"/>\n"), "{printed}");
}

#[test]
fn markdown_is_a_table_without_other_markup() {
    let printed = check(&sandbox(), "markdown", &[]);
    assert!(
        printed.starts_with(
            "### Sitemap check: 1 error, 1 warning\n\n1 file with 2 pages\n\n| severity | rule |"
        ),
        "{printed}"
    );
    assert!(
        printed.ends_with(
            "\n\n`--allow RULE` or `sitemap.toml` switches a rule off.\n\n1 finding allowed: 1 `loc-not-encoded`\n"
        ),
        "{printed}"
    );
    let rules = "https://OWNER.github.io/sitemap/rules.html";
    if let Some(read) = judge("node", &["formats.mjs", "markdown"], &printed) {
        assert_eq!(
            read,
            format!(
                "severity | rule | section | file | findings | first finding\n\
                 error | priority-invalid | a,b 1 | a,b 1.xml | 1 | 4:48: https://example.com/a: a priority is not a number from 0.0 to 1.0 and is \
                 ignored, found \"7|*b*`[x](y)\"; write a decimal number from 0.0 to 1.0\n\
                 warning | loc-fragment | a,b 1 | a,b 1.xml | 1 | 3:11: a URL has a fragment, which crawlers ignore, found \
                 \"https://example.com/%C3%A9#50%25%7C*b*%3Ci%3E\"; remove the `#` and everything after it\n\
                 {rules}#priority-invalid\n{rules}#loc-fragment\n"
            )
        );
    }
}

#[test]
fn annotations_end_with_how_to_switch_a_rule_off() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>https://example.com/#a</loc></url>\n"));
    let ran = sandbox.run(&["check", "sitemap.xml", "--format", "github"]);
    assert_eq!(
        ran.stderr,
        "1 warning in 1 file with 1 page\n\
         help: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off\n"
    );
    let ran = sandbox.run(&["check", "sitemap.xml", "--format", "github", "--allow", "loc-fragment"]);
    assert_eq!(ran.stderr, "no findings in 1 file with 1 page\n1 finding allowed: 1 `loc-fragment`\n");
    let printed =
        sandbox.run(&["check", "sitemap.xml", "--format", "markdown", "--allow", "loc-fragment"]).stdout;
    assert!(!printed.contains("switches"), "{printed}");
}

#[test]
fn one_run_writes_several_formats() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>https://example.com/#a</loc></url>\n"));
    let alone =
        |format: &str| sandbox.run(&["check", "sitemap.xml", "--format", format, "--max-findings", "10"]);
    let args = [
        "check",
        "sitemap.xml",
        "--format",
        "github",
        "--also",
        "markdown=out.md",
        "--also",
        "json=out.json",
    ];
    let ran = sandbox.run(&[&args[..], &["--also", "human=out.txt"]].concat());
    assert_eq!((ran.stdout, ran.status), (alone("github").stdout, 0));
    assert_eq!(sandbox.read("out.md"), alone("markdown").stdout);
    assert_eq!(sandbox.read("out.json"), alone("json").stdout);
    assert_eq!(sandbox.read("out.txt"), alone("human").stdout);
}

#[test]
fn a_format_and_file_that_cannot_be_written_are_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.xml", urlset("<url><loc>https://example.com/</loc></url>\n"));
    for (also, message) in [
        ("markdown", "no format and file; write both, such as `markdown=summary.md`"),
        ("sari=x", "unknown format `sari`; did you mean `sarif`?"),
        ("none/x.md", "no format and file"),
        ("markdown=none/x.md", "cannot write `none/x.md`"),
    ] {
        let ran = sandbox.run(&["check", "sitemap.xml", "--also", also]);
        assert_eq!(ran.status, 2, "{also}");
        assert!(ran.stderr.contains(message), "{also}: {}", ran.stderr);
    }
}
