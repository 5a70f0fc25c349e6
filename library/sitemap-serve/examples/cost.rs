//! Measures how long it takes to change a live set.
//!
//! ```text
//! cargo run --release -p sitemap-serve --example cost -- --pages 1000000 --changes 100 --buckets 1000
//! ```

use std::env;
use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use sitemap_core::{Entry, LastMod, Loc, Memory, Site, SitemapSet};
use sitemap_serve::LiveSitemap;
use sitemap_update::{Build, Change, Update};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str, default: u32| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).map_or(Ok(default), |text| text.parse())
    };
    let (pages, changes) = (number("--pages", 10_000)?, number("--changes", 100)?);
    let (buckets, rounds) = (number("--buckets", 100)?, number("--rounds", 20)?);
    let site = Site::new("https://www.example.com")?;
    let builder = SitemapSet::builder(site.clone());
    let live = LiveSitemap::new(site);
    let mut build = Build::new(builder.clone(), buckets, Memory::new());
    for id in 0..pages {
        build.add("pages", page(id, 1)?)?;
    }
    live.update(|set| build.run(Arc::clone(set.storage())))?;
    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    for round in 0..rounds {
        let mut update = Update::new(&builder.clone().storage(Memory::new()));
        for change in 0..changes {
            // The changed pages are spread evenly over the IDs.
            update.add(Change::Upsert(page(change * (pages / changes) + round, 2)?))?;
        }
        let applied = live.update(|set| update.commit_to(Arc::clone(set.storage())))?;
        if applied.changed() != u64::from(changes) {
            return Err(format!("{} pages changed instead of {changes}", applied.changed()).into());
        }
    }
    let rounds = f64::from(rounds);
    println!(
        "{pages} pages in {buckets} buckets, {changes} changes: {:.1} ms of CPU, {:.1} ms",
        (cpu_seconds()? - cpu) * 1e3 / rounds,
        start.elapsed().as_secs_f64() * 1e3 / rounds,
    );
    Ok(())
}

fn page(id: u32, day: u8) -> Result<Entry<'static>, Box<dyn Error>> {
    let loc = Loc::parse(format!("https://www.example.com/catalog/item-{id}"))?;
    Ok(Entry::new(loc).with_lastmod(LastMod::date(2026, 1, day)?))
}

/// Returns the CPU time that all threads of this process have used so far.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    /// The length of a tick on Linux.
    const TICKS: f64 = 100.0;

    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| -> Result<f64, Box<dyn Error>> {
        Ok(fields.get(at).ok_or("`/proc/self/stat` is too short")?.parse()?)
    };
    Ok((ticks(11)? + ticks(12)?) / TICKS)
}
