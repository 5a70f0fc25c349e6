//! The time of a run.

use std::env;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::clock;

use crate::error::{Outcome, Stop};

/// The variable specified at <https://reproducible-builds.org/specs/source-date-epoch/>.
const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// Returns `true` if [`now`] always returns the same time.
#[cfg(feature = "pages")]
pub(crate) fn is_fixed() -> bool {
    env::var_os(VARIABLE).is_some()
}

/// Returns the time in `SOURCE_DATE_EPOCH`, so that a run can be reproduced, or by default the current time.
pub(crate) fn now() -> Outcome<SystemTime> {
    let Some(text) = env::var_os(VARIABLE) else { return Ok(SystemTime::now()) };
    let seconds = text.to_str().and_then(|text| text.parse::<u32>().ok());
    let time = seconds.map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds.into()));
    time.ok_or_else(|| {
        let found = text.to_string_lossy();
        Stop::new(format!("`{VARIABLE}` is {found:?}; give a number of seconds since 1970"))
    })
}

/// Dates the files of published sets by the time in `SOURCE_DATE_EPOCH` too, unless it is in the future.
pub(crate) fn date_sets() -> Outcome<()> {
    now()?;
    // Another run in this process may have set the same clock.
    let _ = clock::set(|| {
        let system = SystemTime::now();
        now().map_or(system, |now| now.min(system))
    });
    Ok(())
}
