//! Tests the page that a browser shows for a sitemap. Skipped without Chromium or Python 3.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use crate::support::Server;
use sitemap_core::extension::{Publication, VideoSource};
use sitemap_core::html_page::HtmlPage;
use sitemap_core::publish::IndexLastMod;
use sitemap_core::{
    Alternate, ChangeFreq, Dialect, Entry, Extensions, Image, LastMod, Loc, Memory, News, Priority, Site,
    SitemapSet, Stylesheet, Video,
};
use sitemap_serve::SitemapService;

/// The exit status of `dev/ci/browser` if Chromium is not installed.
const NO_BROWSER: i32 = 77;

fn loc(url: &str) -> Loc<'_> {
    Loc::parse(url).unwrap()
}

fn date(text: &str) -> LastMod {
    text.parse().unwrap()
}

/// Returns pages that use every kind of value, and pages that use none.
fn posts() -> Result<Vec<Entry<'static>>, Box<dyn Error>> {
    let priority = |value| Priority::new(value).map_err(sitemap_core::Error::from);
    let video = Video::new(
        loc("https://www.example.com/media/kettle.jpg"),
        "Which kettle is the quietest?",
        "Seven kettles, one microphone, and a cup of tea after each.",
        VideoSource::Content(loc("https://www.example.com/media/kettle.mp4")),
    )?
    .with_duration(372)?;
    let news = News::new(
        Publication::new("The Example Times", "en")?,
        date("2026-11-20"),
        "Tea harvest is the largest in ten years",
    )?;
    let page = |url: &str| Entry::new(loc(url).into_owned());
    Ok(vec![
        page("https://www.example.com/posts/how-to-brew-a-pot-of-tea")
            .with_lastmod(date("2026-11-18T08:15:30+01:00"))
            .with_changefreq(ChangeFreq::Weekly)
            .with_priority(priority(0.8)?),
        page("https://www.example.com/posts/kettles-compared")
            .with_lastmod(date("2026-11-02"))
            .with_changefreq(ChangeFreq::Monthly)
            .with_images(vec![
                Image::new(loc("https://www.example.com/media/kettles.jpg")),
                Image::new(loc("https://www.example.com/media/kettles-from-above.jpg"))
                    .with_title("Seven kettles from above")?,
            ])
            .with_videos(vec![video]),
        page("https://www.example.com/news/tea-harvest").with_lastmod(date("2026-11-20")).with_news(news),
        page("https://www.example.com/en/about")
            .with_lastmod(date("2025-03"))
            .with_priority(priority(0.3)?)
            .with_alternates(vec![
                Alternate::parse("en", "https://www.example.com/en/about")?,
                Alternate::parse("de", "https://www.example.com/de/ueber-uns")?,
                Alternate::parse("x-default", "https://www.example.com/en/about")?,
            ]),
        page(
            "https://www.example.com/search?q=a-very-long-address-that-has-no-place-to-break-\
             and-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on\
             &sort=newest&page=12",
        ),
        page("https://www.example.com/").with_priority(priority(1.0)?).with_changefreq(ChangeFreq::Daily),
    ])
}

fn published() -> Result<Memory, Box<dyn Error>> {
    let memory = Memory::new();
    let all = Extensions::ALTERNATES | Extensions::IMAGES | Extensions::VIDEOS | Extensions::NEWS;
    let mut run = SitemapSet::builder(Site::new("https://www.example.com")?)
        .extensions(all)
        .stylesheet(Stylesheet::BUILT_IN)
        .storage(memory.clone())
        .replace()?;
    run.section("posts")?.add_all(posts()?)?;
    for (section, pages) in [("pages", 3), ("products", 1_200), ("categories", 40)] {
        let mut section = run.section(section)?;
        section.add_all((1..=pages).map(|number| format!("/{number}")))?;
    }
    run.section("one")?.add("/one")?;
    run.commit()?;
    Ok(memory)
}

/// Returns a set with two indexes. The first index lists two files.
fn with_two_indexes() -> Result<Memory, Box<dyn Error>> {
    let memory = Memory::new();
    let mut limits = Dialect::V0_9.limits();
    (limits.urls, limits.sitemaps) = (1, 2);
    let builder = SitemapSet::builder(Site::new("https://www.example.com")?)
        .lower_limits(limits)
        .index_lastmod(IndexLastMod::Omit);
    let mut run = builder.storage(memory.clone()).replace()?;
    run.section("pages")?.add_all(["/1", "/2", "/3"])?;
    run.commit()?;
    Ok(memory)
}

/// Returns a single file with as many pages as the protocol allows.
fn full_file() -> Result<Memory, Box<dyn Error>> {
    let memory = Memory::new();
    let builder = SitemapSet::builder(Site::new("https://www.example.com")?).stylesheet(Stylesheet::BUILT_IN);
    let mut run = builder.storage(memory.clone()).replace()?;
    let mut section = run.section("products")?;
    for number in 1..=50_000 {
        let url = format!("https://www.example.com/products/{number}");
        section.add(&Entry::new(Loc::parse(&url)?).with_lastmod(date("2026-11-20")))?;
    }
    run.commit()?;
    Ok(memory)
}

/// Reports that the current test is skipped, or panics if `CI=true`.
fn skip(reason: &str) {
    assert!(env::var("CI").as_deref() != Ok("true"), "skipped with CI=true: {reason}");
    // The test harness captures `println!` and hides it if the test passes.
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

#[test]
fn a_browser_shows_tables() {
    let script = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../dev/ci/browser"));
    if !script.is_file() {
        return skip("the script that drives the browser is not part of the package");
    }
    let server = Server::of(SitemapService::new(published().unwrap()).html_page(HtmlPage::new()));
    let second = Server::of(SitemapService::new(with_two_indexes().unwrap()).html_page(HtmlPage::new()));
    let screenshots = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let full = Server::of(SitemapService::new(full_file().unwrap()).html_page(HtmlPage::new()));
    let urls = [&server, &second, &full].map(|server| format!("http://{}", server.address));
    let output = match Command::new("python3").arg(script).args(urls).arg(&screenshots).output() {
        Err(error) => return skip(&format!("`python3` does not start: {error}")),
        Ok(output) => output,
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    println!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(NO_BROWSER) {
        return skip("Chromium is not installed (Debian: chromium)");
    }
    assert!(
        output.status.success(),
        "the browser shows something else; see the screenshots in {}",
        screenshots.display()
    );
}
