//! What shells and `man` want to know of the command.

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
    // Gives the subcommands their names in full.
    whole.build();
    let page = match command {
        None => Man::new(whole),
        Some(name) => {
            let Some(found) = whole.find_subcommand(name) else {
                return Err(Stop::new(format!("no such subcommand; see `sitemap --help`, found {name:?}")));
            };
            Man::new(found.clone()).title(format!("sitemap-{name}"))
        }
    };
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Stop::print(&error))?;
    print(&text)
}

fn print(text: &[u8]) -> Outcome<()> {
    let mut output = Output::new();
    output.write_all(text).map_err(|error| Stop::print(&error))?;
    output.flush()
}
