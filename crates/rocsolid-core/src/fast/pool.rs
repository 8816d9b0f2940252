//! Threads that stay: started when first needed, asleep between calls, never at import.
//!
//! A call borrows helpers for its own work and waits until the last of them has let go of it, so work may refer to
//! the caller's stack. After a fork the child has none of its parent's threads; it notices by the process id and
//! starts a pool of its own.

use std::collections::VecDeque;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::subnormals::Subnormals;

/// More helpers than any call gets, whatever it asks for.
const MOST_HELPERS: usize = 255;

/// Results of `task(scratch, 0) .. task(scratch, parts - 1)` in this order, computed on at most `threads` threads, the
/// caller's included. Parts are handed out one by one; `scratch` is made once per thread that takes part.
pub(crate) fn map<C, R: Send>(
    threads: usize,
    parts: usize,
    scratch: impl Fn() -> C + Sync,
    task: impl Fn(&mut C, usize) -> R + Sync,
) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(parts)));
    let work = || {
        let mut mine = Vec::new();
        let mut scratch = scratch();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                break;
            }
            mine.push((part, task(&mut scratch, part)));
        }
        lock(&done).append(&mut mine);
    };
    share(threads.min(parts), &work);
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|&(part, _)| part);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs `work` on this thread and, if there is any to be had, on up to `threads - 1` others at the same time.
/// A panic in any of them is the caller's.
fn share(threads: usize, work: &(dyn Fn() + Sync)) {
    match threads.saturating_sub(1).min(MOST_HELPERS) {
        0 => work(),
        helpers => Pool::of_this_process().share(helpers, work),
    }
}

/// A mutex whose holder panicked holds nothing that a panic could have broken.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work that someone waits for.
struct Job {
    work: *const (dyn Fn() + Sync),
    /// Helpers that run it now.
    running: usize,
    /// Helpers that may still join.
    seats: usize,
    panicked: bool,
    id: u64,
}

// SAFETY: `work` points to something `Sync`, which any thread may call.
#[allow(unsafe_code)]
unsafe impl Send for Job {}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    workers: usize,
    last_id: u64,
}

struct Pool {
    process: u32,
    state: Mutex<State>,
    /// There is a seat to take.
    seat: Condvar,
    /// A helper has left.
    left: Condvar,
}

static CURRENT: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

impl Pool {
    /// The pool whose threads exist here. One is leaked per process: a parent's may be locked by a thread that the
    /// child does not have, so it is never touched again.
    fn of_this_process() -> &'static Pool {
        let process = std::process::id();
        loop {
            let current = CURRENT.load(Ordering::Acquire);
            // SAFETY: null, or a leaked and so ever valid pool.
            #[allow(unsafe_code)]
            if let Some(pool) = unsafe { current.as_ref() } {
                if pool.process == process {
                    return pool;
                }
            }
            let fresh: &'static mut Pool = Box::leak(Box::new(Pool {
                process,
                state: Mutex::default(),
                seat: Condvar::new(),
                left: Condvar::new(),
            }));
            // Whoever comes second leaks an empty pool and takes the first one's.
            let _ = CURRENT.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire);
        }
    }

    fn share(&'static self, helpers: usize, work: &(dyn Fn() + Sync)) {
        let id = self.offer(helpers, work);
        let mine = catch_unwind(AssertUnwindSafe(work));
        let helped = self.withdraw(id);
        if let Err(panic) = mine {
            resume_unwind(panic);
        }
        assert!(!helped, "a helping thread panicked");
    }

    /// Puts work where helpers find it, and starts those that are missing.
    fn offer(&'static self, seats: usize, work: &(dyn Fn() + Sync)) -> u64 {
        // SAFETY: only the lifetime changes. `withdraw`, which `share` calls on every way out, takes the job back
        // and waits for its helpers, so none of them holds the reference when the borrow ends.
        #[allow(unsafe_code)]
        let work = unsafe {
            std::mem::transmute::<*const (dyn Fn() + Sync + '_), *const (dyn Fn() + Sync)>(work)
        };
        let mut state = lock(&self.state);
        state.last_id += 1;
        let id = state.last_id;
        state.jobs.push_back(Job {
            work,
            running: 0,
            seats,
            panicked: false,
            id,
        });
        while state.workers < seats && self.start_worker() {
            state.workers += 1;
        }
        drop(state);
        self.seat.notify_all();
        id
    }

    /// Takes the work back once nobody is at it; tells whether a helper panicked.
    fn withdraw(&self, id: u64) -> bool {
        let mut state = lock(&self.state);
        loop {
            let Some(place) = state.jobs.iter().position(|job| job.id == id) else {
                return false;
            };
            state.jobs[place].seats = 0;
            if state.jobs[place].running == 0 {
                return state.jobs.remove(place).is_some_and(|job| job.panicked);
            }
            state = self
                .left
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No thread to be had is no error: the caller does the work alone.
    fn start_worker(&'static self) -> bool {
        thread::Builder::new()
            .name("rocsolid".into())
            .spawn(move || {
                let _subnormals = Subnormals::seen();
                self.help_forever()
            })
            .is_ok()
    }

    fn help_forever(&self) {
        let mut state = lock(&self.state);
        loop {
            let Some(job) = state.jobs.iter_mut().find(|job| job.seats > 0) else {
                state = self
                    .seat
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            job.seats -= 1;
            job.running += 1;
            let (id, work) = (job.id, job.work);
            drop(state);
            // SAFETY: `running` was raised under the lock, so `withdraw` keeps the caller, and with it what `work`
            // points to, until it is lowered again.
            #[allow(unsafe_code)]
            let panicked = catch_unwind(AssertUnwindSafe(|| unsafe { (*work)() })).is_err();
            state = lock(&self.state);
            if let Some(job) = state.jobs.iter_mut().find(|job| job.id == id) {
                job.running -= 1;
                job.panicked |= panicked;
            }
            self.left.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 2, 5] {
            let squares = map(
                threads,
                100,
                || 0usize,
                |seen, i| {
                    *seen += 1;
                    (i * i, *seen)
                },
            );
            assert!(squares
                .iter()
                .enumerate()
                .all(|(i, s)| s.0 == i * i && s.1 > 0));
        }
        assert!(map(3, 0, || (), |_, i| i).is_empty());
    }

    #[test]
    fn many_callers_at_once() {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for n in 0..200 {
                        let sum: usize = map(3, n, || (), |_, i| i).iter().sum();
                        assert_eq!(sum, n * n.saturating_sub(1) / 2);
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        for _ in 0..20 {
            let result = catch_unwind(|| map(4, 64, || (), |_, i| assert_ne!(i, 63)));
            assert!(result.is_err());
            assert_eq!(map(4, 10, || (), |_, i| i).len(), 10);
        }
    }
}
