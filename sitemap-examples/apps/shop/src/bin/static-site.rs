//! Writes a small static site with its sitemap, like the last step of a site generator.
//!
//! ```sh
//! cargo run -p shop -- --out public
//! ```

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use chrono::NaiveDate;
use shop::{Options, Page, html};
use sitemap_core::{Site, SitemapEntry, SitemapSet, StaticPages as _, Summary, entries_of};

/// A page with a note.
#[derive(SitemapEntry)]
#[sitemap(loc = "/notes/{slug}/", changefreq = "yearly", section = "notes")]
struct Note {
    slug: &'static str,
    title: &'static str,
    #[sitemap(lastmod)]
    written: NaiveDate,
}

fn main() -> ExitCode {
    shop::report("static-site", Options::from_env().and_then(|options| write_site(&options.out)))
}

fn write_site(out: &Path) -> Result<Summary, shop::Error> {
    let site = Site::new(shop::BASE)?;
    let notes = [
        Note { slug: "oak", title: "Oak", written: date(2025, 3, 1)? },
        Note { slug: "ash-&-elm", title: "Ash & elm", written: date(2025, 9, 12)? },
    ];

    for &page in Page::PAGES {
        write_page(out, &site, &page, &html::of_page(page))?;
    }
    for note in &notes {
        write_page(out, &site, note, &html::page("en", note.title, "The text of the note."))?;
    }

    let mut run = SitemapSet::builder(site).open(out)?.replace()?;
    run.add_all(Page::PAGES)?;
    run.add_all(&notes)?;
    let summary = run.commit()?;
    fs::write(out.join("robots.txt"), format!("{}\n{}", shop::ROBOTS_TXT, summary.robots_txt()))?;
    Ok(summary)
}

/// Writes a page to the file for its URL: `about.html` for `/about`, and `notes/oak/index.html` for `/notes/oak/`. The
/// URL comes from the record's sitemap entry, so every listed page exists.
fn write_page(out: &Path, site: &Site, record: &impl SitemapEntry, html: &str) -> Result<(), shop::Error> {
    for page in entries_of(record, site)? {
        let path = page.loc().as_str().strip_prefix(site.base()).unwrap_or_default();
        let file = match path {
            "" => "index.html".to_owned(),
            path if path.ends_with('/') => format!("{}index.html", decoded(path)),
            path => format!("{}.html", decoded(path)),
        };
        let file = out.join(file);
        fs::create_dir_all(file.parent().unwrap_or(out))?;
        fs::write(file, html)?;
    }
    Ok(())
}

/// Decodes a percent-encoded path. File names contain the decoded characters.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let (code, after) = after.split_at_checked(2).unwrap_or((after, ""));
        bytes.extend(u8::from_str_radix(code, 16));
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn date(year: i32, month: u32, day: u32) -> Result<NaiveDate, shop::Error> {
    NaiveDate::from_ymd_opt(year, month, day).ok_or_else(|| "the day does not exist in its month".into())
}
