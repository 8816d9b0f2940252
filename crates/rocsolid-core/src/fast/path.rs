//! The names of the ways to the areas, and how often each was taken.

use std::any::TypeId;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::order::Score;

/// A way to the areas. All lead to the same result; tests force each by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Whichever is fastest for the data.
    Auto,
    /// Sort both classes and merge.
    Sort,
    /// Walk over rows that are in order already.
    Sorted,
    /// Count few distinct scores.
    Few,
    /// Locate rows beside few positives.
    Rare,
    /// Distribute into buckets.
    Distribute,
}

impl Path {
    /// All of them.
    pub const ALL: [Path; 6] = [
        Path::Auto,
        Path::Sort,
        Path::Sorted,
        Path::Few,
        Path::Rare,
        Path::Distribute,
    ];

    /// The name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Path::Auto => "auto",
            Path::Sort => "sort",
            Path::Sorted => "sorted",
            Path::Few => "few",
            Path::Rare => "rare",
            Path::Distribute => "distribute",
        }
    }
}

/// What is wanted of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Areas,
    Group,
    WeightedAreas,
}

const TASKS: [&str; 3] = ["areas", "group", "weighted areas"];
const SCORES: [&str; 4] = ["float32", "float64", "int64", "uint64"];
const THREADS: [&str; 3] = ["1", "2", "more"];

/// How often something was done, by the number of threads allowed.
type Taken = [AtomicU64; THREADS.len()];

static TAKEN: [[[Taken; SCORES.len()]; Path::ALL.len()]; TASKS.len()] = [const {
    [const { [const { [const { AtomicU64::new(0) }; THREADS.len()] }; SCORES.len()] };
        Path::ALL.len()]
}; TASKS.len()];

/// Notes that a call has taken this path.
pub(crate) fn note<S: Score>(task: Task, path: Path, threads: usize) {
    let types = [
        TypeId::of::<f32>(),
        TypeId::of::<f64>(),
        TypeId::of::<i64>(),
        TypeId::of::<u64>(),
    ];
    if let Some(score) = types.iter().position(|&t| t == TypeId::of::<S>()) {
        let threads = threads.clamp(1, THREADS.len()) - 1;
        TAKEN[task as usize][path as usize][score][threads].fetch_add(1, Ordering::Relaxed);
    }
}

/// Task, path, type of score, threads allowed, and how often these met.
pub type PathCount = (&'static str, &'static str, &'static str, &'static str, u64);

/// How often each path was taken for each task, type of score and number of threads, since the process began.
pub fn path_counts() -> Vec<PathCount> {
    let mut counts = Vec::new();
    for (task, paths) in TASKS.iter().zip(&TAKEN) {
        for (path, scores) in Path::ALL.iter().zip(paths) {
            for (score, threads) in SCORES.iter().zip(scores) {
                counts.extend(THREADS.iter().zip(threads).map(|(threads, calls)| {
                    (
                        *task,
                        path.name(),
                        *score,
                        *threads,
                        calls.load(Ordering::Relaxed),
                    )
                }));
            }
        }
    }
    counts
}
