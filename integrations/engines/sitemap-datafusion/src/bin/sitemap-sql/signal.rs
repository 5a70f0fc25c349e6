//! The signals that ask the process to exit.

use std::io;
use std::pin::pin;

use datafusion::error::{DataFusionError, Result};
use futures::future::{Either, select};

/// The reason why a run ended early.
pub(crate) enum Ended {
    Error(DataFusionError),
    /// A signal interrupted the run.
    Signal(Signal),
}

impl From<DataFusionError> for Ended {
    fn from(error: DataFusionError) -> Self {
        Self::Error(error)
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Error(error.into())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) name: &'static str,
    pub(crate) number: u8,
}

/// Runs until it finishes or a signal arrives.
pub(crate) fn until_signal(run: impl Future<Output = Result<()>>) -> Result<(), Ended> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Dropping the runtime waits for threads that are storing a file, and deletes the spilled rows.
    runtime.block_on(async {
        match select(pin!(interrupted()), pin!(run)).await {
            Either::Left((signal, _)) => Err(Ended::Signal(signal)),
            Either::Right((ran, _)) => ran.map_err(Ended::Error),
        }
    })
}

/// Waits for a signal that asks the process to exit. Without a handler, the signal would kill the process at once.
#[cfg(unix)]
async fn interrupted() -> Signal {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (sender, receiver) = tokio::sync::oneshot::channel();
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
        return std::future::pending().await;
    };
    std::thread::spawn(move || {
        let signal = match signals.forever().next() {
            Some(SIGHUP) => Signal { name: "SIGHUP", number: 1 },
            Some(SIGTERM) => Signal { name: "SIGTERM", number: 15 },
            _ => Signal { name: "SIGINT", number: 2 },
        };
        sender.send(signal).ok();
    });
    match receiver.await {
        Ok(signal) => signal,
        Err(_) => std::future::pending().await,
    }
}

/// Waits forever; the operating system ends the process.
#[cfg(not(unix))]
async fn interrupted() -> Signal {
    std::future::pending().await
}
