//! Restarts a run if another run committed first.

use std::thread;
use std::time::Duration;

use crate::applied::Applied;
use crate::error::UpdateError;

/// The maximum number of attempts of a run, and the pause between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retry {
    pub(crate) attempts: u32,
    pub(crate) pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 20, pause: Duration::from_millis(250) }
    }
}

impl Retry {
    /// Runs `attempt` until it succeeds, fails for good, or no attempts are left. Adds the number of restarts to the
    /// result.
    pub(crate) fn run(
        self,
        mut attempt: impl FnMut() -> Result<Applied, UpdateError>,
    ) -> Result<Applied, UpdateError> {
        let mut restarts = 0;
        loop {
            match attempt() {
                Ok(applied) => return Ok(Applied { restarts, ..applied }),
                Err(error) if error.is_contention() && restarts + 1 < self.attempts => {
                    restarts += 1;
                    thread::sleep(self.pause);
                }
                Err(error) => return Err(error),
            }
        }
    }
}
