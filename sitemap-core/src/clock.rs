//! A replaceable clock, for platforms whose standard library has none.
//!
//! Publishing needs the current time to date the files of a set and to decide when old files may be deleted. The time
//! comes from [`SystemTime::now`], which panics on WebAssembly without an operating system (`wasm32-unknown-unknown`).
//! On that platform, call [`set`](set()) before you publish. Otherwise, publishing fails with an error.
//!
//! ```
//! use std::time::{Duration, SystemTime, UNIX_EPOCH};
//!
//! /// Returns `Date.now()` of JavaScript, for example from the crate `js-sys` or `worker`.
//! fn milliseconds() -> u64 {
//!     # 1_769_817_600_000
//!     // js_sys::Date::now() as u64
//! }
//!
//! sitemap_core::clock::set(|| UNIX_EPOCH + Duration::from_millis(milliseconds()))?;
//! assert!(sitemap_core::clock::now()? > UNIX_EPOCH);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

static CLOCK: OnceLock<fn() -> SystemTime> = OnceLock::new();

/// Sets the function that returns the current time, for the whole process. Default: [`SystemTime::now`]. There is no
/// default on `wasm32-unknown-unknown`.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_core::clock;
///
/// assert_eq!(clock::set(|| UNIX_EPOCH), Ok(()));
/// assert_eq!(clock::now(), Ok(UNIX_EPOCH));
/// let error = clock::set(|| UNIX_EPOCH).unwrap_err();
/// assert_eq!(error.to_string(), "the process has a clock already; call `sitemap_core::clock::set` once");
/// ```
///
/// # Errors
///
/// [`ClockIsSet`] if the process has already set a clock. The first clock stays in place.
pub fn set(clock: fn() -> SystemTime) -> Result<(), ClockIsSet> {
    CLOCK.set(clock).map_err(|_| ClockIsSet)
}

/// Returns the current time from the clock that was [set](set()), or else from the system.
///
/// # Errors
///
/// [`NoClock`] if there is no clock.
pub fn now() -> Result<SystemTime, NoClock> {
    CLOCK.get().map(|clock| clock()).or_else(of_system).ok_or(NoClock)
}

// The only place in the library that reads the system clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[allow(clippy::unnecessary_wraps)]
fn of_system() -> Option<SystemTime> {
    Some(SystemTime::now())
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn of_system() -> Option<SystemTime> {
    None
}

/// A point in time for measuring durations with [`elapsed`](Self::elapsed): an `Instant`, or on
/// `wasm32-unknown-unknown` a time from the clock that was [set](set()).
///
/// ```
/// use sitemap_core::clock::Start;
///
/// let start = Start::now();
/// assert!(start.elapsed() >= std::time::Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Start(
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))] std::time::Instant,
    #[cfg(all(target_family = "wasm", target_os = "unknown"))] Option<SystemTime>,
);

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Start {
    /// Returns the current time.
    pub fn now() -> Self {
        Self(std::time::Instant::now())
    }

    /// Returns the time since this point. Returns zero if there is no clock, or if the clock was set back.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Start {
    /// Returns the current time.
    pub fn now() -> Self {
        Self(now().ok())
    }

    /// Returns the time since this point. Returns zero if there is no clock, or if the clock was set back.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let passed = self.0.zip(now().ok()).and_then(|(start, now)| now.duration_since(start).ok());
        passed.unwrap_or_default()
    }
}

/// The platform has no clock, and the program has not [set](set()) one.
///
/// ```
/// let error = sitemap_core::clock::NoClock;
/// assert_eq!(
///     error.to_string(),
///     "the platform has no clock; give the library one with `sitemap_core::clock::set`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoClock;

impl fmt::Display for NoClock {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the platform has no clock; give the library one with `sitemap_core::clock::set`")
    }
}

impl Error for NoClock {}

impl From<NoClock> for io::Error {
    fn from(error: NoClock) -> Self {
        Self::new(io::ErrorKind::Unsupported, error)
    }
}

/// The process has already [set](set()) a clock.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_core::clock::{self, ClockIsSet};
///
/// clock::set(SystemTime::now)?;
/// assert_eq!(clock::set(SystemTime::now), Err(ClockIsSet));
/// # Ok::<(), ClockIsSet>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockIsSet;

impl fmt::Display for ClockIsSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the process has a clock already; call `sitemap_core::clock::set` once")
    }
}

impl Error for ClockIsSet {}
