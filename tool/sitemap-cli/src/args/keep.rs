//! Options that keep files of earlier sets.

use std::time::Duration;

use clap::Args;
use sitemap_core::publish::SetOptions;

#[derive(Args, Debug)]
#[expect(clippy::struct_field_names, reason = "the names of the options")]
pub(crate) struct KeepArgs {
    /// Keep the files of this many earlier sets, for crawlers that still use an older index; pass the option to every
    /// run [default: 1 if the names contain digests, otherwise 0]
    #[arg(long, value_name = "COUNT")]
    keep_generations: Option<u32>,

    /// Keep files for this long after the set stops listing them, such as `90m`, `24h` or `7d`; a file stays if this
    /// option or `--keep-generations` keeps it
    #[arg(long, value_name = "TIME", value_parser = time)]
    keep_for: Option<Duration>,

    /// Limit the old files that `--keep-for` keeps to this many bytes; the oldest are removed first
    #[arg(long, value_name = "BYTES")]
    keep_at_most: Option<u64>,
}

impl KeepArgs {
    pub(crate) fn apply(&self, mut builder: SetOptions) -> SetOptions {
        if let Some(generations) = self.keep_generations {
            builder = builder.keep_generations(generations);
        }
        if let Some(time) = self.keep_for {
            builder = builder.keep_for(time);
        }
        if let Some(bytes) = self.keep_at_most {
            builder = builder.keep_at_most(bytes);
        }
        builder
    }
}

/// Parses a number and a unit: seconds, minutes, hours or days.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let seconds = match text.char_indices().next_back() {
        Some((_, 's')) => 1,
        Some((_, 'm')) => 60,
        Some((_, 'h')) => 60 * 60,
        Some((_, 'd')) => 24 * 60 * 60,
        _ => 0,
    };
    let number = if seconds == 0 { "" } else { &text[..text.len() - 1] };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = is_number.then(|| number.parse::<u64>().ok()?.checked_mul(seconds)).flatten();
    let wrong = || "write a number and a unit, like 30s, 90m, 24h or 7d".to_owned();
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [("0s", 0), ("30s", 30), ("90m", 5_400), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "24",
            "h",
            "-1h",
            "+1h",
            "1.5h",
            "1 h",
            "1w",
            "1ü",
            "99999999999999999999s",
            "999999999999999999d",
        ] {
            assert_eq!(
                time(text),
                Err("write a number and a unit, like 30s, 90m, 24h or 7d".to_owned()),
                "{text}"
            );
        }
    }
}
