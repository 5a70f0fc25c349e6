//! Tests the programs and commands in the guide `docs/guides/ten-million-rows.md`.

use std::path::Path;
use std::{env, fs};

use served::Guide;

fn example(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.rs"))
}

#[test]
fn the_guide_has_the_code_of_the_examples() {
    let guide = Guide::read("ten-million-rows");
    guide.start().expect_the_code_of(&example("ten-million-rows"));
    guide.section("In batches").expect_pieces_of(&example("ten-million-rows-in-batches"));
}

#[test]
fn the_commands_print_what_the_guide_shows() {
    let Some(database) = shop::drive::postgres_url("ten_million_rows") else { return };
    let guide = Guide::read("ten-million-rows");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("products.sql"), guide.blocks("sql")[0]).unwrap();
    // Cargo builds the examples together with the tests.
    let test = env::current_exe().unwrap();
    let programs = test.ancestors().nth(2).unwrap().join("examples");
    for (part, program) in
        [(guide.start(), "ten-million-rows"), (guide.section("In batches"), "ten-million-rows-in-batches")]
    {
        let program = programs.join(program).display().to_string();
        part.expect_the_output(folder.path(), |command| {
            // Each command runs in its own shell.
            let command = command.replace("cargo run -q", &program);
            if command.starts_with("export ") {
                String::new()
            } else {
                format!("DATABASE_URL='{database}'; export DATABASE_URL; {command}")
            }
        });
    }
}
