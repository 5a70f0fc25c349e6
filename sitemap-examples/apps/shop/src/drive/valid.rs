//! Validates a published set with this project's checker and the official schemas.

use std::fs;
use std::path::Path;
use std::process::Command;

use sitemap_read::{CheckOptions, Checker, Severity};

/// Validates all files in a set with the checker and, if xmllint and the schemas are available, against the schemas.
///
/// # Panics
///
/// Panics if a file is invalid.
pub fn expect_valid(dir: &Path) {
    let mut checker = Checker::new(CheckOptions::new());
    let mut files = 0;
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if name.starts_with("sitemap") {
            checker.check_slice(&name, &fs::read(&path).expect("a file")).expect("a file that can be read");
            files += 1;
        }
    }
    assert!(files > 0, "there is no sitemap in {}", dir.display());
    let report = checker.finish();
    let errors: Vec<_> =
        report.findings().filter(|(_, finding)| finding.severity() >= Severity::Warning).collect();
    assert!(errors.is_empty(), "{errors:#?}");

    if Command::new("xmllint").arg("--version").output().is_err() {
        sitemap_tests::skip("`xmllint` is not installed; install the Debian package libxml2-utils");
        return;
    }
    let validate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../dev/ci/validate");
    let output = Command::new(validate).arg(dir).output().expect("a script that starts");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    print!("{printed}");
    assert!(output.status.success(), "{printed}");
}
