//! How much queries may hold.

use std::fmt;

use datafusion::error::Result;
use datafusion::execution::memory_pool::{
    FairSpillPool, GreedyMemoryPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};

/// A limit of which what can go to the disk takes five eighths at most.
///
/// Of a pool that they share, sorts take all until they merge what is on the disk, and then find nothing
/// left for that.
#[derive(Debug)]
pub(crate) struct Memory {
    size: usize,
    spillable: FairSpillPool,
    others: GreedyMemoryPool,
}

impl Memory {
    pub(crate) fn new(size: usize) -> Self {
        let spillable = size / 8 * 5;
        Self {
            size,
            spillable: FairSpillPool::new(spillable),
            others: GreedyMemoryPool::new(size - spillable),
        }
    }

    fn of(&self, consumer: &MemoryConsumer) -> &dyn MemoryPool {
        if consumer.can_spill() { &self.spillable } else { &self.others }
    }
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
        self.of(consumer).register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.of(consumer).unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.of(reservation.consumer()).grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.of(reservation.consumer()).shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        self.of(reservation.consumer()).try_grow(reservation, additional)
    }

    fn reserved(&self) -> usize {
        self.spillable.reserved() + self.others.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.size)
    }
}
