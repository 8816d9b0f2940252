//! Calls without the interpreter that Ctrl-C ends all the same.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rocsolid_core::{Call, Result};

use crate::raise;

/// How long a signal may wait. Looking takes the interpreter's lock, which others may hold.
const PATIENCE: Duration = Duration::from_millis(50);

/// Releases the interpreter for `work`, and looks for signals now and then on the calling thread.
pub fn interruptible<R: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Call) -> Result<R> + Send,
) -> PyResult<R> {
    let (signal, looked) = (Mutex::new(None), Mutex::new(Instant::now()));
    let interrupted = || {
        let (Ok(mut signal), Ok(mut looked)) = (signal.lock(), looked.lock()) else {
            return false;
        };
        if looked.elapsed() >= PATIENCE {
            *signal = Python::attach(|py| py.check_signals()).err();
            *looked = Instant::now();
        }
        signal.is_some()
    };
    let result = py.detach(|| work(&Call::new(threads, &interrupted)));
    match signal.into_inner() {
        Ok(Some(signal)) => Err(signal),
        _ => result.map_err(raise),
    }
}
