//! What the derives say about mistakes. One rule a file, named after it.

use std::process::Command;

/// The compiler whose own words are in the expected texts.
const RECORDED_WITH: &str = "rustc 1.95.";

#[test]
fn mistakes_are_explained() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(RECORDED_WITH) || version.contains("nightly") || version.contains("beta") {
        eprintln!("note: UI tests skipped: recorded with {RECORDED_WITH}x stable, found {version}");
        return;
    }
    let tests = trybuild::TestCases::new();
    for part in ["attr", "template", "check", "types"] {
        tests.compile_fail(format!("ui/{part}/*.rs"));
    }
}
