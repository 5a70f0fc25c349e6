//! Compares the speed of encoders on sitemaps, and the size of what they write.

use std::env;
use std::fmt::Write as _;
use std::io::Read as _;
use std::process::ExitCode;

use flate2::bufread::DeflateDecoder;
use nix::time::{ClockId, clock_gettime};
use sitemap_bench::Result;
use sitemap_bench::compress::ENCODERS;
use sitemap_bench::compress::texts::{self, Text};

const USAGE: &str = "\
usage: compress [--rounds N] [--text NAME] [--file PATH]... [--only NAME]...

  --rounds N   runs of each encoder (default 9)
  --text NAME  compress only this text
  --file PATH  compress this file too; may be repeated
  --only NAME  use only this encoder; may be repeated
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn compare(arguments: &[String]) -> Result<()> {
    let (mut rounds, mut only_text, mut only, mut files) = (9_usize, None, Vec::new(), Vec::new());
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err(USAGE.into()) };
        match name.as_str() {
            "--rounds" => rounds = value.parse()?,
            "--text" => only_text = Some(value),
            "--file" => files.push(Text { name: value.clone(), bytes: std::fs::read(value)? }),
            "--only" => only.push(value),
            _ => return Err(USAGE.into()),
        }
    }
    let mut texts = texts::all()?;
    texts.retain(|text| only_text.is_none_or(|only| *only == text.name));
    texts.extend(files);
    let encoders: Vec<_> = ENCODERS
        .iter()
        .filter(|encoder| only.is_empty() || only.iter().any(|only| *only == encoder.name))
        .collect();

    print!("| |");
    for Text { name, bytes } in &texts {
        print!(" {name}, {:.1} MB: MB/s | ratio |", bytes.len() as f64 / 1e6);
    }
    println!("\n|---|{}", "--:|--:|".repeat(texts.len()));
    let mut cells = vec![String::new(); encoders.len()];
    for text in &texts {
        let mut runs = vec![(Vec::with_capacity(rounds), 0); encoders.len()];
        for _ in 0..rounds.max(1) {
            // The encoders take turns, so that a busy machine slows down all of them.
            for (encoder, (times, size)) in encoders.iter().zip(&mut runs) {
                let before = cpu()?;
                let compressed = (encoder.run)(&text.bytes)?;
                times.push(cpu()? - before);
                if *size == 0 {
                    check(&compressed, &text.bytes)?;
                    *size = compressed.len();
                }
                if *size != compressed.len() {
                    return Err(
                        format!("{} wrote {} bytes, then {}", encoder.name, size, compressed.len()).into()
                    );
                }
            }
        }
        for (cells, (times, size)) in cells.iter_mut().zip(&mut runs) {
            times.sort_by(f64::total_cmp);
            let len = text.bytes.len() as f64;
            let (speed, ratio) = (len / 1e6 / times[times.len() / 2], len / *size as f64);
            _ = write!(cells, " {speed:.0} | {ratio:.2} |");
        }
    }
    for (encoder, cells) in encoders.iter().zip(&cells) {
        println!("| {} |{cells}", encoder.name);
    }
    Ok(())
}

/// Returns an error if the compressed bytes do not contain the text.
fn check(compressed: &[u8], text: &[u8]) -> Result<()> {
    let mut found = Vec::with_capacity(text.len());
    let mut decoder = DeflateDecoder::new(compressed);
    decoder.read_to_end(&mut found)?;
    if found != text || !decoder.into_inner().is_empty() {
        return Err("the compressed bytes do not contain the text".into());
    }
    Ok(())
}

/// Returns the CPU time of this thread so far, in seconds.
#[expect(clippy::cast_precision_loss, reason = "a process takes far fewer nanoseconds than a float can hold")]
fn cpu() -> Result<f64> {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    Ok(time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}
