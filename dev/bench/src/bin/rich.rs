//! Compares the cost of reading entries with extensions and unusual layouts.

use std::process::ExitCode;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use sitemap_bench::Result;
use sitemap_bench::options::{self, Options};
use sitemap_bench::rich::READERS;
use sitemap_bench::rich::documents::KINDS;

const USAGE: &str = "\
usage: rich [--entries N] [--rounds N] [--kind NAME] [--reader NAME]

  --entries N    entries in each document (default 50000)
  --rounds N     runs of each reader (default 9)
  --kind NAME    read only this kind of document
  --reader NAME  use only this reader; prints no ratios
";

fn main() -> ExitCode {
    options::main(USAGE, compare)
}

#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn compare(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let entries = options.positive("--entries", 50_000)?;
    let rounds: usize = options.positive("--rounds", 9)?;
    let kinds = options.only("--kind", KINDS, |kind| kind.name)?;
    let readers = options.only("--reader", READERS, |reader| reader.name)?;
    options.finish()?;
    print!("| entries | bytes each |");
    for reader in &readers {
        print!(" {} MB/s |", reader.name);
    }
    for reader in readers.iter().skip(1) {
        print!(" {} x |", reader.name);
    }
    println!("\n|---|--:|{}", "--:|".repeat(readers.len() * 2 - 1));
    for kind in kinds {
        let document = kind.document(entries);
        let mut times = vec![Vec::with_capacity(rounds); readers.len()];
        let mut expected = None;
        for _ in 0..rounds {
            // The readers take turns, so that a busy machine slows down all of them.
            for (reader, times) in readers.iter().zip(&mut times) {
                let before = cpu()?;
                let tally = (reader.read)(document.as_bytes())?;
                times.push(cpu()? - before);
                if tally.entries != entries || expected.is_some_and(|expected| expected != tally) {
                    return Err(format!("{}: found {tally:?}, expected {expected:?}", reader.name).into());
                }
                expected = Some(tally);
            }
        }
        let speeds: Vec<f64> = times
            .iter_mut()
            .map(|times| {
                times.sort_by(f64::total_cmp);
                document.len() as f64 / 1e6 / times[times.len() / 2]
            })
            .collect();
        print!("| {} | {} |", kind.name, document.len() as u64 / entries);
        for speed in &speeds {
            print!(" {speed:.0} |");
        }
        for speed in speeds.iter().skip(1) {
            print!(" {:.2} |", speed / speeds[0]);
        }
        println!();
    }
    Ok(())
}

/// Returns the CPU time of this process so far, in seconds.
#[expect(
    clippy::cast_precision_loss,
    reason = "a process takes far fewer microseconds than a float can hold"
)]
fn cpu() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6)
}
