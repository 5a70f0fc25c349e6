//! `sitemap.toml` and `sitemap config`.

use crate::support::{Sandbox, urlset};

fn sandbox(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("sitemap.toml", config)
        .write("sitemap.xml", urlset("<url><loc>https://example.com/#a</loc></url>\n"));
    sandbox
}

/// Returns the error for an invalid configuration.
fn error(config: &str) -> String {
    let ran = sandbox(config).run(&["list", "sitemap.xml"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{config}");
    ran.stderr
}

#[test]
fn options_have_defaults_in_the_file() {
    let sandbox = sandbox("color = \"always\"\n[check]\nstrict = true\nengine = [\"google\", \"bing\"]\n");
    let ran = sandbox.run(&["check", "sitemap.xml"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.starts_with("\u{1b}[1;31merror[loc-fragment]"), "{}", ran.stdout);
    // The command line takes precedence over the file, even if the file sets a flag.
    let ran = sandbox.run(&["check", "sitemap.xml", "--strict=false", "--color", "never"]);
    assert!(ran.stdout.starts_with("warning[loc-fragment]"), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
    assert_eq!(sandbox.run(&["check", "sitemap.xml", "--no-config"]).status, 0);
    assert_eq!(sandbox.run(&["check", "sitemap.xml", "--strict"]).status, 1);
}

#[test]
fn a_flag_can_be_switched_off_without_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.xml", urlset("<url><loc>https://example.com/#a</loc></url>\n"));
    assert_eq!(sandbox.run(&["check", "a.xml", "--strict=false"]).status, 0);
    assert_eq!(sandbox.run(&["check", "a.xml", "--strict=true"]).status, 1);
}

#[test]
fn required_options_may_be_in_the_file() {
    let sandbox = Sandbox::new();
    sandbox
        .write("site/sitemap.toml", "[build]\nbase = \"https://example.com\"\nout = \"public\"\n")
        .write("site/data/pages.txt", "/a\n");
    let mut command = sandbox.command(&["build", "pages.txt"]);
    let output = command.current_dir(sandbox.path().join("site/data")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // The file is in a parent folder. Its paths are relative to that folder.
    assert!(sandbox.read("site/public/sitemap.xml").contains("<loc>https://example.com/a</loc>"));
    let ran = sandbox.run(&["build", "site/data/pages.txt", "--config=site/sitemap.toml", "--out", "other"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(sandbox.read("other/sitemap.xml").contains("<loc>https://example.com/a</loc>"));
}

#[test]
fn tables_of_subcommands_are_nested() {
    let sandbox = Sandbox::new();
    sandbox.write("sitemap.toml", "[shard.bucket]\nbase = \"https://example.com\"\nbuckets = 4\n");
    let ran = sandbox.run_with(&["shard", "bucket"], b"/a\n");
    assert_eq!((ran.stdout.as_str(), ran.status), ("2\thttps://example.com/a\t/a\n", 0), "{}", ran.stderr);
}

#[test]
fn the_command_line_overrules_settings_that_it_excludes() {
    let config = "[build]\nbase = \"https://example.com\"\nout = \"public\"\nkeep-sections = true\n";
    let sandbox = sandbox(config);
    let ran = sandbox.run_with(&["build", "--change-base"], b"/a\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    sandbox.write("sitemap.toml", format!("{config}from-dir = \"html\"\n"));
    let ran = sandbox.run_with(&["build", "-"], b"/b\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(sandbox.read("public/sitemap.xml").contains("<loc>https://example.com/b</loc>"));
    sandbox.write("sitemap.toml", format!("{config}change-base = true\n"));
    let ran = sandbox.run_with(&["build"], b"/a\n");
    assert_eq!(
        ran.stderr,
        "error: sitemap.toml:5: `change-base` and `keep-sections` in `[build]` exclude each other; remove one of \
         them\n"
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn settings_satisfy_what_other_options_require() {
    let sandbox = sandbox("[build]\nbase = \"https://example.com\"\nout = \"public\"\nfrom-dir = \"html\"\n");
    sandbox.write("html/index.html", "<title>a</title>");
    let ran = sandbox.run(&["build", "--lastmod", "none"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(sandbox.read("public/sitemap.xml").contains("<url><loc>https://example.com/</loc></url>"));
    // It is still an error if neither the file nor the command line sets the required option.
    sandbox.write("sitemap.toml", "[build]\nbase = \"https://example.com\"\nout = \"public\"\n");
    let ran = sandbox.run(&["build", "--lastmod", "none"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--from-dir <DIR>"), "{}", ran.stderr);
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    for (config, message) in [
        ("[check]\nstric = true\n", "2:1: unknown key `stric` in `[check]`; did you mean `strict`?"),
        ("[check]\nalow = []\n", "2:1: unknown key `alow` in `[check]`; did you mean `allow`?"),
        ("[lst]\n", "1:2: unknown key `lst`; did you mean `list`?"),
        ("colour = \"never\"\n", "1:1: unknown key `colour`; did you mean `color`?"),
        ("strict = true\n", "1:1: unknown key `strict`; `sitemap config --keys` lists all keys"),
        ("config = \"a\"\n", "1:1: unknown key `config`; `sitemap config --keys` lists all keys"),
        ("[check]\nstrict = \"yes\"\n", "2:10: `strict` in `[check]` is a string; write true or false"),
        ("[list]\ntimeout = [1]\n", "2:11: `timeout` in `[list]` is an array; write a string or a number"),
        (
            "[list]\n  timeout = 0\n",
            "2:13: `timeout` in `[list]` is \"0\", which is invalid; 0 is not in 1..=86400",
        ),
        (
            "[list]\nformat = \"jsn\"\n",
            "2:10: `format` in `[list]` is \"jsn\"; write one of text, ndjson, csv",
        ),
        (
            "[check]\nengine = [\"google\", 1]\n",
            "2:10: `engine` in `[check]` is \"1\"; write one of google, bing, yandex",
        ),
        ("color = \"red\"\n", "1:9: `color` is \"red\"; write one of auto, always, never"),
        ("check = 1\n", "1:9: `check` is an integer; write `[check]`"),
        (
            "[check]\nallow = [\"doctype\", \"lokal\"]\n",
            "2:21: `allow` in `[check]`: unknown rule `lokal`; `sitemap check --explain all` lists the rules",
        ),
        (
            "[check]\nallow = [\"loc-fragmnet\"]\n",
            "2:10: `allow` in `[check]`: unknown rule `loc-fragmnet`; did you mean `loc-fragment`?",
        ),
        (
            "[check]\nallow = [\"loc\"]\ndeny = [\"loc\"]\n",
            "3:9: `deny` in `[check]`: `loc` is also in `allow`; remove it from one of the two",
        ),
        (
            "[check]\nallow = 1\n",
            "2:9: `allow` in `[check]` is an integer; write a string or an array of strings",
        ),
        ("[check]\noverride = 1\n", "2:12: `override` is an integer; write `[[check.override]]`"),
        (
            "[[check.override]]\nallow = [\"loc\"]\n",
            "1:1: `[[check.override]]` names no files; add `path = \"blog/*.xml\"` or `section = \"blog\"`",
        ),
        (
            "[[check.override]]\npath = \"a.xml\"\n",
            "1:1: `[[check.override]]` names no rules; add `allow`, `warn` or `deny`",
        ),
        (
            "[[check.override]]\npaths = \"a.xml\"\n",
            "2:1: unknown key `paths` in `[[check.override]]`; did you mean `path`?",
        ),
    ] {
        assert_eq!(error(config), format!("error: sitemap.toml:{message}\n"), "{config}");
    }
}

#[test]
fn a_file_that_is_not_toml_is_an_error() {
    for config in ["[check\n", "a = \n", "[check]\nstrict = true\nstrict = true\n", "\u{0}"] {
        let error = error(config);
        assert!(error.starts_with("error: sitemap.toml:"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let ran = Sandbox::new().run(&["--config", "missing.toml", "list", "a.xml"]);
    assert_eq!(ran.stderr, "error: cannot read `missing.toml`: no such file or directory\n");
    assert_eq!(ran.status, 2);
}

#[test]
fn help_needs_no_valid_file() {
    let sandbox = sandbox("[check\n");
    assert_eq!(sandbox.run(&["--help"]).status, 0);
    assert_eq!(sandbox.run(&["check", "--help"]).status, 0);
    assert_eq!(sandbox.run(&["completions", "bash"]).status, 0);
    assert_eq!(sandbox.run(&["config"]).status, 2);
}

#[test]
fn settings_are_printed_with_their_sources() {
    let sandbox = sandbox(
        "[check]\nstrict = true\nallow = [\"loc\", \"doctype\"]\n\n\
         [[check.override]]\nsection = \"blog\"\ndeny = [\"all\"]\n\n\
         [list]\nprefix = \"https://example.com/\"\n",
    );
    let printed = sandbox.stdout(&["config"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[..2], ["# sitemap.toml", "color = \"auto\"                           # default"]);
    for line in [
        "strict = true                            # sitemap.toml:2",
        "allow = [\"loc\", \"doctype\"]               # sitemap.toml:3",
        "[[check.override]] # sitemap.toml:5",
        "section = [\"blog\"]",
        "deny = [\"all\"]                           # sitemap.toml:7",
        "prefix = \"https://example.com/\"          # sitemap.toml:10",
        "timeout = 60                             # default",
        "# since is not set",
        "[shard.commit]",
    ] {
        assert!(lines.contains(&line), "{line}\n{printed}");
    }
    // The printed text is itself a configuration, with the same meaning as the original.
    sandbox.write("printed.toml", &printed);
    let again = sandbox.stdout(&["--config", "printed.toml", "config"]);
    let values = |text: &str| -> Vec<String> {
        let value = |line: &str| line.split(" # ").next().unwrap_or_default().trim_end().to_owned();
        text.lines().skip(1).map(value).collect()
    };
    assert_eq!(values(&again), values(&printed));
    assert!(
        sandbox
            .stdout(&["--no-config", "config"])
            .starts_with("# no `sitemap.toml` in this folder or above it\n")
    );
}

#[test]
fn all_keys_are_printed_with_values_that_are_accepted() {
    let sandbox = Sandbox::new();
    let keys = sandbox.stdout(&["config", "--keys"]);
    for line in [
        "# Treat warnings as errors\n# strict = false\n",
        "# max-findings = 1\n",
        "# keep-for = \"24h\"\n",
        "# mode = 644\n",
        "\n[shard.write]\n",
        "# deny = [\"language\"]\n",
    ] {
        assert!(keys.contains(line), "{line}\n{keys}");
    }
    // Turns every commented-out line with a value into a setting.
    let is_setting = |line: &str| {
        let key = line.split(" = ").next().unwrap_or_default();
        line.contains(" = ") && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let used: String = keys
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if is_setting(rest) || rest == "[[check.override]]" => format!("{rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    sandbox.write("used.toml", &used);
    let ran = sandbox.run(&["--config", "used.toml", "config"]);
    assert_eq!(ran.status, 0, "{}\n{used}", ran.stderr);
    assert!(!ran.stdout.contains("is not set"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("# default"), "{}", ran.stdout);
}
