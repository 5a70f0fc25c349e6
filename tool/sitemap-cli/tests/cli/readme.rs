//! Runs the console examples of the README and the documentation, each page in its own folder.

use std::process::Command;

use crate::support::Sandbox;

const README: &str = include_str!("../../README.md");

/// A command with its output, as shown in a document.
struct Example {
    command: String,
    printed: String,
}

fn examples(document: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for block in document.split("```console\n").skip(1) {
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
    assert!(run(README) > 2);
}

#[cfg(unix)]
#[test]
fn the_pages_of_the_commands_show_what_is_printed() {
    for (name, examples) in [
        ("apply", 8),
        ("build", 10),
        ("check", 4),
        ("configuration", 3),
        ("diff", 2),
        ("list", 6),
        ("notify", 2),
        ("shard", 3),
        ("stats", 1),
    ] {
        run_page(&format!("command/{name}.md"), examples);
    }
}

#[cfg(unix)]
#[test]
fn the_guide_for_ten_million_pages_shows_what_is_printed() {
    run_page("guides/ten-million-pages.md", 8);
}

#[cfg(unix)]
#[test]
fn the_tutorial_shows_what_is_printed() {
    run_page("tutorial.md", 4);
}

#[cfg(all(unix, feature = "pages"))]
#[test]
fn the_guide_about_true_sitemaps_shows_what_is_printed() {
    use crate::support::server::{Server, files_of};

    let sandbox = Sandbox::new();
    // The pages of `http://trees.example` are the files that the guide writes.
    let files = files_of("http://trees.example", sandbox.path().join("public"));
    let proxy = Server::start(vec![("*", files)]).url("");
    let Some(text) = page("guides/is-my-sitemap-true.md") else { return };
    assert!(run_in(&sandbox, &text, &[("http_proxy", &proxy), ("no_proxy", ""), ("NO_PROXY", "")]) > 4);
}

/// Runs the examples on a page in `docs`, and asserts that the page contains more than this many.
#[cfg(unix)]
fn run_page(name: &str, examples: usize) {
    if let Some(text) = page(name) {
        assert!(run(&text) > examples);
    }
}

/// Returns the text of a page in `docs`.
#[cfg(unix)]
fn page(name: &str) -> Option<String> {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if std::env::var_os("CI").is_some() => panic!("{path}: {error}"),
        Err(_) => {
            eprintln!("skipped: a package of the command has no {name}");
            None
        }
    }
}

/// Runs a document's examples, and returns how many there are.
#[cfg(unix)]
fn run(document: &str) -> usize {
    run_in(&Sandbox::new(), document, &[])
}

/// Runs a document's examples in a folder and with these variables, and returns how many there are.
#[cfg(unix)]
fn run_in(sandbox: &Sandbox, document: &str, variables: &[(&str, &str)]) -> usize {
    // The folder added to `PATH` contains only `sitemap`, because other programs in the build folder may have the same
    // names as system commands.
    let programs = Sandbox::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sitemap"), programs.path().join("sitemap")).unwrap();
    let folder = programs.path().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).unwrap();
    let examples = examples(document);
    let count = examples.len();
    for Example { command, printed } in examples {
        let output = Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1")])
            .current_dir(sandbox.path())
            .env("PATH", &path)
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), printed.trim_end(), "$ {command}");
    }
    count
}
