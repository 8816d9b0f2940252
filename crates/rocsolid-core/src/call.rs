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
        let told = || self.stop.load(Ordering::Relaxed);
        if !told() && thread::current().id() == self.caller && (self.interrupted)() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let stop = told();
        (!stop).then_some(()).ok_or(Error::Interrupted)
    }

    /// Visits the items, with a look now and then at whether the call is still wanted.
    #[inline(always)]
    pub(crate) fn for_each<I: Iterator>(
        &self,
        items: I,
        mut visit: impl FnMut(I::Item) -> Result<()>,
    ) -> Result<()> {
        for (i, item) in items.enumerate() {
            if i % STRIDE == STRIDE - 1 {
                self.check()?;
            }
            visit(item)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn it_is_asked_now_and_then_until_it_says_so() {
        let asked = AtomicUsize::new(0);
        let interrupted = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        let call = Call::new(1, &interrupted);
        let mut seen = 0;
        let count = |_| {
            seen += 1;
            Ok(())
        };
        let ended = call.for_each(0..10 * STRIDE, count);
        assert_eq!((ended, seen), (Err(Error::Interrupted), 3 * STRIDE - 1));
        assert_eq!(call.check(), Err(Error::Interrupted));
        assert_eq!(asked.into_inner(), 3);
    }

    #[test]
    fn only_the_caller_is_asked_and_all_threads_are_told() {
        let call = Call::new(2, &|| true);
        thread::scope(|scope| {
            let other = || scope.spawn(|| call.check()).join().unwrap();
            assert_eq!(other(), Ok(()));
            assert_eq!(call.check(), Err(Error::Interrupted));
            assert_eq!(other(), Err(Error::Interrupted));
        });
    }
}
