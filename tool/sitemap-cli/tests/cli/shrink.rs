//! Runs that would shrink the published set too much.

use crate::support::{Ran, Sandbox};

const TO_OUT: [&str; 5] = ["build", "--base", "https://example.com", "--out", "out"];

fn pages(section: &str, count: u32) -> String {
    (0..count).map(|id| format!("/{section}/{id}\n")).collect()
}

fn build(sandbox: &Sandbox, more: &[&str], posts: u32) -> Ran {
    sandbox.run_with(&[&TO_OUT, more].concat(), pages("posts", posts).as_bytes())
}

#[test]
fn a_run_that_lost_most_pages_has_a_status_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.write("shop.txt", pages("shop", 500)).write("empty.txt", "");
    let inputs = ["posts=-", "shop=shop.txt"];
    assert_eq!(build(&sandbox, &inputs, 1000).status, 0);
    let index = sandbox.read("out/sitemap.xml");

    let ran = build(&sandbox, &inputs, 10);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert_eq!(
        ran.stderr,
        "error: the new set would lose too many pages, so the old set stays published:\n\
         \x20 section `posts` would fall from 1000 pages to 10\n\
         \x20 the whole set would fall from 1500 pages to 510\n\
         the limit is a loss of 30 %, from 100 pages on; check the input, or allow the loss for this run with \
         `--allow-shrink`\n"
    );
    assert_eq!(sandbox.read("out/sitemap.xml"), index);

    let ran = build(&sandbox, &["posts=-", "shop=empty.txt", "--allow-shrink"], 1000);
    assert_eq!(ran.status, 3);
    assert_eq!(
        ran.stderr,
        "error: the new set would lose too many pages, so the old set stays published:\n\
         \x20 section `shop` would fall from 500 pages to none\n\
         \x20 the whole set would fall from 1500 pages to 1000\n\
         the limit is a loss of 30 %, from 100 pages on, without empty sections; check the input, or allow the loss \
         for this run with `--allow-shrink=empty`\n"
    );
    assert_eq!(build(&sandbox, &["posts=-", "shop=empty.txt", "--allow-shrink=empty"], 1000).status, 0);
    // The permission applied to one run only.
    assert_eq!(build(&sandbox, &["posts=-"], 500).status, 3);
    assert_eq!(build(&sandbox, &["posts=-", "--allow-shrink"], 500).status, 0);
}

#[test]
fn the_limit_is_a_share_a_number_or_off() {
    let sandbox = Sandbox::new();
    assert_eq!(build(&sandbox, &["posts=-"], 1000).status, 0);
    assert_eq!(build(&sandbox, &["posts=-", "--max-shrink", "50"], 949).status, 3);
    assert_eq!(build(&sandbox, &["posts=-", "--max-shrink", "50"], 950).status, 0);
    assert_eq!(build(&sandbox, &["posts=-", "--max-shrink=60%"], 400).status, 0);
    assert_eq!(build(&sandbox, &["posts=-", "--max-shrink", "off"], 1).status, 0);
    let ran = build(&sandbox, &["posts=-", "--max-shrink", "most"], 1);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains(
            "\"most\" is not a limit; write a share such as `30%`, a number of pages such as `5000`, or `off`"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn skipped_pages_are_named_as_a_possible_cause() {
    let sandbox = Sandbox::new();
    assert_eq!(build(&sandbox, &["posts=-"], 200).status, 0);
    let invalid = format!("{}{}", pages("posts", 50), "ftp://example.com/\n".repeat(150));
    let args = [&TO_OUT[..], &["posts=-", "--on-invalid", "skip"]].concat();
    let ran = sandbox.run_with(&args, invalid.as_bytes());
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("\n  150 invalid records skipped\nthe limit is "), "{}", ran.stderr);
}

#[test]
fn a_commit_of_shards_is_checked_too() {
    let sandbox = Sandbox::new();
    let shards = |count: u32| {
        let mut lines: Vec<_> = (0..count).map(|id| format!("{{\"loc\":\"/posts/{id:04}\"}}\n")).collect();
        lines.sort();
        let write = ["shard", "write", "--base", "https://example.com", "--out", "out", "--buckets", "1"];
        sandbox.run_with(&write, lines.concat().as_bytes()).stdout
    };
    let commit = |more: &[&str], rows: &str| {
        let commit = ["shard", "commit", "--base", "https://example.com", "--out", "out"];
        sandbox.run_with(&[&commit, more].concat(), rows.as_bytes())
    };
    assert_eq!(commit(&[], &shards(1000)).status, 0);
    let fewer = shards(600);
    let ran = commit(&[], &fewer);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("  section `pages` would fall from 1000 pages to 600\n"), "{}", ran.stderr);
    assert_eq!(commit(&["--max-shrink", "40%"], &fewer).status, 0);
    assert_eq!(commit(&[], &shards(100)).status, 3);
    assert_eq!(commit(&["--allow-shrink"], &shards(100)).status, 0);
}
