//! The lease that a schedule has taken.

use std::sync::{Arc, Mutex};

use super::handle::Running;
use super::lease::Claim;
use super::lock::lock;
use super::offload::{Lane, Offload};
use super::target::Target;

/// The lease of a schedule to refresh the set, until its refresh is over. A refresh that is given up may still be in its
/// commit, and keeps the lease until then.
///
/// The future of a schedule can be dropped wherever it awaits, so a lease that is dropped is given back.
#[derive(Debug)]
pub(super) struct LeaseGuard {
    claim: Mutex<Option<Claim>>,
    target: Target,
    offload: Arc<Offload>,
    running: Arc<Running>,
}

impl LeaseGuard {
    pub(super) fn new(claim: Claim, target: &Target, offload: &Arc<Offload>, running: &Arc<Running>) -> Self {
        Self {
            claim: Mutex::new(Some(claim)),
            target: target.clone(),
            offload: Arc::clone(offload),
            running: Arc::clone(running),
        }
    }

    /// Ends the lease after a success. Nothing is left to give back.
    pub(super) fn end(&self) -> Claim {
        lock(&self.claim).take().unwrap_or_default()
    }

    /// Gives the lease back after a refresh that has failed, so that another instance may take it.
    pub(super) async fn give_back(self: Arc<Self>) {
        let offload = Arc::clone(&self.offload);
        // The claim stays in the lease until the work starts: work that never starts is dropped together with the lease. A
        // storage that panics has made the refresh fail, which has been reported.
        let _ = offload.run(Lane::Any, move || self.target.give_back(self.end())).await;
    }
}

impl Drop for LeaseGuard {
    /// Gives back the lease of a refresh that was given up. After a success, the note is no longer that of the lease, so it
    /// stays.
    fn drop(&mut self) {
        let claim = self.end();
        if claim.is_none() {
            return;
        }
        // This may be a thread of the runtime, and the storage may block.
        let (target, running, offload) =
            (self.target.clone(), Arc::clone(&self.running), Arc::clone(&self.offload));
        self.offload.start(Lane::Any, move || {
            target.give_back(claim);
            // A stop waits until others may take the lease.
            drop(running);
            // Without its threads, the work would not begin.
            drop(offload);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::mpsc;
    use std::task::{Context, Waker};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::cache::Cache;
    use crate::handle::Signals;
    use crate::lease::{Lease, REFRESH_NOTE};
    use sitemap_core::Memory;

    #[test]
    fn a_turn_is_given_back_although_nobody_awaits_that() {
        // More jobs than the pool has threads, so no other job starts.
        const BUSY: usize = 100;

        let memory = Memory::new();
        let hour = Duration::from_secs(3600);
        let target = Target::Storage(Arc::new(Cache::new(Arc::new(memory.clone()), 0, hour)));
        let Lease::Ours(claim) = target.take_lease(hour, || true) else { panic!("the note is new") };
        let (offload, running) = (Arc::default(), Arc::new(Running::new(Arc::new(Signals::default()))));
        let lease = Arc::new(LeaseGuard::new(claim, &target, &offload, &running));

        let (go, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        for _ in 0..BUSY {
            let gate = Arc::clone(&gate);
            offload.start(Lane::Any, move || lock(&gate).recv().unwrap());
        }
        {
            let mut giving_back = pin!(lease.give_back());
            assert!(giving_back.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert!(memory.get(REFRESH_NOTE).is_some());
        for _ in 0..BUSY {
            go.send(()).unwrap();
        }
        // The last job keeps the threads.
        while Arc::strong_count(&offload) > 1 {
            thread::yield_now();
        }
        assert!(memory.get(REFRESH_NOTE).is_none());
    }
}
