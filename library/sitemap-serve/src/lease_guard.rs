//! Holds a schedule's lease, and releases it.

use std::sync::{Arc, Mutex};

use super::handle::Running;
use super::lease::Claim;
use super::lock::lock;
use super::offload::{Lane, Offload};
use super::target::Target;

/// A schedule's lease to refresh the set, held until the refresh has ended. A refresh that is abandoned during its
/// commit keeps the lease until the commit ends.
///
/// A schedule's future can be dropped at any await point, so dropping the guard releases the lease.
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

    /// Ends the lease after a success, when there is nothing to release.
    pub(super) fn end(&self) -> Claim {
        lock(&self.claim).take().unwrap_or_default()
    }

    /// Releases the lease after a failed refresh, so another instance can get it.
    pub(super) async fn give_back(self: Arc<Self>) {
        let offload = Arc::clone(&self.offload);
        // The guard holds the claim until the job runs. If the job never runs, it is dropped along with the guard,
        // which then releases the lease. A panic in the storage is ignored here: it has already made the refresh fail,
        // and that was reported.
        let _ = offload.run(Lane::Any, move || self.target.give_back(self.end())).await;
    }
}

impl Drop for LeaseGuard {
    /// Releases the lease of an abandoned refresh. After a success, the note is no longer the lease's own, so it stays.
    fn drop(&mut self) {
        let claim = self.end();
        if claim.is_none() {
            return;
        }
        // The current thread may belong to an async runtime, and the storage may block.
        let (target, running, offload) =
            (self.target.clone(), Arc::clone(&self.running), Arc::clone(&self.offload));
        self.offload.start(Lane::Any, move || {
            target.give_back(claim);
            // `Refresher::stop` waits until other instances can get the lease.
            drop(running);
            // The job runs only while its pool exists.
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
        // Occupies all threads of the pool, so no other job starts.
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
        // The last job keeps the pool alive.
        while Arc::strong_count(&offload) > 1 {
            thread::yield_now();
        }
        assert!(memory.get(REFRESH_NOTE).is_none());
    }
}
