//! `mdbook-sitemap`: an mdBook renderer that writes the book's sitemap next to its pages.
//!
//! mdBook runs the program once per build, and passes the book and its configuration on standard input.

use std::io::{self, IsTerminal as _, Read as _};
use std::process::ExitCode;

use self::chapters::Pages;
use self::context::Context;
use self::dates::Dates;
use self::failure::Failure;
use self::options::Options;

mod base;
mod chapters;
mod context;
mod dates;
mod failure;
mod includes;
mod options;
mod publish;

const HELP: &str = "\
Writes the sitemap of an mdBook book. mdBook starts this program; add to book.toml:

    [output.html]

    [output.sitemap]
    site-url = \"https://www.example.com/book/\"

Then run `mdbook build`. The sitemap is in the folder of the HTML files.";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--version" | "-V") => println!("mdbook-sitemap {}", env!("CARGO_PKG_VERSION")),
        Some("--help" | "-h") => println!("{HELP}"),
        Some(other) => return fail(&Failure::new(format!("unknown argument `{other}`; see `--help`"))),
        None if io::stdin().is_terminal() => println!("{HELP}"),
        None => {
            if let Err(failure) = render() {
                return fail(&failure);
            }
        }
    }
    ExitCode::SUCCESS
}

fn fail(failure: &Failure) -> ExitCode {
    eprintln!("error: mdbook-sitemap: {failure}");
    ExitCode::FAILURE
}

fn render() -> Result<(), Failure> {
    let mut input = Vec::new();
    io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| Failure::new(format!("cannot read the book: {error}")))?;
    let context = Context::parse(&input)?;
    let options = Options::of(&context)?;
    let base = base::base(options.site_url.as_deref(), &context.html)?;
    let pages = Pages::of(&context, &options)?;
    let mut dates = Dates::of(&context, &options)?;
    let summary = publish::publish(&context, &options, &base, &pages, &mut dates)?;
    println!("{summary}");
    print!("{}", summary.robots_txt());
    Ok(())
}
