//! Debian's packages, read from the output of `apt-cache dumpavail`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use sitemap_core::SitemapEntry;

/// A package in Debian bookworm. Each package has one page.
#[derive(SitemapEntry)]
#[sitemap(loc = "/bookworm/{name}")]
pub struct Package {
    name: String,
}

/// Reads the packages one by one. Returns each package only once, because all its versions share a page.
pub fn read(file: &Path) -> io::Result<impl Iterator<Item = io::Result<Package>>> {
    let mut seen = HashSet::new();
    let lines = BufReader::new(File::open(file)?).lines();
    Ok(lines.filter_map(move |line| match line {
        Ok(line) => {
            let name = line.strip_prefix("Package: ")?;
            seen.insert(name.to_owned()).then(|| Ok(Package { name: name.to_owned() }))
        }
        Err(error) => Some(Err(error)),
    }))
}
