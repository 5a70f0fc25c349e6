//! Keeps the sitemap of a SQLite table current. Publishes all posts once, and then each change.
//!
//! ```sh
//! cargo run -p orm --bin with-outbox -- shop.db public
//! ```
//!
//! You can kill the program at any time. The next run continues with the unpublished changes.

use std::process::ExitCode;
use std::time::Duration;

use orm::with_outbox::{Outbox, SECTION, set_options};
use sitemap_core::Directory;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_update::{ChangeSource as _, Mirror};

/// How long to wait between two queries of the outbox.
const PAUSE: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    shop::end("with-outbox", run())
}

fn run() -> Result<(), shop::Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [database, out] = &arguments[..] else { return Err("usage: with-outbox DATABASE OUT".into()) };
    let mut outbox = Outbox::open(database)?;
    let published = PublishedShards::read(&Directory::open(out)?, set_options()?.site())?;
    if published.position(SECTION, outbox.name()).is_none() {
        let applied = outbox.publish(out)?;
        println!("{} pages published", applied.added());
    }
    let mirror = Mirror::new(set_options()?.open(out)?);
    loop {
        while let Some(mirrored) = mirror.step(&mut outbox)? {
            let applied = mirrored.applied();
            println!(
                "{} added, {} changed, {} removed",
                applied.added(),
                applied.changed(),
                applied.removed()
            );
            for skipped in mirrored.skipped() {
                eprintln!("skipped: {skipped}");
            }
        }
        std::thread::sleep(PAUSE);
    }
}
