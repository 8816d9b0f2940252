//! Pieces of work, handed out to a few threads that stay.
//!
//! The threads are rayon's. There is one pool per process: built when first needed, never at import, asleep between
//! calls, rebuilt where a call asks for more threads than it has. After a fork the child has none of its parent's
//! threads; it notices by the process id and builds a pool of its own.
//!
//! The pieces are independent and each writes only to its own place, so who takes which does not matter: that is how
//! everything here gives the same bits on any number of threads.
//!
//! Rayon's own scopes would need no unsafe code here. But they return only when every job given to the pool has had
//! its turn, so a short call would wait for a long one of another thread, even with all its pieces done. Here whoever
//! comes late finds the door closed.

use std::any::Any;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::call::Call;
use crate::error::Result;
use crate::subnormals::Subnormals;

/// More helpers than any call gets, whatever it asks for.
const MOST_HELPERS: usize = 255;

/// How long a caller without work waits for its helpers before it asks whether to go on.
const PATIENCE: Duration = Duration::from_millis(20);

/// The results of `task` for each item, in the order of the items, or the first error in this order.
///
/// At most `threads` threads take part, the caller's included. Items are handed out one by one, and no longer once one
/// has failed or the call is interrupted. `scratch` is made once per thread that takes part.
pub(crate) fn map<I, C, R>(
    call: &Call,
    threads: usize,
    items: I,
    scratch: impl Fn() -> C + Sync,
    task: impl Fn(&mut C, I::Item) -> Result<R> + Sync,
) -> Result<Vec<R>>
where
    I: IntoIterator<IntoIter: Send>,
    R: Send,
{
    let items = items.into_iter();
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let (queue, done) = (Mutex::new(items.enumerate()), Mutex::new(Vec::new()));
    let failed = AtomicBool::new(false);
    let work = || {
        let (mut scratch, mut mine) = (scratch(), Vec::new());
        while !failed.load(Ordering::Relaxed) {
            let Some((i, item)) = lock(&queue).next() else {
                break;
            };
            let result = call.check().and_then(|()| task(&mut scratch, item));
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            mine.push((i, result));
        }
        lock(&done).append(&mut mine);
    };
    share(call, threads.min(most), &work);
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // All items before one that was handed out were handed out too: the first error is the same on any threads.
    done.sort_unstable_by_key(|&(i, _)| i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs `work` on this thread and, if there is any to be had, on up to `threads - 1` others at the same time.
/// A panic in any of them is the caller's.
fn share(call: &Call, threads: usize, work: &(dyn Fn() + Sync)) {
    let helpers = threads.saturating_sub(1).min(MOST_HELPERS);
    let pool = (helpers > 0).then(|| Home::of_this_process().pool(helpers));
    let Some(pool) = pool.flatten() else {
        return work();
    };
    let door = Arc::new(Door::open(work));
    for _ in 0..helpers {
        let door = Arc::clone(&door);
        pool.spawn(move || door.enter());
    }
    let mine = catch_unwind(AssertUnwindSafe(work)).err();
    let theirs = door.close(call);
    if let Some(panic) = mine.or(theirs) {
        resume_unwind(panic);
    }
}

/// A mutex whose holder panicked holds nothing that a panic could have broken.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way to work that lives on its caller's stack: open for as long as the caller waits behind it.
struct Door {
    inside: Mutex<Inside>,
    /// The last helper has left.
    empty: Condvar,
}

struct Inside {
    /// Nothing once the door is closed.
    work: Option<Work>,
    helpers: usize,
    panic: Option<Box<dyn Any + Send>>,
}

#[derive(Clone, Copy)]
struct Work(*const (dyn Fn() + Sync));

// SAFETY: it points to something `Sync`, which any thread may call.
#[allow(unsafe_code)]
unsafe impl Send for Work {}

impl Door {
    /// Must be closed before the borrow of `work` ends.
    fn open(work: &(dyn Fn() + Sync)) -> Self {
        // SAFETY: only the lifetime changes, which a pointer does not vouch for: see `enter`.
        #[allow(unsafe_code)]
        let work = Work(unsafe {
            std::mem::transmute::<*const (dyn Fn() + Sync + '_), *const (dyn Fn() + Sync)>(work)
        });
        Door {
            inside: Mutex::new(Inside {
                work: Some(work),
                helpers: 0,
                panic: None,
            }),
            empty: Condvar::new(),
        }
    }

    /// Helps, unless the door is closed.
    fn enter(&self) {
        let mut inside = lock(&self.inside);
        let Some(work) = inside.work else {
            return;
        };
        inside.helpers += 1;
        drop(inside);
        let run = || {
            let _subnormals = Subnormals::seen();
            // SAFETY: the door was open under the lock that counted this helper. `share` closes it on every way out,
            // and that takes until the count is back at zero, so the caller's stack is still there.
            #[allow(unsafe_code)]
            unsafe {
                (*work.0)()
            }
        };
        let panic = catch_unwind(AssertUnwindSafe(run)).err();
        let mut inside = lock(&self.inside);
        inside.helpers -= 1;
        inside.panic = inside.panic.take().or(panic);
        if inside.helpers == 0 {
            self.empty.notify_one();
        }
    }

    /// Lets no more helpers in, waits until all are out, and tells what one of them panicked with.
    fn close(&self, call: &Call) -> Option<Box<dyn Any + Send>> {
        let mut inside = lock(&self.inside);
        inside.work = None;
        while inside.helpers > 0 {
            let (back, waited) = self
                .empty
                .wait_timeout(inside, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
            inside = back;
            if waited.timed_out() {
                drop(inside);
                // Tells the helpers, if so; they leave by themselves.
                let _ = call.check();
                inside = lock(&self.inside);
            }
        }
        inside.panic.take()
    }
}

/// Where a process has its pool.
struct Home {
    process: u32,
    pool: Mutex<Option<Arc<ThreadPool>>>,
}

static CURRENT: AtomicPtr<Home> = AtomicPtr::new(std::ptr::null_mut());

impl Home {
    /// One is leaked per process: a parent's may be locked by a thread that the child does not have, so the child
    /// never touches it again.
    fn of_this_process() -> &'static Home {
        let process = std::process::id();
        loop {
            let current = CURRENT.load(Ordering::Acquire);
            // SAFETY: null, or leaked and so ever valid.
            #[allow(unsafe_code)]
            if let Some(home) = unsafe { current.as_ref() } {
                if home.process == process {
                    return home;
                }
            }
            let pool = Mutex::new(None);
            let fresh: &'static mut Home = Box::leak(Box::new(Home { process, pool }));
            // Whoever comes second leaks an empty home and takes the first one's.
            let _ = CURRENT.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire);
        }
    }

    /// A pool of at least so many threads; the largest so far, if no more are to be had.
    ///
    /// One that is too small is dropped: its threads end when they have done what they are at.
    fn pool(&self, helpers: usize) -> Option<Arc<ThreadPool>> {
        let mut pool = lock(&self.pool);
        if pool.as_ref().map_or(0, |p| p.current_num_threads()) < helpers {
            let fresh = ThreadPoolBuilder::new()
                .num_threads(helpers)
                .thread_name(|_| "rocsolid".into())
                .build();
            if let Ok(fresh) = fresh {
                *pool = Some(Arc::new(fresh));
            }
        }
        pool.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::thread;

    /// What uninterrupted calls give.
    fn numbers(threads: usize, n: usize) -> Vec<usize> {
        let call = Call::uninterrupted(threads);
        map(&call, threads, 0..n, || (), |(), i| Ok(i)).unwrap()
    }

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 2, 5] {
            let call = Call::uninterrupted(threads);
            let square = |seen: &mut usize, i: usize| {
                *seen += 1;
                Ok((i * i, *seen))
            };
            let squares = map(&call, threads, 0..100, || 0, square).unwrap();
            assert_eq!(squares.len(), 100);
            let of_order = |(i, s): (usize, &(usize, usize))| s.0 == i * i && s.1 > 0;
            assert!(squares.iter().enumerate().all(of_order));
        }
        assert!(numbers(3, 0).is_empty());
    }

    #[test]
    fn helpers_do_help() {
        let call = Call::uninterrupted(2);
        let nap = |(): &mut (), _| {
            thread::sleep(Duration::from_millis(2));
            Ok(thread::current().id())
        };
        let threads = map(&call, 2, 0..50, || (), nap).unwrap();
        assert!(threads.iter().any(|&id| id != threads[0]));
    }

    #[test]
    fn many_callers_at_once() {
        thread::scope(|scope| {
            for threads in 1..5 {
                scope.spawn(move || {
                    for n in 0..200 {
                        assert!(numbers(threads, n).into_iter().eq(0..n));
                    }
                });
            }
        });
    }

    #[test]
    fn a_short_call_does_not_wait_for_a_long_one() {
        let release = &AtomicBool::new(false);
        thread::scope(|scope| {
            let wait = |_: &mut (), _| {
                while !release.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            };
            let call = move || map(&Call::uninterrupted(256), 256, 0..256, || (), wait);
            let long = scope.spawn(call);
            thread::sleep(Duration::from_millis(20));
            assert_eq!(numbers(2, 10).len(), 10); // would hang if it waited
            release.store(true, Ordering::Relaxed);
            assert_eq!(long.join().unwrap().unwrap().len(), 256);
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        for _ in 0..20 {
            let call = Call::uninterrupted(4);
            let fail = |(): &mut (), i| {
                assert_ne!(i, 63, "sixty-three");
                Ok(())
            };
            let result = catch_unwind(AssertUnwindSafe(|| {
                map(&call, 4, 0..64, || (), fail).is_ok()
            }));
            let message = result.unwrap_err();
            assert!(message
                .downcast_ref::<String>()
                .is_some_and(|m| m.contains("sixty-three")));
            assert_eq!(numbers(4, 10).len(), 10);
        }
    }

    #[test]
    fn the_first_error_is_the_result() {
        for threads in [1, 2, 5] {
            let call = Call::uninterrupted(threads);
            let fail = |(): &mut (), i| match i {
                40 => Err(Error::Nan),
                41.. => Err(Error::Memory),
                _ => Ok(()),
            };
            let found = map(&call, threads, 0.., || (), fail);
            assert_eq!(found, Err(Error::Nan));
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        let asked = Mutex::new(0);
        let told = || {
            *lock(&asked) += 1;
            *lock(&asked) == 3
        };
        let nap = |(): &mut (), _| {
            thread::sleep(Duration::from_millis(1));
            Ok(())
        };
        let call = Call::new(2, &told);
        let found = map(&call, 2, 0..1_000_000, || (), nap);
        assert_eq!(found, Err(Error::Interrupted));
        assert_eq!(*lock(&asked), 3);
    }

    /// The caller has nothing left to do, and is asked all the same.
    #[test]
    fn it_stops_helpers_that_are_alone() {
        let caller = thread::current().id();
        let told = AtomicBool::new(false);
        let interrupted = || told.load(Ordering::Relaxed);
        let call = Call::new(2, &interrupted);
        let task = |(): &mut (), _| {
            if thread::current().id() == caller {
                while !told.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
                return Ok(());
            }
            told.store(true, Ordering::Relaxed);
            while call.check().is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
            call.check()
        };
        assert_eq!(map(&call, 2, 0..2, || (), task), Err(Error::Interrupted));
    }
}
