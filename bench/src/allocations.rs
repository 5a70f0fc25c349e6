//! A global allocator that counts, when told to, how often the heap is asked for memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

static COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);

/// The system's allocator behind a switch: it counts between [`start`] and [`stop`] only, so that a
/// timed run pays one well-predicted branch per allocation and no locked instruction.
#[derive(Debug)]
pub struct Counting;

/// Starts counting from zero.
pub fn start() {
    COUNT.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
}

/// Stops counting, and returns how many blocks were allocated or reallocated since [`start`].
pub fn stop() -> u64 {
    COUNTING.store(false, Relaxed);
    COUNT.load(Relaxed)
}

fn note() {
    if COUNTING.load(Relaxed) {
        COUNT.fetch_add(1, Relaxed);
    }
}

#[expect(unsafe_code, reason = "a global allocator cannot be had without")]
// SAFETY: every call goes to `System` as it came; counting touches two atomics and no memory of the
// allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}
