//! Compares a guide in `docs/guides` with its examples.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A guide, or a section of one.
#[derive(Debug)]
pub struct Guide {
    name: String,
    text: String,
}

impl Guide {
    /// Reads a guide.
    ///
    /// # Panics
    ///
    /// Panics if there is no such guide.
    pub fn read(name: &str) -> Self {
        let file = format!("{}/../../docs/guides/{name}.md", env!("CARGO_MANIFEST_DIR"));
        Self { name: name.to_owned(), text: fs::read_to_string(file).expect("the guide") }
    }

    /// Returns the part before the first section.
    #[must_use]
    pub fn start(&self) -> Self {
        let text = self.text.split("\n## ").next().unwrap_or_default().to_owned();
        Self { name: self.name.clone(), text }
    }

    /// Returns a section.
    ///
    /// # Panics
    ///
    /// Panics if there is no section with this heading.
    #[must_use]
    pub fn section(&self, heading: &str) -> Self {
        let mut sections = self.text.split("\n## ").skip(1);
        let section = sections.find(|section| section.lines().next() == Some(heading));
        Self { name: self.name.clone(), text: section.expect("the section").to_owned() }
    }

    /// Checks that every Rust code block in the guide occurs in a program.
    ///
    /// # Panics
    ///
    /// Panics if the guide has no code, or if a block does not occur in the program.
    pub fn expect_pieces_of(&self, program: &Path) {
        let code = fs::read_to_string(program).expect("the program");
        let blocks = self.blocks("rust");
        assert!(!blocks.is_empty(), "{} shows no code of {}", self.name, program.display());
        for block in blocks {
            let block = block.trim_end();
            assert!(code.contains(block), "{} lacks this code of {}:\n{block}", program.display(), self.name);
        }
    }

    /// Checks that the guide shows a whole program, except for the documentation in its first lines.
    ///
    /// # Panics
    ///
    /// Panics if the guide does not show this code.
    pub fn expect_the_code_of(&self, program: &Path) {
        let code = fs::read_to_string(program).expect("the program");
        let start = code.find("\nuse ").expect("imports") + 1;
        let is_whole = self.blocks("rust").contains(&&code[start..]);
        assert!(is_whole, "{} has other code than {}", self.name, program.display());
    }

    /// Runs the guide's commands in a folder, and compares their output with the guide. `adapt` may change a command
    /// first.
    ///
    /// # Panics
    ///
    /// Panics if the guide has no commands, or if one prints something else.
    pub fn expect_the_output(&self, folder: &Path, adapt: impl Fn(&str) -> String) {
        let blocks = self.blocks("console");
        assert!(!blocks.is_empty(), "{} shows no command", self.name);
        for example in blocks.iter().flat_map(|block| block.split("$ ").skip(1)) {
            let (command, expected) = example.split_once('\n').expect("a command");
            let output = Command::new("sh").args(["-c", &adapt(command)]).current_dir(folder).output();
            let output = output.expect("`sh` runs");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "$ {command}\n{errors}");
        }
    }

    /// Returns the content of each code block in a language.
    pub fn blocks(&self, language: &str) -> Vec<&str> {
        let start = format!("\n```{language}");
        let blocks = self.text.match_indices(&start).map(|(at, _)| &self.text[at + 1..]);
        blocks.filter_map(|block| Some(block.split_once('\n')?.1.split_once("```\n")?.0)).collect()
    }
}

/// Checks that the guide for an example server shows the example's code.
///
/// # Panics
///
/// Panics if the guide shows different code.
pub fn the_guide_has_the_code_of_the_example(folder: &str, example: &str) {
    let program = Path::new(folder).join(format!("examples/{example}.rs"));
    match example {
        "actix" => Guide::read("actix-web").expect_the_code_of(&program),
        "leptos" => Guide::read("axum").section("Leptos").expect_pieces_of(&program),
        "loco" => Guide::read("axum").section("Loco").expect_pieces_of(&program),
        other => Guide::read(other).expect_the_code_of(&program),
    }
}
