//! A global allocator that can count heap allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

static COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);

/// The system allocator, with a counter that runs only between [`start`] and [`stop`].
///
/// The rest of the time, for example in a timed run, the counter adds only one well-predicted branch to each
/// allocation, and no locked instruction.
#[derive(Debug)]
pub struct Counting;

/// Starts counting from zero.
pub fn start() {
    COUNT.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
}

/// Stops counting and returns the number of blocks allocated or reallocated since [`start`].
pub fn stop() -> u64 {
    COUNTING.store(false, Relaxed);
    COUNT.load(Relaxed)
}

fn count_one() {
    if COUNTING.load(Relaxed) {
        COUNT.fetch_add(1, Relaxed);
    }
}

#[expect(unsafe_code, reason = "a global allocator needs unsafe code")]
// SAFETY: every call passes its arguments to `System` unchanged. Counting only touches two atomics, and none of the
// allocator's memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_one();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}
