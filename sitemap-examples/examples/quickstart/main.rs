//! Publishes a shop's sitemaps from its database: 120,000 products, 300 articles and four static pages, in compressed
//! files with an index.
//!
//! ```sh
//! cargo run --example quickstart -- --out public
//! cargo run --example quickstart -- --packages packages.txt   # from `apt-cache dumpavail`
//! ```

#![allow(unreachable_pub)] // `pub` is clear enough in the modules of a program

mod options;
mod packages;
mod shop;

use std::error::Error;
use std::process::ExitCode;

use options::Options;
use sitemap_core::{Site, SitemapSet, StaticPages, Summary};

fn main() -> ExitCode {
    let result = Options::from_args().and_then(|options| {
        let summary = match &options.packages {
            Some(file) => publish_packages(&options, file)?,
            None => publish_shop(&options)?,
        };
        println!("{summary}\n\nwritten to {}\n", options.out.display());
        print!("add this to robots.txt:\n\n{}", summary.robots_txt());
        Ok(())
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quickstart: {error}");
            ExitCode::FAILURE
        }
    }
}

fn publish_shop(options: &Options) -> Result<Summary, Box<dyn Error>> {
    let database = shop::open()?;

    let site = Site::new("https://shop.example.com")?;
    let mut run = SitemapSet::builder(site).gzip().open(&options.out)?.replace()?;
    run.section("pages")?.add_all(shop::Page::PAGES)?;
    shop::each_product(&database, |products| run.section("products")?.try_add_all(products))?;
    shop::each_article(&database, |articles| run.section("articles")?.try_add_all(articles))?;
    Ok(run.commit()?)
}

fn publish_packages(options: &Options, file: &std::path::Path) -> Result<Summary, Box<dyn Error>> {
    let site = Site::new("https://packages.debian.org")?;
    let mut run = SitemapSet::builder(site).gzip().open(&options.out)?.replace()?;
    run.section("packages")?.try_add_all(packages::read(file)?)?;
    Ok(run.commit()?)
}
