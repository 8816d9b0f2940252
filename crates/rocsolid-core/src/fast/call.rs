//! How a call may run, and when it must stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crate::error::{Error, Result};

/// Rows handled between two looks at whether the call is still wanted.
pub(crate) const STRIDE: usize = 1 << 16;

/// The terms of one call.
pub struct Call<'a> {
    /// Threads at most, the caller's included.
    pub threads: usize,
    interrupted: &'a (dyn Fn() -> bool + Sync),
    caller: ThreadId,
    stop: AtomicBool,
}

impl<'a> Call<'a> {
    /// A call that asks `interrupted`, on the calling thread and now and then, whether to give up.
    pub fn new(threads: usize, interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Call {
            threads,
            interrupted,
            caller: thread::current().id(),
            stop: AtomicBool::new(false),
        }
    }

    /// A call that runs to its end.
    pub fn uninterrupted(threads: usize) -> Self {
        Call::new(threads, &|| false)
    }

    /// [`Error::Interrupted`] on every thread once the caller no longer wants the result.
    pub(crate) fn check(&self) -> Result<()> {
        if thread::current().id() == self.caller && (self.interrupted)() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let stop = self.stop.load(Ordering::Relaxed);
        (!stop).then_some(()).ok_or(Error::Interrupted)
    }
}
