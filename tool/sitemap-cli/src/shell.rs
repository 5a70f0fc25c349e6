//! Completion scripts for shells, and manual pages.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
use crate::error::{Outcome, Stop};
use crate::output::Output;

pub(crate) fn completions(shell: Shell) -> Outcome<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sitemap", &mut script);
    print(&script)
}

pub(crate) fn man(command: Option<&str>) -> Outcome<()> {
    let mut whole = Cli::command();
    // Sets the full names of the subcommands.
    whole.build();
    let (name, page) = match command {
        None => ("sitemap".to_owned(), Man::new(whole)),
        Some(name) => {
            let Some(found) = whole.find_subcommand(name) else {
                return Err(Stop::new(format!("no subcommand `{name}`; see `sitemap --help`")));
            };
            (format!("sitemap-{name}"), Man::new(found.clone()))
        }
    };
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Stop::print(&error))?;
    print(with_title(&String::from_utf8_lossy(&text), &name).as_bytes())
}

/// Replaces the title line of a manual page with one that contains no date.
fn with_title(page: &str, name: &str) -> String {
    let title = format!(".TH {name} 1 \"\" \"sitemap {}\"", env!("CARGO_PKG_VERSION"));
    page.split_inclusive('\n')
        .map(|line| if line.starts_with(".TH ") { format!("{title}\n") } else { line.to_owned() })
        .collect()
}

fn print(text: &[u8]) -> Outcome<()> {
    let mut output = Output::new();
    output.write_all(text).map_err(|error| Stop::print(&error))?;
    output.flush()
}
