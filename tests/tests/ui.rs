//! The error messages of the derive macros. Each file in `ui` tests one rule and is named after that rule.

use std::process::Command;

/// The compiler version whose own messages are in the expected output.
const RECORDED_WITH: &str = "rustc 1.95.";

#[test]
fn mistakes_are_explained() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("`rustc --version` should run");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(RECORDED_WITH) || version.contains("nightly") || version.contains("beta") {
        eprintln!(
            "note: UI tests skipped; the expected output is from {RECORDED_WITH}x stable, and this is {version}"
        );
        return;
    }
    let tests = trybuild::TestCases::new();
    for part in ["attr", "template", "check", "types"] {
        tests.compile_fail(format!("ui/{part}/*.rs"));
    }
}
