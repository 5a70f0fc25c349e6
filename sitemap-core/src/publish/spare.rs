//! Room that is used again.
//!
//! Pieces are made by one thread and stored by another. If each took its room from the allocator, the
//! threads' heaps would come to hold many times what is in use.

use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(super) struct Spare {
    capacity: usize,
    idle: Mutex<Vec<Vec<u8>>>,
}

impl Spare {
    /// More than threads usually have at work.
    const MOST: usize = 16;

    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, idle: Mutex::default() }
    }

    pub(super) fn take(&self) -> Vec<u8> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Vec::with_capacity(self.capacity))
    }

    pub(super) fn give_back(&self, mut room: Vec<u8>) {
        room.clear();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < Self::MOST && room.capacity() == self.capacity {
            idle.push(room);
        }
    }
}
