//! Runs the README's console examples in order, in one folder.

use std::process::Command;

use crate::support::Sandbox;

const README: &str = include_str!("../../README.md");

/// A command and its output, as the README shows them.
struct Example {
    command: String,
    printed: String,
}

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for block in README.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                examples.push(Example { command: command.to_owned(), printed: String::new() });
            } else {
                let example = examples.last_mut().unwrap();
                example.printed.extend([line, "\n"]);
            }
        }
    }
    examples
}

#[cfg(unix)]
#[test]
fn the_readme_shows_what_is_printed() {
    let sandbox = Sandbox::new();
    // The folder added to `PATH` contains only `sitemap`, because other programs in the build folder may have the names
    // of system commands.
    let programs = Sandbox::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sitemap"), programs.path().join("sitemap")).unwrap();
    let folder = programs.path().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).unwrap();
    let examples = examples();
    assert!(examples.len() > 8);
    for Example { command, printed } in examples {
        let output = Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1")])
            .current_dir(sandbox.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), printed.trim_end(), "$ {command}");
    }
}
