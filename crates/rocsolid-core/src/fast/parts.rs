//! The rows in as many parts as threads take part.

use crate::call::{Call, STRIDE};
use crate::error::Result;
use crate::parallel;

/// Rows that are worth waking a thread for; few of them in tests, so that small data try what threads do.
const WORTH_A_THREAD: usize = if cfg!(test) { 1 << 5 } else { 1 << 18 };
/// Rows that a part has at most: counters within a part have 32 bits.
const MOST_ROWS: usize = 1 << 31;

/// Consecutive rows.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a, S> {
    pub scores: &'a [S],
    pub positive: &'a [u8],
}

impl<'a, S> Part<'a, S> {
    /// Scores and labels, a stride at a time.
    pub fn strides(self) -> impl Iterator<Item = (&'a [S], &'a [u8])> {
        self.scores.chunks(STRIDE).zip(self.positive.chunks(STRIDE))
    }
}

/// All rows, divided.
pub(crate) struct Parts<'a, S> {
    rows: Part<'a, S>,
    pub threads: usize,
    /// Rows of each part but the last.
    pub size: usize,
}

impl<'a, S: Sync> Parts<'a, S> {
    /// Divides rows of one length.
    pub fn new(scores: &'a [S], positive: &'a [u8], call: &Call) -> Self {
        let threads = call.threads.clamp(1, scores.len() / WORTH_A_THREAD + 1);
        let parts = threads.max(scores.len().div_ceil(MOST_ROWS));
        let size = scores.len().div_ceil(parts).max(1);
        Parts {
            rows: Part { scores, positive },
            threads,
            size,
        }
    }

    /// The parts, in order.
    pub fn iter(&self) -> impl Iterator<Item = Part<'a, S>> {
        let pieces = self
            .rows
            .scores
            .chunks(self.size)
            .zip(self.rows.positive.chunks(self.size));
        pieces.map(|(scores, positive)| Part { scores, positive })
    }

    /// The results of all parts, in order, or the first error.
    pub fn map<R: Send>(
        &self,
        call: &Call,
        task: impl Fn(Part<'a, S>) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        parallel::map(
            call,
            self.threads,
            self.iter(),
            || (),
            |(), part| task(part),
        )
    }
}
