//! Help, completions and manual pages.

use crate::support::Sandbox;

const COMMANDS: [&str; 6] = ["check", "list", "build", "diff", "notify", "stats"];

#[test]
fn help_has_examples() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.stdout(&[command, "--help"]);
        assert!(help.contains("\nExamples:\n  "), "{help}");
        assert!(!help.contains('\x1b'));
    }
}

#[test]
fn completions_know_all_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.stdout(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let sandbox = Sandbox::new();
    let title = |name: &str| format!("\n.TH {name} 1 \"\" \"sitemap {}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(sandbox.stdout(&["man"]).contains(&title("sitemap")));
    for command in COMMANDS {
        let page = sandbox.stdout(&["man", command]);
        assert!(page.contains(&title(&format!("sitemap-{command}"))), "{page}");
        assert!(page.contains(&format!("sitemap {command}")), "{page}");
    }
    assert_eq!(sandbox.run(&["man", "nothing"]).status, 2);
}

#[test]
fn wrong_arguments_end_with_2() {
    let sandbox = Sandbox::new();
    for args in [&["check"][..], &["check", "a", "--format", "xml"], &["build"], &["nothing"]] {
        let ran = sandbox.run(args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains("sage: sitemap") || ran.stderr.contains("--help"), "{}", ran.stderr);
    }
}
