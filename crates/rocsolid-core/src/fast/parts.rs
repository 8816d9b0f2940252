//! The rows in as many parts as threads take part.

use crate::call::{Call, STRIDE};
use crate::error::Result;
use crate::parallel;

/// Rows that are worth waking a thread for; few of them in tests, so that small data try what threads do.
const WORTH_A_THREAD: usize = if cfg!(test) { 1 << 5 } else { 1 << 18 };
/// Rows that a part has at most: counters within a part have 32 bits.
const MOST_ROWS: usize = 1 << 31;

/// Consecutive rows. Beside score and label a row may carry a load, such as its weight.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a, S, W = ()> {
    pub scores: &'a [S],
    pub positive: &'a [u8],
    pub loads: &'a [W],
}

impl<'a, S> Part<'a, S> {
    /// Rows that carry nothing.
    pub fn new(scores: &'a [S], positive: &'a [u8]) -> Self {
        Part {
            scores,
            positive,
            loads: &[(); usize::MAX][..scores.len()], // no load takes any place
        }
    }
}

impl<'a, S, W> Part<'a, S, W> {
    /// The rows, so many at a time.
    fn chunks(self, size: usize) -> impl Iterator<Item = Self> {
        let labelled = self.scores.chunks(size).zip(self.positive.chunks(size));
        let loaded = labelled.zip(self.loads.chunks(size));
        loaded.map(|((scores, positive), loads)| Part {
            scores,
            positive,
            loads,
        })
    }

    /// The rows, a stride at a time.
    pub fn strides(self) -> impl Iterator<Item = Self> {
        self.chunks(STRIDE)
    }
}

/// All rows, divided.
pub(crate) struct Parts<'a, S, W = ()> {
    rows: Part<'a, S, W>,
    pub threads: usize,
    /// Rows of each part but the last.
    pub size: usize,
}

impl<'a, S: Copy + Sync, W: Copy + Sync> Parts<'a, S, W> {
    /// Divides rows of one length.
    pub fn new(rows: Part<'a, S, W>, call: &Call) -> Self {
        let n = rows.scores.len();
        let threads = call.threads.clamp(1, n / WORTH_A_THREAD + 1);
        let parts = threads.max(n.div_ceil(MOST_ROWS));
        let size = n.div_ceil(parts).max(1);
        Parts {
            rows,
            threads,
            size,
        }
    }

    /// The parts, in order.
    pub fn iter(&self) -> impl Iterator<Item = Part<'a, S, W>> {
        self.rows.chunks(self.size)
    }

    /// The results of all parts, in order, or the first error.
    pub fn map<R: Send>(
        &self,
        call: &Call,
        task: impl Fn(Part<'a, S, W>) -> Result<R> + Sync,
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
