//! A queue of pieces of work, emptied by a few threads.
//!
//! Threads are started for one call and are gone when it returns, so a process may fork between calls. The pieces
//! are independent and each writes only to its own place, so who takes which does not matter: that is how everything
//! here gives the same bits on any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the calling thread works before it asks whether to go on.
const PATIENCE: Duration = Duration::from_millis(5);

/// Calls `work` with every item on the calling thread and at most `threads - 1` others.
///
/// Each thread has a state of its own, made by `state`; they are returned, in no particular order. `go_on` is asked
/// every few milliseconds, on the calling thread only; `None` if it said no. Where no thread is to be had, fewer do it.
pub(crate) fn drain<I, S>(
    items: I,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) + Sync,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<S>>
where
    I: Iterator + Send,
    S: Send,
{
    let (queue, stopped) = (Mutex::new(items), AtomicBool::new(false));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = |go_on: &mut dyn FnMut() -> bool| {
        let (mut own, mut asked) = (state(), Instant::now());
        while let Some(item) = next() {
            work(&mut own, item);
            if stopped.load(Ordering::Relaxed) {
                break;
            }
            if asked.elapsed() > PATIENCE {
                stopped.fetch_or(!go_on(), Ordering::Relaxed);
                asked = Instant::now();
            }
        }
        own
    };
    let states = thread::scope(|scope| {
        let helper = || thread::Builder::new().spawn_scoped(scope, || run(&mut || true));
        let helpers: Vec<_> = (1..threads).map_while(|_| helper().ok()).collect();
        let mut states = vec![run(go_on)];
        // Joining fails only if a helper panicked; the scope passes the panic on.
        states.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        states
    });
    (!stopped.into_inner()).then_some(states)
}

/// [`drain`] for work that is too short to be interrupted.
pub(crate) fn finish<I, S>(
    items: I,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) + Sync,
) -> Vec<S>
where
    I: Iterator + Send,
    S: Send,
{
    drain(items, threads, state, work, &mut || true).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_taken_once() {
        for threads in [0, 1, 2, 5] {
            let states = finish(0..1000u64, threads, || 0, |sum, item| *sum += item);
            assert_eq!(states.iter().sum::<u64>(), 499_500);
            assert_eq!(states.len(), threads.max(1));
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked < 3
        };
        let nap = |taken: &mut u64, _| {
            *taken += 1;
            thread::sleep(PATIENCE);
        };
        assert!(drain(0..1_000_000u64, 2, || 0, nap, &mut go_on).is_none());
        assert_eq!(asked, 3);
    }
}
