//! The memory limit of queries.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use datafusion::common::resources_datafusion_err;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{
    FairSpillPool, GreedyMemoryPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};

use crate::write::WriteExec;

/// A memory limit in three parts: 6/16 for sorts and for the rows that a `COPY` collects, both of which can spill to
/// disk; 3/16 for the hash buckets being written; and 7/16 for everything else, mainly merges of sorted rows. The data
/// that a `COPY` keeps about the published shards is not included.
///
/// Without separate parts, sorts would use up all the memory and then fail, because a sort merges its batches before it
/// spills, and this merge needs the same amount of memory again. In the same way, a single merge of spilled rows could
/// use up the whole part for everything else and make other merges fail. So each merge only gets a share of that part.
/// A join sorts both of its inputs at the same time, so the share depends on the number of running sorts.
#[derive(Debug)]
pub(crate) struct Memory {
    size: usize,
    spillable: FairSpillPool,
    writing: GreedyMemoryPool,
    others: GreedyMemoryPool,
    /// The size of the pool `others`.
    for_others: usize,
    partitions: usize,
    /// The number of bytes used by each sort's merge, by the ID of its memory consumer.
    merges: Mutex<HashMap<usize, usize>>,
}

impl Memory {
    /// Creates a limit of `size` bytes for `partitions` concurrent tasks.
    pub(crate) fn new(size: usize, partitions: usize) -> Self {
        let (spillable, writing) = (size / 16 * 6, size / 16 * 3);
        let others = size - spillable - writing;
        Self {
            size,
            spillable: FairSpillPool::new(spillable),
            writing: GreedyMemoryPool::new(writing),
            others: GreedyMemoryPool::new(others),
            for_others: others,
            partitions: partitions.max(1),
            merges: Mutex::default(),
        }
    }

    fn of(&self, consumer: &MemoryConsumer) -> &dyn MemoryPool {
        match consumer.name() {
            _ if consumer.can_spill() => &self.spillable,
            name if name.starts_with(WriteExec::NAME) => &self.writing,
            _ => &self.others,
        }
    }

    /// If the consumer is a merge, changes its number of used bytes. `change` receives this number and the merge's
    /// share. If `change` returns `None`, returns the share as an error.
    fn count(
        &self,
        consumer: &MemoryConsumer,
        change: impl FnOnce(usize, usize) -> Option<usize>,
    ) -> Result<(), usize> {
        if is_merge(consumer) {
            let mut merges = self.merges();
            merges.entry(consumer.id()).or_default();
            let share = self.for_others / merges.len().max(self.partitions);
            let taken = merges.entry(consumer.id()).or_default();
            *taken = change(*taken, share).ok_or(share)?;
        }
        Ok(())
    }

    fn merges(&self) -> MutexGuard<'_, HashMap<usize, usize>> {
        self.merges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_merge(consumer: &MemoryConsumer) -> bool {
    consumer.name().starts_with("ExternalSorterMerge")
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.size)
    }
}

impl MemoryPool for Memory {
    fn name(&self) -> &'static str {
        "sitemap"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        if is_merge(consumer) {
            self.merges().insert(consumer.id(), 0);
        }
        self.of(consumer).register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.merges().remove(&consumer.id());
        self.of(consumer).unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        let _ = self.count(reservation.consumer(), |taken, _| Some(taken + additional));
        self.of(reservation.consumer()).grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        let _ = self.count(reservation.consumer(), |taken, _| Some(taken.saturating_sub(shrink)));
        self.of(reservation.consumer()).shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let consumer = reservation.consumer();
        let within = |taken: usize, share| Some(taken + additional).filter(|taken| *taken <= share);
        self.count(consumer, within).map_err(|share| {
            resources_datafusion_err!(
                "`{}` would exceed its limit of {share} bytes with {additional} more bytes; give the query more memory",
                consumer.name()
            )
        })?;
        self.of(consumer).try_grow(reservation, additional).inspect_err(|_| {
            let _ = self.count(consumer, |taken, _| Some(taken.saturating_sub(additional)));
        })
    }

    fn reserved(&self) -> usize {
        self.spillable.reserved() + self.writing.reserved() + self.others.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.size)
    }
}
