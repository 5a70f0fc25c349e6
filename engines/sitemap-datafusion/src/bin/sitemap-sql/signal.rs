//! The signals that ask the process to end.

#[derive(Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) name: &'static str,
    pub(crate) number: u8,
}

/// Waits for a signal that asks the process to end. Without a handler, the signal ends the process at once.
#[cfg(unix)]
pub(crate) async fn interrupted() -> Signal {
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

/// Waits forever: the operating system ends the process.
#[cfg(not(unix))]
pub(crate) async fn interrupted() -> Signal {
    std::future::pending().await
}
