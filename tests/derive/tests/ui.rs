//! Tests what the compiler reports for a mistake, and where. Each file in `ui` tests one rule and is named after it.
//! The macros' messages themselves are tested in `sitemap-derive`; `ui` contains a few of them to check where they
//! point.

#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::{env, fs};

/// The Rust version that recorded the expected messages. Other versions word the compiler's own messages differently.
const PINNED: &str = "1.95.0";

#[test]
fn mistakes_are_explained() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if runs_pinned(Command::new(rustc).arg("--version")) {
        let tests = trybuild::TestCases::new();
        for part in ["attr", "template", "check", "types"] {
            tests.compile_fail(format!("ui/{part}/*.rs"));
        }
    } else if runs_pinned(Command::new("rustup").args(["run", PINNED, "rustc", "--version"])) {
        // Cargo has set these variables for this test's own toolchain. Remove them, so that the pinned toolchain does
        // not inherit them.
        let status = Command::new("rustup")
            .args(["run", PINNED, "cargo", "test", "--test", "ui", "--target-dir"])
            .arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/pinned"))
            .env_remove("RUSTC")
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .status();
        assert!(status.expect("rustup starts").success());
    } else {
        sitemap_tests::skip(&format!("the UI tests need Rust {PINNED}; `rustup toolchain install {PINNED}`"));
    }
}

fn runs_pinned(version: &mut Command) -> bool {
    let prefix = format!("rustc {PINNED} ");
    version.output().is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with(&prefix))
}

#[test]
fn every_ui_test_has_expected_output() {
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui")).unwrap() {
        for file in fs::read_dir(entry.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                assert!(path.with_extension("stderr").exists(), "{}", path.display());
            }
        }
    }
}
