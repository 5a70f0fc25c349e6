//! `--threads`: the output, messages and exit status don't depend on the number of threads.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::support::{Sandbox, gzip, index, urlset};

/// Runs a command with several numbers of threads. Asserts that stdout and stderr are always the same, and returns
/// them.
fn same_for_any_number(sandbox: &Sandbox, args: &[&str], status: i32) -> (String, String) {
    let run = |threads| sandbox.run(&[args, &["--threads", threads]].concat());
    let expected = run("1");
    assert_eq!(expected.status, status, "{args:?}: {}", expected.stderr);
    for threads in ["2", "3", "8"] {
        assert_eq!(run(threads), expected, "{args:?}, {threads}");
    }
    (expected.stdout, expected.stderr)
}

fn entries(numbers: std::ops::Range<usize>, month: usize) -> String {
    numbers.fold(String::new(), |mut all, n| {
        let day = n % 28 + 1;
        writeln!(
            all,
            "<url><loc>https://example.com/{n}</loc><lastmod>2026-{month:02}-{day:02}</lastmod></url>"
        )
        .unwrap();
        all
    })
}

/// A set in the folder `set`, with everything that can go wrong.
fn broken_set() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut urls = Vec::new();
    for file in 0..24 {
        // Each file repeats pages of the previous one.
        let xml = urlset(&entries(file * 900..file * 900 + 1_000, file % 12 + 1));
        if file % 2 == 0 {
            sandbox.write(&format!("set/sitemap-a-{file}.xml.gz"), gzip(xml.as_bytes()));
            urls.push(format!("https://example.com/sitemap-a-{file}.xml.gz"));
        } else {
            sandbox.write(&format!("set/sitemap-b-{file}.xml"), xml);
            urls.push(format!("https://example.com/sitemap-b-{file}.xml"));
        }
    }
    let cut = urlset(&entries(30_000..34_000, 1));
    let packed = gzip(cut.as_bytes());
    sandbox
        .write("set/cut.xml", &cut[..cut.len() / 2])
        .write("set/cut.xml.gz", &packed[..packed.len() / 2])
        .write("set/empty.xml", "")
        .write("set/project.xml", "<project/>")
        .write(
            "set/faulty.xml",
            urlset("<url><loc>https://example.com/x</loc><priority>9</priority></url>\n"),
        )
        .write("set/only-nested.xml", urlset(&entries(40_000..40_010, 2)))
        .write(
            "set/nested.xml",
            index(&[
                "https://example.com/only-nested.xml",
                "https://example.com/sitemap-b-23.xml",
                "https://example.com/nested.xml",
                "https://example.com/missing-in-nested.xml",
            ]),
        );
    let at = |name: &str| format!("https://example.com/{name}");
    for (place, name) in
        [(2, "missing.xml"), (3, "cut.xml.gz"), (4, "project.xml"), (6, "nested.xml"), (9, "cut.xml")]
    {
        urls.insert(place, at(name));
    }
    urls.insert(11, at("sitemap-b-1.xml"));
    urls.extend([at("empty.xml"), at("faulty.xml"), at("last-missing.xml")]);
    sandbox.write("set/sitemap.xml", index(&urls.iter().map(String::as_str).collect::<Vec<_>>()));
    sandbox
}

#[test]
fn lists_are_the_same() {
    let sandbox = broken_set();
    for more in [
        &[][..],
        &["--format", "ndjson"],
        &["--format", "csv"],
        &["--section", "a"],
        &["--section", "no-such-section"],
        &["--since", "2026-03", "--until", "2026-04-10"],
        &["--prefix", "https://example.com/1"],
        &["--max-files", "12"],
        &["--max-bytes", "60000"],
        &["--sitemaps"],
    ] {
        let status = if more == ["--sitemaps"] { 0 } else { 2 };
        let (stdout, stderr) = same_for_any_number(&sandbox, &[&["list", "set"][..], more].concat(), status);
        let is_short = more.contains(&"no-such-section") || more.contains(&"--max-bytes");
        assert!(stdout.len() > 1_000 || is_short, "{more:?}: {stdout}");
        assert!(stderr.contains("missing.xml") == (status == 2), "{more:?}: {stderr}");
    }
    let (stdout, stderr) = same_for_any_number(&sandbox, &["list", "set"], 2);
    let mut lines = stdout.lines();
    for n in (0..1_000).chain(900..1_900) {
        assert_eq!(lines.next().unwrap(), format!("https://example.com/{n}"));
    }
    // The output contains the pages before the end of a file that is cut off. It also contains, only once, a file that
    // a nested index lists and the main index lists again later.
    let at = |text: &str| stdout.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(at("/1500\n") < at("/30000\n") && at("/30000\n") < at("/2000\n"));
    assert!(at("/40000\n") < at("/20700\n") && at("/20700\n") < at("/3000\n"));
    assert_eq!(stdout.matches("https://example.com/21500\n").count(), 1);
    assert!(stdout.ends_with("https://example.com/x\n"));
    let errors: Vec<_> = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("error: cannot read "))
        .filter_map(|line| line.split('`').nth(1))
        .map(|name| name.rsplit('/').next().unwrap())
        .collect();
    let expected = [
        "missing.xml",
        "last-missing.xml",
        "cut.xml.gz",
        "project.xml",
        "nested.xml",
        "missing-in-nested.xml",
        "cut.xml",
        "empty.xml",
    ];
    assert_eq!(errors, expected, "{stderr}");
    assert!(stderr.ends_with("because 8 sitemaps could not be read; see the errors above\n"), "{stderr}");
}

#[test]
fn statistics_are_the_same() {
    let sandbox = broken_set();
    let (stdout, stderr) = same_for_any_number(&sandbox, &["stats", "set"], 2);
    assert!(stdout.contains("  sitemap.xml "), "{stdout}");
    assert!(stdout.contains("\n  and 2 more\n"), "{stdout}");
    let section = |name: &str, pages: &str| {
        let row = stdout.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        assert!(row.contains(pages), "{row}");
    };
    section("a", "12,000");
    section("b", "12,000");
    section("2026-03", "2,000");
    assert!(stderr.contains("see the errors above"), "{stderr}");
}

#[test]
fn a_folder_without_an_index_and_files_that_list_sitemaps_by_mistake() {
    let sandbox = Sandbox::new();
    for file in 0..12 {
        let mut lines = String::new();
        if file % 4 == 2 {
            // The reader follows the first link. The folder also contains the linked file, whose own turn comes later.
            for name in [format!("sitemap-{:02}", (file + 3) % 12), "no-such".to_owned()] {
                writeln!(lines, "<sitemap><loc>https://example.com/{name}.xml</loc></sitemap>").unwrap();
            }
        }
        lines += &entries(file * 10..file * 10 + 10, 1);
        sandbox.write(&format!("folder/sitemap-{file:02}.xml"), urlset(&lines));
    }
    for args in [&["list", "folder"][..], &["stats", "folder"], &["list", "folder", "--max-files", "7"]] {
        let (stdout, stderr) = same_for_any_number(&sandbox, args, 2);
        assert!(stdout.len() > 200, "{stdout}");
        assert!(stderr.contains("no-such.xml"), "{stderr}");
    }
    let (stdout, _) = same_for_any_number(&sandbox, &["list", "folder"], 2);
    let first_of_files: Vec<usize> = stdout
        .lines()
        .map(|line| line["https://example.com/".len()..].parse().unwrap())
        .filter(|number| number % 10 == 0)
        .map(|number: usize| number / 10)
        .collect();
    assert_eq!(first_of_files, [0, 1, 2, 5, 3, 4, 6, 9, 7, 8, 10, 11]);
}

/// Two sets of several files each. Pages are added, removed, changed and listed twice.
fn two_sets() -> Sandbox {
    let sandbox = Sandbox::new();
    for (set, shift) in [("old", 0), ("new", 150)] {
        let mut urls = Vec::new();
        for file in 0..12 {
            let month = if set == "new" && file % 3 == 0 { 7 } else { 6 };
            let start = file * 900 + shift;
            sandbox.write(&format!("{set}/{file}.xml"), urlset(&entries(start..start + 1_000, month)));
            urls.push(format!("https://example.com/{file}.xml"));
        }
        sandbox.write(
            &format!("{set}/sitemap.xml"),
            index(&urls.iter().map(String::as_str).collect::<Vec<_>>()),
        );
    }
    sandbox
}

#[test]
fn differences_are_the_same() {
    let sandbox = two_sets();
    for format in ["text", "ndjson"] {
        let (stdout, stderr) = same_for_any_number(&sandbox, &["diff", "old", "new", "--format", format], 1);
        assert!(stdout.lines().count() > 3_000, "{format}: {stdout}");
        assert_eq!(stderr, "150 added, 150 removed, 3700 changed, 7050 unchanged\n", "{format}");
    }
    sandbox.write("new/7.xml", "<urlset>").write("new/9.xml", urlset("<url><loc>/relative</loc></url>\n"));
    let (stdout, stderr) = same_for_any_number(&sandbox, &["diff", "old", "new"], 2);
    assert!(stdout.starts_with("~ https://example.com/150\n"), "{stdout}");
    assert!(!stdout.contains("\n- "), "{stdout}");
    assert!(stderr.starts_with("error: cannot read all of `new/7.xml`: "), "{stderr}");
    let (stdout, stderr) = same_for_any_number(&sandbox, &["diff", "new", "old"], 2);
    assert!(stdout.is_empty() && stderr.contains("new/7.xml"), "{stderr}");
}

#[test]
fn differences_of_hash_buckets_are_the_same() {
    let sandbox = Sandbox::new();
    let build = |out: &str, pages: &str| {
        let args = ["build", "--base", "https://example.com", "--out", out, "--buckets", "16"];
        assert_eq!(sandbox.run_with(&args, pages.as_bytes()).status, 0);
    };
    let pages = |range: std::ops::Range<usize>| range.map(|n| format!("/{n}\n")).collect::<String>();
    build("old", &pages(0..4_000));
    build("new", &pages(300..4_200));
    for format in ["text", "ndjson"] {
        let (stdout, stderr) = same_for_any_number(&sandbox, &["diff", "old", "new", "--format", format], 1);
        assert_eq!(stdout.lines().count(), 500, "{format}");
        assert_eq!(stderr, "200 added, 300 removed, 0 changed, 3700 unchanged\n", "{format}");
    }
    // With this limit, some buckets can't be read.
    let (_, stderr) = same_for_any_number(&sandbox, &["diff", "old", "new", "--max-bytes", "11500"], 2);
    assert!(stderr.contains("allow more with `--max-bytes`\n"), "{stderr}");
}

#[test]
fn a_closed_pipe_ends_all_threads() {
    let sandbox = Sandbox::new();
    let mut urls = Vec::new();
    for file in 0..60 {
        let pages: String = (0..10_000).map(|n| format!("https://example.com/{file}/{n}\n")).collect();
        sandbox.write(&format!("{file}.txt"), pages);
        urls.push(format!("https://example.com/{file}.txt"));
    }
    sandbox.write("sitemap.xml", index(&urls.iter().map(String::as_str).collect::<Vec<_>>()));
    for threads in ["1", "2", "8"] {
        let mut child = sandbox
            .command(&["list", "sitemap.xml", "--threads", threads])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "https://example.com/0/0\n");
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{threads}: {output:?}");
    }
}

#[test]
fn the_configuration_sets_the_number() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "https://example.com/\n");
    for command in ["list", "stats", "diff"] {
        sandbox.write("sitemap.toml", format!("[{command}]\nthreads = 0\n"));
        let ran = sandbox.run(&[command, "a.txt", "a.txt"][..if command == "diff" { 3 } else { 2 }]);
        assert_eq!(ran.status, 2, "{command}");
        let why = format!("`threads` in `[{command}]` is \"0\", which is invalid; 0 is not in 1..=1024");
        assert!(ran.stderr.contains(&why), "{}", ran.stderr);
    }
    sandbox.write("sitemap.toml", "[list]\nthreads = 2\n");
    assert_eq!(sandbox.stdout(&["list", "a.txt"]), "https://example.com/\n");
}
